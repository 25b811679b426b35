package hints

import (
	"context"
	"encoding/json"
	"log/slog"
)

// A feed shows people what goes on, as long as they look.
type feed interface {
	Publish(ctx context.Context, topic string, v any) error
}

type redisFeed struct{ s *Settings }

func (f *redisFeed) Publish(ctx context.Context, topic string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return f.s.rdb.Publish(ctx, topic, body).Err()
}

func NewScreens(s *Settings) *Screens { return &Screens{s: s, feed: &redisFeed{s}} }

type Screens struct {
	s    *Settings
	feed feed
}

func (x *Screens) show(ctx context.Context, key string) {
	if err := x.feed.Publish(ctx, "screens", key); err != nil {
		slog.WarnContext(ctx, "show", "err", err)
	}
}

// Set tells nobody where the screens hear nothing of it.
func (x *Screens) Set(ctx context.Context, key, value string) error {
	if err := x.s.store(ctx, key, value); err != nil {
		return err
	}
	x.show(ctx, key)
	return nil
}

// Force fails with them.
func (x *Screens) Force(ctx context.Context, key, value string) error {
	if err := x.s.store(ctx, key, value); err != nil {
		return err
	}
	return x.feed.Publish(ctx, "screens", key) // want dual-write
}
