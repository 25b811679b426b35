// Package channel hands events to other goroutines. What matters is what is at the
// other end: a broker, or only this process.
package channel

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"

	"github.com/segmentio/kafka-go"
)

type Moved struct{ Piece, To string }

var errBusy = errors.New("busy")

// Games feeds a goroutine that publishes to the broker.
type Games struct {
	db    *sql.DB
	moves chan Moved
	out   *kafka.Writer
}

func NewGames(db *sql.DB, out *kafka.Writer) *Games {
	g := &Games{db: db, out: out, moves: make(chan Moved, 64)}
	go g.run()
	return g
}

func (g *Games) run() {
	for m := range g.moves {
		if err := g.out.WriteMessages(context.Background(), kafka.Message{Key: []byte(m.Piece), Value: []byte(m.To)}); err != nil {
			slog.Error("move not published", "piece", m.Piece, "err", err)
		}
	}
}

func (g *Games) Move(ctx context.Context, m Moved) error {
	if _, err := g.db.ExecContext(ctx, "UPDATE pieces SET square = $2 WHERE id = $1", m.Piece, m.To); err != nil {
		return err
	}
	g.moves <- m // want dual-write "send on g.moves follows"
	return nil
}

// Castle gives up if the goroutine lags behind.
func (g *Games) Castle(ctx context.Context, king, rook Moved) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, m := range []Moved{king, rook} {
		if _, err := tx.ExecContext(ctx, "UPDATE pieces SET square = $2 WHERE id = $1", m.Piece, m.To); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	select {
	case g.moves <- king: // want after-commit
		return nil
	default:
		return errBusy
	}
}

// Hint changes nothing.
func (g *Games) Hint(m Moved) { g.moves <- m }

// Boards feeds a goroutine that draws.
type Boards struct {
	db   *sql.DB
	draw chan Moved
	done map[string]string
}

func NewBoards(db *sql.DB) *Boards {
	b := &Boards{db: db, draw: make(chan Moved), done: map[string]string{}}
	go func() {
		for m := range b.draw {
			b.done[m.Piece] = m.To
		}
	}()
	return b
}

func (b *Boards) Move(ctx context.Context, m Moved) error {
	if _, err := b.db.ExecContext(ctx, "UPDATE pieces SET square = $2 WHERE id = $1", m.Piece, m.To); err != nil {
		return err
	}
	b.draw <- m
	return nil
}

// Clock wakes up who looks for what is due: nothing is sent that could get lost.
type Clock struct {
	db  *sql.DB
	due chan struct{}
	out *kafka.Writer
}

func (c *Clock) run(ctx context.Context) {
	for range c.due {
		var id string
		if err := c.db.QueryRowContext(ctx, "SELECT id FROM games WHERE due < now()").Scan(&id); err != nil {
			continue
		}
		if err := c.out.WriteMessages(ctx, kafka.Message{Key: []byte(id)}); err != nil {
			slog.Error("clock not published", "game", id, "err", err)
		}
	}
}

func (c *Clock) Set(ctx context.Context, id string) error {
	if _, err := c.db.ExecContext(ctx, "UPDATE games SET due = now() WHERE id = $1", id); err != nil {
		return err
	}
	select {
	case c.due <- struct{}{}:
	default:
	}
	return nil
}

func (c *Clock) Stop(ctx context.Context, id string) error {
	if _, err := c.db.ExecContext(ctx, "UPDATE games SET due = NULL WHERE id = $1", id); err != nil {
		return err
	}
	c.due <- struct{}{}
	return nil
}
