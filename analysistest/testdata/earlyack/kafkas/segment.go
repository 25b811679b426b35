// Package kafkas reads from Kafka. An offset is an ack for all that came before
// it, so reading on after a failure loses what failed.
package kafkas

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	segment "github.com/segmentio/kafka-go"
)

// Meters keeps readings.
type Meters struct{ pool *pgxpool.Pool }

func (m *Meters) keep(ctx context.Context, value []byte) error {
	_, err := m.pool.Exec(ctx, `INSERT INTO readings (value) VALUES ($1)`, value)
	return err
}

// Grouped commits each message before it is handled.
type Grouped struct {
	reader *segment.Reader
	meters *Meters
}

// NewGrouped reads as a member of a group.
func NewGrouped(m *Meters) *Grouped {
	return &Grouped{segment.NewReader(segment.ReaderConfig{Topic: "readings", GroupID: "meters"}), m}
}

// Run stops at a failure, which is too late.
func (g *Grouped) Run(ctx context.Context) error {
	for {
		msg, err := g.reader.ReadMessage(ctx) // want auto-ack "reader.ReadMessage takes messages that are acked by themselves"
		if err != nil {
			return err
		}
		if err := g.meters.keep(ctx, msg.Value); err != nil {
			return err
		}
	}
}

// Alone has no group, and nothing is committed: who starts it says where.
func Alone(ctx context.Context, m *Meters, offset int64) error {
	reader := segment.NewReader(segment.ReaderConfig{Topic: "readings", Partition: 3})
	if err := reader.SetOffset(offset); err != nil {
		return err
	}
	for {
		msg, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			return err
		}
	}
}

// Fetched commits on its own.
type Fetched struct {
	reader *segment.Reader
	meters *Meters
}

// NewFetched reads as a member of a group.
func NewFetched(m *Meters) *Fetched {
	return &Fetched{segment.NewReader(segment.ReaderConfig{Topic: "readings", GroupID: "fetched"}), m}
}

// Run commits what is stored and stops at a failure.
func (f *Fetched) Run(ctx context.Context) error {
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := f.meters.keep(ctx, msg.Value); err != nil {
			return err
		}
		if err := f.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// RunFirst commits first.
func (f *Fetched) RunFirst(ctx context.Context) error {
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := f.reader.CommitMessages(ctx, msg); err != nil { // want before-effect "runs before meters.keep"
			return err
		}
		if err := f.meters.keep(ctx, msg.Value); err != nil {
			return err
		}
	}
}

// RunOn leaves what failed uncommitted and reads on: the next commit passes it.
func (f *Fetched) RunOn(ctx context.Context) error {
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := f.meters.keep(ctx, msg.Value); err != nil { // want on-failure "and the next message is read: a later commit passes this one"
			slog.Error("keep", "err", err)
			continue
		}
		if err := f.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// RunAnyway commits what failed.
func (f *Fetched) RunAnyway(ctx context.Context) error {
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := f.meters.keep(ctx, msg.Value); err != nil { // want on-failure "meters.keep may fail, and reader.CommitMessages"
			slog.Error("keep", "err", err)
		}
		if err := f.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// RunUntil tries a message until it is stored.
func (f *Fetched) RunUntil(ctx context.Context) error {
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		for {
			err := f.meters.keep(ctx, msg.Value)
			if err == nil {
				break
			}
			slog.Error("keep", "err", err)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if err := f.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// RunBatch collects in memory, stores the batch and commits it.
func (f *Fetched) RunBatch(ctx context.Context) error {
	var batch []segment.Message
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		batch = append(batch, msg)
		if len(batch) < 100 {
			continue
		}
		for _, b := range batch {
			if err := f.meters.keep(ctx, b.Value); err != nil {
				return err
			}
		}
		if err := f.reader.CommitMessages(ctx, batch...); err != nil {
			return err
		}
		batch = batch[:0]
	}
}

// RunBuffer commits what is only in memory.
func (f *Fetched) RunBuffer(ctx context.Context) error {
	var batch []segment.Message
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		batch = append(batch, msg)
		if err := f.reader.CommitMessages(ctx, msg); err != nil { // want before-effect
			return err
		}
		if len(batch) < 100 {
			continue
		}
		for _, b := range batch {
			if err := f.meters.keep(ctx, b.Value); err != nil {
				return err
			}
		}
		batch = batch[:0]
	}
}
