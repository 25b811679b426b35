// Package lib is what a company shares between its services: a producer, a unit of
// work and an outbox. It has no pair of its own.
package lib

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type Producer struct {
	cl     *kgo.Client
	prefix string
}

func NewProducer(cl *kgo.Client, prefix string) *Producer {
	return &Producer{cl: cl, prefix: prefix}
}

// Deliver is a publish by what it reaches.
func (p *Producer) Deliver(ctx context.Context, name string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return p.raw(ctx, p.prefix+name, raw)
}

func (p *Producer) raw(ctx context.Context, topic string, raw []byte) error {
	return p.cl.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: raw}).FirstErr()
}

// Tx hides the transaction's type from those who use it.
type Tx struct{ tx pgx.Tx }

func (t *Tx) Exec(ctx context.Context, sql string, args ...any) error {
	_, err := t.tx.Exec(ctx, sql, args...)
	return err
}

// Deliver stores what Producer.Deliver would send.
func (t *Tx) Deliver(ctx context.Context, name string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return t.Exec(ctx, "INSERT INTO lib_outbox (name, body) VALUES ($1, $2)", name, raw)
}

type Database struct{ pool *pgxpool.Pool }

func NewDatabase(pool *pgxpool.Pool) *Database { return &Database{pool: pool} }

func (d *Database) Atomically(ctx context.Context, fn func(tx *Tx) error) (err error) {
	tx, err := d.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback(ctx)
			return
		}
		err = tx.Commit(ctx)
	}()
	return fn(&Tx{tx: tx})
}

// Exec is outside any transaction.
func (d *Database) Exec(ctx context.Context, sql string, args ...any) error {
	_, err := d.pool.Exec(ctx, sql, args...)
	return err
}
