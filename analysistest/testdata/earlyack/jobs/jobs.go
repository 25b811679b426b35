// Package jobs works the jobs of frameworks that retry what returns an error.
package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
)

// Invoices keeps invoices.
type Invoices struct{ pool *pgxpool.Pool }

func (i *Invoices) keep(ctx context.Context, id string) error {
	_, err := i.pool.Exec(ctx, `UPDATE invoices SET sent = true WHERE id = $1`, id)
	return err
}

// Routes are the tasks.
func (i *Invoices) Routes(mux *asynq.ServeMux) {
	mux.HandleFunc("invoice:hidden", i.hidden)
	mux.HandleFunc("invoice:returned", i.returned)
	mux.HandleFunc("invoice:skipped", i.skipped)
	mux.HandleFunc("invoice:decoded", i.decoded)
}

// hidden returns nil after a failed write.
func (i *Invoices) hidden(ctx context.Context, t *asynq.Task) error {
	if err := i.keep(ctx, string(t.Payload())); err != nil { // want on-failure "i.keep may fail, and the handler returns no error"
		slog.Error("keep", "err", err)
		return nil
	}
	slog.Info("sent")
	return nil
}

func (i *Invoices) returned(ctx context.Context, t *asynq.Task) error {
	if err := i.keep(ctx, string(t.Payload())); err != nil {
		return fmt.Errorf("keeping %s: %w", t.Payload(), err)
	}
	return nil
}

// skipped tells asynq to put it into its archive.
func (i *Invoices) skipped(ctx context.Context, t *asynq.Task) error {
	if err := i.keep(ctx, string(t.Payload())); err != nil {
		return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
	}
	return nil
}

// decoded gives up only what can't be read.
func (i *Invoices) decoded(ctx context.Context, t *asynq.Task) error {
	var job struct{ ID string }
	if err := json.Unmarshal(t.Payload(), &job); err != nil {
		slog.Error("not a job", "err", err)
		return nil
	}
	return i.keep(ctx, job.ID)
}

// Args are a job's.
type Args struct{ Invoice string }

// Kind names the job.
func (Args) Kind() string { return "invoice" }

// Hiding returns nil after a failed write.
type Hiding struct {
	river.WorkerDefaults[Args]
	invoices *Invoices
}

func (w *Hiding) Work(ctx context.Context, job *river.Job[Args]) error {
	if err := w.invoices.keep(ctx, job.Args.Invoice); err != nil { // want on-failure "the handler returns no error"
		slog.Error("keep", "err", err)
	}
	return nil
}

// Returning returns it.
type Returning struct {
	river.WorkerDefaults[Args]
	invoices *Invoices
}

func (w *Returning) Work(ctx context.Context, job *river.Job[Args]) error {
	return w.invoices.keep(ctx, job.Args.Invoice)
}

var errGone = errors.New("gone")

// Cancelling cancels what is gone and returns the rest.
type Cancelling struct {
	river.WorkerDefaults[Args]
	invoices *Invoices
}

func (w *Cancelling) Work(ctx context.Context, job *river.Job[Args]) error {
	err := w.invoices.keep(ctx, job.Args.Invoice)
	if errors.Is(err, errGone) {
		return river.JobCancel(err)
	}
	return err
}

// Spawning leaves the work to a goroutine, and the job is done.
type Spawning struct {
	river.WorkerDefaults[Args]
	invoices *Invoices
}

func (w *Spawning) Work(ctx context.Context, job *river.Job[Args]) error {
	go func() { // want before-effect
		if err := w.invoices.keep(context.Background(), job.Args.Invoice); err != nil {
			slog.Error("keep", "err", err)
		}
	}()
	return nil
}
