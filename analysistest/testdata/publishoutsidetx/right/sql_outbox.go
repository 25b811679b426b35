// Package right holds flows that lose nothing: the event's row stands in the
// transaction of the change, or the queue itself does.
package right

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/segmentio/kafka-go"
)

type Invoice struct {
	ID    string `json:"id"`
	Cents int64  `json:"cents"`
}

type Invoices struct {
	db     *sql.DB
	writer *kafka.Writer
}

func (s *Invoices) Settle(ctx context.Context, inv Invoice) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE invoices SET state = 'settled' WHERE id = $1`, inv.ID); err != nil {
		return err
	}
	payload, err := json.Marshal(inv)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO outbox_events (topic, key, payload, created_at) VALUES ($1, $2, $3, $4)`,
		"invoices", inv.ID, payload, time.Now().UTC()); err != nil {
		return err
	}
	return tx.Commit()
}

// SettleOne does both in one statement, which needs no transaction around it.
func (s *Invoices) SettleOne(ctx context.Context, inv Invoice) error {
	_, err := s.db.ExecContext(ctx, `
		WITH settled AS (
			UPDATE invoices SET state = 'settled' WHERE id = $1 RETURNING id
		)
		INSERT INTO outbox_events (topic, key, payload) SELECT 'invoices', id, $2 FROM settled`, inv.ID, "settled")
	return err
}

// Relay drains the rows that Settle leaves.
func (s *Invoices) Relay(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, topic, key, payload FROM outbox_events WHERE sent_at IS NULL ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []int64
	var batch []kafka.Message
	for rows.Next() {
		var id int64
		var m kafka.Message
		if err := rows.Scan(&id, &m.Topic, &m.Key, &m.Value); err != nil {
			return err
		}
		ids = append(ids, id)
		batch = append(batch, m)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	if err := s.writer.WriteMessages(ctx, batch...); err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, `UPDATE outbox_events SET sent_at = now() WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Remind announces nothing that is stored: there is no write in it.
func (s *Invoices) Remind(ctx context.Context, inv Invoice) error {
	body, err := json.Marshal(inv)
	if err != nil {
		return err
	}
	return s.writer.WriteMessages(ctx, kafka.Message{Key: []byte(inv.ID), Value: body})
}
