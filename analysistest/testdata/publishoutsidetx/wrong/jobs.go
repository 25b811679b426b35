package wrong

import (
	"context"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
	"github.com/riverqueue/river"
)

type ResizeArgs struct{ Photo string }

func (ResizeArgs) Kind() string { return "resize" }

type Photos struct {
	pool  *pgxpool.Pool
	db    *sqlx.DB
	tasks *asynq.Client
	jobs  *river.Client[pgx.Tx]
	rdb   *redis.Client
	nc    *nats.Conn
}

func (p *Photos) Upload(ctx context.Context, name string) error {
	if _, err := p.pool.Exec(ctx, "INSERT INTO photos (name) VALUES ($1)", name); err != nil {
		return err
	}
	_, err := p.tasks.EnqueueContext(ctx, asynq.NewTask("photo:resize", []byte(name)), asynq.Queue("low")) // want dual-write "follows"
	return err
}

// Rotate has a queue in the same database at hand, and inserts the job through
// the pool all the same.
func (p *Photos) Rotate(ctx context.Context, name string) error {
	tx, err := p.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE photos SET angle = (angle + 90) % 360 WHERE name = $1", name); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	_, err = p.jobs.Insert(ctx, ResizeArgs{Photo: name}, nil) // want after-commit "runs after tx.Commit"
	return err
}

func (p *Photos) Share(ctx context.Context, name, with string) error {
	tx, err := p.db.Beginx()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`INSERT INTO shares (photo, user_id) VALUES (?, ?)`, name, with); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return p.rdb.XAdd(ctx, &redis.XAddArgs{Stream: "shares", Values: map[string]any{"photo": name}}).Err() // want after-commit "runs after tx.Commit"
}

func (p *Photos) Tag(ctx context.Context, name, tag string) error {
	if _, err := p.db.ExecContext(ctx, `UPDATE photos SET tag = ? WHERE name = ?`, tag, name); err != nil {
		return err
	}
	return p.rdb.LPush(ctx, "photos:tagged", name).Err() // want dual-write "follows"
}

func (p *Photos) Delete(ctx context.Context, name string) error {
	if _, err := p.db.ExecContext(ctx, `DELETE FROM photos WHERE name = ?`, name); err != nil {
		return err
	}
	if err := p.nc.PublishMsg(&nats.Msg{Subject: "photos.deleted", Data: []byte(name)}); err != nil { // want dual-write "follows"
		return err
	}
	return p.nc.FlushWithContext(ctx)
}
