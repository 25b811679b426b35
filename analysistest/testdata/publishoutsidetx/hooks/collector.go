package hooks

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

// Txn is a transaction that remembers what is to be done once it has committed.
type Txn struct {
	pgx.Tx
	after []func(context.Context)
}

func (t *Txn) OnCommit(fn func(context.Context)) { t.after = append(t.after, fn) }

type Runner struct {
	pool *pgxpool.Pool
	nc   *nats.Conn
}

func (r *Runner) Run(ctx context.Context, fn func(t *Txn) error) error {
	tx, err := r.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	t := &Txn{Tx: tx}
	if err := fn(t); err != nil {
		return err
	}
	if err := t.Commit(ctx); err != nil {
		return err
	}
	for _, after := range t.after {
		after(ctx) // want after-commit "runs after"
	}
	return nil
}

func (r *Runner) tell(subject, id string) {
	if err := r.nc.Publish(subject, []byte(id)); err != nil {
		slog.Error("publish", "subject", subject, "err", err)
	}
}

// Finish has its publish run by Run after the commit, where a crash loses it.
func (r *Runner) Finish(ctx context.Context, id string) error {
	return r.Run(ctx, func(t *Txn) error {
		if _, err := t.Exec(ctx, "UPDATE races SET finished = true WHERE id = $1", id); err != nil {
			return err
		}
		t.OnCommit(func(context.Context) { r.tell("races.finished", id) })
		return nil
	})
}
