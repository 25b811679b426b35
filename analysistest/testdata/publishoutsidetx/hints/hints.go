// Package hints tells others of a change over Redis: some count on it, and some
// look it up when they hear nothing.
package hints

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

type Settings struct {
	db     *pgxpool.Pool
	rdb    *redis.Client
	origin string
}

func (s *Settings) store(ctx context.Context, key, value string) error {
	_, err := s.db.Exec(ctx, `UPDATE settings SET value = $2 WHERE key = $1`, key, value)
	return err
}

// Put asks the other replicas to load a setting again: who isn't there loads all
// of them when it starts.
func (s *Settings) Put(ctx context.Context, key, value string) error {
	if err := s.store(ctx, key, value); err != nil {
		return err
	}
	s.refresh(ctx, key)
	return nil
}

func (s *Settings) refresh(ctx context.Context, key string) {
	body, err := json.Marshal(map[string]string{"key": key, "origin": s.origin})
	if err != nil {
		return
	}
	if err := s.rdb.Publish(ctx, "settings.changed", body).Err(); err != nil {
		slog.WarnContext(ctx, "refresh", "key", key, "err", err)
	}
}

// Announce fails with its publish.
func (s *Settings) Announce(ctx context.Context, key, value string) error {
	if err := s.store(ctx, key, value); err != nil {
		return err
	}
	return s.announce(ctx, key) // want dual-write
}

func (s *Settings) announce(ctx context.Context, key string) error {
	return s.rdb.Publish(ctx, "settings.announced", key).Err()
}

// ServeHTTP answers with the error of its publish.
func (s *Settings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.FormValue("key")
	if err := s.store(r.Context(), key, r.FormValue("value")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if err := s.rdb.Publish(r.Context(), "settings.served", key).Err(); err != nil { // want dual-write
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// Enqueue drops the error of a stream that keeps what it is given.
func (s *Settings) Enqueue(ctx context.Context, key, value string) error {
	if err := s.store(ctx, key, value); err != nil {
		return err
	}
	s.enqueue(ctx, key) // want dual-write
	return nil
}

func (s *Settings) enqueue(ctx context.Context, key string) {
	if err := s.rdb.XAdd(ctx, &redis.XAddArgs{Stream: "settings", Values: []string{"key", key}}).Err(); err != nil {
		slog.WarnContext(ctx, "enqueue", "key", key, "err", err)
	}
}

// Answers are the pieces of an answer that a browser is reading.
type Answers struct {
	db  *pgxpool.Pool
	rdb *redis.Client
	ttl time.Duration
}

// Begin stores the question and opens the buffer that the browser reads from.
func (a *Answers) Begin(ctx context.Context, id, question string) error {
	if _, err := a.db.Exec(ctx, `INSERT INTO questions (id, body) VALUES ($1, $2)`, id, question); err != nil {
		return err
	}
	return a.add(ctx, id, "begun")
}

func (a *Answers) add(ctx context.Context, id, piece string) error {
	key := "answer:" + id
	if err := a.rdb.RPush(ctx, key, piece).Err(); err != nil {
		return err
	}
	return a.rdb.Expire(ctx, key, a.ttl).Err()
}

// Reply is the same in one round trip.
func (a *Answers) Reply(ctx context.Context, id, verdict string) error {
	if _, err := a.db.Exec(ctx, `UPDATE questions SET verdict = $2 WHERE id = $1`, id, verdict); err != nil {
		return err
	}
	pipe := a.rdb.Pipeline()
	pipe.RPush(ctx, "verdict:waiting", verdict)
	pipe.Expire(ctx, "verdict:waiting", a.ttl)
	_, err := pipe.Exec(ctx)
	return err
}

// Grade puts a job into a list that workers pop from; what expires is another key.
func (a *Answers) Grade(ctx context.Context, id string) error {
	if _, err := a.db.Exec(ctx, `UPDATE questions SET graded = false WHERE id = $1`, id); err != nil {
		return err
	}
	if err := a.rdb.LPush(ctx, "grading", id).Err(); err != nil { // want dual-write
		return err
	}
	return a.rdb.Expire(ctx, "answer:"+id, a.ttl).Err()
}
