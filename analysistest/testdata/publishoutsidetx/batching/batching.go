// Package batching has events wait in memory until there are enough of them or a
// timer fires. What waits when the process ends is lost.
package batching

import (
	"context"
	"database/sql"
	"log/slog"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
)

// sizedBuffer flushes when it is full, and now and then.
type sizedBuffer struct {
	mu   sync.Mutex
	rows []kafka.Message
	out  *kafka.Writer
}

func (b *sizedBuffer) add(ctx context.Context, key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, kafka.Message{Topic: "scores-wanted", Key: []byte(key)})
	if len(b.rows) >= 100 {
		b.flush(ctx)
	}
}

func (b *sizedBuffer) flush(ctx context.Context) {
	if err := b.out.WriteMessages(ctx, b.rows...); err != nil {
		slog.ErrorContext(ctx, "flush", "n", len(b.rows), "err", err)
	}
	b.rows = b.rows[:0]
}

func (b *sizedBuffer) run(ctx context.Context) {
	for range time.Tick(time.Second) {
		b.mu.Lock()
		b.flush(ctx)
		b.mu.Unlock()
	}
}

// timedBuffer leaves the flushing to the timer alone.
type timedBuffer struct {
	mu   sync.Mutex
	keys []string
	out  *kafka.Writer
}

func (b *timedBuffer) add(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keys = append(b.keys, key)
}

func (b *timedBuffer) take() (keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	keys, b.keys = b.keys, nil
	return keys
}

func (b *timedBuffer) run(ctx context.Context) {
	for range time.Tick(time.Second) {
		for _, key := range b.take() {
			if err := b.out.WriteMessages(ctx, kafka.Message{Topic: "scores-gone", Key: []byte(key)}); err != nil {
				slog.ErrorContext(ctx, "flush", "key", key, "err", err)
			}
		}
	}
}

var (
	wanted = &sizedBuffer{}
	gone   = &timedBuffer{}
)

// Start gives the buffers their writer and their timers.
func Start(ctx context.Context, out *kafka.Writer) {
	wanted.out, gone.out = out, out
	go wanted.run(ctx)
	go gone.run(ctx)
}

type Scores struct{ db *sql.DB }

func (s *Scores) inTx(ctx context.Context, query, id string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, query, id); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *Scores) Correct(ctx context.Context, id string) error {
	if err := s.inTx(ctx, "UPDATE scores SET stale = true WHERE id = $1", id); err != nil {
		return err
	}
	wanted.add(ctx, id) // want after-commit "runs after"
	return nil
}

func (s *Scores) Remove(ctx context.Context, id string) error {
	if err := s.inTx(ctx, "DELETE FROM scores WHERE id = $1", id); err != nil {
		return err
	}
	gone.add(id) // want after-commit
	return nil
}

// Ask wants a score, and has changed nothing.
func (s *Scores) Ask(ctx context.Context, id string) { wanted.add(ctx, id) }
