package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"
)

type Change struct{ Kind string }

type Crate struct {
	ID      string
	changes []Change
}

type Crates struct {
	Parcels
	nc *nats.Conn
}

// save stores a row for each change, as many as there are.
func (c *Crates) save(ctx context.Context, x *Crate) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, setState, x.ID, "saved"); err != nil {
		return err
	}
	for _, change := range x.changes {
		payload, err := json.Marshal(change)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, addEvent, x.ID, change.Kind, payload); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Close publishes what is in the outbox too, where there is no relay.
func (c *Crates) Close(ctx context.Context, x *Crate) error {
	if err := c.save(ctx, x); err != nil {
		return err
	}
	for _, change := range x.changes {
		if err := c.nc.Publish("crates", []byte(change.Kind)); err != nil {
			return err
		}
	}
	return nil
}

// storeTwo is one transaction with a change and its row. Two follow each other in Both,
// and each row is in its own.
func (c *Crates) storeTwo(ctx context.Context, id, state string) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if state != "" {
		if _, err := tx.ExecContext(ctx, setState, id, state); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, addEvent, id, "stored", "{}"); err != nil {
		return err
	}
	return tx.Commit()
}

func (c *Crates) Both(ctx context.Context, id string) error {
	if err := c.storeTwo(ctx, id, "packed"); err != nil {
		return err
	}
	return c.storeTwo(ctx, id, "sealed")
}

// Number takes a number first, and stores the row in front of its change.
func (c *Crates) Number(ctx context.Context, id string) error {
	if _, err := c.db.ExecContext(ctx, "UPDATE numbers SET next = next + 1"); err != nil {
		return err
	}
	return c.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, addEvent, id, "numbered", "{}"); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, setState, id, "numbered")
		return err
	})
}

func (c *Crates) inTx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

const outboxTable = "outbox"

// named has the name of the table in a constant.
func (c *Crates) named(ctx context.Context, id string) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, setState, id, "named"); err != nil {
		return err
	}
	query := fmt.Sprintf("INSERT INTO %s (aggregate_id, type) VALUES ($1, $2)", outboxTable)
	if _, err := tx.ExecContext(ctx, query, id, "named"); err != nil {
		return err
	}
	return tx.Commit()
}

// Name wakes the relay up.
func (c *Crates) Name(ctx context.Context, id string) error {
	if err := c.named(ctx, id); err != nil {
		return err
	}
	return c.nc.Publish("crates", []byte(id))
}

// Expire marks rows that it has locked, with their rows beside them.
func (c *Crates) Expire(ctx context.Context) error {
	if err := c.storeTwo(ctx, "all", "checked"); err != nil {
		return err
	}
	return c.expire(ctx)
}

func (c *Crates) expire(ctx context.Context) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id string
	if err := tx.QueryRowContext(ctx, "SELECT id FROM parcels WHERE state = 'packed' LIMIT 1 FOR UPDATE").Scan(&id); err != nil {
		return err
	}
	if err := c.markFailed(ctx, tx, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, addEvent, id, "expired", "{}"); err != nil {
		return err
	}
	return tx.Commit()
}

func (c *Crates) markFailed(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, "UPDATE parcels SET state = 'expired' WHERE id = $1", id)
	return err
}
