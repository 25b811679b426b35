package wrong

import (
	"context"
	"database/sql"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/uptrace/bun"
)

type Berth struct {
	bun.BaseModel `bun:"table:berths"`

	ID    int64 `bun:",pk,autoincrement"`
	Quay  string
	Taken bool
}

type Harbour struct {
	db *bun.DB
	cl *kgo.Client
}

func (h *Harbour) Open(ctx context.Context, b *Berth) error {
	if _, err := h.db.NewInsert().Model(b).Exec(ctx); err != nil {
		return err
	}
	return h.cl.ProduceSync(ctx, &kgo.Record{Topic: "berths", Key: []byte(b.Quay)}).FirstErr() // want dual-write "follows"
}

func (h *Harbour) Take(ctx context.Context, id int64) error {
	err := h.db.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*Berth)(nil)).Set("taken = TRUE").Where("id = ?", id).Exec(ctx)
		return err
	})
	if err != nil {
		return err
	}
	h.cl.Produce(ctx, &kgo.Record{Topic: "berths", Value: []byte("taken")}, nil) // want after-commit "runs after"
	return nil
}

func (h *Harbour) Leave(ctx context.Context, id int64) error {
	tx, err := h.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.NewUpdate().Model((*Berth)(nil)).Set("taken = FALSE").Where("id = ?", id).Exec(ctx); err != nil {
		return err
	}
	var failed error
	h.cl.Produce(ctx, &kgo.Record{Topic: "berths", Value: []byte("left")}, func(_ *kgo.Record, err error) { failed = err }) // want inside-tx "transaction"
	if err := h.cl.Flush(ctx); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	return tx.Commit()
}

func (h *Harbour) Close(ctx context.Context, quay string) error {
	rec := &kgo.Record{Topic: "berths", Key: []byte(quay), Value: []byte("closed")}
	if err := h.cl.ProduceSync(ctx, rec).FirstErr(); err != nil { // want before-write
		return err
	}
	_, err := h.db.NewDelete().Model((*Berth)(nil)).Where("quay = ?", quay).Exec(ctx)
	return err
}

// check asks each berth, and says through its argument whether one was taken.
func (h *Harbour) check(ctx context.Context, ids []int64, free *bool) error {
	for _, id := range ids {
		var b Berth
		if err := h.db.NewSelect().Model(&b).Where("id = ?", id).Scan(ctx); err != nil {
			return err
		}
		if b.Taken {
			*free = false
		}
	}
	return nil
}

func (h *Harbour) Reserve(ctx context.Context, b *Berth, ids []int64) error {
	free := true
	if err := h.check(ctx, ids, &free); err != nil {
		return err
	}
	if free {
		return nil
	}
	if _, err := h.db.NewUpdate().Model(b).Set("taken = TRUE").WherePK().Exec(ctx); err != nil {
		return err
	}
	return h.cl.ProduceSync(ctx, &kgo.Record{Topic: "berths", Key: []byte(b.Quay)}).FirstErr() // want dual-write "follows"
}
