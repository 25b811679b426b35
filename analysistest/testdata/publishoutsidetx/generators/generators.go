// Package generators takes a generator from a map. What it does, two steps on, is to
// send on the channel of an asynchronous producer.
package generators

import (
	"context"
	"errors"
	"fmt"

	"github.com/IBM/sarama"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// producer hides the client and hands out its channel.
type producer interface {
	Output() chan<- *sarama.ProducerMessage
}

type asyncProducer struct{ p sarama.AsyncProducer }

func (a *asyncProducer) Output() chan<- *sarama.ProducerMessage { return a.p.Input() }

type PrintGenerator interface {
	Generate(ctx context.Context, atlas string, page int) error
}

type queued struct {
	out   producer
	topic string
}

func (q *queued) Generate(_ context.Context, atlas string, page int) error {
	if page < 1 {
		return fmt.Errorf("page %d", page)
	}
	q.out.Output() <- &sarama.ProducerMessage{Topic: q.topic, Key: sarama.StringEncoder(atlas)}
	return nil
}

// Sketcher draws without a broker.
type Sketcher interface {
	Sketch(ctx context.Context, atlas string) error
}

type pencil struct{ done map[string]bool }

func (p pencil) Sketch(_ context.Context, atlas string) error {
	p.done[atlas] = true
	return nil
}

type Atlases struct {
	docs     *mongo.Collection
	prints   map[string]PrintGenerator
	sketches map[string]Sketcher
	updates  producer
}

func NewAtlases(docs *mongo.Collection, p sarama.AsyncProducer) *Atlases {
	out := &asyncProducer{p}
	return &Atlases{
		docs: docs, updates: out,
		prints:   map[string]PrintGenerator{"large": &queued{out, "large"}, "small": &queued{out, "small"}},
		sketches: map[string]Sketcher{"pencil": pencil{map[string]bool{}}},
	}
}

func (a *Atlases) set(ctx context.Context, id, state string) error {
	_, err := a.docs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"state": state}})
	return err
}

func (a *Atlases) Publish(ctx context.Context, id, size string) error {
	gen, ok := a.prints[size]
	if !ok {
		return errors.New("no such size")
	}
	if err := a.set(ctx, id, "published"); err != nil {
		return err
	}
	return gen.Generate(ctx, id, 1) // want dual-write "follows"
}

// Revise sends on the channel itself, from a goroutine that may wait for ever.
func (a *Atlases) Revise(ctx context.Context, id string) error {
	if err := a.set(ctx, id, "revised"); err != nil {
		return err
	}
	go func() {
		a.updates.Output() <- &sarama.ProducerMessage{Topic: "atlases", Key: sarama.StringEncoder(id)} // want dual-write
	}()
	return nil
}

// Draft is drawn here.
func (a *Atlases) Draft(ctx context.Context, id string) error {
	if err := a.set(ctx, id, "draft"); err != nil {
		return err
	}
	return a.sketches["pencil"].Sketch(ctx, id)
}

// Updates hands the channel out and sends nothing.
func (a *Atlases) Updates(ctx context.Context, id string) (chan<- *sarama.ProducerMessage, error) {
	if err := a.set(ctx, id, "watched"); err != nil {
		return nil, err
	}
	return a.updates.Output(), nil
}
