// Package events is what is told, and to whom.
package events

import (
	"context"
	"encoding/json"

	"github.com/nats-io/nats.go"
)

type Event struct {
	Type, Key string
	Data      []byte
}

func New(typ, key string, data any) (Event, error) {
	b, err := json.Marshal(data)
	return Event{Type: typ, Key: key, Data: b}, err
}

type Publisher interface {
	Publish(ctx context.Context, e Event) error
}

type Bus struct{ nc *nats.Conn }

func NewBus(nc *nats.Conn) *Bus { return &Bus{nc} }

func (b *Bus) Publish(_ context.Context, e Event) error { return b.nc.Publish(e.Type, e.Data) }
