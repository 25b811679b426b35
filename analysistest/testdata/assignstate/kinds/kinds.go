// Package kinds has a type that lists the states of an entity, and libraries that build
// statements.
package kinds

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/hibiken/asynq"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"
)

// State is where a trip is.
type State string

// The states.
const (
	Booked    State = "booked"
	Started   State = "started"
	Arrived   State = "arrived"
	Completed State = "completed"
	Cancelled State = "cancelled"
)

// Level is one as a number.
type Level int

// The levels.
const (
	LevelPlaced Level = iota
	LevelPaid
	LevelShipped
	LevelDelivered
	LevelRefunded
)

// Moved is a message.
type Moved struct {
	ID    string
	State State
	Level Level
}

// Trip is stored.
type Trip struct {
	ID    string
	State State
}

type Trips struct {
	db   *sql.DB
	orm  *gorm.DB
	docs *mongo.Collection
}

func (s *Trips) wrongText(ctx context.Context, e Moved) error {
	_, err := s.db.ExecContext(ctx, "UPDATE trips SET state = $2 WHERE id = $1", e.ID, string(e.State)) // want unguarded
	return err
}

func (s *Trips) wrongGorm(ctx context.Context, e Moved) error {
	return s.orm.WithContext(ctx).
		Model(&Trip{}).
		Where("id = ?", e.ID).
		Update("state", e.State).Error // want unguarded
}

func (s *Trips) wrongMongo(ctx context.Context, e Moved) error {
	_, err := s.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$set": bson.M{"state": e.State}}) // want unguarded
	return err
}

func (s *Trips) wrongNumber(ctx context.Context, e Moved) error {
	return s.orm.WithContext(ctx).Table("parcels").Where("id = ?", e.ID).Update("parcel_status", e.Level).Error // want unguarded
}

// wrongAnswered answers whether there was a document: a late message would be told of one that
// is not there, so there is no fix.
func (s *Trips) wrongAnswered(ctx context.Context, e Moved) (bool, error) {
	res, err := s.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$set": bson.M{"state": e.State}}) // want unguarded
	if err != nil {
		return false, err
	}
	return res.MatchedCount > 0, nil
}

func (s *Trips) handle(ctx context.Context, t *asynq.Task) error {
	var e Moved
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	for _, do := range []func(context.Context, Moved) error{s.wrongText, s.wrongGorm, s.wrongMongo, s.wrongNumber} {
		if err := do(ctx, e); err != nil {
			return err
		}
	}
	_, err := s.wrongAnswered(ctx, e)
	return err
}

// Work registers it.
func Work(mux *asynq.ServeMux, s *Trips) { mux.HandleFunc("trip.moved", s.handle) }
