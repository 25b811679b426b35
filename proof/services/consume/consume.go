// Package consume is the loop of a consumer.
package consume

import (
	"context"
	"errors"
	"log"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Run hands each message to handle, acks those that it has handled and gives the
// others back.
func Run(ctx context.Context, consumer jetstream.Consumer, handle func(context.Context, []byte) error) error {
	for {
		msg, err := consumer.Next(jetstream.FetchContext(ctx))
		if errors.Is(err, nats.ErrTimeout) {
			continue
		}
		if err != nil {
			return err
		}
		if err := handle(ctx, msg.Data()); err != nil {
			log.Print(err)
			if err := msg.Nak(); err != nil {
				return err
			}
			continue
		}
		if err := msg.Ack(); err != nil {
			return err
		}
	}
}
