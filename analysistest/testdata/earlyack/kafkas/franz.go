package kafkas

import (
	"context"
	"log/slog"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Polled commits at each poll what the poll before has returned: a failure is
// read past, a crash is not.
func Polled(ctx context.Context, m *Meters) error {
	c, err := kgo.NewClient(kgo.ConsumerGroup("meters"), kgo.ConsumeTopics("readings"))
	if err != nil {
		return err
	}
	for {
		for _, r := range c.PollFetches(ctx).Records() {
			if err := m.keep(ctx, r.Value); err != nil { // want on-failure "m.keep may fail"
				slog.Error("keep", "err", err)
			}
		}
	}
}

// PolledOnce stops at a failure, and polls no more: nothing is committed.
func PolledOnce(ctx context.Context, m *Meters) error {
	c, err := kgo.NewClient(kgo.ConsumerGroup("meters"), kgo.ConsumeTopics("readings"))
	if err != nil {
		return err
	}
	for {
		for _, r := range c.PollFetches(ctx).Records() {
			if err := m.keep(ctx, r.Value); err != nil {
				return err
			}
		}
	}
}

// Records commits what it has stored.
func Records(ctx context.Context, m *Meters) error {
	c, err := kgo.NewClient(kgo.ConsumerGroup("meters"), kgo.DisableAutoCommit())
	if err != nil {
		return err
	}
	for {
		for _, r := range c.PollFetches(ctx).Records() {
			if err := m.keep(ctx, r.Value); err != nil {
				return err
			}
			if err := c.CommitRecords(ctx, r); err != nil {
				return err
			}
		}
	}
}

// RecordsFirst commits all of a poll before it stores one of them.
func RecordsFirst(ctx context.Context, m *Meters) error {
	c, err := kgo.NewClient(kgo.ConsumerGroup("meters"), kgo.DisableAutoCommit())
	if err != nil {
		return err
	}
	for {
		fetches := c.PollFetches(ctx)
		if err := c.CommitUncommittedOffsets(ctx); err != nil { // want before-effect "runs before m.keep"
			return err
		}
		for _, r := range fetches.Records() {
			if err := m.keep(ctx, r.Value); err != nil {
				return err
			}
		}
	}
}

// Marked marks what it has stored.
func Marked(ctx context.Context, m *Meters) error {
	c, err := kgo.NewClient(kgo.ConsumerGroup("meters"), kgo.AutoCommitMarks())
	if err != nil {
		return err
	}
	for {
		for _, r := range c.PollFetches(ctx).Records() {
			if err := m.keep(ctx, r.Value); err != nil {
				return err
			}
			c.MarkCommitRecords(r)
		}
	}
}

// MarkedOver reads on after a failure: the next mark passes it.
func MarkedOver(ctx context.Context, m *Meters) error {
	c, err := kgo.NewClient(kgo.ConsumerGroup("meters"), kgo.AutoCommitMarks())
	if err != nil {
		return err
	}
	for {
		for _, r := range c.PollFetches(ctx).Records() {
			if err := m.keep(ctx, r.Value); err != nil { // want on-failure "a later commit passes this one"
				slog.Error("keep", "err", err)
				continue
			}
			c.MarkCommitRecords(r)
		}
	}
}

// Each leaves the loop to a callback, and commits at the end of a poll.
func Each(ctx context.Context, m *Meters) error {
	c, err := kgo.NewClient(kgo.ConsumerGroup("meters"), kgo.DisableAutoCommit())
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		fetches := c.PollFetches(ctx)
		fetches.EachRecord(func(r *kgo.Record) {
			if err := m.keep(ctx, r.Value); err != nil { // want on-failure "m.keep may fail, and c.CommitUncommittedOffsets"
				slog.Error("keep", "err", err)
			}
		})
		if err := c.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}
