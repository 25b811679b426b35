// Package builders writes through what builds statements, batches and raw texts.
package builders

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/uptrace/bun"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"
)

type Policy struct {
	ID      string `bun:",pk" bson:"_id" gorm:"primaryKey"`
	Status  string
	Version int64
	Cover   Cover `gorm:"embedded"`
}

type Cover struct{ State, Region string }

type Changed struct {
	ID, Status string
	Version    int64
}

type Batch struct{ Policies []Changed }

type Store struct {
	bun  *bun.DB
	orm  *gorm.DB
	pool *pgxpool.Pool
	docs *mongo.Collection
}

func (s *Store) wrongBun(ctx context.Context, e Changed) error {
	_, err := s.bun.NewUpdate().Model((*Policy)(nil)).Set("status = ?", e.Status).Where("id = ?", e.ID).Exec(ctx) // want unguarded "status"
	return err
}

func (s *Store) wrongModel(ctx context.Context, e Changed) error {
	p := new(Policy)
	if err := s.bun.NewSelect().Model(p).Where("id = ?", e.ID).Scan(ctx); err != nil {
		return err
	}
	p.Status = e.Status // want unguarded "Policy.Status is set from e.Status"
	_, err := s.bun.NewUpdate().Model(p).WherePK().Exec(ctx)
	return err
}

func (s *Store) wrongRaw(ctx context.Context, e Changed) error {
	return s.orm.WithContext(ctx).Exec("UPDATE policies SET status = ? WHERE id = ?", e.Status, e.ID).Error // want unguarded "policies.status"
}

// wrongNested: the state is one of a struct within the entity.
func (s *Store) wrongNested(ctx context.Context, e Changed) error {
	var p Policy
	if err := s.orm.WithContext(ctx).First(&p, "id = ?", e.ID).Error; err != nil {
		return err
	}
	p.Cover.State = e.Status // want unguarded "State is set from e.Status"
	return s.orm.WithContext(ctx).Save(&p).Error
}

// wrongFound: the document is updated in the step that finds it.
func (s *Store) wrongFound(ctx context.Context, e Changed) error {
	var p Policy
	return s.docs.FindOneAndUpdate(ctx, bson.M{"_id": e.ID}, bson.M{"$set": bson.M{"status": e.Status}}).Decode(&p) // want unguarded "status"
}

func (s *Store) wrongQueued(ctx context.Context, b Batch) error {
	batch := &pgx.Batch{}
	for _, e := range b.Policies {
		batch.Queue("UPDATE policies SET status = $2 WHERE id = $1", e.ID, e.Status) // want unguarded "policies.status"
	}
	return s.pool.SendBatch(ctx, batch).Close()
}

func (s *Store) wrongEach(ctx context.Context, b Batch) error {
	for _, e := range b.Policies {
		if _, err := s.pool.Exec(ctx, "UPDATE policies SET status = $2 WHERE id = $1", e.ID, e.Status); err != nil { // want unguarded "policies.status"
			return err
		}
	}
	return nil
}

func (s *Store) rightBun(ctx context.Context, e Changed) error {
	_, err := s.bun.NewUpdate().Model((*Policy)(nil)).Set("status = ?", e.Status).Set("version = ?", e.Version).
		Where("id = ?", e.ID).Where("version < ?", e.Version).Exec(ctx)
	return err
}

func (s *Store) rightModel(ctx context.Context, e Changed) error {
	p := new(Policy)
	if err := s.bun.NewSelect().Model(p).Where("id = ?", e.ID).Scan(ctx); err != nil {
		return err
	}
	if p.Version >= e.Version {
		return nil
	}
	p.Status, p.Version = e.Status, e.Version
	_, err := s.bun.NewUpdate().Model(p).WherePK().Exec(ctx)
	return err
}

func (s *Store) rightRaw(ctx context.Context, e Changed) error {
	return s.orm.WithContext(ctx).Exec("UPDATE policies SET status = ?, version = ? WHERE id = ? AND version < ?", e.Status, e.Version, e.ID, e.Version).Error
}

func (s *Store) rightFound(ctx context.Context, e Changed) error {
	var p Policy
	filter := bson.M{"_id": e.ID, "version": bson.M{"$lt": e.Version}}
	return s.docs.FindOneAndUpdate(ctx, filter, bson.M{"$set": bson.M{"status": e.Status, "version": e.Version}}).Decode(&p)
}

// rightEach skips the items that come late.
func (s *Store) rightEach(ctx context.Context, b Batch) error {
	for _, e := range b.Policies {
		var p Policy
		if err := s.orm.WithContext(ctx).First(&p, "id = ?", e.ID).Error; err != nil {
			return err
		}
		if e.Version <= p.Version {
			continue
		}
		p.Status, p.Version = e.Status, e.Version
		if err := s.orm.WithContext(ctx).Save(&p).Error; err != nil {
			return err
		}
	}
	return nil
}

func on[E any](js nats.JetStreamContext, subject string, handle func(context.Context, E) error) error {
	_, err := js.Subscribe(subject, func(m *nats.Msg) {
		var e E
		if err := json.Unmarshal(m.Data, &e); err != nil {
			_ = m.Term()
			return
		}
		if err := handle(context.Background(), e); err != nil {
			_ = m.Nak()
			return
		}
		_ = m.Ack()
	}, nats.ManualAck())
	return err
}

func Subscribe(js nats.JetStreamContext, s *Store) error {
	for subject, handle := range map[string]func(context.Context, Changed) error{
		"bun": s.wrongBun, "model": s.wrongModel, "raw": s.wrongRaw, "nested": s.wrongNested, "found": s.wrongFound,
		"bun2": s.rightBun, "model2": s.rightModel, "raw2": s.rightRaw, "found2": s.rightFound,
	} {
		if err := on(js, subject, handle); err != nil {
			return err
		}
	}
	for subject, handle := range map[string]func(context.Context, Batch) error{
		"queued": s.wrongQueued, "each": s.wrongEach, "each2": s.rightEach,
	} {
		if err := on(js, subject, handle); err != nil {
			return err
		}
	}
	return nil
}
