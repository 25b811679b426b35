// Package made follows values from deliveries to where they are used.
package made

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

// Event is what a delivery says.
type Event struct {
	ID     string
	Amount int64
	Labels map[string]string
}

// GetID is a getter.
func (e *Event) GetID() string { return e.ID }

// Entry is what is stored of it.
type Entry struct {
	ID, Source string
	Amount     int64
	At         time.Time
	Kind       string
}

// Ledger stores entries.
type Ledger struct {
	db   *sql.DB
	name string
}

func sink(any) {}

// Run is the handler.
func (l *Ledger) Run(ctx context.Context, msgs <-chan amqp.Delivery) { // handler amqp explicit redeliver
	for d := range msgs {
		var e Event
		if err := json.Unmarshal(d.Body, &e); err != nil {
			d.Nack(false, false)
			continue
		}
		sink(e.ID)              // from message
		sink(e.GetID())         // from message
		sink(e.Labels["color"]) // from message
		sink("fixed")           // from const
		sink(uuid.NewString())  // from fresh
		sink(l.name)            // from elsewhere
		other, err := decode(d.Body)
		if err != nil {
			continue
		}
		sink(other.Amount) // from message
		if l.apply(ctx, e) == nil {
			d.Ack(false)
		}
	}
}

func decode(body []byte) (*Event, error) {
	e := new(Event)
	err := json.Unmarshal(body, e)
	return e, err
}

func (l *Ledger) apply(ctx context.Context, e Event) error {
	sink(e.Amount) // from message
	entry := newEntry(e.ID, e.Amount)
	sink(entry.ID)     // from fresh
	sink(entry.Source) // from message
	sink(entry.Kind)   // from const
	balance, err := l.balance(ctx, e.ID)
	if err != nil {
		return err
	}
	sink(balance)            // from stored
	sink(balance + e.Amount) // from message stored
	return l.save(ctx, entry)
}

func newEntry(source string, amount int64) *Entry {
	return &Entry{ID: uuid.NewString(), Source: source, Amount: amount, At: time.Now(), Kind: "credit"}
}

func (l *Ledger) balance(ctx context.Context, id string) (int64, error) {
	var sum int64
	err := l.db.QueryRowContext(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&sum) // columns id=message
	return sum, err
}

func (l *Ledger) save(ctx context.Context, x *Entry) error {
	sink(x.ID)                                                                                                                // from fresh
	sink(x.Amount)                                                                                                            // from message
	sink(x.At)                                                                                                                // from fresh
	_, err := l.db.ExecContext(ctx, `INSERT INTO entries (id, source, amount) VALUES ($1, $2, $3)`, x.ID, x.Source, x.Amount) // columns id=fresh, source=message, amount=message
	return err
}

// Serve calls save from elsewhere, which handlers don't see.
func (l *Ledger) Serve(ctx context.Context) error {
	return l.save(ctx, &Entry{ID: "1"})
}

// Books are kept with an ORM.
type Books struct{ db *gorm.DB }

// Run is the handler.
func (b *Books) Run(ctx context.Context, msgs <-chan amqp.Delivery) { // handler amqp explicit redeliver
	for d := range msgs {
		var e Event
		if json.Unmarshal(d.Body, &e) == nil && b.keep(ctx, &e) == nil {
			d.Ack(false)
		}
	}
}

func (b *Books) keep(ctx context.Context, e *Event) error {
	x := &Entry{ID: e.ID, Amount: e.Amount, At: time.Now()}
	if err := b.db.WithContext(ctx).Create(x).Error; err != nil { // columns ID=message, Amount=message, At=fresh
		return err
	}
	err := b.db.Model(x).Where("id = ?", e.ID).Update("kind", "kept").Error // columns set kind=const, where id = ?=message
	if err != nil {
		return err
	}
	var old Entry
	if err := b.db.First(&old, "id = ?", e.ID).Error; err != nil { // columns Kind=message+stored, where id = ?=message
		return err
	}
	sink(old.Amount) // from stored
	old.Kind = e.Labels["kind"]
	return b.db.Save(&old).Error // columns Kind=message+stored
}
