package dualwrite

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/segmentio/kafka-go"
)

// Bins keeps how much is in a bin, and writes down why.
type Bins struct {
	db  *sql.DB
	out *kafka.Writer
}

func (b *Bins) fill(ctx context.Context, id string, n int) error {
	_, err := b.db.ExecContext(ctx, "UPDATE bins SET n = $2 WHERE id = $1", id, n)
	return err
}

func (b *Bins) note(ctx context.Context, id, why string) error {
	_, err := b.db.ExecContext(ctx, "INSERT INTO bin_moves (id, why) VALUES ($1, $2)", id, why)
	return err
}

func (b *Bins) filled(ctx context.Context, id string) error {
	return b.out.WriteMessages(ctx, kafka.Message{Topic: "bins", Key: []byte(id)})
}

// Fill can do without the note: the event tells of the bin.
func (b *Bins) Fill(ctx context.Context, id string, n int) error {
	if err := b.fill(ctx, id, n); err != nil {
		return err
	}
	if err := b.note(ctx, id, "fill"); err != nil {
		slog.Error("note", "err", err)
	}
	return b.filled(ctx, id) // want dual-write "follows b.fill"
}

// Refill can't.
func (b *Bins) Refill(ctx context.Context, id string, n int) error {
	if err := b.fill(ctx, id, n); err != nil {
		return err
	}
	if err := b.note(ctx, id, "refill"); err != nil {
		return err
	}
	return b.filled(ctx, id) // want dual-write "follows b.note"
}

// Noted has only the note.
func (b *Bins) Noted(ctx context.Context, id string) error {
	if err := b.note(ctx, id, "note"); err != nil {
		slog.Error("note", "err", err)
	}
	return b.filled(ctx, id) // want dual-write "follows b.note"
}

// Each has another bin in every round.
func (b *Bins) Each(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if err := b.fill(ctx, id, 1); err != nil {
			return err
		}
		if err := b.note(ctx, id, "each"); err != nil {
			continue
		}
		if err := b.filled(ctx, id); err != nil { // want dual-write "follows b.note"
			return err
		}
	}
	return nil
}
