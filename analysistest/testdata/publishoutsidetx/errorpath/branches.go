// Package errorpath follows the branches on which the write or the commit failed:
// what is published there announces nothing that was stored.
package errorpath

import (
	"context"
	"database/sql"
	"errors"

	"github.com/segmentio/kafka-go"
)

var errNoSeats = errors.New("no seats left")

type Trips struct {
	db  *sql.DB
	out *kafka.Writer
}

func (t *Trips) say(ctx context.Context, what, id string) error {
	return t.out.WriteMessages(ctx, kafka.Message{Topic: what, Key: []byte(id)})
}

// Create tells that the insert failed.
func (t *Trips) Create(ctx context.Context, id string) error {
	if _, err := t.db.ExecContext(ctx, "INSERT INTO trips (id) VALUES (?)", id); err != nil {
		return errors.Join(err, t.say(ctx, "trip-create-failed", id))
	}
	return nil
}

// Board publishes the failure of the commit, and success nowhere.
func (t *Trips) Board(ctx context.Context, id string) error {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE trips SET boarded = boarded + 1 WHERE id = ?", id); err != nil {
		_ = tx.Rollback()
		return t.say(ctx, "trip-boarding-failed", id)
	}
	if err := tx.Commit(); err != nil {
		return t.say(ctx, "trip-boarding-failed", id)
	}
	return nil
}

// Depart publishes on both branches; only one of them loses something.
func (t *Trips) Depart(ctx context.Context, id string) error {
	_, err := t.db.ExecContext(ctx, "UPDATE trips SET departed = 1 WHERE id = ?", id)
	if err == nil {
		return t.say(ctx, "trip-departed", id) // want dual-write "follows"
	}
	if sayErr := t.say(ctx, "trip-departure-failed", id); sayErr != nil {
		return sayErr
	}
	return err
}

// Cancel rolls back on purpose, then reports it.
func (t *Trips) Cancel(ctx context.Context, id string) error {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, "UPDATE trips SET cancelled = 1 WHERE id = ? AND departed = 0", id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		if err := tx.Rollback(); err != nil {
			return err
		}
		return t.say(ctx, "trip-cancel-refused", id)
	}
	return tx.Commit()
}

// Sell keeps the error in a variable until the end.
func (t *Trips) Sell(ctx context.Context, id string, seats int) (err error) {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	left := 0
	if err = tx.QueryRowContext(ctx, "SELECT seats_left FROM trips WHERE id = ?", id).Scan(&left); err == nil {
		if left < seats {
			err = errNoSeats
		} else {
			_, err = tx.ExecContext(ctx, "UPDATE trips SET seats_left = seats_left - ? WHERE id = ?", seats, id)
		}
	}
	if err != nil {
		tx.Rollback()
		if errors.Is(err, errNoSeats) {
			return t.say(ctx, "trip-sold-out", id)
		}
		return err
	}
	if err = tx.Commit(); err != nil {
		return err
	}
	return t.say(ctx, "trip-sold", id) // want after-commit "runs after tx.Commit"
}

// Ignored publishes whatever the commit said.
func (t *Trips) Ignored(ctx context.Context, id string) error {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "DELETE FROM trips WHERE id = ?", id); err != nil {
		return err
	}
	_ = tx.Commit()
	return t.say(ctx, "trip-deleted", id) // want after-commit "runs after tx.Commit"
}

func (t *Trips) weigh(id string) error {
	if id == "" {
		return errNoSeats
	}
	return nil
}

// Check says that something failed and goes on: the write is not what it told of.
func (t *Trips) Check(ctx context.Context, id string) error {
	if err := t.weigh(id); err != nil {
		if err := t.say(ctx, "trip-not-weighed", id); err != nil {
			return err
		}
	}
	_, err := t.db.ExecContext(ctx, "UPDATE trips SET checked = 1 WHERE id = ?", id)
	return err
}

// Load tells of the write that it hasn't done.
func (t *Trips) Load(ctx context.Context, id, cargo string) error {
	if err := t.say(ctx, "trip-loaded", id); err != nil { // want before-write "runs before"
		return err
	}
	_, err := t.db.ExecContext(ctx, "UPDATE trips SET cargo = ? WHERE id = ?", cargo, id)
	return err
}
