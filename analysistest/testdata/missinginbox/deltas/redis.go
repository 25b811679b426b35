package deltas

import (
	"context"
	"time"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

// Beside notes in Redis what it has done.
type Beside struct {
	pool *pgxpool.Pool
	rdb  *redis.Client
}

// Get: where the note is kept is another matter.
func (b *Beside) Get(ctx context.Context, t *asynq.Task) error {
	key := "done:" + string(t.Payload())
	if n, err := b.rdb.Exists(ctx, key).Result(); err != nil || n > 0 {
		return err
	}
	if _, err := b.pool.Exec(ctx, "UPDATE shelves SET n = n + 1 WHERE id = $1", string(t.Payload())); err != nil {
		return err
	}
	return b.rdb.Set(ctx, key, 1, time.Hour).Err()
}

// Claim: so is how long it is kept.
func (b *Beside) Claim(ctx context.Context, t *asynq.Task) error {
	isNew, err := b.rdb.SetNX(ctx, string(t.Payload()), 1, time.Hour).Result()
	if err != nil || !isNew {
		return err
	}
	_, err = b.pool.Exec(ctx, "UPDATE shelves SET n = n + 1 WHERE id = $1", string(t.Payload()))
	return err
}

// Checked writes no table that it reads, so the check can have only one answer.
func (b *Beside) Checked(ctx context.Context, t *asynq.Task) error {
	var open bool
	if err := b.pool.QueryRow(ctx, "SELECT open FROM shops WHERE id = $1", string(t.Payload())).Scan(&open); err != nil {
		return err
	}
	if !open {
		return nil
	}
	_, err := b.pool.Exec(ctx, "UPDATE counts SET n = n + 1 WHERE id = $1", string(t.Payload())) // want no-dedupe "counts.n"
	return err
}

func BesideMux(b *Beside) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("get", b.Get)
	m.HandleFunc("claim", b.Claim)
	m.HandleFunc("checked", b.Checked)
	return m
}
