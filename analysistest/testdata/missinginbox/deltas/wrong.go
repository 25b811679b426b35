// Package deltas adds to what is stored.
package deltas

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Deposit struct {
	ID, Account string
	Cents       int64
}

type Accounts struct{ pool *pgxpool.Pool }

func (a *Accounts) Add(ctx context.Context, id string, cents int64) error {
	_, err := a.pool.Exec(ctx, "UPDATE accounts SET balance = balance + $2 WHERE id = $1", id, cents)
	return err
}

// exec runs the statements of the others.
func (a *Accounts) exec(ctx context.Context, query string, args ...any) error {
	tag, err := a.pool.Exec(ctx, query, args...)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errors.New("no such account")
	}
	return nil
}

func (a *Accounts) Count(ctx context.Context, id string) error {
	return a.exec(ctx, "UPDATE accounts SET failures = failures + 1 WHERE id = $1", id)
}

func (a *Accounts) CountUp(ctx context.Context, id string) error {
	_, err := a.pool.Exec(ctx, "INSERT INTO totals (account, n) VALUES ($1, 1) ON CONFLICT (account) DO UPDATE SET n = totals.n + 1", id)
	return err
}

func (a *Accounts) CountInside(ctx context.Context, id string) error {
	_, err := a.pool.Exec(ctx, "UPDATE accounts SET data = jsonb_set(data, '{n}', to_jsonb((data->>'n')::int + 1)) WHERE id = $1", id)
	return err
}

type Worker struct{ accounts *Accounts }

func (w *Worker) Deposit(ctx context.Context, t *asynq.Task) error {
	var d Deposit
	if err := json.Unmarshal(t.Payload(), &d); err != nil {
		return err
	}
	return w.accounts.Add(ctx, d.Account, d.Cents) // want no-dedupe "accounts.balance"
}

func (w *Worker) Fail(ctx context.Context, t *asynq.Task) error {
	return w.accounts.Count(ctx, string(t.Payload())) // want no-dedupe "accounts.failures"
}

func (w *Worker) Total(ctx context.Context, t *asynq.Task) error {
	return w.accounts.CountUp(ctx, string(t.Payload())) // want no-dedupe "totals.n"
}

func (w *Worker) Inside(ctx context.Context, t *asynq.Task) error {
	return w.accounts.CountInside(ctx, string(t.Payload())) // want no-dedupe "accounts.data"
}

// Limit: the check of a limit tells no second delivery from the first.
func (w *Worker) Limit(ctx context.Context, t *asynq.Task) error {
	_, err := w.accounts.pool.Exec(ctx, "UPDATE stock SET n = n - 1 WHERE id = $1 AND n >= 1", string(t.Payload())) // want no-dedupe "stock.n"
	return err
}

// Missing: that a row is there tells nothing of the message.
func (w *Worker) Missing(ctx context.Context, t *asynq.Task) error {
	var name string
	err := w.accounts.pool.QueryRow(ctx, "SELECT name FROM owners WHERE id = $1", string(t.Payload())).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = w.accounts.pool.Exec(ctx, "UPDATE owners SET points = points + 10 WHERE name = $1", name) // want no-dedupe "owners.points"
	return err
}

func Mux(w *Worker) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("deposit", w.Deposit)
	m.HandleFunc("fail", w.Fail)
	m.HandleFunc("total", w.Total)
	m.HandleFunc("inside", w.Inside)
	m.HandleFunc("limit", w.Limit)
	m.HandleFunc("missing", w.Missing)
	return m
}
