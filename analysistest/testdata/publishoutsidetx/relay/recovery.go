package relay

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"
)

// Posting is stored as queued, then worked off by a task.
type Posting struct {
	ID     string
	Amount int64
}

type postingQueue struct{ client *asynq.Client }

func (q *postingQueue) enqueue(p *Posting) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = q.client.Enqueue(asynq.NewTask("posting:apply", body))
	return err
}

func (q *postingQueue) alert(p *Posting) error { return q.text(p.ID) }

func (q *postingQueue) text(id string) error {
	_, err := q.client.Enqueue(asynq.NewTask("posting:alert", []byte(id)))
	return err
}

// Postings stores, applies and recovers them.
type Postings struct {
	db    *sql.DB
	queue *postingQueue
	apply func(ctx context.Context, p *Posting) error
}

func NewPostings(db *sql.DB, client *asynq.Client) *Postings {
	l := &Postings{db: db, queue: &postingQueue{client}}
	l.apply = l.applyOne
	return l
}

func (l *Postings) applyOne(ctx context.Context, p *Posting) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE funds SET amount = amount + $1", p.Amount); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE fund_postings SET state = 'APPLIED' WHERE id = $1 AND state = 'QUEUED'", p.ID); err != nil {
		return err
	}
	return tx.Commit()
}

// Register has the task applied.
func (l *Postings) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("posting:apply", func(ctx context.Context, t *asynq.Task) error {
		var p Posting
		if err := json.Unmarshal(t.Payload(), &p); err != nil {
			return err
		}
		return l.applyOne(ctx, &p)
	})
}

// Add loses nothing: Run finds what has stayed queued and applies it.
func (l *Postings) Add(ctx context.Context, p *Posting) error {
	if _, err := l.db.ExecContext(ctx, "INSERT INTO fund_postings (id, state) VALUES ($1, 'QUEUED')", p.ID); err != nil {
		return err
	}
	return l.queue.enqueue(p)
}

// AddAll is the same with a transaction.
func (l *Postings) AddAll(ctx context.Context, all []*Posting) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, p := range all {
		if _, err := tx.ExecContext(ctx, "INSERT INTO fund_postings (id, state) VALUES ($1, 'QUEUED')", p.ID); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, p := range all {
		if err := l.queue.enqueue(p); err != nil {
			return err
		}
	}
	return nil
}

// AddNoted also publishes what no sweeper makes good.
func (l *Postings) AddNoted(ctx context.Context, p *Posting) error {
	if _, err := l.db.ExecContext(ctx, "INSERT INTO fund_postings (id, state) VALUES ($1, 'QUEUED')", p.ID); err != nil {
		return err
	}
	return l.queue.alert(p) // want dual-write "follows"
}

// Close writes rows that the sweeper doesn't read.
func (l *Postings) Close(ctx context.Context, p *Posting) error {
	if _, err := l.db.ExecContext(ctx, "INSERT INTO fund_closings (id) VALUES ($1)", p.ID); err != nil {
		return err
	}
	return l.queue.enqueue(p) // want dual-write "follows"
}

// Run is the sweeper.
func (l *Postings) Run(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.recover(ctx)
		}
	}
}

func (l *Postings) recover(ctx context.Context) {
	stuck, err := l.stuck(ctx)
	if err != nil {
		slog.ErrorContext(ctx, "stuck", "err", err)
		return
	}
	for _, p := range stuck {
		if err := l.retry(ctx, p); err != nil {
			slog.ErrorContext(ctx, "retry", "posting", p.ID, "err", err)
		}
	}
}

func (l *Postings) retry(ctx context.Context, p *Posting) error { return l.apply(ctx, p) }

func (l *Postings) stuck(ctx context.Context) ([]*Posting, error) {
	rows, err := l.db.QueryContext(ctx, "SELECT id, amount FROM fund_postings WHERE state = 'QUEUED' AND created_at < now() - interval '1 hour'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []*Posting
	for rows.Next() {
		p := &Posting{}
		if err := rows.Scan(&p.ID, &p.Amount); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// Sendings has the same loop, and nobody starts it again.
type Sendings struct {
	db    *sql.DB
	queue *asynq.Client
}

type Sending struct{ ID string }

func (l *Sendings) ship(ctx context.Context, p *Sending) error {
	_, err := l.db.ExecContext(ctx, "UPDATE sendings SET state = 'SHIPPED' WHERE id = $1", p.ID)
	return err
}

func (l *Sendings) enqueue(p *Sending) error {
	_, err := l.queue.Enqueue(asynq.NewTask("sending:ship", []byte(p.ID)))
	return err
}

func (l *Sendings) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("sending:ship", func(ctx context.Context, t *asynq.Task) error {
		return l.ship(ctx, &Sending{string(t.Payload())})
	})
}

func (l *Sendings) Add(ctx context.Context, p *Sending) error {
	if _, err := l.db.ExecContext(ctx, "INSERT INTO sendings (id) VALUES ($1)", p.ID); err != nil {
		return err
	}
	return l.enqueue(p) // want dual-write "follows"
}

// ShipAll is for the command line.
func (l *Sendings) ShipAll(ctx context.Context) error {
	rows, err := l.db.QueryContext(ctx, "SELECT id FROM sendings WHERE state = 'NEW'")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		p := &Sending{}
		if err := rows.Scan(&p.ID); err != nil {
			return err
		}
		if err := l.ship(ctx, p); err != nil {
			return err
		}
	}
	return rows.Err()
}
