// Package wrapper hides the publish behind functions that do nothing else. The
// finding is at the call in the function that owns the write or the transaction.
package wrapper

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/jmoiron/sqlx"
	amqp "github.com/rabbitmq/amqp091-go"
)

type ParcelEvent struct {
	Type   string `json:"type"`
	Parcel string `json:"parcel"`
}

type rabbit struct{ ch *amqp.Channel }

// send is the innermost of the wrappers.
func (r *rabbit) send(ctx context.Context, key string, body []byte) error {
	err := r.ch.PublishWithContext(ctx, "parcels", key, true, false, amqp.Publishing{Body: body})
	if err != nil {
		return fmt.Errorf("publish %s: %w", key, err)
	}
	return nil
}

func (r *rabbit) sendJSON(ctx context.Context, key string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return r.send(ctx, key, body)
}

func (r *rabbit) parcelEvent(ctx context.Context, e ParcelEvent) error {
	return r.sendJSON(ctx, "parcel."+e.Type, e)
}

// tell drops the error on the floor.
func (r *rabbit) tell(ctx context.Context, e ParcelEvent) {
	if err := r.parcelEvent(ctx, e); err != nil {
		log.Printf("parcel %s: %v", e.Parcel, err)
	}
}

type Depot struct {
	db  *sqlx.DB
	bus *rabbit
}

func (d *Depot) Receive(ctx context.Context, parcel string) error {
	if _, err := d.db.ExecContext(ctx, `INSERT INTO parcels (id) VALUES ($1)`, parcel); err != nil {
		return err
	}
	return d.bus.send(ctx, "parcel.received", []byte(parcel)) // want dual-write "follows"
}

func (d *Depot) Load(ctx context.Context, parcel, truck string) error {
	tx, err := d.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE parcels SET truck = $2 WHERE id = $1`, parcel, truck); err != nil {
		return err
	}
	if err := d.bus.parcelEvent(ctx, ParcelEvent{"loaded", parcel}); err != nil { // want inside-tx "transaction"
		return err
	}
	return tx.Commit()
}

func (d *Depot) Deliver(ctx context.Context, parcel string) error {
	tx, err := d.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := d.markDelivered(ctx, tx, parcel); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	d.bus.tell(ctx, ParcelEvent{"delivered", parcel}) // want after-commit "runs after tx.Commit"
	return nil
}

func (d *Depot) markDelivered(ctx context.Context, tx *sqlx.Tx, parcel string) error {
	_, err := tx.ExecContext(ctx, `UPDATE parcels SET delivered = true WHERE id = $1`, parcel)
	return err
}

func (d *Depot) Return(ctx context.Context, parcel string) error {
	d.bus.tell(ctx, ParcelEvent{"returned", parcel}) // want before-write
	return d.setReturned(ctx, parcel)
}

func (d *Depot) setReturned(ctx context.Context, parcel string) error {
	_, err := d.db.ExecContext(ctx, `UPDATE parcels SET returned = true WHERE id = $1`, parcel)
	return err
}

// Announce only publishes.
func (d *Depot) Announce(ctx context.Context, parcels []string) {
	for _, p := range parcels {
		d.bus.tell(ctx, ParcelEvent{"announced", p})
	}
}
