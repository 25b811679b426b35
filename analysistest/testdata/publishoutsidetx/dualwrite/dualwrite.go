// Package dualwrite changes something without a transaction and then publishes.
package dualwrite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Vote struct {
	Poll, Voter string
	Choice      int
}

type Votes struct {
	rdb   *redis.Client
	votes *mongo.Collection
	out   *kafka.Writer
}

func (v *Votes) say(ctx context.Context, what, poll string) error {
	return v.out.WriteMessages(ctx, kafka.Message{Topic: what, Key: []byte(poll)})
}

// Cast has Redis for its database.
func (v *Votes) Cast(ctx context.Context, vote Vote) error {
	isNew, err := v.rdb.HSetNX(ctx, "poll:"+vote.Poll, vote.Voter, vote.Choice).Result()
	if err != nil {
		return err
	}
	if !isNew {
		return errors.New("voted already")
	}
	return v.say(ctx, "vote-cast", vote.Poll) // want dual-write "follows"
}

func (v *Votes) Change(ctx context.Context, vote Vote) error {
	res, err := v.votes.UpdateOne(ctx,
		bson.M{"poll": vote.Poll, "voter": vote.Voter},
		bson.M{"$set": bson.M{"choice": vote.Choice}},
		options.UpdateOne().SetUpsert(true))
	if err != nil {
		return fmt.Errorf("change vote: %w", err)
	}
	if res.ModifiedCount == 0 && res.UpsertedCount == 0 {
		return nil
	}
	if err := v.say(ctx, "vote-changed", vote.Poll); err != nil { // want dual-write "follows"
		return fmt.Errorf("announce vote: %w", err)
	}
	return nil
}

func (v *Votes) Close(ctx context.Context, poll string) error {
	var closed struct{ Total int }
	err := v.votes.FindOneAndUpdate(ctx, bson.M{"_id": poll}, bson.M{"$set": bson.M{"closed": time.Now()}}).Decode(&closed)
	if errors.Is(err, mongo.ErrNoDocuments) {
		return v.say(ctx, "poll-unknown", poll)
	}
	if err != nil {
		return err
	}
	return v.say(ctx, "poll-closed", poll) // want dual-write "follows"
}

func (v *Votes) Merge(ctx context.Context, from, to string) error {
	models := []mongo.WriteModel{
		mongo.NewUpdateManyModel().SetFilter(bson.M{"poll": from}).SetUpdate(bson.M{"$set": bson.M{"poll": to}}),
		mongo.NewDeleteOneModel().SetFilter(bson.M{"_id": from}),
	}
	if _, err := v.votes.BulkWrite(ctx, models); err != nil {
		return err
	}
	return v.say(ctx, "polls-merged", to) // want dual-write "follows"
}

// Count looks, and asks for a recount.
func (v *Votes) Count(ctx context.Context, poll string) error {
	n, err := v.votes.CountDocuments(ctx, bson.M{"poll": poll})
	if err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	return v.say(ctx, "recount-wanted", poll)
}

// Invalid publishes on the way on which nothing has been written.
func (v *Votes) Invalid(ctx context.Context, vote Vote) error {
	if vote.Choice < 0 {
		return v.say(ctx, "vote-invalid", vote.Poll)
	}
	_, err := v.votes.InsertOne(ctx, vote)
	return err
}
