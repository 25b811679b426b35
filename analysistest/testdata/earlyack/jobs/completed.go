package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
)

type transferArgs struct {
	Account string
	Cents   int64
}

func (transferArgs) Kind() string { return "transfer" }

// completing finishes its job in the transaction of the effect.
type completing[D riverdriver.Driver[pgx.Tx]] struct {
	river.WorkerDefaults[transferArgs]
	pool *pgxpool.Pool
}

func (w *completing[D]) Work(ctx context.Context, job *river.Job[transferArgs]) error {
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`, job.Args.Cents, job.Args.Account); err != nil {
		return err
	}
	if _, err := river.JobCompleteTx[D](ctx, tx, job); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// completed finishes its job, and then has another effect.
type completed[D riverdriver.Driver[pgx.Tx]] struct {
	river.WorkerDefaults[transferArgs]
	pool *pgxpool.Pool
}

func (w *completed[D]) Work(ctx context.Context, job *river.Job[transferArgs]) error {
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		_, err := river.JobCompleteTx[D](ctx, tx, job) // want before-effect "river.JobCompleteTx runs before pool.Exec"
		return err
	})
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`, job.Args.Cents, job.Args.Account)
	return err
}
