package events

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// NATS publishes to a stream, a subject for each type.
type NATS struct{ js jetstream.JetStream }

// NewNATS uses a stream that exists.
func NewNATS(js jetstream.JetStream) *NATS { return &NATS{js: js} }

// Publish returns when the stream has stored the event.
func (n *NATS) Publish(ctx context.Context, e Event) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := n.js.Publish(ctx, e.Type, raw, jetstream.WithMsgID(e.ID)); err != nil {
		return fmt.Errorf("publish %s: %w", e.Type, err)
	}
	return nil
}
