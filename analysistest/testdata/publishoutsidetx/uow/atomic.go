package uow

import (
	"context"

	"github.com/jmoiron/sqlx"
	"github.com/nats-io/nats.go"
)

// Session is what Atomic hands to the function: all repositories on one transaction.
type Session struct {
	Shifts  ShiftStore
	Notices NoticeStore
}

type ShiftStore struct{ ext sqlx.ExtContext }

func (s ShiftStore) Assign(ctx context.Context, shift, worker string) error {
	_, err := s.ext.ExecContext(ctx, "UPDATE shifts SET worker = $2 WHERE id = $1", shift, worker)
	return err
}

// NoticeStore is an outbox: NoticeRelay reads what it stores.
type NoticeStore struct{ ext sqlx.ExtContext }

func (s NoticeStore) Put(ctx context.Context, subject, shift string) error {
	_, err := s.ext.ExecContext(ctx, "INSERT INTO shift_notices (subject, shift) VALUES ($1, $2)", subject, shift)
	return err
}

type Roster struct {
	db *sqlx.DB
	nc *nats.Conn
}

func (r *Roster) Atomic(ctx context.Context, fn func(s Session) error) error {
	tx, err := r.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(Session{Shifts: ShiftStore{tx}, Notices: NoticeStore{tx}}); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

func (r *Roster) Assign(ctx context.Context, shift, worker string) error {
	return r.Atomic(ctx, func(s Session) error {
		if err := s.Shifts.Assign(ctx, shift, worker); err != nil {
			return err
		}
		return r.nc.Publish("shifts.assigned", []byte(shift)) // want inside-tx "transaction"
	})
}

func (r *Roster) AssignNoticed(ctx context.Context, shift, worker string) error {
	return r.Atomic(ctx, func(s Session) error {
		if err := s.Shifts.Assign(ctx, shift, worker); err != nil {
			return err
		}
		return s.Notices.Put(ctx, "shifts.assigned", shift)
	})
}

func (r *Roster) AssignAll(ctx context.Context, shifts []string, worker string) error {
	err := r.Atomic(ctx, func(s Session) error {
		for _, shift := range shifts {
			if err := s.Shifts.Assign(ctx, shift, worker); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, shift := range shifts {
		if err := r.nc.Publish("shifts.assigned", []byte(shift)); err != nil { // want after-commit "runs after"
			return err
		}
	}
	return nil
}

// NoticeRelay publishes the notices, then deletes them.
func (r *Roster) NoticeRelay(ctx context.Context) error {
	tx, err := r.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var notices []struct {
		ID      int64
		Subject string
		Shift   string
	}
	if err := tx.SelectContext(ctx, &notices, "SELECT id, subject, shift FROM shift_notices ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED"); err != nil {
		return err
	}
	for _, n := range notices {
		if err := r.nc.Publish(n.Subject, []byte(n.Shift)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM shift_notices WHERE id = $1", n.ID); err != nil {
			return err
		}
	}
	if err := r.nc.FlushWithContext(ctx); err != nil {
		return err
	}
	return tx.Commit()
}
