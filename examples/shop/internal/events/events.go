// Package events has what the shop tells, and the port through which it is told.
package events

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
)

// Event is one fact about one entity.
type Event struct {
	// ID is the same on every delivery of the event.
	ID   string `json:"id"`
	Type string `json:"type"`
	// Key is the entity's ID, and the partition key.
	Key string `json:"key"`
	// Version counts the changes of the entity.
	Version int64           `json:"version"`
	Data    json.RawMessage `json:"data"`
}

// New makes an event with a fresh ID.
func New(typ, key string, version int64, data any) (Event, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return Event{}, fmt.Errorf("encode %s: %w", typ, err)
	}
	return Event{ID: uuid.NewString(), Type: typ, Key: key, Version: version, Data: raw}, nil
}

// Publisher hands an event to a broker.
type Publisher interface {
	Publish(ctx context.Context, e Event) error
}
