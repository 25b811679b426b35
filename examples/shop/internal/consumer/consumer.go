// Package consumer reads a Kafka topic.
package consumer

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/segmentio/kafka-go"

	"example.org/shop/internal/events"
)

// Handler applies one event. An error ends the consumer, and the event is
// delivered again when it starts anew.
type Handler func(ctx context.Context, e events.Event) error

// Run commits an offset when the handler has succeeded.
func Run(ctx context.Context, r *kafka.Reader, handlers map[string]Handler) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e events.Event
		if err := json.Unmarshal(m.Value, &e); err != nil {
			slog.ErrorContext(ctx, "undecodable", "topic", m.Topic, "offset", m.Offset, "err", err)
		} else if handle, ok := handlers[e.Type]; ok {
			if err := handle(ctx, e); err != nil {
				return err
			}
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
