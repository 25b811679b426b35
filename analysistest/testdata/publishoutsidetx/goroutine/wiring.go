package goroutine

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// Courier publishes what comes through its channel, Keeper writes now and then. That
// one is started before the other says nothing of their messages and rows.
type Courier struct {
	boards *Boards
	in     chan string
	wg     sync.WaitGroup
}

func (c *Courier) Start(ctx context.Context) {
	c.wg.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case id := <-c.in:
				c.boards.sayLogged("board-couriered", id)
			}
		}
	})
}

type Keeper struct {
	db     *sql.DB
	boards *Boards
	wg     sync.WaitGroup
}

func (k *Keeper) Start(ctx context.Context) error {
	if _, err := k.db.ExecContext(ctx, "UPDATE keepers SET started = now()"); err != nil {
		return err
	}
	k.wg.Go(func() {
		for range time.Tick(time.Minute) {
			if _, err := k.db.ExecContext(ctx, "DELETE FROM boards WHERE archived"); err != nil {
				return
			}
		}
	})
	return nil
}

// Sweep writes and publishes in one round.
func (k *Keeper) Sweep(ctx context.Context) {
	k.wg.Go(func() {
		for range time.Tick(time.Minute) {
			if _, err := k.db.ExecContext(ctx, "DELETE FROM boards WHERE left"); err != nil {
				return
			}
			k.boards.sayLogged("boards-swept", "all") // want dual-write
		}
	})
}

// Remind never ends.
func (k *Keeper) Remind() {
	for {
		k.boards.sayLogged("boards-reminded", "all")
		time.Sleep(time.Hour)
	}
}

// Retry ends when it has said so.
func (k *Keeper) Retry(id string) {
	for range 3 {
		if k.boards.say(context.Background(), "board-retried", id) == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

func Serve(ctx context.Context, c *Courier, k *Keeper) error {
	if err := k.Start(ctx); err != nil {
		return err
	}
	c.Start(ctx)
	go k.Remind()
	return k.Start(ctx)
}

func (k *Keeper) Adopt(ctx context.Context, id string) error {
	if _, err := k.db.ExecContext(ctx, "UPDATE boards SET keeper = 1 WHERE id = $1", id); err != nil {
		return err
	}
	go k.Retry(id) // want dual-write "follows"
	return nil
}
