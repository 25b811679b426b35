package relay

import (
	"context"

	"github.com/segmentio/kafka-go"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Queue is polled; names is another collection, changed by queries of the same
// form.
type Queue struct {
	queue, names *mongo.Collection
	out          *kafka.Writer
}

type queued struct {
	ID   string `bson:"_id"`
	Body []byte
}

func (q *Queue) Dispatch(ctx context.Context) error {
	found, err := q.queue.Find(ctx, bson.M{"due": true})
	if err != nil {
		return err
	}
	var all []queued
	if err := found.All(ctx, &all); err != nil {
		return err
	}
	for _, x := range all {
		if err := q.out.WriteMessages(ctx, kafka.Message{Key: []byte(x.ID), Value: x.Body}); err != nil {
			return err
		}
		if _, err := q.queue.DeleteOne(ctx, bson.M{"_id": x.ID}); err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) Rename(ctx context.Context, id, name string) error {
	if _, err := q.names.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"name": name}}); err != nil {
		return err
	}
	return q.out.WriteMessages(ctx, kafka.Message{Topic: "renamed", Key: []byte(id)}) // want dual-write "follows"
}
