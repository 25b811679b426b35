// Package postaction has what comes after a change in a method of its own, which
// starts goroutines, or in hooks that a manager runs.
package postaction

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/hibiken/asynq"
)

type Posting struct {
	ID     string `json:"id"`
	State  string `json:"state"`
	Amount int64  `json:"amount"`
}

type queue struct{ client *asynq.Client }

func (q *queue) webhook(kind string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	info, err := q.client.Enqueue(asynq.NewTask("webhook:"+kind, raw), asynq.Queue("webhooks"))
	if err != nil {
		return fmt.Errorf("webhook %s: %w", kind, err)
	}
	slog.Debug("webhook", "task", info.ID)
	return nil
}

// PostHooks runs what users have registered.
type PostHooks interface {
	RunPost(ctx context.Context, p Posting) error
}

type hookManager struct {
	queue *queue
	urls  []string
}

func (m *hookManager) RunPost(_ context.Context, p Posting) error {
	for range m.urls {
		if err := m.queue.webhook("hook", p); err != nil {
			return err
		}
	}
	return nil
}

type Ledger struct {
	db    *sql.DB
	queue *queue
	hooks PostHooks
}

func NewLedger(db *sql.DB, client *asynq.Client, urls ...string) *Ledger {
	q := &queue{client}
	return &Ledger{db: db, queue: q, hooks: &hookManager{queue: q, urls: urls}}
}

func (l *Ledger) store(ctx context.Context, p Posting) error {
	_, err := l.db.ExecContext(ctx, "INSERT INTO postings (id, state, amount) VALUES ($1, $2, $3)", p.ID, p.State, p.Amount)
	return err
}

// afterPosting is for both ways to post.
func (l *Ledger) afterPosting(p Posting) {
	go func() {
		if err := l.queue.webhook("posting."+p.State, p); err != nil {
			slog.Error("post action", "posting", p.ID, "err", err)
		}
	}()
}

func (l *Ledger) Post(ctx context.Context, p Posting) error {
	if err := l.store(ctx, p); err != nil {
		return err
	}
	l.afterPosting(p) // want dual-write "follows"
	return nil
}

// PostTx has hooks after the commit, and logs what goes wrong there.
func (l *Ledger) PostTx(ctx context.Context, p Posting) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE balances SET amount = amount + $1", p.Amount); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if err := l.hooks.RunPost(ctx, p); err != nil { // want after-commit "runs after tx.Commit"
		slog.ErrorContext(ctx, "hooks", "posting", p.ID, "err", err)
	}
	return nil
}

// Reject reports the end of a batch, whatever became of its postings.
func (l *Ledger) Reject(ctx context.Context, all []Posting) {
	failed := 0
	for _, p := range all {
		p.State = "rejected"
		if err := l.store(ctx, p); err != nil {
			failed++
		}
	}
	if err := l.queue.webhook("batch", map[string]int{"failed": failed}); err != nil { // want dual-write "follows"
		slog.ErrorContext(ctx, "batch", "err", err)
	}
}

// Queue stores the posting as QUEUED; Recover enqueues what has stayed so.
func (l *Ledger) Queue(ctx context.Context, p Posting) error {
	if _, err := l.db.ExecContext(ctx, "INSERT INTO queued_postings (id, state) VALUES ($1, 'QUEUED')", p.ID); err != nil {
		return err
	}
	go l.process(p.ID)
	return nil
}

func (l *Ledger) process(id string) {
	if _, err := l.queue.client.Enqueue(asynq.NewTask("posting:process", []byte(id)), asynq.TaskID(id)); err != nil {
		slog.Error("left to recovery", "posting", id, "err", err)
	}
}

func (l *Ledger) Recover(ctx context.Context) error {
	rows, err := l.db.QueryContext(ctx, "SELECT id FROM queued_postings WHERE state = 'QUEUED' AND created_at < now() - interval '1 minute'")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		l.process(id)
	}
	return rows.Err()
}

// Validate reads, and enqueues what would be valid.
func (l *Ledger) Validate(ctx context.Context, p Posting) error {
	var balance int64
	if err := l.db.QueryRowContext(ctx, "SELECT amount FROM balances").Scan(&balance); err != nil {
		return err
	}
	if balance < p.Amount {
		return fmt.Errorf("posting %s: balance %d", p.ID, balance)
	}
	return l.queue.webhook("posting.valid", p)
}
