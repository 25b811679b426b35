package handler

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Mailroom stores what it can't read, and sends it to the dead letters.
type Mailroom struct {
	db     *sql.DB
	reader *kafka.Reader
	dlq    *kafka.Writer
}

func (m *Mailroom) open(ctx context.Context, letter string) error {
	_, err := m.db.ExecContext(ctx, "UPDATE letters SET opened = true WHERE id = $1", letter)
	return err
}

func (m *Mailroom) bury(ctx context.Context, msg kafka.Message, cause error) error {
	if _, err := m.db.ExecContext(ctx, "INSERT INTO unreadable (id, cause) VALUES ($1, $2)", string(msg.Key), cause.Error()); err != nil {
		return err
	}
	return m.dlq.WriteMessages(ctx, kafka.Message{Key: msg.Key, Value: msg.Value})
}

func (m *Mailroom) Run(ctx context.Context) error {
	for {
		msg, err := m.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := m.open(ctx, string(msg.Key)); err != nil {
			if err := m.bury(ctx, msg, err); err != nil {
				return err
			}
		}
		if err := m.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}
