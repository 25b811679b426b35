package deltas

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

type Right struct{ pool *pgxpool.Pool }

// Inbox: the insert fails the second time.
func (r *Right) Inbox(ctx context.Context, t *asynq.Task) error {
	var d Deposit
	if err := json.Unmarshal(t.Payload(), &d); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO handled (message_id) VALUES ($1)", d.ID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE accounts SET balance = balance + $2 WHERE id = $1", d.Account, d.Cents)
		return err
	})
}

// Claim: the claim says whether the message is new.
func (r *Right) Claim(ctx context.Context, t *asynq.Task) error {
	tag, err := r.pool.Exec(ctx, "INSERT INTO handled (message_id) VALUES ($1) ON CONFLICT DO NOTHING", string(t.Payload()))
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = r.pool.Exec(ctx, "UPDATE accounts SET balance = balance + 1 WHERE id = $1", string(t.Payload()))
	return err
}

// State: the row leaves the state in which it is changed.
func (r *Right) State(ctx context.Context, t *asynq.Task) error {
	_, err := r.pool.Exec(ctx, "UPDATE orders SET status = 'paid', paid = paid + $2 WHERE id = $1 AND status = 'open'", string(t.Payload()), 1)
	return err
}

// Looked: the state is read and compared first.
func (r *Right) Looked(ctx context.Context, t *asynq.Task) error {
	var status string
	if err := r.pool.QueryRow(ctx, "SELECT status FROM orders WHERE id = $1 FOR UPDATE", string(t.Payload())).Scan(&status); err != nil {
		return err
	}
	if status != "open" {
		return nil
	}
	if _, err := r.pool.Exec(ctx, "UPDATE accounts SET balance = balance + 1 WHERE id = $1", string(t.Payload())); err != nil {
		return err
	}
	_, err := r.pool.Exec(ctx, "UPDATE orders SET status = 'paid' WHERE id = $1", string(t.Payload()))
	return err
}

var errSettled = errors.New("settled")

func (r *Right) unsettled(ctx context.Context, id string) error {
	var settled bool
	if err := r.pool.QueryRow(ctx, "SELECT settled FROM orders WHERE id = $1", id).Scan(&settled); err != nil {
		return err
	}
	if settled {
		return errSettled
	}
	return nil
}

// Refused: a function says no to what is settled.
func (r *Right) Refused(ctx context.Context, t *asynq.Task) error {
	id := string(t.Payload())
	if err := r.unsettled(ctx, id); err != nil {
		return err
	}
	_, err := r.pool.Exec(ctx, "UPDATE orders SET settled = true, total = total + 1 WHERE id = $1", id)
	return err
}

// Tries: a counter of tries counts each.
func (r *Right) Tries(ctx context.Context, t *asynq.Task) error {
	_, err := r.pool.Exec(ctx, "UPDATE jobs SET attempts = attempts + 1, version = version + 1 WHERE id = $1", string(t.Payload()))
	return err
}

// Absolute: the same twice.
func (r *Right) Absolute(ctx context.Context, t *asynq.Task) error {
	_, err := r.pool.Exec(ctx, "UPDATE accounts SET balance = $2 WHERE id = $1", string(t.Payload()), 7)
	return err
}

func RightMux(r *Right) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("inbox", r.Inbox)
	m.HandleFunc("claim", r.Claim)
	m.HandleFunc("state", r.State)
	m.HandleFunc("looked", r.Looked)
	m.HandleFunc("refused", r.Refused)
	m.HandleFunc("tries", r.Tries)
	m.HandleFunc("absolute", r.Absolute)
	return m
}

// Core: what core NATS delivers comes once at most.
func (r *Right) Core(nc *nats.Conn) error {
	_, err := nc.Subscribe("hits", func(m *nats.Msg) {
		_, _ = r.pool.Exec(context.Background(), "UPDATE accounts SET balance = balance + 1 WHERE id = $1", string(m.Data))
	})
	return err
}

// Transfer is no handler: nobody delivers again.
func (r *Right) Transfer(ctx context.Context, id string) error {
	_, err := r.pool.Exec(ctx, "UPDATE accounts SET balance = balance + 1 WHERE id = $1", id)
	return err
}
