package uow

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

// DBTX, New and WithTx are in the shape of generated query code.
type DBTX interface {
	Exec(context.Context, string, ...any) (pgconn.CommandTag, error)
	QueryRow(context.Context, string, ...any) pgx.Row
}

func New(db DBTX) *Queries { return &Queries{db: db} }

type Queries struct{ db DBTX }

func (q *Queries) WithTx(tx pgx.Tx) *Queries { return &Queries{db: tx} }

const retireTool = `-- name: RetireTool :exec
UPDATE tools SET retired = true WHERE id = $1
`

func (q *Queries) RetireTool(ctx context.Context, id int64) error {
	_, err := q.db.Exec(ctx, retireTool, id)
	return err
}

const addToolOutbox = `-- name: AddToolOutbox :exec
INSERT INTO tool_outbox (tool_id, kind) VALUES ($1, $2)
`

func (q *Queries) AddToolOutbox(ctx context.Context, id int64, kind string) error {
	_, err := q.db.Exec(ctx, addToolOutbox, id, kind)
	return err
}

type Tools struct {
	pool *pgxpool.Pool
	q    *Queries
	cl   *kgo.Client
}

func NewTools(pool *pgxpool.Pool, cl *kgo.Client) *Tools {
	return &Tools{pool: pool, q: New(pool), cl: cl}
}

func (t *Tools) Retire(ctx context.Context, id int64) error {
	tx, err := t.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := t.q.WithTx(tx).RetireTool(ctx, id); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return t.cl.ProduceSync(ctx, &kgo.Record{Topic: "tools.retired"}).FirstErr() // want after-commit "runs after tx.Commit"
}

// RetireNow goes through the pool.
func (t *Tools) RetireNow(ctx context.Context, id int64) error {
	if err := t.q.RetireTool(ctx, id); err != nil {
		return err
	}
	return t.cl.ProduceSync(ctx, &kgo.Record{Topic: "tools.retired"}).FirstErr() // want dual-write "follows"
}

func (t *Tools) RetireLater(ctx context.Context, id int64) error {
	tx, err := t.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	qtx := New(tx)
	if err := qtx.RetireTool(ctx, id); err != nil {
		return err
	}
	if err := qtx.AddToolOutbox(ctx, id, "retired"); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// RetireHalf changes the tool in the transaction and adds the row beside it.
func (t *Tools) RetireHalf(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		if err := t.q.WithTx(tx).RetireTool(ctx, id); err != nil {
			return err
		}
		return t.q.AddToolOutbox(ctx, id, "retired") // want outbox-outside-tx
	})
}

type Crate struct {
	ID   uint
	Full bool
}

type CrateRepo struct{ db *gorm.DB }

// With is the repository in a transaction.
func (r CrateRepo) With(tx *gorm.DB) CrateRepo { return CrateRepo{db: tx} }

func (r CrateRepo) Fill(id uint) error {
	return r.db.Model(&Crate{}).Where("id = ?", id).Update("full", true).Error
}

type Crates struct {
	db   *gorm.DB
	repo CrateRepo
	cl   *kgo.Client
}

func NewCrates(db *gorm.DB, cl *kgo.Client) *Crates {
	return &Crates{db: db, repo: CrateRepo{db: db}, cl: cl}
}

func (c *Crates) Fill(ctx context.Context, id uint) error {
	return c.db.Transaction(func(tx *gorm.DB) error {
		if err := c.repo.With(tx).Fill(id); err != nil {
			return err
		}
		return c.cl.ProduceSync(ctx, &kgo.Record{Topic: "crates.filled"}).FirstErr() // want inside-tx "transaction"
	})
}
