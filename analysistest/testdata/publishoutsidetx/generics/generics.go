// Package generics has a generic repository, a generic publisher and a generic
// helper that uses both.
package generics

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
	"gorm.io/gorm"
)

// Entity is what the repository stores.
type Entity interface {
	EntityID() string
}

type Repo[T Entity] struct{ db *gorm.DB }

func (r Repo[T]) Save(ctx context.Context, v *T) error { return r.db.WithContext(ctx).Save(v).Error }

func (r Repo[T]) Get(ctx context.Context, id string) (*T, error) {
	v := new(T)
	return v, r.db.WithContext(ctx).First(v, "id = ?", id).Error
}

// On is the repository in a transaction.
func (r Repo[T]) On(tx *gorm.DB) Repo[T] { return Repo[T]{db: tx} }

type Topic[E any] struct {
	js      jetstream.JetStream
	subject string
}

func (t *Topic[E]) Emit(ctx context.Context, e E) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = t.js.Publish(ctx, t.subject, raw)
	return err
}

// Outbox stores the same events.
type Outbox[E any] struct{ tx *gorm.DB }

func (o Outbox[E]) Emit(ctx context.Context, e E) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return o.tx.WithContext(ctx).Exec("INSERT INTO generic_outbox (body) VALUES (?)", raw).Error
}

type Boat struct {
	ID   string
	Name string
}

func (b Boat) EntityID() string { return b.ID }

type BoatChanged struct{ ID, What string }

type Boats struct {
	db   *gorm.DB
	repo Repo[Boat]
	out  *Topic[BoatChanged]
}

func NewBoats(db *gorm.DB, js jetstream.JetStream) *Boats {
	return &Boats{db: db, repo: Repo[Boat]{db: db}, out: &Topic[BoatChanged]{js: js, subject: "boats"}}
}

func (b *Boats) Launch(ctx context.Context, boat *Boat) error {
	if err := b.repo.Save(ctx, boat); err != nil {
		return err
	}
	return b.out.Emit(ctx, BoatChanged{boat.ID, "launched"}) // want dual-write "follows"
}

func (b *Boats) Rename(ctx context.Context, boat *Boat, name string) error {
	boat.Name = name
	return b.db.Transaction(func(tx *gorm.DB) error {
		if err := b.repo.On(tx).Save(ctx, boat); err != nil {
			return err
		}
		return b.out.Emit(ctx, BoatChanged{boat.ID, "renamed"}) // want inside-tx "transaction"
	})
}

func (b *Boats) Sink(ctx context.Context, boat *Boat) error {
	return b.db.Transaction(func(tx *gorm.DB) error {
		if err := b.repo.On(tx).Save(ctx, boat); err != nil {
			return err
		}
		return Outbox[BoatChanged]{tx: tx}.Emit(ctx, BoatChanged{boat.ID, "sunk"})
	})
}

// Hail only reads.
func (b *Boats) Hail(ctx context.Context, id string) error {
	boat, err := b.repo.Get(ctx, id)
	if err != nil {
		return err
	}
	return b.out.Emit(ctx, BoatChanged{boat.ID, "hailed"})
}

// storeAndEmit is generic over both and owns both halves.
func storeAndEmit[T Entity, E any](ctx context.Context, repo Repo[T], out *Topic[E], v *T, event func(T) E) error {
	if err := repo.Save(ctx, v); err != nil {
		return fmt.Errorf("save %s: %w", (*v).EntityID(), err)
	}
	return out.Emit(ctx, event(*v)) // want dual-write "follows"
}

func (b *Boats) Paint(ctx context.Context, boat *Boat) error {
	return storeAndEmit(ctx, b.repo, b.out, boat, func(v Boat) BoatChanged { return BoatChanged{v.ID, "painted"} })
}

// Tx is a generic unit that returns a value from the transaction.
func Tx[R any](ctx context.Context, db *sql.DB, fn func(*sql.Tx) (R, error)) (out R, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return out, err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
		}
	}()
	if out, err = fn(tx); err != nil {
		return out, err
	}
	return out, tx.Commit()
}

func Moor(ctx context.Context, db *sql.DB, out *Topic[BoatChanged], id string) error {
	berth, err := Tx(ctx, db, func(tx *sql.Tx) (berth int, err error) {
		err = tx.QueryRowContext(ctx, "UPDATE boat_berths SET boat = $1 WHERE boat IS NULL RETURNING no", id).Scan(&berth)
		return berth, err
	})
	if err != nil {
		return err
	}
	return out.Emit(ctx, BoatChanged{id, fmt.Sprint("moored at ", berth)}) // want after-commit "runs after"
}
