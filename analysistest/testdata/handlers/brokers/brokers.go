// Package brokers takes deliveries from brokers that ack each on its own.
package brokers

import (
	"context"
	"database/sql"
	"log"

	"cloud.google.com/go/pubsub/v2"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	amqp "github.com/rabbitmq/amqp091-go"
)

// Store keeps what was delivered.
type Store struct{ db *sql.DB }

func (s *Store) put(ctx context.Context, body []byte) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO parcels (body) VALUES ($1)`, body)
	return err
}

// Auto is acked by the broker as it sends.
func Auto(ctx context.Context, ch *amqp.Channel, s *Store) error { // handler amqp auto drop
	msgs, err := ch.Consume("parcels", "", true, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := s.put(ctx, d.Body); err != nil {
			log.Print(err)
		}
	}
	return nil
}

// Worker gets its deliveries from a field.
type Worker struct {
	deliveries <-chan amqp.Delivery
	store      *Store
}

// NewWorker begins to consume.
func NewWorker(ch *amqp.Channel, s *Store) (*Worker, error) {
	msgs, err := ch.Consume("parcels", "", false, false, false, false, nil)
	return &Worker{msgs, s}, err
}

// Run acks what it has stored.
func (w *Worker) Run(ctx context.Context) { // handler amqp explicit redeliver
	for d := range w.deliveries {
		if err := w.store.put(ctx, d.Body); err != nil {
			d.Nack(false, true)
			continue
		}
		d.Ack(false)
	}
}

// Loop passes each delivery to the function that acks it.
func Loop(ctx context.Context, ch *amqp.Channel, s *Store) error { // handler amqp explicit redeliver
	msgs, err := ch.Consume("parcels", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case d := <-msgs:
			s.take(ctx, d)
		}
	}
}

func (s *Store) take(ctx context.Context, d amqp.Delivery) { // handler amqp explicit redeliver
	if err := s.put(ctx, d.Body); err != nil {
		refuse(d)
		return
	}
	d.Ack(false)
}

// refuse settles for its caller.
func refuse(d amqp.Delivery) { d.Nack(false, true) }

// Set says whether to ack by a variable.
func Set(ctx context.Context, ch *amqp.Channel, s *Store, auto bool) error { // handler amqp - -
	msgs, err := ch.Consume("parcels", "", auto, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := s.put(ctx, d.Body); err != nil {
			return err
		}
	}
	return nil
}

// Core is delivered at most once.
func Core(nc *nats.Conn, s *Store) {
	nc.Subscribe("parcels", func(m *nats.Msg) { // handler nats auto drop
		s.put(context.Background(), m.Data)
	})
}

// Streams acks by returning, unless it says that it acks itself.
func Streams(js nats.JetStreamContext, s *Store) {
	js.Subscribe("parcels", func(m *nats.Msg) { // handler nats return drop
		s.put(context.Background(), m.Data)
	})
	js.Subscribe("parcels", func(m *nats.Msg) { // handler nats explicit redeliver
		if s.put(context.Background(), m.Data) == nil {
			m.Ack()
		}
	}, nats.ManualAck())
	js.Subscribe("parcels", func(m *nats.Msg) { // handler nats auto drop
		s.put(context.Background(), m.Data)
	}, nats.AckNone())
}

// Policies are those of the consumer's configuration.
func Policies(ctx context.Context, js jetstream.JetStream, s *Store) error {
	some, err := js.CreateOrUpdateConsumer(ctx, "parcels", jetstream.ConsumerConfig{Durable: "keeper"})
	if err != nil {
		return err
	}
	if _, err := some.Consume(func(m jetstream.Msg) { // handler nats explicit redeliver
		if s.put(ctx, m.Data()) == nil {
			m.Ack()
		}
	}); err != nil {
		return err
	}
	none, err := js.CreateOrUpdateConsumer(ctx, "parcels", jetstream.ConsumerConfig{AckPolicy: jetstream.AckNonePolicy})
	if err != nil {
		return err
	}
	_, err = none.Consume(func(m jetstream.Msg) { // handler nats auto drop
		s.put(ctx, m.Data())
	})
	return err
}

// Receive acks each message.
func Receive(ctx context.Context, sub *pubsub.Subscriber, s *Store) error {
	return sub.Receive(ctx, func(ctx context.Context, m *pubsub.Message) { // handler pubsub explicit redeliver
		if s.put(ctx, m.Data) != nil {
			m.Nack()
			return
		}
		m.Ack()
	})
}

// Queue polls once a call.
func Queue(ctx context.Context, q *sqs.Client, s *Store, url string) error { // handler sqs explicit redeliver
	out, err := q.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &url})
	if err != nil {
		return err
	}
	for _, m := range out.Messages {
		if err := s.put(ctx, []byte(*m.Body)); err != nil {
			continue
		}
		if _, err := q.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle}); err != nil {
			return err
		}
	}
	return nil
}
