package uow

import (
	"context"
	"sync"

	"github.com/IBM/sarama"
	"github.com/jmoiron/sqlx"
)

// Minutes is an aggregate that remembers its events.
type Minutes struct {
	ID     string
	events []string
}

func (m *Minutes) Approve() { m.events = append(m.events, "approved") }

type collectorKey struct{}

// Collector has the aggregates that were saved under a context.
type Collector struct {
	mu  sync.Mutex
	all []*Minutes
}

func (c *Collector) add(m *Minutes) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, m)
}

// collect only queues m; without a collector it does nothing.
func collect(ctx context.Context, m *Minutes) {
	if c, ok := ctx.Value(collectorKey{}).(*Collector); ok {
		c.add(m)
	}
}

type MinutesRepo struct{ tx *sqlx.Tx }

func (r MinutesRepo) Save(ctx context.Context, m *Minutes) error {
	if _, err := r.tx.ExecContext(ctx, "UPDATE minutes SET approved = true WHERE id = $1", m.ID); err != nil {
		return err
	}
	collect(ctx, m)
	return nil
}

type Council struct {
	db       *sqlx.DB
	producer sarama.SyncProducer
}

// stored runs fn and saves the events of what it saved, all in one transaction.
func stored[R any](ctx context.Context, db *sqlx.DB, fn func(ctx context.Context, r MinutesRepo) (R, error)) (out R, err error) {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return out, err
	}
	defer tx.Rollback()
	c := &Collector{}
	if out, err = fn(context.WithValue(ctx, collectorKey{}, c), MinutesRepo{tx}); err != nil {
		return out, err
	}
	for _, m := range c.all {
		for _, e := range m.events {
			if _, err := tx.ExecContext(ctx, "INSERT INTO council_outbox (kind, minutes) VALUES ($1, $2)", e, m.ID); err != nil {
				return out, err
			}
		}
	}
	return out, tx.Commit()
}

// told does the same, and publishes the events when it has committed.
func (c *Council) told(ctx context.Context, fn func(ctx context.Context, r MinutesRepo) error) error {
	tx, err := c.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	got := &Collector{}
	if err := fn(context.WithValue(ctx, collectorKey{}, got), MinutesRepo{tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, m := range got.all {
		for _, e := range m.events {
			msg := &sarama.ProducerMessage{Topic: "minutes-" + e, Key: sarama.StringEncoder(m.ID)}
			if _, _, err := c.producer.SendMessage(msg); err != nil { // want after-commit "runs after tx.Commit"
				return err
			}
		}
	}
	return nil
}

func (c *Council) Approve(ctx context.Context, m *Minutes) error {
	_, err := stored(ctx, c.db, func(ctx context.Context, r MinutesRepo) (bool, error) {
		m.Approve()
		return true, r.Save(ctx, m)
	})
	return err
}

func (c *Council) ApproveLoudly(ctx context.Context, m *Minutes) error {
	return c.told(ctx, func(ctx context.Context, r MinutesRepo) error {
		m.Approve()
		return r.Save(ctx, m)
	})
}
