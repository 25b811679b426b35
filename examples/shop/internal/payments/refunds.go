package payments

import (
	"context"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ConsumeReturns refunds what came back.
func (s *Service) ConsumeReturns(c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(msg jetstream.Msg) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := msg.Ack(); err != nil { // wrong: earlyack/before-effect
			return
		}
		if err := s.refund(ctx, string(msg.Data())); err != nil {
			slog.Error("refund", "payment", string(msg.Data()), "err", err)
		}
	})
}

// ConsumeComplaints refunds too, and acks when that is done.
func (s *Service) ConsumeComplaints(c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(msg jetstream.Msg) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.refund(ctx, string(msg.Data())); err != nil {
			slog.Error("refund", "payment", string(msg.Data()), "err", err)
			_ = msg.NakWithDelay(time.Minute)
			return
		}
		if err := msg.Ack(); err != nil { // right: what is acked has been stored
			slog.Error("ack", "err", err)
		}
	})
}

func (s *Service) refund(ctx context.Context, id string) error {
	_, err := s.pool.Exec(ctx, `UPDATE payments SET state = 'refunded' WHERE id = $1 AND state = 'captured'`, id)
	return err
}
