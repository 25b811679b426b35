// Package telemetry tells others about a change in ways that are no events: nobody's
// state depends on them, or a durable row is behind them.
package telemetry

import (
	"context"
	"expvar"
	"fmt"
	"log/slog"
	"net"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
)

var saved = expvar.NewInt("rooms_saved")

// Notifier is an interface for metrics whose method has a publisher's name.
type Notifier interface {
	Publish(ctx context.Context, metric string, value int)
}

type statsd struct{ conn net.Conn }

func (s statsd) Publish(_ context.Context, metric string, value int) {
	fmt.Fprintf(s.conn, "%s:%d|c", metric, value)
}

// Hub has the browsers that look at a room.
type Hub struct {
	mu   sync.Mutex
	open map[string][]chan string
}

func (h *Hub) Broadcast(room, what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.open[room] {
		select {
		case c <- what:
		default:
		}
	}
}

type Rooms struct {
	pool  *pgxpool.Pool
	rdb   *redis.Client
	nc    *nats.Conn
	hub   *Hub
	stats Notifier
}

func NewRooms(pool *pgxpool.Pool, rdb *redis.Client, nc *nats.Conn, conn net.Conn) *Rooms {
	return &Rooms{pool: pool, rdb: rdb, nc: nc, hub: &Hub{}, stats: statsd{conn}}
}

func (r *Rooms) save(ctx context.Context, room, colour string) error {
	_, err := r.pool.Exec(ctx, "UPDATE rooms SET colour = $2 WHERE id = $1", room, colour)
	return err
}

func (r *Rooms) Paint(ctx context.Context, room, colour string) error {
	if err := r.save(ctx, room, colour); err != nil {
		return err
	}
	saved.Add(1)
	r.stats.Publish(ctx, "rooms.painted", 1)
	slog.InfoContext(ctx, "room painted", "room", room)
	return nil
}

// Repaint drops the cached copy.
func (r *Rooms) Repaint(ctx context.Context, room, colour string) error {
	if err := r.save(ctx, room, colour); err != nil {
		return err
	}
	return r.rdb.Del(ctx, "room:"+room).Err()
}

// Warm puts the new copy in the cache.
func (r *Rooms) Warm(ctx context.Context, room, colour string) error {
	if err := r.save(ctx, room, colour); err != nil {
		return err
	}
	return r.rdb.Set(ctx, "room:"+room, colour, 0).Err()
}

// Forget has the other instances drop their copies.
func (r *Rooms) Forget(ctx context.Context, room string) error {
	if err := r.save(ctx, room, ""); err != nil {
		return err
	}
	return r.rdb.Publish(ctx, "cache-invalidation", room).Err()
}

// Show tells the browsers.
func (r *Rooms) Show(ctx context.Context, room, colour string) error {
	if err := r.save(ctx, room, colour); err != nil {
		return err
	}
	r.hub.Broadcast(room, colour)
	return nil
}

// Listen has listeners look at the table.
func (r *Rooms) Listen(ctx context.Context, room string) error {
	tx, err := r.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE rooms SET heard = true WHERE id = $1", room); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	_, err = r.pool.Exec(ctx, "NOTIFY rooms")
	return err
}

// Rent is one that matters.
func (r *Rooms) Rent(ctx context.Context, room, tenant string) error {
	if _, err := r.pool.Exec(ctx, "UPDATE rooms SET tenant = $2 WHERE id = $1", room, tenant); err != nil {
		return err
	}
	r.stats.Publish(ctx, "rooms.rented", 1)
	if err := r.nc.Publish("rooms.rented", []byte(room)); err != nil { // want dual-write "follows"
		slog.ErrorContext(ctx, "rented", "room", room, "err", err)
	}
	r.hub.Broadcast(room, tenant)
	return nil
}
