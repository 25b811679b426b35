// Package passes hands deliveries on to the functions that handle them.
package passes

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"io"
	"log"
	"net/http"

	"github.com/IBM/sarama"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	amqp "github.com/rabbitmq/amqp091-go"
	segment "github.com/segmentio/kafka-go"
)

// Store keeps what was delivered.
type Store struct{ db *sql.DB }

func (s *Store) put(ctx context.Context, body []byte) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO crates (body) VALUES ($1)`, body)
	return err
}

// Run commits whatever has happened.
func (s *Store) Run(ctx context.Context, r *segment.Reader) { // handler kafka offset skip cumulative
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return
		}
		if err := s.process(ctx, m); err != nil {
			log.Print(err)
		}
		r.CommitMessages(ctx, m)
	}
}

func (s *Store) process(ctx context.Context, m segment.Message) error { // handler kafka offset skip cumulative
	switch string(m.Key) {
	case "opened":
		return s.HandleOpened(ctx, m.Value)
	case "closed":
		return s.HandleClosed(ctx, m.Value)
	}
	return toDLQ(m)
}

func toDLQ(m segment.Message) error { return nil }

// HandleOpened handles one kind.
func (s *Store) HandleOpened(ctx context.Context, body []byte) error { // handler kafka offset skip cumulative
	return s.put(ctx, body)
}

// HandleClosed handles another.
func (s *Store) HandleClosed(ctx context.Context, body []byte) error { // handler kafka offset skip cumulative
	return s.put(ctx, body)
}

// Client is what the loop needs of a client.
type Client interface {
	Poll(timeout int) kafka.Event
	CommitOffsets([]kafka.TopicPartition) ([]kafka.TopicPartition, error)
}

// Behind reads through an interface of its own.
type Behind struct {
	client Client
	store  *Store
}

// NewBehind makes the client.
func NewBehind(s *Store) (*Behind, error) {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "keeper", "enable.auto.commit": false})
	return &Behind{c, s}, err
}

// Consume stops at the first failure.
func (b *Behind) Consume(ctx context.Context) error { // handler kafka offset redeliver cumulative
	for {
		switch e := b.client.Poll(100).(type) {
		case *kafka.Message:
			if err := b.store.put(ctx, e.Value); err != nil {
				return err
			}
			b.client.CommitOffsets([]kafka.TopicPartition{e.TopicPartition})
		}
	}
}

// Flagged stops by a variable.
func (b *Behind) Flagged(ctx context.Context) { // handler kafka offset redeliver cumulative
	for run := true; run; {
		switch e := b.client.Poll(100).(type) {
		case *kafka.Message:
			if err := b.store.put(ctx, e.Value); err != nil {
				log.Print(err)
				run = false
				continue
			}
			b.client.CommitOffsets([]kafka.TopicPartition{e.TopicPartition})
		}
	}
}

// Consumable handles what a generic handler has decoded.
type Consumable[T any] interface {
	Consume(m *sarama.ConsumerMessage, event T) error
}

// Generic is the handler of a group.
type Generic[T any] struct{ consumer Consumable[T] }

// Setup does nothing.
func (Generic[T]) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (Generic[T]) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim marks whatever has happened.
func (g Generic[T]) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error { // handler kafka offset skip cumulative
	for m := range claim.Messages() {
		var t T
		if err := json.Unmarshal(m.Value, &t); err != nil {
			log.Print(err)
		}
		if err := g.consumer.Consume(m, t); err != nil {
			log.Print(err)
		}
		session.MarkMessage(m, "")
	}
	return nil
}

// Moved is an event.
type Moved struct{ Place string }

// Mover handles it.
type Mover struct{ store *Store }

// Consume stores.
func (m *Mover) Consume(_ *sarama.ConsumerMessage, e Moved) error { // handler kafka offset skip cumulative
	return m.store.put(context.Background(), []byte(e.Place))
}

// Join joins the group.
func Join(ctx context.Context, g sarama.ConsumerGroup, s *Store) error {
	return g.Consume(ctx, []string{"moves"}, &Generic[Moved]{&Mover{s}})
}

// Envelope is a library's own message.
type Envelope struct{ Value []byte }

// Inbox hands out its messages one by one.
type Inbox struct {
	reader *segment.Reader
	out    chan *Envelope
}

// NewInbox makes the reader.
func NewInbox() *Inbox {
	return &Inbox{segment.NewReader(segment.ReaderConfig{Topic: "moves", GroupID: "keeper"}), make(chan *Envelope, 8)}
}

// Fill reads behind the scenes.
func (i *Inbox) Fill(ctx context.Context) { // handler kafka auto skip cumulative
	for {
		m, err := i.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		i.out <- envelop(m)
	}
}

func envelop(m segment.Message) *Envelope { return &Envelope{m.Value} }

// Next is the next message.
func (i *Inbox) Next(ctx context.Context) (*Envelope, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case e := <-i.out:
		return e, nil
	}
}

// Taker takes one message a call.
type Taker struct {
	inbox *Inbox
	store *Store
}

// Start calls it again and again.
func (t *Taker) Start(ctx context.Context) {
	go func() {
		for {
			if err := t.Take(ctx); err != nil {
				log.Print(err)
			}
		}
	}()
}

// Take handles one; its offset was committed when it was read.
func (t *Taker) Take(ctx context.Context) error { // handler kafka auto skip cumulative
	e, err := t.inbox.Next(ctx)
	if err != nil {
		return err
	}
	return t.store.put(ctx, e.Value)
}

// Listen passes messages on to what acks them.
func (s *Store) Listen(msgs <-chan *message.Message) { // handler watermill explicit drop
	for m := range msgs {
		if err := s.take(m); err != nil {
			log.Print(err)
		}
	}
}

// take acks on all ways.
func (s *Store) take(m *message.Message) error { // handler watermill explicit drop
	defer func() { m.Ack() }()
	return s.put(m.Context(), m.Payload)
}

// Anyway acks what has failed, too.
func (s *Store) Anyway(ctx context.Context, msgs <-chan amqp.Delivery) { // handler amqp explicit drop
	for d := range msgs {
		if err := s.put(ctx, d.Body); err != nil {
			log.Print(err)
		}
		d.Ack(false)
	}
}

// Chosen asks which function handles a delivery.
func (s *Store) Chosen(ctx context.Context, msgs <-chan amqp.Delivery) { // handler amqp explicit redeliver
	for d := range msgs {
		if f := s.find(d.Type); f != nil && f(ctx, d.Body) != nil {
			d.Nack(false, true)
			continue
		}
		d.Ack(false)
	}
}

func (s *Store) find(kind string) func(context.Context, []byte) error {
	switch kind {
	case "packed":
		return s.packed
	case "sent":
		return s.sent
	}
	return nil
}

func (s *Store) packed(ctx context.Context, body []byte) error { // handler amqp explicit redeliver
	return s.put(ctx, body)
}

func (s *Store) sent(ctx context.Context, body []byte) error { // handler amqp explicit redeliver
	return s.put(ctx, body)
}

// PaymentWebhook checks no signature, but its name tells what it is.
func (s *Store) PaymentWebhook(w http.ResponseWriter, r *http.Request) { // handler http response redeliver
	body, err := io.ReadAll(r.Body)
	if err != nil || s.handlePaid(r.Context(), body) != nil {
		http.Error(w, "later", http.StatusInternalServerError)
	}
}

func (s *Store) handlePaid(ctx context.Context, body []byte) error { // handler http response redeliver
	return s.put(ctx, body)
}

// CreateWebhook manages them.
func (s *Store) CreateWebhook(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || s.put(r.Context(), body) != nil {
		http.Error(w, "later", http.StatusInternalServerError)
	}
}

// HandleUpdateWebhook does so by its second word.
func (s *Store) HandleUpdateWebhook(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || s.put(r.Context(), body) != nil {
		http.Error(w, "later", http.StatusInternalServerError)
	}
}

// Signed checks who asks, and lets what is asked for go on.
func (s *Store) Signed(next http.Handler, secret []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		if err != nil || !hmac.Equal(mac.Sum(nil), []byte(r.Header.Get("X-Signature"))) {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if s.put(r.Context(), body) != nil {
			http.Error(w, "later", http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r)
	})
}

type push struct {
	Message struct {
		Data []byte `json:"data"`
	} `json:"message"`
	Subscription string `json:"subscription"`
}

// Pushed is what a subscription pushes to.
func (s *Store) Pushed(w http.ResponseWriter, r *http.Request) { // handler pubsub response redeliver
	var p push
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	if s.put(r.Context(), p.Message.Data) != nil {
		http.Error(w, "later", http.StatusInternalServerError)
	}
}
