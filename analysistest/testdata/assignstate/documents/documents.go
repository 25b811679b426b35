// Package documents stores what messages say in documents.
package documents

import (
	"context"
	"encoding/json"

	amqp "github.com/rabbitmq/amqp091-go"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Changed struct {
	ID, Status, Name string
	Version          int64
}

type Profile struct {
	ID      string `bson:"_id"`
	Status  string `bson:"status"`
	Name    string `bson:"name"`
	Version int64  `bson:"version"`
}

type Profiles struct{ docs *mongo.Collection }

func (p *Profiles) wrongSet(ctx context.Context, e Changed) error {
	_, err := p.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$set": bson.M{"status": e.Status}}) // want unguarded "status"
	return err
}

func (p *Profiles) wrongOrdered(ctx context.Context, e Changed) error {
	_, err := p.docs.UpdateOne(ctx, bson.D{{Key: "_id", Value: e.ID}}, bson.D{{Key: "$set", Value: bson.D{{Key: "status", Value: e.Status}}}}) // want unguarded "UpdateOne sets stored state from the message"
	return err
}

func (p *Profiles) wrongReplace(ctx context.Context, e Changed) error {
	_, err := p.docs.ReplaceOne(ctx, bson.M{"_id": e.ID}, Profile{ID: e.ID, Status: e.Status, Name: e.Name}, options.Replace().SetUpsert(true)) // want unguarded "Status"
	return err
}

func (p *Profiles) wrongRename(ctx context.Context, e Changed) error {
	_, err := p.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$set": bson.M{"name": e.Name}}) // want unguarded "name"
	return err
}

func (p *Profiles) rightVersion(ctx context.Context, e Changed) error {
	_, err := p.docs.UpdateOne(ctx, bson.M{"_id": e.ID, "version": bson.M{"$lt": e.Version}}, bson.M{"$set": bson.M{"status": e.Status, "version": e.Version}})
	return err
}

func (p *Profiles) rightState(ctx context.Context, e Changed) error {
	_, err := p.docs.UpdateOne(ctx, bson.M{"_id": e.ID, "status": bson.M{"$in": bson.A{"new", "verified"}}}, bson.M{"$set": bson.M{"status": e.Status}})
	return err
}

func (p *Profiles) rightReplace(ctx context.Context, e Changed) error {
	filter := bson.D{{Key: "_id", Value: e.ID}, {Key: "version", Value: bson.D{{Key: "$lt", Value: e.Version}}}}
	_, err := p.docs.ReplaceOne(ctx, filter, Profile{ID: e.ID, Status: e.Status, Name: e.Name, Version: e.Version})
	return err
}

func (p *Profiles) rightOnInsert(ctx context.Context, e Changed) error {
	_, err := p.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$setOnInsert": bson.M{"status": e.Status}}, options.UpdateOne().SetUpsert(true))
	return err
}

func (p *Profiles) rightCount(ctx context.Context, e Changed) error {
	_, err := p.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$inc": bson.M{"changes": 1}})
	return err
}

func (p *Profiles) rightLoaded(ctx context.Context, e Changed) error {
	var old Profile
	if err := p.docs.FindOne(ctx, bson.M{"_id": e.ID}).Decode(&old); err != nil {
		return err
	}
	if e.Version <= old.Version {
		return nil
	}
	_, err := p.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$set": bson.M{"status": e.Status, "version": e.Version}})
	return err
}

func consume(ctx context.Context, ch *amqp.Channel, queue string, handle func(context.Context, Changed) error) error {
	deliveries, err := ch.ConsumeWithContext(ctx, queue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		var e Changed
		if err := json.Unmarshal(d.Body, &e); err != nil {
			_ = d.Reject(false)
			continue
		}
		if err := handle(ctx, e); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
	return nil
}

func Run(ctx context.Context, ch *amqp.Channel, p *Profiles) error {
	for queue, handle := range map[string]func(context.Context, Changed) error{
		"set": p.wrongSet, "ordered": p.wrongOrdered, "replace": p.wrongReplace, "rename": p.wrongRename,
		"version": p.rightVersion, "state": p.rightState, "newer": p.rightReplace, "insert": p.rightOnInsert,
		"count": p.rightCount, "loaded": p.rightLoaded,
	} {
		if err := consume(ctx, ch, queue, handle); err != nil {
			return err
		}
	}
	return nil
}
