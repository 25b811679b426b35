// Package columns sets columns of a row from a message.
package columns

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type ShipmentChanged struct {
	Shipment string    `db:"shipment" json:"shipment"`
	State    string    `db:"state" json:"state"`
	Address  string    `db:"address" json:"address"`
	Version  int64     `db:"version" json:"version"`
	At       time.Time `db:"at" json:"at"`
	Weight   int       `db:"weight" json:"weight"`
}

type Store struct {
	db   *sql.DB
	x    *sqlx.DB
	pool *pgxpool.Pool
}

func (s *Store) SetState(ctx context.Context, id, state string) error {
	_, err := s.db.ExecContext(ctx, "UPDATE shipments SET state = $2, updated_at = now() WHERE id = $1", id, state)
	return err
}

func (s *Store) SetAddress(ctx context.Context, e ShipmentChanged) error {
	_, err := s.pool.Exec(ctx, "UPDATE shipments SET address = $2 WHERE id = $1", e.Shipment, e.Address)
	return err
}

// Advance writes only what is newer than the row.
func (s *Store) Advance(ctx context.Context, id, state string, version int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE shipments SET state = $2, version = $3 WHERE id = $1 AND version < $3", id, state, version)
	return err
}

func (s *Store) AdvanceAt(ctx context.Context, e ShipmentChanged) error {
	_, err := s.pool.Exec(ctx, "UPDATE shipments SET state = $2, changed = $3 WHERE id = $1 AND (changed IS NULL OR changed < $3)", e.Shipment, e.State, e.At)
	return err
}

type Consumer struct {
	store *Store
	r     *kafka.Reader
}

func (c *Consumer) Run(ctx context.Context, handle func(context.Context, ShipmentChanged) error) error {
	for {
		m, err := c.r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e ShipmentChanged
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := handle(ctx, e); err != nil {
			return err
		}
		if err := c.r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func Start(ctx context.Context, c *Consumer) error {
	for _, handle := range []func(context.Context, ShipmentChanged) error{
		c.wrongState, c.wrongAddress, c.wrongNamed, c.wrongNamedMap, c.wrongBuilt, c.wrongInTx,
		c.rightVersion, c.rightTime, c.rightNamed, c.rightBuilt, c.rightMax,
	} {
		if err := c.Run(ctx, handle); err != nil {
			return err
		}
	}
	return nil
}

func (c *Consumer) wrongState(ctx context.Context, e ShipmentChanged) error {
	return c.store.SetState(ctx, e.Shipment, e.State) // want unguarded "SetState sets shipments.state from the message"
}

// wrongAddress: no state, but the newer address is lost all the same.
func (c *Consumer) wrongAddress(ctx context.Context, e ShipmentChanged) error {
	return c.store.SetAddress(ctx, e) // want unguarded "shipments.address"
}

func (c *Consumer) wrongNamed(ctx context.Context, e ShipmentChanged) error {
	_, err := c.store.x.NamedExecContext(ctx, "UPDATE parcels SET state = :state WHERE id = :shipment", e) // want unguarded "parcels.state"
	return err
}

func (c *Consumer) wrongNamedMap(ctx context.Context, e ShipmentChanged) error {
	_, err := c.store.x.NamedExecContext(ctx, "UPDATE parcels SET state = :state WHERE id = :id", map[string]any{"id": e.Shipment, "state": e.State}) // want unguarded "parcels.state"
	return err
}

func (c *Consumer) wrongBuilt(ctx context.Context, e ShipmentChanged) error {
	_, err := sq.Update("parcels").Set("state", e.State).Where(sq.Eq{"id": e.Shipment}).RunWith(c.store.db).ExecContext(ctx) // want unguarded "state"
	return err
}

// wrongInTx: a transaction keeps other writers out, not older messages.
func (c *Consumer) wrongInTx(ctx context.Context, e ShipmentChanged) error {
	tx, err := c.store.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "UPDATE shipments SET state = $2 WHERE id = $1", e.Shipment, e.State); err != nil { // want unguarded "shipments.state"
		return err
	}
	return tx.Commit()
}

func (c *Consumer) rightVersion(ctx context.Context, e ShipmentChanged) error {
	return c.store.Advance(ctx, e.Shipment, e.State, e.Version)
}

func (c *Consumer) rightTime(ctx context.Context, e ShipmentChanged) error {
	return c.store.AdvanceAt(ctx, e)
}

func (c *Consumer) rightNamed(ctx context.Context, e ShipmentChanged) error {
	_, err := c.store.x.NamedExecContext(ctx, "UPDATE parcels SET state = :state, version = :version WHERE id = :shipment AND version < :version", e)
	return err
}

func (c *Consumer) rightBuilt(ctx context.Context, e ShipmentChanged) error {
	_, err := sq.Update("parcels").Set("state", e.State).Set("version", e.Version).
		Where(sq.Eq{"id": e.Shipment}).Where(sq.Lt{"version": e.Version}).RunWith(c.store.db).ExecContext(ctx)
	return err
}

// rightMax: the greatest wins, in any order.
func (c *Consumer) rightMax(ctx context.Context, e ShipmentChanged) error {
	_, err := c.store.db.ExecContext(ctx, "UPDATE parcels SET weight = GREATEST(weight, $2) WHERE id = $1", e.Shipment, e.Weight)
	return err
}
