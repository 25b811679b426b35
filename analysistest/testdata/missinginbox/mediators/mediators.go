// Package mediators hands commands to the handlers that are registered for their
// types.
package mediators

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/mehdihadeli/go-mediatr"
	amqp "github.com/rabbitmq/amqp091-go"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Product struct {
	ID    string `bson:"_id"`
	Event string `bson:"event"`
}

type Created struct{ ID string }

type Create struct{ ID, Event string }

type CreateByEvent struct{ Event string }

type CreateHandler struct{ products *mongo.Collection }

func (h *CreateHandler) Handle(ctx context.Context, c *Create) (*Created, error) {
	_, err := h.products.InsertOne(ctx, &Product{ID: c.ID, Event: c.Event})
	return &Created{c.ID}, err
}

type CreateByEventHandler struct{ products *mongo.Collection }

func (h *CreateByEventHandler) Handle(ctx context.Context, c *CreateByEvent) (*Created, error) {
	_, err := h.products.InsertOne(ctx, &Product{ID: c.Event, Event: c.Event})
	return &Created{c.Event}, err
}

func Register(products *mongo.Collection) error {
	if err := mediatr.RegisterRequestHandler[*Create, *Created](&CreateHandler{products}); err != nil {
		return err
	}
	return mediatr.RegisterRequestHandler[*CreateByEvent, *Created](&CreateByEventHandler{products})
}

func consume(ctx context.Context, ch *amqp.Channel, handle func(context.Context, amqp.Delivery) error) error {
	deliveries, err := ch.Consume("products", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := handle(ctx, d); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
	return nil
}

func handle(ctx context.Context, d amqp.Delivery) error {
	var event string
	if err := json.Unmarshal(d.Body, &event); err != nil {
		return err
	}
	_, err := mediatr.Send[*Create, *Created](ctx, &Create{ID: uuid.NewString(), Event: event}) // want no-dedupe "Product"
	return err
}

func handleByEvent(ctx context.Context, d amqp.Delivery) error {
	var event string
	if err := json.Unmarshal(d.Body, &event); err != nil {
		return err
	}
	_, err := mediatr.Send[*CreateByEvent, *Created](ctx, &CreateByEvent{Event: event})
	return err
}

func Run(ctx context.Context, ch *amqp.Channel) error {
	if err := consume(ctx, ch, handle); err != nil {
		return err
	}
	return consume(ctx, ch, handleByEvent)
}
