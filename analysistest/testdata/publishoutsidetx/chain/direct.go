package chain

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
)

// Pulse goes down a chain in which everyone calls the next.
type Pulse struct{ Line string }

type Sender interface {
	SendPulse(ctx context.Context, p Pulse) error
}

type SenderFunc func(ctx context.Context, p Pulse) error

func (f SenderFunc) SendPulse(ctx context.Context, p Pulse) error { return f(ctx, p) }

// timed and retried wrap the next one.
func timed(next Sender) Sender {
	return SenderFunc(func(ctx context.Context, p Pulse) error {
		start := time.Now()
		err := next.SendPulse(ctx, p)
		slog.DebugContext(ctx, "pulse", "took", time.Since(start))
		return err
	})
}

func retried(next Sender) Sender {
	return SenderFunc(func(ctx context.Context, p Pulse) (err error) {
		for range 3 {
			if err = next.SendPulse(ctx, p); err == nil {
				return nil
			}
		}
		return err
	})
}

type pulses struct{ nc *nats.Conn }

func (s pulses) SendPulse(_ context.Context, p Pulse) error {
	return errors.Join(s.nc.Publish("pulses", []byte(p.Line)), s.nc.Flush())
}

type Lines struct {
	db  *sql.DB
	out Sender
}

func NewLines(db *sql.DB, nc *nats.Conn) *Lines {
	return &Lines{db: db, out: timed(retried(pulses{nc}))}
}

func (l *Lines) Cut(ctx context.Context, line string) error {
	if _, err := l.db.ExecContext(ctx, "DELETE FROM lines WHERE id = $1", line); err != nil {
		return err
	}
	return l.out.SendPulse(ctx, Pulse{line}) // want dual-write "follows"
}

func (l *Lines) Lay(ctx context.Context, line string) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "INSERT INTO lines (id) VALUES ($1)", line); err != nil {
		return err
	}
	if err := l.out.SendPulse(ctx, Pulse{line}); err != nil { // want inside-tx "transaction"
		return err
	}
	return tx.Commit()
}

// Ring sends what it was asked to.
func (l *Lines) Ring(ctx context.Context, line string) error {
	return l.out.SendPulse(ctx, Pulse{line})
}
