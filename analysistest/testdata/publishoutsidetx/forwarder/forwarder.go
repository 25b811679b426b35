// Package forwarder has watermill's outbox: a bus that is made for one call, on the
// transaction of that call. What it is made on decides.
package forwarder

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/ThreeDotsLabs/watermill"
	wsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/components/forwarder"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jmoiron/sqlx"
)

type Hired struct{ Bike string }

// busOn makes the bus of any publisher.
func busOn(pub message.Publisher) (*cqrs.EventBus, error) {
	bus, err := cqrs.NewEventBusWithConfig(pub, cqrs.EventBusConfig{
		GeneratePublishTopic: func(p cqrs.GenerateEventPublishTopicParams) (string, error) { return "events." + p.EventName, nil },
		Marshaler:            cqrs.JSONMarshaler{},
	})
	if err != nil {
		return nil, fmt.Errorf("event bus: %w", err)
	}
	return bus, nil
}

// storedOn is a publisher that inserts, wrapped for the forwarder.
func storedOn(tx *sql.Tx, log watermill.LoggerAdapter) (message.Publisher, error) {
	var pub message.Publisher
	pub, err := wsql.NewPublisher(wsql.TxFromStdSQL(tx), wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}, log)
	if err != nil {
		return nil, err
	}
	return forwarder.NewPublisher(pub, forwarder.PublisherConfig{ForwarderTopic: "to_forward"}), nil
}

func update(ctx context.Context, db *sqlx.DB, fn func(ctx context.Context, tx *sqlx.Tx) error) (err error) {
	tx, err := db.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
			return
		}
		err = tx.Commit()
	}()
	return fn(ctx, tx)
}

type Bikes struct {
	db     *sqlx.DB
	log    watermill.LoggerAdapter
	pub    message.Publisher // the broker's
	events *cqrs.EventBus    // on it
}

func NewBikes(db *sqlx.DB, broker message.Publisher, log watermill.LoggerAdapter) (*Bikes, error) {
	bus, err := busOn(broker)
	if err != nil {
		return nil, err
	}
	return &Bikes{db: db, log: log, pub: broker, events: bus}, nil
}

const hire = `UPDATE bikes SET hired = true WHERE id = $1`

// Hire has both on the transaction.
func (b *Bikes) Hire(ctx context.Context, bike string) error {
	return update(ctx, b.db, func(ctx context.Context, tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, hire, bike); err != nil {
			return err
		}
		pub, err := storedOn(tx.Tx, b.log)
		if err != nil {
			return err
		}
		bus, err := busOn(pub)
		if err != nil {
			return err
		}
		return bus.Publish(ctx, Hired{bike})
	})
}

// HireBeside has the bus on the transaction, and the change beside it.
func (b *Bikes) HireBeside(ctx context.Context, bike string) error {
	return update(ctx, b.db, func(ctx context.Context, tx *sqlx.Tx) error {
		if _, err := b.db.ExecContext(ctx, hire, bike); err != nil { // want outbox-outside-tx
			return err
		}
		pub, err := storedOn(tx.Tx, b.log)
		if err != nil {
			return err
		}
		bus, err := busOn(pub)
		if err != nil {
			return err
		}
		return bus.Publish(ctx, Hired{bike})
	})
}

// HireDirect takes the bus that is on the broker.
func (b *Bikes) HireDirect(ctx context.Context, bike string) error {
	return update(ctx, b.db, func(ctx context.Context, tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, hire, bike); err != nil {
			return err
		}
		return b.events.Publish(ctx, Hired{bike}) // want inside-tx "transaction"
	})
}

func (b *Bikes) HireAfter(ctx context.Context, bike string) error {
	err := update(ctx, b.db, func(ctx context.Context, tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, hire, bike)
		return err
	})
	if err != nil {
		return err
	}
	return b.pub.Publish("bikes", message.NewMessage(watermill.NewUUID(), []byte(bike))) // want after-commit "runs after"
}

// HirePooled stores its message through the pool when the transaction is over.
func (b *Bikes) HirePooled(ctx context.Context, bike string) error {
	err := update(ctx, b.db, func(ctx context.Context, tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, hire, bike)
		return err
	})
	if err != nil {
		return err
	}
	pub, err := wsql.NewPublisher(wsql.BeginnerFromStdSQL(b.db.DB), wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}, b.log)
	if err != nil {
		return err
	}
	return pub.Publish("bikes", message.NewMessage(watermill.NewUUID(), []byte(bike))) // want outbox-outside-tx
}
