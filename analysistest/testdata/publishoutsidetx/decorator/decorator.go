// Package decorator wraps an interface by embedding it. One decorator adds a publish
// to a save, another takes the publish away.
package decorator

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type Kiln struct {
	ID     string
	Heat   int
	events []string
}

func (k *Kiln) Fire(heat int) {
	k.Heat = heat
	k.events = append(k.events, "fired")
}

type KilnStore interface {
	Load(ctx context.Context, id string) (*Kiln, error)
	Save(ctx context.Context, k *Kiln) error
}

// sqlKilns has a transaction of its own in each Save.
type sqlKilns struct{ db *sqlx.DB }

func (s sqlKilns) Load(ctx context.Context, id string) (*Kiln, error) {
	k := &Kiln{ID: id}
	return k, s.db.GetContext(ctx, &k.Heat, "SELECT heat FROM kilns WHERE id = ?", id)
}

func (s sqlKilns) Save(ctx context.Context, k *Kiln) error {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE kilns SET heat = ? WHERE id = ?", k.Heat, k.ID); err != nil {
		return err
	}
	for _, e := range k.events {
		if _, err := tx.ExecContext(ctx, "INSERT INTO kiln_history (kiln, what) VALUES (?, ?)", k.ID, e); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// announcing publishes what the store has saved.
type announcing struct {
	KilnStore
	out *kafka.Writer
}

func (a announcing) Save(ctx context.Context, k *Kiln) error {
	if err := a.KilnStore.Save(ctx, k); err != nil {
		return err
	}
	return a.announce(ctx, k) // want after-commit "runs after"
}

func (a announcing) announce(ctx context.Context, k *Kiln) error {
	raw, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return a.out.WriteMessages(ctx, kafka.Message{Key: []byte(k.ID), Value: raw})
}

// caching forgets the copy.
type caching struct {
	KilnStore
	rdb *redis.Client
}

func (c caching) Save(ctx context.Context, k *Kiln) error {
	if err := c.KilnStore.Save(ctx, k); err != nil {
		return err
	}
	return c.rdb.Del(ctx, "kiln:"+k.ID).Err()
}

func NewKilns(db *sqlx.DB, rdb *redis.Client, out *kafka.Writer) *Kilns {
	return &Kilns{store: announcing{KilnStore: caching{KilnStore: sqlKilns{db}, rdb: rdb}, out: out}}
}

type Kilns struct{ store KilnStore }

// Fire knows only the store: the pair is the decorator's.
func (s *Kilns) Fire(ctx context.Context, id string, heat int) error {
	k, err := s.store.Load(ctx, id)
	if err != nil {
		return err
	}
	k.Fire(heat)
	return s.store.Save(ctx, k)
}
