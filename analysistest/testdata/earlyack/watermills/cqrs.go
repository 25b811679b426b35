package watermills

import (
	"context"
	"log/slog"

	"github.com/ThreeDotsLabs/watermill/components/cqrs"
)

// Booked is an event.
type Booked struct{ Room string }

// Left is an event.
type Left struct{ Room string }

// Events registers with a processor, which acks what returns nil.
func (r *Rooms) Events(p *cqrs.EventProcessor) error {
	return p.AddHandlers(cqrs.NewEventHandler("booked", r.booked), cqrs.NewEventHandler("left", r.left))
}

func (r *Rooms) booked(ctx context.Context, e *Booked) error {
	return r.keep(ctx, []byte(e.Room))
}

func (r *Rooms) left(ctx context.Context, e *Left) error {
	if err := r.keep(ctx, []byte(e.Room)); err != nil { // want on-failure "the handler returns no error"
		slog.Error("keep", "err", err)
	}
	return nil
}
