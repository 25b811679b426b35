package handler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
)

// transient is an error after which a delivery comes again.
type transient struct{ error }

func newTransient(err error) error { return &transient{err} }

// described is nil for nil.
func described(id string, err error) error {
	if err == nil {
		return nil
	}
	return newTransient(fmt.Errorf("meal %s: %w", id, err))
}

// unlessDone forgets some errors.
func unlessDone(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return newTransient(err)
}

// plate returns an error of its own for each failure: the delivery comes again.
func (k *Kitchen) plate(ctx context.Context, id string) error {
	if err := k.ready(ctx, id); err != nil {
		return newTransient(err)
	}
	if err := k.ring(ctx, id); err != nil {
		return newTransient(fmt.Errorf("ring: %w", err))
	}
	return nil
}

// garnish returns what was described.
func (k *Kitchen) garnish(ctx context.Context, id string) error {
	if err := k.ready(ctx, id); err != nil {
		return described(id, err)
	}
	if err := k.ring(ctx, id); err != nil {
		return described(id, err)
	}
	return nil
}

// salt goes on as if nothing had happened where the context is done.
func (k *Kitchen) salt(ctx context.Context, id string) error {
	if err := k.ready(ctx, id); err != nil {
		return newTransient(err)
	}
	if err := k.ring(ctx, id); err != nil { // want dual-write "follows"
		return unlessDone(err)
	}
	return nil
}

// ServeMade acks last and requeues what failed.
func (k *Kitchen) ServeMade(ctx context.Context, queue string) error {
	deliveries, err := k.ch.ConsumeWithContext(ctx, queue, "made", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := k.all(ctx, string(d.Body)); err != nil {
			slog.Error("serve", "err", err)
			if err := d.Nack(false, true); err != nil {
				return err
			}
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

func (k *Kitchen) all(ctx context.Context, id string) error {
	if err := k.plate(ctx, id); err != nil {
		return err
	}
	if err := k.garnish(ctx, id); err != nil {
		return err
	}
	return k.salt(ctx, id)
}
