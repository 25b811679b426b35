// Package standins has a store that is kept in memory where there is no database.
package standins

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type TxStore interface {
	SaveState(ctx context.Context, id, state string) error
	AppendOutbox(ctx context.Context, id, kind string) error
}

type Store interface {
	RunInTx(ctx context.Context, fn func(TxStore) error) error
}

type pgStore struct{ pool *pgxpool.Pool }

type pgTxStore struct{ tx pgx.Tx }

func (s *pgStore) RunInTx(ctx context.Context, fn func(TxStore) error) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if err := fn(&pgTxStore{tx: tx}); err != nil {
		_ = tx.Rollback(ctx)
		return err
	}
	return tx.Commit(ctx)
}

func (s *pgTxStore) SaveState(ctx context.Context, id, state string) error {
	_, err := s.tx.Exec(ctx, "UPDATE sagas SET state = $2 WHERE id = $1", id, state)
	return err
}

func (s *pgTxStore) AppendOutbox(ctx context.Context, id, kind string) error {
	_, err := s.tx.Exec(ctx, "INSERT INTO outbox_events (saga, kind) VALUES ($1, $2)", id, kind)
	return err
}

type memStore struct {
	mu     sync.Mutex
	states map[string]string
	events []string
}

func (s *memStore) RunInTx(_ context.Context, fn func(TxStore) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fn(&memTxStore{s: s})
}

type memTxStore struct{ s *memStore }

func (m *memTxStore) SaveState(_ context.Context, id, state string) error {
	m.s.states[id] = state
	return nil
}

func (m *memTxStore) AppendOutbox(_ context.Context, id, kind string) error {
	m.s.events = append(m.s.events, id+kind)
	return nil
}

func New(pool *pgxpool.Pool) Store {
	if pool == nil {
		return &memStore{states: map[string]string{}}
	}
	return &pgStore{pool: pool}
}

type Saga struct{ store Store }

// Step has the row of each transaction in it; in which of the stores is one answer.
func (g *Saga) Step(ctx context.Context, id string) error {
	if err := g.store.RunInTx(ctx, func(ts TxStore) error {
		return ts.SaveState(ctx, id, "running")
	}); err != nil {
		return err
	}
	return g.store.RunInTx(ctx, func(ts TxStore) error {
		if err := ts.SaveState(ctx, id, "done"); err != nil {
			return err
		}
		return ts.AppendOutbox(ctx, id, "done")
	})
}

// Compensate passes over a failure in the transaction, which the row is still in.
func (g *Saga) Compensate(ctx context.Context, id string) error {
	if err := g.store.RunInTx(ctx, func(ts TxStore) error {
		return ts.SaveState(ctx, id, "failing")
	}); err != nil {
		return err
	}
	return g.store.RunInTx(ctx, func(ts TxStore) error {
		_ = ts.SaveState(ctx, id, "failed")
		_ = ts.AppendOutbox(ctx, id, "failed")
		return nil
	})
}

// Late has the row in a transaction of its own.
func (g *Saga) Late(ctx context.Context, id string) error {
	if err := g.store.RunInTx(ctx, func(ts TxStore) error {
		return ts.SaveState(ctx, id, "done")
	}); err != nil {
		return err
	}
	return g.store.RunInTx(ctx, func(ts TxStore) error {
		return ts.AppendOutbox(ctx, id, "done") // want outbox-outside-tx
	})
}
