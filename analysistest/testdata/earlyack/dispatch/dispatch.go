// Package dispatch has a loop that acks what its handlers say is done.
package dispatch

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Handler takes one delivery.
type Handler interface {
	Handle(ctx context.Context, body []byte) error
}

// Consumer is the loop.
type Consumer struct {
	ch       *amqp.Channel
	handlers map[string]Handler
}

// New has two handlers.
func New(ch *amqp.Channel, db *sql.DB) *Consumer {
	return &Consumer{ch, map[string]Handler{"made": &Made{db}, "moved": &Moved{db}, "checked": &Checked{db}}}
}

// Run acks what was handled, what nobody handles, and gives back the rest.
func (c *Consumer) Run(ctx context.Context) error {
	msgs, err := c.ch.Consume("things", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		h, ok := c.handlers[d.Type]
		if !ok {
			slog.Warn("nobody handles it", "type", d.Type)
			_ = d.Ack(false)
			continue
		}
		if err := h.Handle(ctx, d.Body); err != nil {
			slog.Error("handle", "err", err)
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
	return nil
}

// Made returns its failure.
type Made struct{ db *sql.DB }

func (m *Made) Handle(ctx context.Context, body []byte) error {
	if _, err := m.db.ExecContext(ctx, `INSERT INTO things (body) VALUES ($1)`, body); err != nil {
		return fmt.Errorf("storing: %w", err)
	}
	return nil
}

// Moved hides it.
type Moved struct{ db *sql.DB }

func (m *Moved) Handle(ctx context.Context, body []byte) error {
	if err := m.move(ctx, body); err != nil { // want on-failure "m.move may fail"
		slog.Error("move", "err", err)
	}
	return nil
}

func (m *Moved) move(ctx context.Context, body []byte) error {
	_, err := m.db.ExecContext(ctx, `UPDATE things SET place = 'there' WHERE body = $1`, body)
	return err
}

// Checked says with a bool whether it is done.
type Checked struct{ db *sql.DB }

func (m *Checked) Handle(ctx context.Context, body []byte) error {
	if !m.check(ctx, body) {
		return fmt.Errorf("not checked: %s", body)
	}
	return nil
}

func (m *Checked) check(ctx context.Context, body []byte) bool {
	if _, err := m.db.ExecContext(ctx, `UPDATE things SET checked = true WHERE body = $1`, body); err != nil {
		slog.Error("check", "err", err)
		return false
	}
	return true
}
