package kinds

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/hibiken/asynq"
)

// Ride has a version, which each change moves on.
type Ride struct {
	ID       string
	State    State
	Revision int
}

// Rides store only what nobody has changed since it was loaded.
type Rides struct{ db *sql.DB }

var errChanged = errors.New("the ride has changed")

// Find loads one.
func (r *Rides) Find(ctx context.Context, id string) (*Ride, error) {
	var ride Ride
	err := r.db.QueryRowContext(ctx, "SELECT id, state, revision FROM rides WHERE id = $1", id).Scan(&ride.ID, &ride.State, &ride.Revision)
	return &ride, err
}

// Save stores it, or fails: then the message comes again.
func (r *Rides) Save(ctx context.Context, ride *Ride) error {
	res, err := r.db.ExecContext(ctx, "UPDATE rides SET state = $1, revision = revision + 1 WHERE id = $2 AND revision = $3", ride.State, ride.ID, ride.Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errChanged
	}
	return nil
}

func (r *Rides) wrongStarted(ctx context.Context, t *asynq.Task) error {
	var e Ended
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	ride, err := r.Find(ctx, e.ID)
	if err != nil {
		return err
	}
	ride.State = Started // want unguarded
	return r.Save(ctx, ride)
}

func (r *Rides) wrongArrived(ctx context.Context, t *asynq.Task) error {
	var e Ended
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	ride, err := r.Find(ctx, e.ID)
	if err != nil {
		return err
	}
	ride.State = Arrived // want unguarded
	return r.Save(ctx, ride)
}

// WorkRides registers them.
func WorkRides(mux *asynq.ServeMux, r *Rides) {
	mux.HandleFunc("ride.started", r.wrongStarted)
	mux.HandleFunc("ride.arrived", r.wrongArrived)
}
