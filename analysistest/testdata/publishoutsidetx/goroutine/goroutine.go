// Package goroutine publishes from goroutines: nobody waits for them, and nobody
// sees them fail.
package goroutine

import (
	"context"
	"database/sql"
	"log"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
	"golang.org/x/sync/errgroup"
)

type Boards struct {
	db  *sql.DB
	out *kafka.Writer
}

func (b *Boards) say(ctx context.Context, what, id string) error {
	return b.out.WriteMessages(ctx, kafka.Message{Topic: what, Key: []byte(id)})
}

func (b *Boards) sayLogged(what, id string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := b.say(ctx, what, id); err != nil {
		log.Println("say", what, id, err)
	}
}

func (b *Boards) Create(ctx context.Context, id string) error {
	if _, err := b.db.ExecContext(ctx, "INSERT INTO boards (id) VALUES ($1)", id); err != nil {
		return err
	}
	go b.sayLogged("board-created", id) // want dual-write "follows"
	return nil
}

func (b *Boards) Archive(ctx context.Context, id string) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE boards SET archived = true WHERE id = $1", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	go func() {
		if err := b.say(context.WithoutCancel(ctx), "board-archived", id); err != nil { // want after-commit "runs after tx.Commit"
			log.Println(err)
		}
	}()
	return nil
}

// Pin starts it while the transaction is open: it may well come before the commit.
func (b *Boards) Pin(ctx context.Context, id string) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE boards SET pinned = true WHERE id = $1", id); err != nil {
		return err
	}
	go b.sayLogged("board-pinned", id) // want inside-tx "transaction"
	return tx.Commit()
}

func (b *Boards) Clear(ctx context.Context, ids []string) error {
	if _, err := b.db.ExecContext(ctx, "DELETE FROM boards WHERE id = ANY($1)", ids); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	for _, id := range ids {
		g.Go(func() error {
			return b.say(ctx, "board-cleared", id) // want dual-write "follows"
		})
	}
	return g.Wait()
}

func (b *Boards) Copy(ctx context.Context, ids []string) error {
	if _, err := b.db.ExecContext(ctx, "INSERT INTO boards SELECT * FROM boards WHERE id = ANY($1)", ids); err != nil {
		return err
	}
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			b.sayLogged("board-copied", id) // want dual-write "follows"
		})
	}
	wg.Wait()
	return nil
}

// Move leaves the rows to a relay and only then starts a goroutine, for a cache.
func (b *Boards) Move(ctx context.Context, id, folder string, forget func(id string)) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE boards SET folder = $2 WHERE id = $1", id, folder); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO outbox (topic, key) VALUES ('board-moved', $1)", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	go forget(id)
	return nil
}

// Heartbeat and the writer beside it are two flows that know nothing of each other.
func (b *Boards) Heartbeat(ctx context.Context, id string) {
	go func() {
		for range time.Tick(time.Minute) {
			b.sayLogged("board-alive", id)
		}
	}()
	go func() {
		for range time.Tick(time.Hour) {
			if _, err := b.db.ExecContext(ctx, "DELETE FROM boards WHERE expired"); err != nil {
				log.Println(err)
			}
		}
	}()
}

// Ping publishes in goroutines what it has read.
func (b *Boards) Ping(ctx context.Context) error {
	rows, err := b.db.QueryContext(ctx, "SELECT id FROM watchers")
	if err != nil {
		return err
	}
	defer rows.Close()
	g, ctx := errgroup.WithContext(ctx)
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		g.Go(func() error { return b.say(ctx, "board-ping", id) })
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return g.Wait()
}

// Sync does both at once: neither comes before the other.
func (b *Boards) Sync(ctx context.Context, id string) error {
	if _, err := b.db.ExecContext(ctx, "UPDATE boards SET synced = true WHERE id = $1", id); err != nil {
		return err
	}
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() error {
		return b.say(ctx, "board-synced", id) // want dual-write "say follows db.ExecContext"
	})
	return eg.Wait()
}

// Touch writes in one literal and publishes in the next: what they do is named.
func (b *Boards) Touch(ctx context.Context, id string) error {
	var eg errgroup.Group
	eg.Go(func() error {
		_, err := b.db.ExecContext(ctx, "UPDATE boards SET touched = true WHERE id = $1", id)
		return err
	})
	if err := eg.Wait(); err != nil {
		return err
	}
	eg.Go(func() error {
		return b.say(ctx, "board-touched", id) // want dual-write "say follows db.ExecContext"
	})
	return eg.Wait()
}

// enqueue publishes for its caller, and notes that it did.
func (b *Boards) enqueue(ctx context.Context, id string) {
	if err := b.say(ctx, "board-queued", id); err != nil {
		log.Println("queue", id, err)
		return
	}
	if _, err := b.db.ExecContext(ctx, "UPDATE boards SET queue = $2, at = now() WHERE id = $1", id, "main"); err != nil {
		log.Println("queued", id, err)
	}
}

// Queue owns the row that is published.
func (b *Boards) Queue(ctx context.Context, id string) error {
	if _, err := b.db.ExecContext(ctx, "INSERT INTO boards (id) VALUES ($1)", id); err != nil {
		return err
	}
	go b.enqueue(context.WithoutCancel(ctx), id) // want dual-write "enqueue .via say. follows db.ExecContext"
	return nil
}
