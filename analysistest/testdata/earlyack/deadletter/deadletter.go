// Package deadletter puts messages aside that can't be handled.
package deadletter

import (
	"context"
	"database/sql"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

// Letters keeps letters.
type Letters struct {
	db     *sql.DB
	ch     *amqp.Channel
	reader *kafka.Reader
	dlq    *kafka.Writer
}

func (l *Letters) keep(ctx context.Context, body []byte) error {
	_, err := l.db.ExecContext(ctx, `INSERT INTO letters (body) VALUES ($1)`, body)
	return err
}

func (l *Letters) putAside(ctx context.Context, m kafka.Message) error {
	return l.dlq.WriteMessages(ctx, kafka.Message{Topic: "letters.dlq", Key: m.Key, Value: m.Value})
}

// Dropped drops the error of the dead letter: both may fail when the network does.
func (l *Letters) Dropped(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.keep(ctx, m.Value); err != nil {
			_ = l.putAside(ctx, m) // want on-failure "l.putAside may fail, and reader.CommitMessages"
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Logged only logs it.
func (l *Letters) Logged(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.keep(ctx, m.Value); err != nil {
			if err := l.putAside(ctx, m); err != nil { // want on-failure "l.putAside may fail, and reader.CommitMessages"
				slog.Error("put aside", "err", err)
			}
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Returned commits only what is stored or put aside.
func (l *Letters) Returned(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.keep(ctx, m.Value); err != nil {
			slog.Error("keep", "err", err)
			if err := l.putAside(ctx, m); err != nil {
				return err
			}
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Tried tries some times before that.
func (l *Letters) Tried(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var failure error
		for range 3 {
			if failure = l.keep(ctx, m.Value); failure == nil {
				break
			}
			slog.Warn("keep", "err", failure)
		}
		if failure != nil {
			if err := l.putAside(ctx, m); err != nil {
				return err
			}
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// GivenUp tries some times, and commits what never worked.
func (l *Letters) GivenUp(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		for range 3 {
			if err = l.keep(ctx, m.Value); err == nil { // want on-failure "l.keep may fail, and reader.CommitMessages"
				break
			}
			slog.Warn("keep", "err", err)
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Rejected leaves the dead letter to the broker.
func (l *Letters) Rejected(ctx context.Context, queue string) error {
	msgs, err := l.ch.Consume(queue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := l.keep(ctx, d.Body); err != nil {
			slog.Error("keep", "err", err)
			if err := d.Nack(false, false); err != nil {
				return err
			}
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

// Row puts it into a table, and acks.
func (l *Letters) Row(ctx context.Context, d amqp.Delivery) error {
	if err := l.keep(ctx, d.Body); err != nil {
		if _, err := l.db.ExecContext(ctx, `INSERT INTO dead_letters (body, reason) VALUES ($1, $2)`, d.Body, err.Error()); err != nil {
			return d.Nack(false, true)
		}
	}
	return d.Ack(false)
}
