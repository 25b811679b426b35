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
	g.moves <- m // want dual-write
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
