// Package deferred lets commit, rollback or publish run when the function returns.
package deferred

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"
)

type Gardens struct {
	db *sql.DB
	js jetstream.JetStream
}

func (g *Gardens) announce(ctx context.Context, subject, bed string) error {
	_, err := g.js.Publish(ctx, subject, []byte(bed))
	return err
}

// Plant commits in a deferred function, so its publish still runs inside.
func (g *Gardens) Plant(ctx context.Context, bed string) (err error) {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
		} else {
			err = tx.Commit()
		}
	}()
	if _, err = tx.ExecContext(ctx, "UPDATE beds SET planted = 1 WHERE id = ?", bed); err != nil {
		return err
	}
	return g.announce(ctx, "beds.planted", bed) // want inside-tx "transaction"
}

// plant is the same without the publish: it commits when it returns nil.
func (g *Gardens) plant(ctx context.Context, bed string) (err error) {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer finish(tx, &err)
	_, err = tx.ExecContext(ctx, "UPDATE beds SET planted = 1 WHERE id = ?", bed)
	return err
}

// finish commits or rolls back, as the error says.
func finish(tx *sql.Tx, err *error) {
	if *err != nil {
		_ = tx.Rollback()
		return
	}
	*err = tx.Commit()
}

func (g *Gardens) PlantAndTell(ctx context.Context, bed string) error {
	if err := g.plant(ctx, bed); err != nil {
		return err
	}
	return g.announce(ctx, "beds.planted", bed) // want after-commit "runs after"
}

// Water defers the publish; it runs after the commit that stands above the return.
func (g *Gardens) Water(ctx context.Context, bed string) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE beds SET watered_at = now() WHERE id = $1", bed); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	defer func() {
		if err := g.announce(ctx, "beds.watered", bed); err != nil { // want after-commit "runs after tx.Commit"
			slog.Error("announce", "bed", bed, "err", err)
		}
	}()
	return nil
}

// Weed commits in the deferred function and has its row in the outbox by then.
func (g *Gardens) Weed(ctx context.Context, bed string) (err error) {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer finish(tx, &err)
	if _, err = tx.ExecContext(ctx, "UPDATE beds SET weeded = true WHERE id = $1", bed); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO outbox (subject, body) VALUES ('beds.weeded', $1)", bed)
	return err
}

// Prune commits first; the deferred rollback then does nothing.
func (g *Gardens) Prune(ctx context.Context, bed string) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "UPDATE beds SET pruned = true WHERE id = $1", bed); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return g.announce(ctx, "beds.pruned", bed) // want after-commit "runs after tx.Commit"
}
