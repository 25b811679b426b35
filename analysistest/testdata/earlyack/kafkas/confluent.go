package kafkas

import (
	"context"
	"log/slog"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// Default leaves enable.auto.commit on: a timer commits what ReadMessage has
// returned, whether it is stored or not.
func Default(ctx context.Context, m *Meters) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": "localhost", "group.id": "meters"})
	if err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(time.Second) // want auto-ack "before m.keep"
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			slog.Error("keep", "err", err)
		}
	}
}

// Explicit switches it on in so many words, and polls.
func Explicit(ctx context.Context, m *Meters) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "meters", "enable.auto.commit": true})
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		switch e := c.Poll(100).(type) { // want auto-ack "before m.keep"
		case *kafka.Message:
			if err := m.keep(ctx, e.Value); err != nil {
				slog.Error("keep", "err", err)
			}
		case kafka.Error:
			return e
		}
	}
	return ctx.Err()
}

// Committed commits what it has stored.
func Committed(ctx context.Context, m *Meters) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "meters", "enable.auto.commit": false})
	if err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := c.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// CommittedFirst commits before it stores.
func CommittedFirst(ctx context.Context, m *Meters) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "meters", "enable.auto.commit": false})
	if err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if _, err := c.CommitMessage(msg); err != nil { // want before-effect "runs before m.keep"
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			return err
		}
	}
}

// Stored leaves the commits to the library, of the offsets that it stores.
func Stored(ctx context.Context, m *Meters) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "meters", "enable.auto.commit": true, "enable.auto.offset.store": false})
	if err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := c.StoreMessage(msg); err != nil {
			return err
		}
	}
}

// StoredAnyway stores the offset of what failed.
func StoredAnyway(ctx context.Context, m *Meters) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "meters", "enable.auto.offset.store": false})
	if err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil { // want on-failure "and c.StoreMessage"
			slog.Error("keep", "err", err)
		}
		if _, err := c.StoreMessage(msg); err != nil {
			return err
		}
	}
}

// Rewound goes back to what failed.
func Rewound(ctx context.Context, m *Meters) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "meters", "enable.auto.commit": false})
	if err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			slog.Error("keep", "err", err)
			if err := c.Seek(msg.TopicPartition, 0); err != nil {
				return err
			}
			continue
		}
		if _, err := c.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// Flagged leaves its loop by a variable where it fails.
func Flagged(ctx context.Context, m *Meters) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "meters", "enable.auto.commit": false})
	if err != nil {
		return err
	}
	for run := true; run; {
		msg, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			slog.Error("keep", "err", err)
			run = false
			continue
		}
		if _, err := c.CommitMessage(msg); err != nil {
			return err
		}
	}
	return nil
}

type readingsCache struct{ seen map[string]bool }

func (r *readingsCache) note(v []byte) { r.seen[string(v)] = true }

// Cached brings a cache up to date beside the message.
func Cached(ctx context.Context, m *Meters, r *readingsCache) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "meters", "enable.auto.commit": false})
	if err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			return err
		}
		go func() { r.note(msg.Value) }()
		if _, err := c.CommitMessage(msg); err != nil {
			return err
		}
	}
}
