// Package closure runs the change in a function that a helper calls between begin
// and commit. The helpers are home-made: nothing but their bodies says what they do.
package closure

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/IBM/sarama"
)

type Store struct {
	db       *sql.DB
	producer sarama.SyncProducer
}

// RunInTx is the form that every team writes once.
func (s *Store) RunInTx(ctx context.Context, fn func(tx *sql.Tx) error) (err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Rollback()
			panic(p)
		}
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	return fn(tx)
}

// InTx is the generic form: it hands out what the function made.
func InTx[T any](ctx context.Context, db *sql.DB, fn func(ctx context.Context, tx *sql.Tx) (T, error)) (T, error) {
	var zero T
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return zero, err
	}
	defer tx.Rollback()
	out, err := fn(ctx, tx)
	if err != nil {
		return zero, err
	}
	if err := tx.Commit(); err != nil {
		return zero, err
	}
	return out, nil
}

func (s *Store) tell(topic, what string) error {
	_, _, err := s.producer.SendMessage(&sarama.ProducerMessage{Topic: topic, Value: sarama.StringEncoder(what)})
	return err
}

func (s *Store) Brew(ctx context.Context, batch string) error {
	return s.RunInTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO batches (id) VALUES (?)", batch); err != nil {
			return err
		}
		return s.tell("batches", batch) // want inside-tx "transaction"
	})
}

func (s *Store) Tap(ctx context.Context, batch string) error {
	err := s.RunInTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE batches SET tapped = 1 WHERE id = ?", batch)
		return err
	})
	if err != nil {
		return err
	}
	return s.tell("tapped", batch) // want after-commit "runs after"
}

// Bottle captures what the closure made and publishes it afterwards.
func (s *Store) Bottle(ctx context.Context, batch string) error {
	var lot int64
	var full bool
	if err := s.RunInTx(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, "INSERT INTO lots (batch) VALUES (?)", batch)
		if err != nil {
			return err
		}
		lot, err = res.LastInsertId()
		full = lot > 1000
		return err
	}); err != nil {
		return err
	}
	if !full {
		return nil
	}
	return s.tell("lots", fmt.Sprint(lot)) // want after-commit "runs after"
}

func (s *Store) Label(ctx context.Context, lot string) (string, error) {
	label, err := InTx(ctx, s.db, func(ctx context.Context, tx *sql.Tx) (string, error) {
		name := "L-" + lot
		_, err := tx.ExecContext(ctx, "UPDATE lots SET label = ? WHERE id = ?", name, lot)
		return name, err
	})
	if err != nil {
		return "", err
	}
	if err := s.tell("labels", label); err != nil { // want after-commit "runs after"
		return "", err
	}
	return label, nil
}

func (s *Store) Recall(ctx context.Context, lot string) (int64, error) {
	return InTx(ctx, s.db, func(ctx context.Context, tx *sql.Tx) (int64, error) {
		res, err := tx.ExecContext(ctx, "UPDATE lots SET recalled = 1 WHERE id = ?", lot)
		if err != nil {
			return 0, err
		}
		if err := s.tell("recalls", lot); err != nil { // want inside-tx "transaction"
			return 0, err
		}
		return res.RowsAffected()
	})
}

// Ship writes the event beside the change.
func (s *Store) Ship(ctx context.Context, lot string) error {
	_, err := InTx(ctx, s.db, func(ctx context.Context, tx *sql.Tx) (struct{}, error) {
		if _, err := tx.ExecContext(ctx, "UPDATE lots SET shipped = 1 WHERE id = ?", lot); err != nil {
			return struct{}{}, err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO outbox (topic, body) VALUES ('shipped', ?)", lot)
		return struct{}{}, err
	})
	return err
}

// Taste runs a closure too, but it only reads.
func (s *Store) Taste(ctx context.Context, lot string) error {
	notes, err := InTx(ctx, s.db, func(ctx context.Context, tx *sql.Tx) (string, error) {
		var notes string
		err := tx.QueryRowContext(ctx, "SELECT notes FROM lots WHERE id = ?", lot).Scan(&notes)
		return notes, err
	})
	if err != nil {
		return err
	}
	return s.tell("tastings", notes)
}
