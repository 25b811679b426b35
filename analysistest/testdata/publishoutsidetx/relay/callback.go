package relay

import (
	"context"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type Ballot struct {
	ID   string `db:"id"`
	Body []byte `db:"body"`
}

// BallotWorker takes a row that the store holds for it.
type BallotWorker interface {
	Work(ctx context.Context, b Ballot) error
}

type ballotWriter struct{ w *kafka.Writer }

func (b *ballotWriter) Work(ctx context.Context, v Ballot) error {
	return b.w.WriteMessages(ctx, kafka.Message{Topic: "ballots", Key: []byte(v.ID), Value: v.Body})
}

type BallotStore struct{ db *sqlx.DB }

// RunNext calls the worker while the row is locked, and deletes it then.
func (s *BallotStore) RunNext(ctx context.Context, w BallotWorker) (bool, error) {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	var b Ballot
	if err := tx.GetContext(ctx, &b, "SELECT id, body FROM ballot_drain WHERE NOT erred LIMIT 1 FOR UPDATE SKIP LOCKED"); err != nil {
		return false, err
	}
	if err := w.Work(ctx, b); err != nil {
		if _, execErr := tx.ExecContext(ctx, "UPDATE ballot_drain SET erred = true WHERE id = $1", b.ID); execErr != nil {
			return true, errors.Join(err, execErr)
		}
		return true, errors.Join(err, tx.Commit())
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM ballot_drain WHERE id = $1", b.ID); err != nil {
		return true, err
	}
	return true, tx.Commit()
}

// Claimed hands out rows with the transaction that holds them.
func (s *BallotStore) Claimed(ctx context.Context) (*sqlx.Tx, []Ballot, error) {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	var all []Ballot
	if err := tx.SelectContext(ctx, &all, "SELECT id, body FROM ballot_drain LIMIT 20 FOR UPDATE"); err != nil {
		return nil, nil, errors.Join(err, tx.Rollback())
	}
	return tx, all, nil
}

func (s *BallotStore) Done(ctx context.Context, tx *sqlx.Tx, b Ballot) error {
	_, err := tx.ExecContext(ctx, "UPDATE ballot_drain SET processed = true WHERE id = $1", b.ID)
	return err
}

type Count struct {
	store  *BallotStore
	worker *ballotWriter
}

func (c *Count) RunNext(ctx context.Context) (bool, error) { return c.store.RunNext(ctx, c.worker) }

// RunAll publishes and marks in the transaction that the store has begun.
func (c *Count) RunAll(ctx context.Context) error {
	tx, all, err := c.store.Claimed(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, b := range all {
		if err := c.worker.Work(ctx, b); err != nil {
			return err
		}
		if err := c.store.Done(ctx, tx, b); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Pool has goroutines publish, and one that marks what they are done with.
type Pool struct {
	pool *pgxpool.Pool
	out  *kafka.Writer
	todo chan Ballot
	done chan string
}

func (p *Pool) publish(ctx context.Context) {
	for b := range p.todo {
		if err := p.out.WriteMessages(ctx, kafka.Message{Key: []byte(b.ID), Value: b.Body}); err != nil {
			slog.ErrorContext(ctx, "ballot", "id", b.ID, "err", err)
			continue
		}
		p.done <- b.ID
	}
}

func (p *Pool) mark(ctx context.Context) {
	for id := range p.done {
		if _, err := p.pool.Exec(ctx, "UPDATE ballot_outbox SET state = 'DONE' WHERE id = $1", id); err != nil {
			slog.ErrorContext(ctx, "mark", "id", id, "err", err)
		}
	}
}

// Run feeds them.
func (p *Pool) Run(ctx context.Context) error {
	for range 4 {
		go p.publish(ctx)
	}
	go p.mark(ctx)
	rows, err := p.pool.Query(ctx, "UPDATE ballot_outbox SET state = 'TAKEN' WHERE state = 'NEW' RETURNING id, body")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var b Ballot
		if err := rows.Scan(&b.ID, &b.Body); err != nil {
			return err
		}
		p.todo <- b
	}
	return rows.Err()
}
