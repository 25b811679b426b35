// Package arrivaltime takes the time at which a message came for that of which it
// tells.
package arrivaltime

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/deliverylint/deliverylint/proof/services/consume"
)

type measured struct {
	Meter   string    `json:"meter"`
	Reading int       `json:"reading"`
	At      time.Time `json:"at"`
}

// Meters are the meters of a grid.
type Meters struct{ db *sql.DB }

// New makes the service.
func New(db *sql.DB) *Meters { return &Meters{db} }

// Run consumes until ctx is done.
func (m *Meters) Run(ctx context.Context, consumer jetstream.Consumer) error {
	return consume.Run(ctx, consumer, m.handle)
}

func (m *Meters) handle(ctx context.Context, data []byte) error {
	var e measured
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	_, err := m.db.ExecContext(ctx, `UPDATE meters SET reading = $2, measured_at = $3 WHERE id = $1 AND measured_at < $3`,
		e.Meter, e.Reading, time.Now())
	return err
}
