// Package dispatcher hands domain events to handlers in this process. Some of them
// go on to the broker, and then the dispatcher's Publish is one.
package dispatcher

import "context"

type Event interface{ EventName() string }

type Handler[E Event] interface {
	Handle(ctx context.Context, e E) error
}

// HandlerFunc makes a handler of a function.
type HandlerFunc[E Event] func(ctx context.Context, e E) error

func (f HandlerFunc[E]) Handle(ctx context.Context, e E) error { return f(ctx, e) }

type Dispatcher[E Event] struct{ handlers map[string][]Handler[E] }

func New[E Event]() *Dispatcher[E] { return &Dispatcher[E]{handlers: map[string][]Handler[E]{}} }

func (d *Dispatcher[E]) Subscribe(name string, h Handler[E]) {
	d.handlers[name] = append(d.handlers[name], h)
}

// Publish calls the handlers one after the other.
func (d *Dispatcher[E]) Publish(ctx context.Context, events ...E) error {
	for _, e := range events {
		for _, h := range d.handlers[e.EventName()] {
			if err := h.Handle(ctx, e); err != nil {
				return err
			}
		}
	}
	return nil
}
