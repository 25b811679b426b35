package wrapper

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// Execer is the pool or a transaction.
type Execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// UpdateOptions carry the transaction of the caller, if there is one.
type UpdateOptions struct{ Tx pgx.Tx }

func execer(conn Execer, options ...UpdateOptions) Execer {
	if len(options) > 0 && options[0].Tx != nil {
		return options[0].Tx
	}
	return conn
}

type StockRepo struct{ conn *pgxpool.Pool }

func (r *StockRepo) Save(ctx context.Context, sku string, options ...UpdateOptions) error {
	_, err := execer(r.conn, options...).Exec(ctx, "UPDATE stocks SET seen = now() WHERE sku = $1", sku)
	return err
}

type Stocks struct {
	repo *StockRepo
	out  *kafka.Writer
}

func (s *Stocks) Count(ctx context.Context, sku string) error {
	tx, err := s.repo.conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := s.repo.Save(ctx, sku, UpdateOptions{Tx: tx}); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return s.out.WriteMessages(ctx, kafka.Message{Topic: "counted", Key: []byte(sku)}) // want after-commit "runs after tx.Commit"
}

func (s *Stocks) CountAlone(ctx context.Context, sku string) error {
	if err := s.repo.Save(ctx, sku); err != nil {
		return err
	}
	return s.out.WriteMessages(ctx, kafka.Message{Topic: "counted", Key: []byte(sku)}) // want dual-write "follows"
}

// exec runs the statements of others.
func (r *StockRepo) exec(ctx context.Context, sql string, args ...any) error {
	_, err := r.conn.Exec(ctx, sql, args...)
	return err
}

// Wait changes nothing: it sets a limit for a lock.
func (s *Stocks) Wait(ctx context.Context, sku string, ms int) error {
	if err := s.repo.exec(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", ms)); err != nil {
		return err
	}
	return s.out.WriteMessages(ctx, kafka.Message{Topic: "waiting", Key: []byte(sku)})
}
