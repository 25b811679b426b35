// Package shapes gets to its handlers on long ways.
package shapes

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io"
	"net/http"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Store keeps what was delivered.
type Store struct{ db *sql.DB }

func (s *Store) put(ctx context.Context, body []byte) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO boxes (body) VALUES ($1)`, body)
	return err
}

// Mux hands deliveries to functions by their key.
type Mux struct {
	table map[string]func(context.Context, []byte) error
}

// On adds a function.
func (m *Mux) On(key string, f func(context.Context, []byte) error) { m.table[key] = f }

// Run acks what its functions have handled.
func (m *Mux) Run(ctx context.Context, msgs <-chan amqp.Delivery) { // handler amqp explicit redeliver
	for d := range msgs {
		if f, ok := m.table[d.RoutingKey]; ok && f(ctx, d.Body) == nil {
			d.Ack(false)
			continue
		}
		d.Nack(false, true)
	}
}

// Wire fills the table.
func Wire(m *Mux, s *Store) {
	m.On("packed", s.packed)
	m.On("sent", retry(s.sent))
}

func (s *Store) packed(ctx context.Context, body []byte) error { // handler amqp explicit redeliver
	return s.put(ctx, body)
}

func (s *Store) sent(ctx context.Context, body []byte) error { // handler amqp explicit redeliver
	return s.put(ctx, body)
}

func retry(f func(context.Context, []byte) error) func(context.Context, []byte) error {
	return func(ctx context.Context, body []byte) error {
		for range 3 {
			if f(ctx, body) == nil {
				return nil
			}
		}
		return io.ErrUnexpectedEOF
	}
}

// Consumer is generic in its event.
type Consumer[T any] struct {
	msgs   <-chan amqp.Delivery
	decode func([]byte) (T, error)
	handle Handler[T]
}

// Handler handles an event.
type Handler[T any] interface {
	Handle(ctx context.Context, event T) error
}

// Moved is an event.
type Moved struct{ Box, Place string }

// Mover handles it.
type Mover struct{ store *Store }

// Handle is called with what the consumer has decoded.
func (m *Mover) Handle(ctx context.Context, e Moved) error { // handler amqp explicit redeliver
	return m.store.put(ctx, []byte(e.Place))
}

// Run acks what was handled.
func (c *Consumer[T]) Run(ctx context.Context) { // handler amqp explicit redeliver
	for d := range c.msgs {
		e, err := c.decode(d.Body)
		if err == nil && c.handle.Handle(ctx, e) == nil {
			d.Ack(false)
		}
	}
}

// Start runs a consumer.
func Start(ctx context.Context, msgs <-chan amqp.Delivery, decode func([]byte) (Moved, error), s *Store) {
	c := &Consumer[Moved]{msgs, decode, &Mover{s}}
	c.Run(ctx)
}

// Declared is said to be a handler.
//
//deliverylint:handler
func (s *Store) Declared(ctx context.Context, body []byte) error { // handler - return redeliver
	return s.put(ctx, body)
}

// Forward only passes deliveries on, and is no handler.
func Forward(msgs <-chan amqp.Delivery, out chan<- []byte) {
	for d := range msgs {
		out <- d.Body
	}
}

// Hook is a webhook's endpoint: a provider calls it until it gets a 200.
func (s *Store) Hook(w http.ResponseWriter, r *http.Request) { // handler http response redeliver
	body, err := io.ReadAll(r.Body)
	if err != nil || !genuine(body, r.Header.Get("X-Signature")) {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	if s.put(r.Context(), body) != nil {
		http.Error(w, "later", http.StatusInternalServerError)
	}
}

func genuine(body []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte("secret"))
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

// Second asks a function that takes the request, too.
func (s *Store) Second(w http.ResponseWriter, r *http.Request) { // handler http response redeliver
	if !validRequest(r) {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	s.put(r.Context(), []byte(r.FormValue("event")))
}

func validRequest(r *http.Request) bool {
	return hmac.Equal([]byte(r.Header.Get("X-Signature")), []byte(r.FormValue("token")))
}

// Login compares a code in constant time, and is no webhook's endpoint.
func (s *Store) Login(w http.ResponseWriter, r *http.Request) {
	if hmac.Equal([]byte(r.FormValue("code")), []byte("1234")) {
		s.put(r.Context(), nil)
	}
}
