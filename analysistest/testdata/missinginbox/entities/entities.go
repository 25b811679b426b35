// Package entities stores structs whose tags tell the keys.
package entities

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Event struct {
	ID, Text string
	N        int
}

type Note struct {
	gorm.Model
	Text string
}

type Keyed struct {
	ID      uint
	EventID string `gorm:"uniqueIndex"`
	Text    string
}

type Doc struct {
	ID   string `bson:"_id"`
	Text string
}

type Tag struct {
	ID   uint
	Name string
}

type Consumer struct {
	db   *gorm.DB
	docs *mongo.Collection
	r    *kafka.Reader
}

func New(db *gorm.DB, docs *mongo.Collection) (*Consumer, error) {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{"kafka:9092"}, GroupID: "notes", Topic: "notes"})
	return &Consumer{db, docs, r}, db.AutoMigrate(&Note{}, &Keyed{}, &Tag{})
}

func (c *Consumer) Run(ctx context.Context) error {
	for {
		m, err := c.r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e Event
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := c.handle(ctx, string(m.Key), e); err != nil {
			return err
		}
		if err := c.r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (c *Consumer) handle(ctx context.Context, kind string, e Event) error {
	switch kind {
	case "note":
		return c.note(ctx, e)
	case "keyed":
		return c.keyed(ctx, e)
	case "tag":
		return c.tag(ctx, e)
	case "doc":
		return c.doc(ctx, e)
	case "fresh":
		return c.fresh(ctx, e)
	case "count":
		return c.count(ctx, e)
	case "raise":
		return c.raise(ctx, e)
	case "replace":
		return c.replace(ctx, e)
	}
	return c.set(ctx, e)
}

func (c *Consumer) note(ctx context.Context, e Event) error {
	return c.db.WithContext(ctx).Create(&Note{Text: e.Text}).Error // want no-dedupe "inserts"
}

func (c *Consumer) keyed(ctx context.Context, e Event) error {
	return c.db.WithContext(ctx).Create(&Keyed{EventID: e.ID, Text: e.Text}).Error
}

func (c *Consumer) tag(ctx context.Context, e Event) error {
	return c.db.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&Tag{Name: e.Text}).Error
}

func (c *Consumer) doc(ctx context.Context, e Event) error {
	_, err := c.docs.InsertOne(ctx, Doc{ID: e.ID, Text: e.Text})
	return err
}

func (c *Consumer) fresh(ctx context.Context, e Event) error {
	_, err := c.docs.InsertOne(ctx, Doc{ID: uuid.NewString(), Text: e.Text}) // want no-dedupe "inserts"
	return err
}

func (c *Consumer) count(ctx context.Context, e Event) error {
	_, err := c.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$inc": bson.M{"n": e.N}}) // want no-dedupe "adds"
	return err
}

func (c *Consumer) set(ctx context.Context, e Event) error {
	_, err := c.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.D{{Key: "$set", Value: bson.D{{Key: "n", Value: e.N}}}})
	return err
}

// raise adds to the row that is there.
func (c *Consumer) raise(ctx context.Context, e Event) error {
	return c.db.WithContext(ctx).Clauses(clause.OnConflict{
		DoUpdates: clause.Assignments(map[string]any{"n": gorm.Expr("`n` + ?", e.N), "text": e.Text}),
	}).Create(&Count{EventID: e.ID, Text: e.Text, N: e.N}).Error // want no-dedupe "adds to"
}

// replace sets it.
func (c *Consumer) replace(ctx context.Context, e Event) error {
	return c.db.WithContext(ctx).Clauses(clause.OnConflict{
		DoUpdates: clause.Assignments(map[string]any{"n": e.N, "text": gorm.Expr("lower(?)", e.Text)}),
	}).Create(&Count{EventID: e.ID, Text: e.Text, N: e.N}).Error
}

// Count is what is counted.
type Count struct {
	ID      uint
	EventID string `gorm:"uniqueIndex"`
	Text    string
	N       int
}
