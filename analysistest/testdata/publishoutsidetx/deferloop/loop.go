// Package deferloop has defers, transactions and publishes in loops.
package deferloop

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
)

type Mail struct {
	db *sql.DB
	cl *kgo.Client
}

func (m *Mail) produce(ctx context.Context, topic, id string) error {
	return m.cl.ProduceSync(ctx, &kgo.Record{Topic: topic, Key: []byte(id)}).FirstErr()
}

// Stamp opens a transaction an iteration. The deferred rollbacks of the earlier
// ones are still to come, and do nothing.
func (m *Mail) Stamp(ctx context.Context, letters []string) error {
	for _, id := range letters {
		tx, err := m.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE letters SET stamped = true WHERE id = $1", id); err != nil {
			return err
		}
		if err := tx.Commit(); err != nil {
			return err
		}
		if err := m.produce(ctx, "stamped", id); err != nil { // want after-commit "runs after tx.Commit"
			return fmt.Errorf("letter %s: %w", id, err)
		}
	}
	return nil
}

// Frank collects in one transaction and publishes all of it afterwards.
func (m *Mail) Frank(ctx context.Context, letters []string) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, id := range letters {
		if _, err := tx.ExecContext(ctx, "UPDATE letters SET franked = true WHERE id = $1", id); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, id := range letters {
		if err := m.produce(ctx, "franked", id); err != nil { // want after-commit "runs after tx.Commit"
			return err
		}
	}
	return nil
}

// Sort publishes in the loop that is inside the transaction.
func (m *Mail) Sort(ctx context.Context, letters map[string]int) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for id, bin := range letters {
		if _, err := tx.ExecContext(ctx, "UPDATE letters SET bin = $2 WHERE id = $1", id, bin); err != nil {
			return err
		}
		if err := m.produce(ctx, "sorted", id); err != nil { // want inside-tx "transaction"
			return err
		}
	}
	return tx.Commit()
}

// Forward has the outbox row of each letter in the transaction of the letter.
func (m *Mail) Forward(ctx context.Context, letters []string) error {
	for _, id := range letters {
		err := func() error {
			tx, err := m.db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			if _, err := tx.ExecContext(ctx, "UPDATE letters SET forwarded = true WHERE id = $1", id); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO outbox (topic, key) VALUES ('forwarded', $1)", id); err != nil {
				return err
			}
			return tx.Commit()
		}()
		if err != nil {
			return err
		}
	}
	return nil
}

// Trace publishes what it reads, row after row.
func (m *Mail) Trace(ctx context.Context) error {
	rows, err := m.db.QueryContext(ctx, "SELECT id FROM lost_letters")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if err := m.produce(ctx, "traced", id); err != nil {
			return err
		}
	}
	return rows.Err()
}
