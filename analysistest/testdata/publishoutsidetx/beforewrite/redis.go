package beforewrite

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Doors keeps the state in Redis, beside the stream that tells of it.
type Doors struct{ rdb *redis.Client }

func (d *Doors) add(ctx context.Context, door, state string) error {
	return d.rdb.XAdd(ctx, &redis.XAddArgs{
		Stream: "doors", Values: []any{"id", fmt.Sprint(door, time.Now().UnixNano()), "state", state},
	}).Err()
}

// Watch tells of a change before it notes that it has: the next look sees the same
// change, and tells of it under another ID.
func (d *Doors) Watch(ctx context.Context, door, state string) error {
	was, err := d.rdb.HGet(ctx, "door:"+door, "state").Result()
	if err != nil {
		return err
	}
	if was == state {
		return nil
	}
	if err := d.add(ctx, door, state); err != nil { // want before-write
		return err
	}
	return d.rdb.HSet(ctx, "door:"+door, "state", state, "at", time.Now().Unix()).Err()
}

// Lock tells, and then sets what nobody has asked for first.
func (d *Doors) Lock(ctx context.Context, door string) error {
	if err := d.add(ctx, door, "locked"); err != nil { // want before-write
		return err
	}
	return d.rdb.HSet(ctx, "door:"+door, "state", "locked").Err()
}

// Together has both in one transaction of Redis.
func (d *Doors) Together(ctx context.Context, door string) error {
	_, err := d.rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.HSet(ctx, "door:"+door, "state", "open")
		p.XAdd(ctx, &redis.XAddArgs{Stream: "doors", Values: []any{"id", door, "state", "open"}})
		return nil
	})
	return err
}
