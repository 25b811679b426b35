// Package handler has consumers. What is delivered again until it succeeds repairs
// a publish that got lost, as long as the second delivery gets there.
package handler

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
)

type Shipped struct{ Order, Carrier string }

type Tracking struct {
	db  *sql.DB
	pub message.Publisher
}

func (t *Tracking) Register(r *message.Router, sub message.Subscriber) {
	r.AddNoPublisherHandler("follow", "shipped", sub, t.Follow)
	r.AddNoPublisherHandler("follow_tx", "shipped", sub, t.FollowTx)
	r.AddNoPublisherHandler("follow_once", "shipped", sub, t.FollowOnce)
	r.AddNoPublisherHandler("follow_loose", "shipped", sub, t.FollowLoose)
	r.AddNoPublisherHandler("follow_guarded", "shipped", sub, t.FollowGuarded)
}

func (t *Tracking) out(topic string, e Shipped) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return t.pub.Publish(topic, message.NewMessage(watermill.NewUUID(), raw))
}

// Follow sets what the message says and publishes; the error nacks the message.
func (t *Tracking) Follow(msg *message.Message) error {
	var e Shipped
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	if _, err := t.db.ExecContext(msg.Context(), "UPDATE parcels SET carrier = $2 WHERE order_id = $1", e.Order, e.Carrier); err != nil {
		return err
	}
	return t.out("tracked", e)
}

func (t *Tracking) FollowTx(msg *message.Message) error {
	var e Shipped
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	tx, err := t.db.BeginTx(msg.Context(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(msg.Context(), `INSERT INTO tracks (order_id, carrier) VALUES ($1, $2)
		ON CONFLICT (order_id) DO UPDATE SET carrier = EXCLUDED.carrier`, e.Order, e.Carrier); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return t.out("tracked", e)
}

// FollowOnce returns early when the row is there already: the second delivery
// never gets to the publish.
func (t *Tracking) FollowOnce(msg *message.Message) error {
	var e Shipped
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	var have string
	err := t.db.QueryRowContext(msg.Context(), "SELECT carrier FROM parcels WHERE order_id = $1", e.Order).Scan(&have)
	if err != nil {
		return err
	}
	if have == e.Carrier {
		return nil
	}
	if _, err := t.db.ExecContext(msg.Context(), "UPDATE parcels SET carrier = $2 WHERE order_id = $1", e.Order, e.Carrier); err != nil {
		return err
	}
	return t.out("tracked", e) // want dual-write "follows"
}

// FollowLoose acks although the publish failed.
func (t *Tracking) FollowLoose(msg *message.Message) error {
	var e Shipped
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	if _, err := t.db.ExecContext(msg.Context(), "UPDATE parcels SET carrier = $2 WHERE order_id = $1", e.Order, e.Carrier); err != nil {
		return err
	}
	if err := t.out("tracked", e); err != nil { // want dual-write "follows"
		slog.Error("not tracked", "order", e.Order, "err", err)
	}
	return nil
}

// FollowGuarded takes "no row changed" for "already done".
func (t *Tracking) FollowGuarded(msg *message.Message) error {
	var e Shipped
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	tx, err := t.db.BeginTx(msg.Context(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(msg.Context(), "UPDATE parcels SET state = 'shipped' WHERE order_id = $1 AND state = 'packed'", e.Order)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return t.out("tracked", e) // want after-commit "runs after tx.Commit"
}

// Events makes a handler of a function literal.
func (t *Tracking) Events(bus *cqrs.EventBus) cqrs.EventHandler {
	return cqrs.NewEventHandler("archive", func(ctx context.Context, e *Shipped) error {
		if _, err := t.db.ExecContext(ctx, "UPDATE parcels SET archived = true WHERE order_id = $1", e.Order); err != nil {
			return err
		}
		return bus.Publish(ctx, Shipped{e.Order, "archive"})
	})
}
