package entities

import (
	"context"
	"database/sql"
	"encoding/json"
)

// Documents keeps an entity as a document in a column.
type Documents struct{ db *sql.DB }

type Itinerary struct {
	Status  string
	Version int64
}

// Update loads a document, changes it and stores it, in a transaction.
func (d *Documents) Update(ctx context.Context, id string, change func(*Itinerary) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var data []byte
	if err := tx.QueryRowContext(ctx, "SELECT payload FROM itineraries WHERE id = $1 FOR UPDATE", id).Scan(&data); err != nil {
		return err
	}
	var it Itinerary
	if err := json.Unmarshal(data, &it); err != nil {
		return err
	}
	if err := change(&it); err != nil {
		return err
	}
	if data, err = json.Marshal(it); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE itineraries SET payload = $2 WHERE id = $1", id, data); err != nil {
		return err
	}
	return tx.Commit()
}

func (d *Documents) wrongDocument(ctx context.Context, e BookingChanged) error {
	return d.Update(ctx, e.ID, func(it *Itinerary) error {
		it.Status = e.Status // want unguarded "Itinerary.Status is set from e.Status"
		return nil
	})
}

// wrongLocked: a lock on the row lets the late message wait, and then write.
func (d *Documents) wrongLocked(ctx context.Context, e BookingChanged) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var data []byte
	if err := tx.QueryRowContext(ctx, "SELECT payload FROM itineraries WHERE id = $1 FOR UPDATE", e.ID).Scan(&data); err != nil {
		return err
	}
	var it Itinerary
	if err := json.Unmarshal(data, &it); err != nil {
		return err
	}
	it.Status = e.Status // want unguarded "Itinerary.Status is set from e.Status"
	if data, err = json.Marshal(it); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE itineraries SET payload = $2 WHERE id = $1", e.ID, data); err != nil {
		return err
	}
	return tx.Commit()
}

func (d *Documents) rightDocument(ctx context.Context, e BookingChanged) error {
	return d.Update(ctx, e.ID, func(it *Itinerary) error {
		if it.Version >= e.Version {
			return nil
		}
		it.Status, it.Version = e.Status, e.Version
		return nil
	})
}
