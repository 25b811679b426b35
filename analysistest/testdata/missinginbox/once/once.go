// Package once applies messages in transactions, beside an inbox that it could ask.
package once

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// Ledger has accounts.
type Ledger struct{ pool *pgxpool.Pool }

// Credited is a message.
type Credited struct {
	EventID, Account string
	Cents            int64
}

// Run reads with each of the handlers.
func (l *Ledger) Run(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e Credited
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		for _, handle := range []func(context.Context, Credited) error{l.wrongGiven, l.wrongBegun, l.wrongKept, l.wrongGivenOn} {
			if err := handle(ctx, e); err != nil {
				return err
			}
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (l *Ledger) wrongGiven(ctx context.Context, e Credited) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents); err != nil { // want no-dedupe
			return err
		}
		return nil
	})
}

func (l *Ledger) wrongBegun(ctx context.Context, e Credited) error {
	tx, err := l.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents); err != nil { // want no-dedupe
		return err
	}
	return tx.Commit(ctx)
}

// wrongKept doesn't give the transaction up: an early return would leave it open.
func (l *Ledger) wrongKept(ctx context.Context, e Credited) error {
	tx, err := l.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents); err != nil { // want no-dedupe
		return err
	}
	return tx.Commit(ctx)
}

// wrongGivenOn gives it to a function that may be called twice in one transaction.
func (l *Ledger) wrongGivenOn(ctx context.Context, e Credited) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error { return l.add(ctx, tx, e) })
}

func (l *Ledger) add(ctx context.Context, tx pgx.Tx, e Credited) error {
	_, err := tx.Exec(ctx, `UPDATE sums SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents) // want no-dedupe
	return err
}
