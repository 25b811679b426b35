// Package aftercommitjob queues the job of a paid order when that is committed.
package aftercommitjob

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
)

// PackArgs are what a job is told.
type PackArgs struct {
	Order string `json:"order"`
}

// Kind implements river.JobArgs.
func (PackArgs) Kind() string { return "pack" }

// Orders are the orders of a shop.
type Orders struct {
	pool *pgxpool.Pool
	jobs *river.Client[pgx.Tx]
}

// New makes the service.
func New(pool *pgxpool.Pool, jobs *river.Client[pgx.Tx]) *Orders { return &Orders{pool, jobs} }

// Pay marks an order as paid and has it packed.
func (o *Orders) Pay(ctx context.Context, id string) error {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx, `UPDATE orders SET state = 'paid' WHERE id = $1 AND state = 'new'`, id)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	_, err = o.jobs.Insert(ctx, PackArgs{Order: id}, nil)
	return err
}
