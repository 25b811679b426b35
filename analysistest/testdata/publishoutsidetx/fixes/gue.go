package fixes

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/vgarvardt/gue/v5"
	"github.com/vgarvardt/gue/v5/adapter/pgxv5"
)

// Packer has a queue that takes transactions by way of an adapter.
type Packer struct {
	pool *pgxpool.Pool
	jobs *gue.Client
}

func NewPacker(pool *pgxpool.Pool) (*Packer, error) {
	jobs, err := gue.NewClient(pgxv5.NewConnPool(pool))
	if err != nil {
		return nil, err
	}
	return &Packer{pool, jobs}, nil
}

// Pack enqueues after the commit.
func (p *Packer) Pack(ctx context.Context, id string) error {
	tx, err := p.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return p.jobs.Enqueue(ctx, &gue.Job{Type: "pack", Args: []byte(id)}) // want after-commit
}

// PackInside enqueues before it, through the pool.
func (p *Packer) PackInside(ctx context.Context, id string) error {
	tx, err := p.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return err
	}
	if err := p.jobs.Enqueue(ctx, &gue.Job{Type: "pack", Args: []byte(id)}); err != nil { // want inside-tx
		return err
	}
	return tx.Commit(ctx)
}
