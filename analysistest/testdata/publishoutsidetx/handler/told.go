package handler

import (
	"context"
	"errors"
	"log/slog"
	"strings"
)

// Shelf keeps meals; some shelves are in memory.
type Shelf interface {
	Put(ctx context.Context, id string) error
	Has(ctx context.Context, id string) (bool, error)
}

type stored struct{ k *Kitchen }

func (s stored) Put(ctx context.Context, id string) error { return s.k.ready(ctx, id) }

func (s stored) Has(ctx context.Context, id string) (bool, error) {
	var n int64
	err := s.k.db.WithContext(ctx).Model(&Meal{}).Where("id = ?", id).Count(&n).Error
	return n > 0, err
}

type remembered map[string]bool

func (r remembered) Put(_ context.Context, id string) error {
	r[id] = true
	return nil
}

func (r remembered) Has(_ context.Context, id string) (bool, error) { return r[id], nil }

// Shelves returns one of the two.
func Shelves(k *Kitchen, memory bool) Shelf {
	if memory {
		return remembered{}
	}
	return stored{k}
}

// Waiter takes meals off a queue.
type Waiter struct {
	*Kitchen
	shelf Shelf
}

// carry shrugs one failure off, and returns the other.
func (w *Waiter) carry(ctx context.Context, id string) error {
	if err := w.ready(ctx, id); err != nil {
		return err
	}
	if err := w.ring(ctx, "bell"); err != nil { // want dual-write "follows"
		slog.Error("ring", "err", err)
	}
	err := w.ring(ctx, id)
	if err != nil {
		return err
	}
	return nil
}

// tries gives up in silence.
func (w *Waiter) tries(ctx context.Context, id string) error {
	if err := w.ready(ctx, id); err != nil {
		return err
	}
	for range 3 {
		if err := w.ring(ctx, id); err == nil { // want dual-write "follows"
			break
		}
	}
	return nil
}

// shelve always puts before it looks: nothing that it reads makes it return early.
func (w *Waiter) shelve(ctx context.Context, id string) error {
	if err := w.shelf.Put(ctx, id); err != nil {
		return err
	}
	other, err := w.shelf.Has(ctx, "other")
	if err != nil {
		return err
	}
	if other {
		return w.ring(ctx, id)
	}
	return nil
}

// shelveOnce returns early on what the first delivery has put.
func (w *Waiter) shelveOnce(ctx context.Context, id string) error {
	there, err := w.shelf.Has(ctx, id)
	if err != nil || there {
		return err
	}
	if err := w.shelf.Put(ctx, id); err != nil {
		return err
	}
	return w.ring(ctx, id) // want dual-write "follows"
}

var errThere = errors.New("there")

func (w *Waiter) putNew(ctx context.Context, id string) error {
	there, err := w.shelf.Has(ctx, id)
	if err != nil {
		return err
	}
	if there {
		return errThere
	}
	return w.shelf.Put(ctx, id)
}

// shelveNew leaves it to the store to say that the first delivery has put it.
func (w *Waiter) shelveNew(ctx context.Context, id string) error {
	if err := w.putNew(ctx, id); err != nil {
		if strings.Contains(err.Error(), errThere.Error()) {
			return nil
		}
		return err
	}
	return w.ring(ctx, id) // want dual-write "follows"
}

func (w *Waiter) each(ctx context.Context, id string) error {
	if err := w.carry(ctx, id); err != nil {
		return err
	}
	if err := w.tries(ctx, id); err != nil {
		return err
	}
	if err := w.shelve(ctx, id); err != nil {
		return err
	}
	return w.shelveOnce(ctx, id)
}

// WaitNew requeues what failed.
func (w *Waiter) WaitNew(ctx context.Context, queue string) error {
	deliveries, err := w.ch.ConsumeWithContext(ctx, queue, "new", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := w.shelveNew(ctx, string(d.Body)); err != nil {
			slog.Error("wait", "err", err)
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

// Wait requeues what failed.
func (w *Waiter) Wait(ctx context.Context, queue string) error {
	deliveries, err := w.ch.ConsumeWithContext(ctx, queue, "wait", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := w.each(ctx, string(d.Body)); err != nil {
			slog.Error("wait", "err", err)
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
