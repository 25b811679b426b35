package outbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Publisher hands a message to the broker.
type Publisher interface {
	// Publish returns nil once the broker has confirmed that it keeps the message,
	// not before. It is called from several goroutines.
	Publish(ctx context.Context, msg Message) error
}

// Relay publishes what Enqueue has stored. Run as many as you like, one in each
// process: one of them publishes at a time, the others wait to take its place. So
// the rows of a key stay in order, which relays that share the rows out can't
// promise, and no row is published twice but after a kill or a lost connection.
//
// Rows are found by not being marked, not by a position to read on from: a
// transaction that commits late, with a smaller position than those already
// published, is not passed over.
type Relay struct {
	db  *sql.DB
	pub Publisher

	// BatchSize is how many rows are read and marked at a time.
	BatchSize int
	// Workers is how many messages are published at a time, each of another key.
	Workers int
	// Poll is the pause when nothing is left to publish.
	Poll time.Duration
	// MaxBackoff is the longest pause while the broker or the database fails.
	MaxBackoff time.Duration
	// Timeout is how long the broker may take to confirm one message.
	Timeout time.Duration
	// Hold is how long a batch starts new messages; what is left is for the next.
	Hold time.Duration
	// Keep is how long a row is kept after it was published.
	Keep time.Duration
	Log  *slog.Logger
}

// NewRelay makes a relay with settings that suit most; change them before Run.
func NewRelay(db *sql.DB, pub Publisher) *Relay {
	return &Relay{
		db: db, pub: pub, BatchSize: 1000, Workers: 64,
		Poll: 250 * time.Millisecond, MaxBackoff: 10 * time.Second,
		Timeout: 10 * time.Second, Hold: 10 * time.Second, Keep: 24 * time.Hour,
		Log: slog.Default(),
	}
}

// Run publishes until ctx is done. It then waits for the messages that the broker
// has already been given, marks them and returns nil.
func (r *Relay) Run(ctx context.Context) error {
	if r.BatchSize < 1 || r.Workers < 1 || r.Poll <= 0 || r.Timeout <= 0 || r.Hold <= 0 || r.Keep < 0 {
		return errors.New("outbox: the relay's settings have to be positive")
	}
	failures := 0
	var pruned time.Time
	for {
		wait := r.Poll
		n, err := r.batch(ctx)
		switch {
		case err != nil:
			r.Log.ErrorContext(ctx, "outbox relay", "error", err)
			wait = min(r.Poll<<min(failures, 16), r.MaxBackoff)
			failures++
		case n == r.BatchSize:
			failures, wait = 0, 0
		default:
			failures = 0
		}
		pruned = r.prune(ctx, pruned)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// prune deletes old rows if it last did so some time ago. It returns when it last
// did.
func (r *Relay) prune(ctx context.Context, last time.Time) time.Time {
	if ctx.Err() != nil || time.Since(last) < time.Minute {
		return last
	}
	if err := prune(ctx, r.db, r.Keep); err != nil {
		r.Log.ErrorContext(ctx, "outbox relay", "error", err)
	}
	return time.Now()
}

// batch publishes what waits and marks it, in one transaction that holds the
// relay's lock, unless another relay has it. It returns the number of rows it
// read.
//
// Rows are marked after the broker has confirmed them, never before: the other
// way round a crash in between loses them.
func (r *Relay) batch(ctx context.Context) (int, error) {
	// A batch that has begun is finished when ctx is done.
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.lease())
	defer cancel()
	// Read committed: rows are read as they are after the lock was taken.
	tx, err := r.db.BeginTx(work, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return 0, fmt.Errorf("outbox: beginning a batch: %w", err)
	}
	defer tx.Rollback() // after the commit it does nothing
	rows, err := claim(work, tx, r.lease(), r.BatchSize)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	out := r.publish(ctx, rows)
	if len(out.published) == 0 {
		return 0, out.err
	}
	if err := settle(work, tx, out); err != nil {
		return 0, err
	}
	if err := tx.Commit(); err != nil {
		return 0, fmt.Errorf("outbox: marking a batch: %w", err)
	}
	return len(rows), nil
}

// lease is how long a batch may take at most. The database ends the
// transaction of a relay that it hasn't heard of for so long, so that one whose
// machine is gone does not keep the lock.
func (r *Relay) lease() time.Duration {
	return r.Hold + r.Timeout + 30*time.Second
}

// Stats are what to watch and to be woken by: a relay that has stopped is silent.
type Stats struct {
	// Depth is the number of rows that wait.
	Depth int64
	// Age is how long the oldest of them has waited.
	Age time.Duration
	// Refused is the number of rows that the broker has refused at least once;
	// the rows of their keys wait behind them.
	Refused int64
}

// Stats asks the database, whichever relay publishes.
func (r *Relay) Stats(ctx context.Context) (Stats, error) {
	return stats(ctx, r.db)
}
