package cloud

import (
	"context"
	"log/slog"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
)

// CompletedLast completes what is stored and abandons what is not.
func (s *Seats) CompletedLast(ctx context.Context, r *azservicebus.Receiver) error {
	msgs, err := r.ReceiveMessages(ctx, 10, nil)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := s.keep(ctx, m.Body); err != nil {
			if err := r.AbandonMessage(ctx, m, nil); err != nil {
				return err
			}
			continue
		}
		if err := r.CompleteMessage(ctx, m, nil); err != nil {
			return err
		}
	}
	return nil
}

// CompletedFirst completes before it stores.
func (s *Seats) CompletedFirst(ctx context.Context, r *azservicebus.Receiver) error {
	msgs, err := r.ReceiveMessages(ctx, 10, nil)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := r.CompleteMessage(ctx, m, nil); err != nil { // want before-effect "r.CompleteMessage runs before s.keep"
			return err
		}
		if err := s.keep(ctx, m.Body); err != nil {
			return err
		}
	}
	return nil
}

// CompletedAnyway completes what failed.
func (s *Seats) CompletedAnyway(ctx context.Context, r *azservicebus.Receiver) error {
	msgs, err := r.ReceiveMessages(ctx, 10, nil)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := s.keep(ctx, m.Body); err != nil { // want on-failure "and r.CompleteMessage"
			slog.Error("keep", "err", err)
		}
		if err := r.CompleteMessage(ctx, m, nil); err != nil {
			return err
		}
	}
	return nil
}

// PutAside dead-letters what failed.
func (s *Seats) PutAside(ctx context.Context, r *azservicebus.Receiver) error {
	msgs, err := r.ReceiveMessages(ctx, 10, nil)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := s.keep(ctx, m.Body); err != nil {
			if err := r.DeadLetterMessage(ctx, m, nil); err != nil {
				return err
			}
			continue
		}
		if err := r.CompleteMessage(ctx, m, nil); err != nil {
			return err
		}
	}
	return nil
}

// Destructive receives in the mode that deletes: what is received is gone.
func (s *Seats) Destructive(ctx context.Context, c *azservicebus.Client) error {
	r, err := c.NewReceiverForQueue("seats", &azservicebus.ReceiverOptions{ReceiveMode: azservicebus.ReceiveModeReceiveAndDelete})
	if err != nil {
		return err
	}
	for {
		msgs, err := r.ReceiveMessages(ctx, 10, nil) // want auto-ack "before s.keep"
		if err != nil {
			return err
		}
		for _, m := range msgs {
			if err := s.keep(ctx, m.Body); err != nil {
				return err
			}
		}
	}
}
