// Package nsqs takes messages from NSQ, whose client finishes what returns nil.
package nsqs

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/nsqio/go-nsq"
)

// Pins keeps pins.
type Pins struct{ db *sql.DB }

func (p *Pins) keep(ctx context.Context, body []byte) error {
	_, err := p.db.ExecContext(ctx, `INSERT INTO pins (body) VALUES ($1)`, body)
	return err
}

// Add registers the handlers.
func (p *Pins) Add(returned, hidden, manual *nsq.Consumer) {
	returned.AddHandler(nsq.HandlerFunc(p.returned))
	hidden.AddHandler(nsq.HandlerFunc(p.hidden))
	manual.AddHandler(nsq.HandlerFunc(p.first))
}

func (p *Pins) returned(m *nsq.Message) error { return p.keep(context.Background(), m.Body) }

func (p *Pins) hidden(m *nsq.Message) error {
	if err := p.keep(context.Background(), m.Body); err != nil { // want on-failure "the handler returns no error"
		slog.Error("keep", "err", err)
	}
	return nil
}

// first finishes before it stores.
func (p *Pins) first(m *nsq.Message) error {
	m.DisableAutoResponse()
	m.Finish() // want before-effect "m.Finish runs before p.keep"
	return p.keep(context.Background(), m.Body)
}
