// Package fixes has code that -fix changes, and code beside it that it leaves
// alone.
package fixes

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

// Store keeps what comes.
type Store struct{ db *sql.DB }

type event struct{ ID, State string }

func (s *Store) keep(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO events (id) VALUES ($1)`, id)
	return err
}

func (s *Store) count(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE counts SET n = n + 1 WHERE id = $1`, id)
	return err
}

var errStop = errors.New("stop")

func reader() *kafka.Reader {
	return kafka.NewReader(kafka.ReaderConfig{Topic: "events", GroupID: "fixes"})
}

// Straight returns where something fails.
func (s *Store) Straight(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.ReadMessage(ctx) // want auto-ack
		if err != nil {
			return fmt.Errorf("read: %w", err)
		}
		var e event
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if e.State == "new" {
			slog.Info("new", "id", e.ID)
		}
		err = s.keep(ctx, e.ID)
		if err != nil {
			return err
		}
		if err := s.count(ctx, e.ID); err != nil {
			return err
		} // counted
	}
}

// Skips leaves messages out.
func (s *Store) Skips(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.ReadMessage(ctx) // want auto-ack
		if err != nil {
			return err
		}
		if len(m.Key) == 0 {
			continue
		}
		if err := s.keep(ctx, string(m.Key)); err != nil {
			return err
		}
	}
}

// ReadsOn goes on after a failure: a later commit would pass it.
func (s *Store) ReadsOn(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.ReadMessage(ctx) // want auto-ack
		if err != nil {
			return err
		}
		if err := s.keep(ctx, string(m.Key)); err != nil {
			slog.Error("keep", "err", err)
		}
	}
}

// Shadows has another ctx in the loop.
func (s *Store) Shadows(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.ReadMessage(ctx) // want auto-ack
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(ctx)
		if err := s.keep(ctx, string(m.Key)); err != nil {
			cancel()
			return err
		}
		cancel()
	}
}

// Stops ends the loop, which is no failure.
func (s *Store) Stops(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.ReadMessage(ctx) // want auto-ack
		if err != nil {
			return err
		}
		if string(m.Key) == "stop" {
			return errStop
		}
		if err := s.keep(ctx, string(m.Key)); err != nil {
			return err
		}
	}
}

// Drops ignores the error of the second effect.
func (s *Store) Drops(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.ReadMessage(ctx) // want auto-ack
		if err != nil {
			return err
		}
		if err := s.keep(ctx, string(m.Key)); err != nil {
			return err
		}
		_ = s.count(ctx, string(m.Key))
	}
}

// Deliveries gives up what it can't read, and has the rest delivered again.
func (s *Store) Deliveries(ctx context.Context, ch *amqp091.Channel) {
	msgs, err := ch.ConsumeWithContext(ctx, "events", "", true, false, false, false, nil) // want auto-ack
	if err != nil {
		slog.Error("consume", "err", err)
		return
	}
	for d := range msgs {
		var e event
		if err := json.Unmarshal(d.Body, &e); err != nil {
			slog.Error("decode", "err", err)
			continue
		}
		if err := s.keep(ctx, e.ID); err != nil {
			slog.Error("keep", "err", err)
			continue
		}
		slog.Info("kept", "id", e.ID)
	}
}

// Returns leaves the loop.
func (s *Store) Returns(ctx context.Context, ch *amqp091.Channel) error {
	msgs, err := ch.Consume("events", "", true, false, false, false, nil) // want auto-ack
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := s.keep(ctx, d.MessageId); err != nil {
			return err
		}
	}
	return nil
}

// Validates has a failure before the effect of which nobody knows whether it goes
// away.
func (s *Store) Validates(ctx context.Context, ch *amqp091.Channel) error {
	msgs, err := ch.Consume("events", "", true, false, false, false, nil) // want auto-ack
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := validate(d.MessageId); err != nil {
			slog.Error("validate", "err", err)
			continue
		}
		if err := s.keep(ctx, d.MessageId); err != nil {
			slog.Error("keep", "err", err)
		}
	}
	return nil
}

func validate(id string) error {
	if id == "" {
		return errStop
	}
	return nil
}

// HandsOver gives the delivery to another, who reads its fields.
func (s *Store) HandsOver(ctx context.Context, ch *amqp091.Channel) error {
	msgs, err := ch.Consume("events", "", true, false, false, false, nil) // want auto-ack
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := s.handle(ctx, d); err != nil {
			slog.Error("keep", "err", err)
		}
	}
	return nil
}

func (s *Store) handle(ctx context.Context, d amqp091.Delivery) error {
	return s.keep(ctx, d.MessageId)
}

// Decodes gives it to one who fails in two ways.
func (s *Store) Decodes(ctx context.Context, ch *amqp091.Channel) error {
	msgs, err := ch.Consume("events", "", true, false, false, false, nil) // want auto-ack
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := s.decode(ctx, d); err != nil {
			slog.Error("keep", "err", err)
		}
	}
	return nil
}

func (s *Store) decode(ctx context.Context, d amqp091.Delivery) error {
	var e event
	if err := json.Unmarshal(d.Body, &e); err != nil {
		return err
	}
	return s.keep(ctx, e.ID)
}

// First acks, then stores and counts.
func (s *Store) First(ctx context.Context, d amqp091.Delivery) error {
	_ = d.Ack(false) // want before-effect
	id := d.MessageId
	if err := s.keep(ctx, id); err != nil {
		return err
	}
	if err := s.count(ctx, id); err != nil {
		return err
	}
	return nil
}

// FirstOn hides the failure.
func (s *Store) FirstOn(ctx context.Context, d amqp091.Delivery) error {
	if err := d.Ack(false); err != nil { // want before-effect
		return err
	}
	if err := s.keep(ctx, d.MessageId); err != nil {
		slog.Error("keep", "err", err)
	}
	return nil
}

// FirstTail stores in the return.
func (s *Store) FirstTail(ctx context.Context, d amqp091.Delivery) error {
	if err := d.Ack(false); err != nil { // want before-effect
		return err
	}
	return s.keep(ctx, d.MessageId)
}

// FirstOfEach acks each delivery of a loop first.
func (s *Store) FirstOfEach(ctx context.Context, msgs <-chan amqp091.Delivery) {
	for d := range msgs {
		if string(d.Body) == "" {
			slog.Info("empty")
		}
		d.Ack(false) // want before-effect
		if err := s.keep(ctx, d.MessageId); err != nil {
			slog.Error("keep", "err", err)
		}
	}
}

// FirstOfSome has a failure between of which nobody knows whether it goes away.
func (s *Store) FirstOfSome(ctx context.Context, msgs <-chan amqp091.Delivery) {
	for d := range msgs {
		_ = d.Ack(false) // want before-effect
		if err := validate(d.MessageId); err != nil {
			continue
		}
		if err := s.keep(ctx, d.MessageId); err != nil {
			slog.Error("keep", "err", err)
			continue
		}
	}
}

// Switched acks in a case: the next round is not the end of that block.
func (s *Store) Switched(ctx context.Context, msgs <-chan amqp091.Delivery) {
	for d := range msgs {
		switch d.Type {
		case "keep":
			_ = d.Ack(false) // want before-effect
			if err := s.keep(ctx, d.MessageId); err != nil {
				slog.Error("keep", "err", err)
			}
		}
	}
}
