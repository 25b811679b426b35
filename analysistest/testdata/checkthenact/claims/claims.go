// Package claims has claims whose answer is lost.
package claims

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type store struct {
	db   *sql.DB
	pool *pgxpool.Pool
	mail func(ctx context.Context, id string) error
}

func (s *store) WrongMail(ctx context.Context, id string) error {
	if _, err := s.db.ExecContext(ctx, `INSERT INTO processed_messages (id) VALUES ($1) ON CONFLICT DO NOTHING`, id); err != nil { // want claim-ignored "nobody reads its row count"
		return err
	}
	return s.mail(ctx, id)
}

func (s *store) WrongCredit(ctx context.Context, id, account string, cents int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO inbox (message_id, received_at) VALUES ($1, now()) ON CONFLICT DO NOTHING`, id); err != nil { // want claim-ignored "nobody reads its row count"
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, account, cents)
		return err
	})
}

// RightStatus asks the row what became of the message.
func (s *store) RightStatus(ctx context.Context, id, account string, cents int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO inbox (message_id, received_at) VALUES ($1, now()) ON CONFLICT DO NOTHING`, id); err != nil {
			return err
		}
		var done bool
		if err := tx.QueryRow(ctx, `SELECT done FROM inbox WHERE message_id = $1 FOR UPDATE`, id).Scan(&done); err != nil || done {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, account, cents)
		return err
	})
}

func isDuplicate(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && pe.Code == "23505"
}

func (s *store) WrongAborted(ctx context.Context, id, topic string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `INSERT INTO events (id, topic) VALUES ($1, $2)`, id, topic); err != nil && !isDuplicate(err) { // want claim-ignored "Postgres has aborted"
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO tips (topic, id) VALUES ($1, $2)`, topic, id); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// RightLeaves gives the transaction up.
func (s *store) RightLeaves(ctx context.Context, id, topic string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `INSERT INTO events (id, topic) VALUES ($1, $2)`, id, topic); err != nil {
		if isDuplicate(err) {
			return nil
		}
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO tips (topic, id) VALUES ($1, $2)`, topic, id); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// RightReads looks at the row count.
func (s *store) RightReads(ctx context.Context, id, account string, cents int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, account, cents)
		return err
	})
}

// RightSeed stores a row that is there already or not: nothing follows that counts.
func (s *store) RightSeed(ctx context.Context, id, name string) error {
	if _, err := s.db.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, `UPDATE people SET name = $2 WHERE id = $1`, id, name)
	return err
}

// WrongCounted is in a transaction of database/sql.
func (s *store) WrongCounted(ctx context.Context, id, account string, cents int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	_, err = tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want claim-ignored "nobody reads its row count"
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, account, cents); err != nil {
		return err
	}
	return tx.Commit()
}

// WrongCountedHere declares the error where it is looked at.
func (s *store) WrongCountedHere(ctx context.Context, id, account string, cents int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id); err != nil { // want claim-ignored "nobody reads its row count"
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, account, cents); err != nil {
		return err
	}
	return tx.Commit()
}

// WrongLate claims after the effect: a return would commit that.
func (s *store) WrongLate(ctx context.Context, id, account string, cents int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, account, cents); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id); err != nil { // want claim-ignored "nobody reads its row count"
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE sums SET cents = cents + $2 WHERE id = $1`, account, cents)
		return err
	})
}
