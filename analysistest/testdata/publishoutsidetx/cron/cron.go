// Package cron has what a clock starts. A run that only reads and enqueues is found
// again by the next one; a run that has moved the clock on is not.
package cron

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Feeds struct {
	pool  *pgxpool.Pool
	tasks *asynq.Client
}

func (f *Feeds) due(ctx context.Context) ([]string, error) {
	rows, err := f.pool.Query(ctx, "SELECT url FROM feeds WHERE enabled")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (f *Feeds) enqueue(ctx context.Context, url string) error {
	_, err := f.tasks.EnqueueContext(ctx, asynq.NewTask("feed:fetch", []byte(url)), asynq.TaskID(url))
	return err
}

// FetchAll fans out.
func (f *Feeds) FetchAll(ctx context.Context) error {
	urls, err := f.due(ctx)
	if err != nil {
		return err
	}
	for _, url := range urls {
		if err := f.enqueue(ctx, url); err != nil {
			return fmt.Errorf("feed %s: %w", url, err)
		}
	}
	return nil
}

// FetchClaimed sets the time of the next run first, and that run is then the next.
func (f *Feeds) FetchClaimed(ctx context.Context, name string) error {
	tag, err := f.pool.Exec(ctx, "UPDATE crons SET next_run_at = now() + every WHERE name = $1 AND next_run_at <= now()", name)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	if err := f.enqueue(ctx, name); err != nil { // want dual-write "follows"
		slog.ErrorContext(ctx, "enqueue", "cron", name, "err", err)
	}
	return nil
}

// FetchThenClaim moves it on when the task is there: what fails is run again.
func (f *Feeds) FetchThenClaim(ctx context.Context, name string) error {
	var due bool
	if err := f.pool.QueryRow(ctx, "SELECT next_run_at <= now() FROM crons WHERE name = $1", name).Scan(&due); err != nil || !due {
		return err
	}
	if err := f.enqueue(ctx, name); err != nil {
		return err
	}
	_, err := f.pool.Exec(ctx, "UPDATE crons SET next_run_at = now() + every WHERE name = $1", name)
	return err
}

// Clock runs functions.
type Clock struct {
	jobs map[time.Duration]func(ctx context.Context) error
}

func (c *Clock) Every(d time.Duration, job func(ctx context.Context) error) { c.jobs[d] = job }

func (c *Clock) Run(ctx context.Context) {
	for d, job := range c.jobs {
		go func() {
			for range time.Tick(d) {
				if err := job(ctx); err != nil {
					slog.ErrorContext(ctx, "job", "every", d, "err", err)
				}
			}
		}()
	}
}

// Schedule gives the clock literals.
func (f *Feeds) Schedule(c *Clock) {
	c.Every(time.Hour, f.FetchAll)
	look := func(ctx context.Context) error {
		var url string
		if err := f.pool.QueryRow(ctx, "SELECT url FROM feeds ORDER BY random() LIMIT 1").Scan(&url); err != nil {
			return err
		}
		return f.enqueue(ctx, url)
	}
	c.Every(time.Minute, look)
	c.Every(24*time.Hour, func(ctx context.Context) error {
		if _, err := f.pool.Exec(ctx, "UPDATE feeds SET enabled = false WHERE failures > 10"); err != nil {
			return err
		}
		return f.enqueue(ctx, "disabled") // want dual-write "follows"
	})
}
