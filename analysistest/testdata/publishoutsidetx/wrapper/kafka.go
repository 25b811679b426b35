package wrapper

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

var errClosed = errors.New("depot closed")

// emit is a package function that takes the client.
func emit(ctx context.Context, cl *kgo.Client, topic, key string) error {
	return cl.ProduceSync(ctx, &kgo.Record{Topic: topic, Key: []byte(key)}).FirstErr()
}

// emitRetry tries a few times before it gives up; it gives up all the same.
func emitRetry(ctx context.Context, cl *kgo.Client, topic, key string) (err error) {
	for wait := time.Millisecond; wait < time.Second; wait *= 2 {
		if err = emit(ctx, cl, topic, key); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
	return err
}

type Routes struct {
	db *sql.DB
	cl *kgo.Client
}

func (r *Routes) insert(ctx context.Context, id string) error {
	_, err := r.db.ExecContext(ctx, "INSERT INTO routes (id) VALUES (?)", id)
	return err
}

// planned has both halves: what calls it has neither.
func (r *Routes) planned(ctx context.Context, id string) error {
	if err := r.insert(ctx, id); err != nil {
		return err
	}
	return emitRetry(ctx, r.cl, "routes.planned", id) // want dual-write "follows"
}

func (r *Routes) PlanAll(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if err := r.planned(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (r *Routes) Plan(ctx context.Context, id string) error {
	if id == "" {
		return errClosed
	}
	return r.planned(ctx, id)
}

func (r *Routes) Drive(ctx context.Context, id string) error {
	if err := r.start(ctx, id); err != nil {
		return err
	}
	return emit(ctx, r.cl, "routes.started", id) // want after-commit "runs after"
}

// start opens and commits a transaction of its own.
func (r *Routes) start(ctx context.Context, id string) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE routes SET started = 1 WHERE id = ?", id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO drives (route) VALUES (?)", id); err != nil {
		return err
	}
	return tx.Commit()
}

// Probe publishes after a transaction that only reads.
func (r *Routes) Probe(ctx context.Context, id string) error {
	tx, err := r.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var started bool
	if err := tx.QueryRowContext(ctx, "SELECT started FROM routes WHERE id = ?", id).Scan(&started); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if !started {
		return nil
	}
	return emit(ctx, r.cl, "routes.probe", id)
}
