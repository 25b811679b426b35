// Package kafkapg dedupes what it reads from Kafka in Postgres.
package kafkapg

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type credited struct {
	ID, Account string
	Cents       int64
}

type consumer struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (c *consumer) run(ctx context.Context, handle func(ctx context.Context, e credited) error) error {
	for {
		m, err := c.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e credited
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := handle(ctx, e); err != nil {
			return err
		}
		if err := c.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Start reads with each of the handlers.
func (c *consumer) Start(ctx context.Context) error {
	for _, h := range []func(context.Context, credited) error{
		c.wrongRecordAfter, c.wrongRecordHelper, c.wrongCheckBefore, c.wrongMark, c.wrongMarkLong,
		c.rightClaim, c.rightTx, c.rightUniqueKey, c.rightLocked, c.rightAbsolute, c.rightMissing,
	} {
		if err := c.run(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

func (c *consumer) seen(ctx context.Context, id string) (bool, error) {
	var found bool
	err := c.pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM inbox WHERE message_id = $1)`, id).Scan(&found)
	return found, err
}

func (c *consumer) remember(ctx context.Context, id string) error {
	_, err := c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, id)
	return err
}

func credit(ctx context.Context, tx pgx.Tx, e credited) error {
	_, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents)
	return err
}

func (c *consumer) wrongRecordAfter(ctx context.Context, e credited) error {
	found, err := c.seen(ctx, e.ID)
	if err != nil || found {
		return err
	}
	if _, err := c.pool.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents); err != nil {
		return err
	}
	_, err = c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, e.ID) // want record-outside-tx "records the message after"
	return err
}

func (c *consumer) wrongRecordHelper(ctx context.Context, e credited) error {
	found, err := c.seen(ctx, e.ID)
	if err != nil {
		return err
	}
	if found {
		return nil
	}
	if err := pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error { return credit(ctx, tx, e) }); err != nil {
		return err
	}
	return c.remember(ctx, e.ID) // want record-outside-tx "c.remember records the message after credit"
}

func (c *consumer) wrongCheckBefore(ctx context.Context, e credited) error {
	var done bool
	if err := c.pool.QueryRow(ctx, `SELECT done FROM credits WHERE id = $1`, e.ID).Scan(&done); err != nil { // want check-outside-tx "is not in the transaction of"
		return err
	}
	if done {
		return nil
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if err := credit(ctx, tx, e); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE credits SET done = TRUE WHERE id = $1`, e.ID)
		return err
	})
}

func (c *consumer) wrongMark(ctx context.Context, e credited) error {
	tag, err := c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.ID) // want mark-before-effect "marks the message before"
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error { return credit(ctx, tx, e) })
}

func (c *consumer) wrongMarkLong(ctx context.Context, e credited) error {
	tag, err := c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.ID) // want mark-before-effect "marks the message before"
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if err := credit(ctx, tx, e); err != nil {
			return err
		}
		return credit(ctx, tx, e)
	})
}

func (c *consumer) rightClaim(ctx context.Context, e credited) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.ID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return credit(ctx, tx, e)
	})
}

func (c *consumer) rightTx(ctx context.Context, e credited) error {
	tx, err := c.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	var found bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM inbox WHERE message_id = $1)`, e.ID).Scan(&found); err != nil {
		return err
	}
	if found {
		return nil
	}
	if err := credit(ctx, tx, e); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, e.ID); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// rightUniqueKey looks first only to save work: the insert meets the key.
func (c *consumer) rightUniqueKey(ctx context.Context, e credited) error {
	found, err := c.seen(ctx, e.ID)
	if err != nil || found {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, e.ID); err != nil {
			return err
		}
		return credit(ctx, tx, e)
	})
}

// rightLocked looks again under the lock.
func (c *consumer) rightLocked(ctx context.Context, e credited) error {
	var done bool
	if err := c.pool.QueryRow(ctx, `SELECT done FROM credits WHERE id = $1`, e.ID).Scan(&done); err != nil || done {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT done FROM credits WHERE id = $1 FOR UPDATE`, e.ID).Scan(&done); err != nil || done {
			return err
		}
		if err := credit(ctx, tx, e); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE credits SET done = TRUE WHERE id = $1`, e.ID)
		return err
	})
}

// rightAbsolute sets the same a second time.
func (c *consumer) rightAbsolute(ctx context.Context, e credited) error {
	found, err := c.seen(ctx, e.ID)
	if err != nil || found {
		return err
	}
	if _, err := c.pool.Exec(ctx, `UPDATE accounts SET last_credit = $2 WHERE id = $1`, e.Account, e.Cents); err != nil {
		return err
	}
	return c.remember(ctx, e.ID)
}

// rightMissing leaves what is not there alone: no dedupe.
func (c *consumer) rightMissing(ctx context.Context, e credited) error {
	var limit int64
	err := c.pool.QueryRow(ctx, `SELECT credit_limit FROM limits WHERE account = $1`, e.Account).Scan(&limit)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := c.pool.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents); err != nil {
		return err
	}
	_, err = c.pool.Exec(ctx, `UPDATE limits SET used = $2 WHERE account = $1`, e.Account, e.Cents)
	return err
}
