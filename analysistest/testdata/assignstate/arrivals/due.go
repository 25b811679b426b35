package arrivals

import (
	"context"
	"database/sql"
	"time"

	"github.com/hibiken/asynq"
)

// Sweeper looks for itself what is due, whenever a task that says nothing wakes it.
type Sweeper struct{ db *sql.DB }

func (s *Sweeper) in(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *Sweeper) rightDue(ctx context.Context, _ *asynq.Task) error {
	return s.in(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE meters SET measured_at = $1 WHERE measured_at < $2", time.Now(), time.Now().Add(-time.Hour))
		return err
	})
}

func (s *Sweeper) wrongOne(ctx context.Context, t *asynq.Task) error {
	return s.in(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE meters SET measured_at = $1 WHERE id = $2", time.Now(), string(t.Payload())) // want arrival-time "meters.measured_at"
		return err
	})
}

func SweepMux(s *Sweeper) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("due", s.rightDue)
	m.HandleFunc("one", s.wrongOne)
	return m
}
