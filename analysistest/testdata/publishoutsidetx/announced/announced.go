// Package announced publishes first and writes second. It is wrong where the
// message tells of the write, and nothing is wrong where the write is another
// matter: the log of a run, a cursor, a row that was worked off.
package announced

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type Parcel struct {
	ID      string
	Weight  int
	OutAt   time.Time
	Address string
}

// SetEnqueued notes that the parcel's label is in the queue.
func (p *Parcel) SetEnqueued(at time.Time) { p.OutAt = at }

type Depot struct {
	db   *pgxpool.Pool
	orm  *gorm.DB
	out  *kafka.Writer
	jobs *kafka.Writer
}

func (d *Depot) tell(ctx context.Context, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return d.out.WriteMessages(ctx, kafka.Message{Value: body})
}

// Readdress announces an address that may never be stored.
func (d *Depot) Readdress(ctx context.Context, p *Parcel, to string) error {
	if err := d.tell(ctx, map[string]string{"id": p.ID, "to": to}); err != nil { // want before-write
		return err
	}
	_, err := d.db.Exec(ctx, `UPDATE parcels SET address = $2 WHERE id = $1`, p.ID, to)
	return err
}

// Discard announces the end of a row that may stay.
func (d *Depot) Discard(ctx context.Context, p *Parcel) error {
	if err := d.tell(ctx, map[string]string{"discarded": p.ID}); err != nil { // want before-write
		return err
	}
	_, err := d.db.Exec(ctx, `DELETE FROM parcels WHERE id = $1`, p.ID)
	return err
}

// Drain works rows off: the row is the message, and goes when that is out.
func (d *Depot) Drain(ctx context.Context, id string) error {
	var body []byte
	if err := d.db.QueryRow(ctx, `SELECT body FROM due WHERE id = $1`, id).Scan(&body); err != nil {
		return err
	}
	if err := d.jobs.WriteMessages(ctx, kafka.Message{Key: []byte(id), Value: body}); err != nil {
		return err
	}
	_, err := d.db.Exec(ctx, `DELETE FROM due WHERE id = $1`, id)
	return err
}

// Fire starts a job and notes the run.
func (d *Depot) Fire(ctx context.Context, name string, at time.Time) error {
	if err := d.jobs.WriteMessages(ctx, kafka.Message{Key: []byte(name)}); err != nil {
		return err
	}
	_, err := d.db.Exec(ctx, `INSERT INTO job_runs (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = $2`, name, at)
	return err
}

// Label queues a parcel, and saves the mark with the rest of it.
func (d *Depot) Label(ctx context.Context, p *Parcel) error {
	if err := d.tell(ctx, p); err != nil {
		return err
	}
	p.SetEnqueued(time.Now())
	return d.orm.WithContext(ctx).Save(p).Error
}

// Weigh asks for one thing and stores another.
func (d *Depot) Weigh(ctx context.Context, scale string, p *Parcel) error {
	if err := d.tell(ctx, map[string]string{"tare": scale}); err != nil {
		return err
	}
	_, err := d.db.Exec(ctx, `UPDATE parcels SET weight = $2 WHERE id = $1`, p.ID, p.Weight)
	return err
}

// Export publishes beside the write: neither comes first.
func (d *Depot) Export(ctx context.Context, p *Parcel) error {
	failed := make(chan error, 1)
	go func() { failed <- d.tell(ctx, p) }()
	if err := d.orm.WithContext(ctx).Model(p).Update("address", p.Address).Error; err != nil {
		return err
	}
	return <-failed
}
