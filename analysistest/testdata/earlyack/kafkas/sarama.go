package kafkas

import (
	"context"
	"log/slog"
	"sync"

	"github.com/IBM/sarama"
)

type noHooks struct{}

func (noHooks) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (noHooks) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// MarkedLast marks what it has stored and ends the session with what it has not.
type MarkedLast struct {
	noHooks
	meters *Meters
}

func (c *MarkedLast) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
			return err
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// MarkedFirst marks first.
type MarkedFirst struct {
	noHooks
	meters *Meters
}

func (c *MarkedFirst) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		sess.MarkMessage(msg, "") // want before-effect "sess.MarkMessage runs before meters.keep"
		if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
			return err
		}
	}
	return nil
}

// MarkedAnyway marks what failed.
type MarkedAnyway struct {
	noHooks
	meters *Meters
}

func (c *MarkedAnyway) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.meters.keep(sess.Context(), msg.Value); err != nil { // want on-failure "and sess.MarkMessage .line [0-9]+. acks all the same"
			slog.Error("keep", "err", err)
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// MarkedOn doesn't mark what failed, but the next mark does.
type MarkedOn struct {
	noHooks
	meters *Meters
}

func (c *MarkedOn) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for {
		select {
		case msg, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			if err := c.meters.keep(sess.Context(), msg.Value); err != nil { // want on-failure "a later commit passes this one"
				slog.Error("keep", "err", err)
				continue
			}
			sess.MarkMessage(msg, "")
		case <-sess.Context().Done():
			return nil
		}
	}
}

// Spread handles each message in a goroutine of its own, which marks it: the mark
// of a later message passes those that are not done.
type Spread struct {
	noHooks
	meters *Meters
}

func (c *Spread) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		go func() {
			if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
				slog.Error("keep", "err", err)
				return
			}
			sess.MarkMessage(msg, "") // want out-of-order "it commits earlier ones too that are not done"
		}()
	}
	return nil
}

// SpreadMethod does the same with a method.
type SpreadMethod struct {
	noHooks
	meters *Meters
}

func (c *SpreadMethod) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	var wg sync.WaitGroup
	for msg := range claim.Messages() {
		wg.Add(1)
		go c.one(sess, msg, &wg) // want out-of-order "runs in a goroutine of its own for each message"
	}
	wg.Wait()
	return nil
}

func (c *SpreadMethod) one(sess sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage, wg *sync.WaitGroup) {
	defer wg.Done()
	if c.meters.keep(sess.Context(), msg.Value) == nil {
		sess.MarkMessage(msg, "")
	}
}

// Chunked waits for its goroutines and marks the last message when all are done.
type Chunked struct {
	noHooks
	meters *Meters
}

func (c *Chunked) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		parts := [][]byte{msg.Value[:1], msg.Value[1:]}
		errs := make([]error, len(parts))
		var wg sync.WaitGroup
		for i, part := range parts {
			wg.Add(1)
			go func() {
				defer wg.Done()
				errs[i] = c.meters.keep(sess.Context(), part)
			}()
		}
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// HandedOff marks what a goroutine may still be storing.
type HandedOff struct {
	noHooks
	meters *Meters
}

func (c *HandedOff) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		go func() {
			if err := c.meters.keep(context.Background(), msg.Value); err != nil {
				slog.Error("keep", "err", err)
			}
		}()
		sess.MarkMessage(msg, "") // want before-effect "may still handle the message: a crash loses it"
	}
	return nil
}

// Skipped marks what is not for it.
type Skipped struct {
	noHooks
	meters *Meters
}

func (c *Skipped) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if string(msg.Key) == "ping" {
			sess.MarkMessage(msg, "")
			continue
		}
		if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
			return err
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// Helper hides the failure in a function of its own.
type Helper struct {
	noHooks
	meters *Meters
}

func (c *Helper) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		c.handle(sess.Context(), msg)
		sess.MarkMessage(msg, "")
	}
	return nil
}

func (c *Helper) handle(ctx context.Context, msg *sarama.ConsumerMessage) {
	if err := c.meters.keep(ctx, msg.Value); err != nil { // want on-failure "and sess.MarkMessage .line [0-9]+. acks all the same"
		slog.Error("keep", "err", err)
	}
}
