// Package redis takes entries from Redis streams and lists.
package redis

import (
	"context"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/uptrace/bun"
)

// Click is what is kept.
type Click struct{ Page string }

// Clicks keeps clicks.
type Clicks struct {
	db  *bun.DB
	rdb *redis.Client
}

func (c *Clicks) keep(ctx context.Context, page string) error {
	_, err := c.db.NewInsert().Model(&Click{page}).Exec(ctx)
	return err
}

// record hides its failure.
func (c *Clicks) record(ctx context.Context, page string) {
	if err := c.keep(ctx, page); err != nil { // want on-failure "c.keep may fail, and"
		slog.Error("keep", "err", err)
	}
}

// Swallowed acks after a failure that it is not told of.
func (c *Clicks) Swallowed(ctx context.Context) error {
	streams, err := c.rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "clicks", Streams: []string{"clicks", ">"}}).Result()
	if err != nil {
		return err
	}
	for _, m := range streams[0].Messages {
		c.record(ctx, m.ID)
		if err := c.rdb.XAck(ctx, "clicks", "clicks", m.ID).Err(); err != nil {
			return err
		}
	}
	return nil
}

// Stored acks what it has stored; what is not stays pending.
func (c *Clicks) Stored(ctx context.Context) error {
	streams, err := c.rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "clicks", Streams: []string{"clicks", ">"}}).Result()
	if err != nil {
		return err
	}
	for _, m := range streams[0].Messages {
		if err := c.keep(ctx, m.ID); err != nil {
			slog.Error("keep", "err", err)
			continue
		}
		if err := c.rdb.XAck(ctx, "clicks", "clicks", m.ID).Err(); err != nil {
			return err
		}
	}
	return nil
}

// First acks before it stores.
func (c *Clicks) First(ctx context.Context) error {
	streams, err := c.rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "clicks", Streams: []string{"clicks", ">"}}).Result()
	if err != nil {
		return err
	}
	for _, m := range streams[0].Messages {
		c.rdb.XAck(ctx, "clicks", "clicks", m.ID) // want before-effect "rdb.XAck runs before c.keep"
		if err := c.keep(ctx, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// All acks the batch with the failed ones in it.
func (c *Clicks) All(ctx context.Context) error {
	streams, err := c.rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "clicks", Streams: []string{"clicks", ">"}}).Result()
	if err != nil {
		return err
	}
	var ids []string
	for _, m := range streams[0].Messages {
		if err := c.keep(ctx, m.ID); err != nil { // want on-failure "and rdb.XAck"
			slog.Error("keep", "err", err)
		}
		ids = append(ids, m.ID)
	}
	return c.rdb.XAck(ctx, "clicks", "clicks", ids...).Err()
}

// NoAck has the server ack as it sends.
func (c *Clicks) NoAck(ctx context.Context) error {
	args := &redis.XReadGroupArgs{Group: "clicks", Streams: []string{"clicks", ">"}, NoAck: true}
	streams, err := c.rdb.XReadGroup(ctx, args).Result() // want auto-ack "before c.keep"
	if err != nil {
		return err
	}
	for _, m := range streams[0].Messages {
		if err := c.keep(ctx, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// Popped takes an element off the list: a crash after that loses it.
func (c *Clicks) Popped(ctx context.Context) error {
	for {
		got, err := c.rdb.BLPop(ctx, time.Second, "clicks").Result() // want auto-ack "before c.keep"
		if err != nil {
			return err
		}
		if err := c.keep(ctx, got[1]); err != nil {
			return err
		}
	}
}

// Moved keeps it on a second list until it is stored.
func (c *Clicks) Moved(ctx context.Context) error {
	for {
		page, err := c.rdb.BLMove(ctx, "clicks", "clicks:busy", "RIGHT", "LEFT", time.Second).Result()
		if err != nil {
			return err
		}
		if err := c.keep(ctx, page); err != nil {
			slog.Error("keep", "err", err)
			continue
		}
		if err := c.rdb.LRem(ctx, "clicks:busy", 1, page).Err(); err != nil {
			return err
		}
	}
}
