package outbox

import (
	"context"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// NATS publishes to JetStream, which confirms that a stream has stored a message.
// NATS without JetStream confirms nothing.
type NATS struct {
	js jetstream.JetStream
	// Subject is where a message goes; a stream has to listen there.
	Subject func(Message) string
}

// NewNATS publishes to subjects named as Debezium names topics:
// outbox.event.<AggregateType>.
func NewNATS(js jetstream.JetStream) *NATS {
	return &NATS{js: js, Subject: func(m Message) string { return "outbox.event." + m.AggregateType }}
}

// Publish returns after the stream has stored the message. A message that is
// published again within the stream's duplicate window is stored once.
func (p *NATS) Publish(ctx context.Context, m Message) error {
	msg := nats.NewMsg(p.Subject(m))
	msg.Data = m.Payload
	msg.Header.Set("aggregateid", m.AggregateID)
	msg.Header.Set("type", m.Type)
	_, err := p.js.PublishMsg(ctx, msg, jetstream.WithMsgID(m.ID))
	return err
}
