// Package switched picks the event in a switch, and looks at the error below it.
package switched

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/nats-io/nats.go"
)

type Verdict int

const (
	Upheld Verdict = iota
	Dismissed
	Adjourned
)

type Rulings struct {
	db *sql.DB
	nc *nats.Conn
}

func (r *Rulings) store(ctx context.Context, id string, v Verdict) error {
	_, err := r.db.ExecContext(ctx, "UPDATE rulings SET verdict = $2 WHERE id = $1", id, v)
	return err
}

// Decide publishes in the cases that others care for.
func (r *Rulings) Decide(ctx context.Context, id string, v Verdict) error {
	if err := r.store(ctx, id, v); err != nil {
		return err
	}
	var err error
	switch v {
	case Upheld:
		err = r.nc.Publish("rulings.upheld", []byte(id)) // want dual-write "follows"
	case Dismissed:
		err = r.nc.Publish("rulings.dismissed", []byte(id)) // want dual-write "follows"
	}
	if err != nil {
		return fmt.Errorf("ruling %s: %w", id, err)
	}
	return nil
}

// Foretell has only the subject from the switch, and writes last.
func (r *Rulings) Foretell(ctx context.Context, id string, v Verdict) error {
	var subject string
	switch v {
	case Upheld:
		subject = "rulings.upheld"
	case Dismissed:
		subject = "rulings.dismissed"
	default:
		return fmt.Errorf("ruling %s: verdict %d", id, v)
	}
	if err := r.nc.Publish(subject, []byte(id)); err != nil { // want before-write
		return err
	}
	return r.store(ctx, id, v)
}

// Record stores its event in the transaction, whichever it is.
func (r *Rulings) Record(ctx context.Context, id string, v Verdict) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE rulings SET verdict = $2 WHERE id = $1", id, v); err != nil {
		return err
	}
	switch v {
	case Upheld:
		_, err = tx.ExecContext(ctx, "INSERT INTO outbox (subject, body) VALUES ('rulings.upheld', $1)", id)
	case Dismissed:
		_, err = tx.ExecContext(ctx, "INSERT INTO outbox (subject, body) VALUES ('rulings.dismissed', $1)", id)
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// Route publishes in one case and writes in the other.
func (r *Rulings) Route(ctx context.Context, id string, v Verdict) (err error) {
	switch v {
	case Adjourned:
		err = r.nc.Publish("rulings.wanted", []byte(id))
	default:
		err = r.store(ctx, id, v)
	}
	if err != nil {
		return fmt.Errorf("ruling %s: %w", id, err)
	}
	return nil
}
