// Package ctxtx carries the transaction in the context. Without one there, the
// repository falls back to the pool.
package ctxtx

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/rabbitmq/amqp091-go"
)

type ctxKey struct{}

type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

type Transactor struct{ db *sql.DB }

// Do joins the transaction that the context has, or begins one.
func (t *Transactor) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	if _, ok := ctx.Value(ctxKey{}).(*sql.Tx); ok {
		return fn(ctx)
	}
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(context.WithValue(ctx, ctxKey{}, tx)); err != nil {
		return fmt.Errorf("in transaction: %w", err)
	}
	return tx.Commit()
}

func from(ctx context.Context, db *sql.DB) querier {
	if tx, ok := ctx.Value(ctxKey{}).(*sql.Tx); ok {
		return tx
	}
	return db
}

type Pass struct {
	ID     string
	Holder string
}

type PassRepo struct{ db *sql.DB }

func (r *PassRepo) Save(ctx context.Context, p Pass) error {
	_, err := from(ctx, r.db).ExecContext(ctx, "INSERT INTO passes (id, holder) VALUES ($1, $2)", p.ID, p.Holder)
	return err
}

func (r *PassRepo) Holder(ctx context.Context, id string) (holder string, err error) {
	err = from(ctx, r.db).QueryRowContext(ctx, "SELECT holder FROM passes WHERE id = $1", id).Scan(&holder)
	return holder, err
}

type PassOutbox struct{ db *sql.DB }

func (o *PassOutbox) Add(ctx context.Context, kind string, p Pass) error {
	_, err := from(ctx, o.db).ExecContext(ctx, "INSERT INTO pass_outbox (kind, pass_id) VALUES ($1, $2)", kind, p.ID)
	return err
}

type Passes struct {
	tx     *Transactor
	repo   *PassRepo
	outbox *PassOutbox
	ch     *amqp091.Channel
}

func (s *Passes) tell(ctx context.Context, kind string, p Pass) error {
	return s.ch.PublishWithContext(ctx, "passes", kind, true, false, amqp091.Publishing{Body: []byte(p.ID)})
}

// Issue stores both under the same context.
func (s *Passes) Issue(ctx context.Context, p Pass) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Save(ctx, p); err != nil {
			return err
		}
		return s.outbox.Add(ctx, "issued", p)
	})
}

// Renew gives the outbox the outer context, which has no transaction in it.
func (s *Passes) Renew(ctx context.Context, p Pass) error {
	return s.tx.Do(ctx, func(txCtx context.Context) error {
		if err := s.repo.Save(txCtx, p); err != nil {
			return err
		}
		return s.outbox.Add(ctx, "renewed", p) // want outbox-outside-tx
	})
}

// Extend adds the row when the transaction is over.
func (s *Passes) Extend(ctx context.Context, p Pass) error {
	err := s.tx.Do(ctx, func(ctx context.Context) error {
		return s.repo.Save(ctx, p)
	})
	if err != nil {
		return err
	}
	return s.outbox.Add(ctx, "extended", p) // want outbox-outside-tx
}

func (s *Passes) Replace(ctx context.Context, p Pass) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Save(ctx, p); err != nil {
			return err
		}
		return s.tell(ctx, "replaced", p) // want inside-tx "transaction"
	})
}

func (s *Passes) Register(ctx context.Context, p Pass) error {
	if err := s.tx.Do(ctx, func(ctx context.Context) error { return s.repo.Save(ctx, p) }); err != nil {
		return err
	}
	return s.tell(ctx, "registered", p) // want after-commit "runs after"
}

// Import saves with no transaction in reach: the repository falls back to the pool.
func (s *Passes) Import(p Pass) error {
	ctx := context.Background()
	if err := s.repo.Save(ctx, p); err != nil {
		return err
	}
	return s.tell(ctx, "imported", p) // want dual-write "follows"
}

// Ring reads in a transaction, then publishes.
func (s *Passes) Ring(ctx context.Context, id string) error {
	var holder string
	err := s.tx.Do(ctx, func(ctx context.Context) (err error) {
		holder, err = s.repo.Holder(ctx, id)
		return err
	})
	if err != nil {
		return err
	}
	return s.tell(ctx, "ring", Pass{ID: id, Holder: holder})
}
