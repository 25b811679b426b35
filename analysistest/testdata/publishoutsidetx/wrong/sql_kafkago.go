// Package wrong holds the plain forms of every category, one pair of client
// libraries a file. Nothing is hidden here: the write, the commit and the publish
// stand in one function.
package wrong

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

type Invoices struct {
	db     *sql.DB
	writer *kafka.Writer
}

func (s *Invoices) Settle(ctx context.Context, id string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE invoices SET state = 'settled' WHERE id = $1`, id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.writer.WriteMessages(ctx, kafka.Message{Key: []byte(id), Value: []byte("settled")}) // want after-commit "runs after tx.Commit"
}

func (s *Invoices) Void(ctx context.Context, id string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE invoices SET state = 'void' WHERE id = $1`, id); err != nil {
		return err
	}
	if err := s.writer.WriteMessages(ctx, kafka.Message{Key: []byte(id), Value: []byte("void")}); err != nil { // want inside-tx "transaction"
		return err
	}
	return tx.Commit()
}

func (s *Invoices) Issue(ctx context.Context, id string, cents int64) error {
	if _, err := s.db.ExecContext(ctx, `INSERT INTO invoices (id, cents, state) VALUES ($1, $2, 'open')`, id, cents); err != nil {
		return err
	}
	return s.writer.WriteMessages(ctx, kafka.Message{Key: []byte(id), Value: []byte("issued")}) // want dual-write "follows"
}

func (s *Invoices) Dispute(ctx context.Context, id, reason string) error {
	msg := kafka.Message{Key: []byte(id), Value: []byte("disputed: " + reason)}
	if err := s.writer.WriteMessages(ctx, msg); err != nil { // want before-write
		return err
	}
	_, err := s.db.ExecContext(ctx, `UPDATE invoices SET state = 'disputed', reason = $2 WHERE id = $1`, id, reason)
	return err
}

// Remind stores the outbox row after the change has been committed.
func (s *Invoices) Remind(ctx context.Context, id string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE invoices SET reminders = reminders + 1 WHERE id = $1`, id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, `INSERT INTO outbox (topic, key, payload) VALUES ('invoices', $1, 'reminded')`, id) // want outbox-outside-tx
	return err
}
