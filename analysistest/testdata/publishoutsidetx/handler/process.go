package handler

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/jmoiron/sqlx"
)

type (
	FlightBooked struct{ Tour, Flight string }
	FlightFailed struct{ Tour string }
	BookTaxi     struct{ Tour string }
	CancelFlight struct{ Tour string }
)

// Tour is the state of a process; Tours keeps it.
type Tour struct {
	ID     string `db:"id"`
	Flight string `db:"flight"`
	Failed bool   `db:"failed"`
}

type Tours struct{ db *sqlx.DB }

func (t *Tours) Update(ctx context.Context, id string, fn func(tour *Tour) error) error {
	tx, err := t.db.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var tour Tour
	if err := tx.GetContext(ctx, &tour, "SELECT * FROM tours WHERE id = $1", id); err != nil {
		return err
	}
	if err := fn(&tour); err != nil {
		return err
	}
	if _, err := tx.NamedExecContext(ctx, "UPDATE tours SET flight = :flight, failed = :failed WHERE id = :id", tour); err != nil {
		return err
	}
	return tx.Commit()
}

// Process goes from event to command. Each of its handlers is delivered again until
// it returns nil, and sets what it has set before.
type Process struct {
	tours    *Tours
	commands *cqrs.CommandBus
}

func (p *Process) Register(ep *cqrs.EventProcessor) error {
	return ep.AddHandlers(
		cqrs.NewEventHandler("flight_booked", p.OnFlightBooked),
		cqrs.NewEventHandler("flight_failed", p.OnFlightFailed),
		cqrs.NewEventHandler("flight_unknown", p.OnFlightUnknown),
	)
}

func (p *Process) OnFlightBooked(ctx context.Context, e *FlightBooked) error {
	err := p.tours.Update(ctx, e.Tour, func(t *Tour) error {
		t.Flight = e.Flight
		return nil
	})
	if err != nil {
		return err
	}
	return p.commands.Send(ctx, BookTaxi{e.Tour})
}

// OnFlightFailed undoes first, and writes when all of that is on its way.
func (p *Process) OnFlightFailed(ctx context.Context, e *FlightFailed) error {
	for _, id := range []string{e.Tour, e.Tour + "/back"} {
		if err := p.commands.Send(ctx, CancelFlight{id}); err != nil {
			return err
		}
	}
	return p.tours.Update(ctx, e.Tour, func(t *Tour) error {
		t.Failed = true
		return nil
	})
}

var errUnknown = errors.New("unknown tour")

// OnFlightUnknown sends where the update has failed.
func (p *Process) OnFlightUnknown(ctx context.Context, e *FlightBooked) error {
	err := p.tours.Update(ctx, e.Tour, func(*Tour) error { return errUnknown })
	if errors.Is(err, errUnknown) {
		return p.commands.Send(ctx, CancelFlight{e.Tour})
	}
	return err
}
