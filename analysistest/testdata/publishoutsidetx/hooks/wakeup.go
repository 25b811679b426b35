package hooks

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// Caches collects what a transaction makes stale, in a collector that serves
// nothing else.
type Caches struct {
	db    *sql.DB
	mu    sync.Mutex
	names map[string]string
	after []func()
}

func (c *Caches) Rename(ctx context.Context, id, name string) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE races SET name = $2 WHERE id = $1", id, name); err != nil {
		return err
	}
	c.after = append(c.after, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.names[id] = name
	})
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, fn := range c.after {
		fn()
	}
	c.after = nil
	return nil
}

// Starter has an outbox that it polls. Its hook only saves Poll's waiting.
type Starter struct {
	db     *sql.DB
	js     jetstream.JetStream
	onDone func(ctx context.Context, id string)
}

func NewStarter(db *sql.DB, js jetstream.JetStream) *Starter {
	s := &Starter{db: db, js: js}
	s.onDone = func(ctx context.Context, id string) { _, _ = js.Publish(ctx, "races.wakeup", []byte(id)) }
	return s
}

func (s *Starter) Start(ctx context.Context, id string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE races SET started = true WHERE id = $1", id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO race_outbox (subject, body) VALUES ('races.started', $1)", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	s.onDone(ctx, id)
	return nil
}

// Poll publishes the rows that Start left, and deletes them in the same transaction.
func (s *Starter) Poll(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `DELETE FROM race_outbox
		WHERE id IN (SELECT id FROM race_outbox ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED) RETURNING subject, body`)
	if err != nil {
		return err
	}
	due := map[string]string{}
	for rows.Next() {
		var subject, body string
		if err := rows.Scan(&subject, &body); err != nil {
			return errors.Join(err, rows.Close())
		}
		due[subject] = body
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for subject, body := range due {
		if _, err := s.js.Publish(ctx, subject, []byte(body)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
