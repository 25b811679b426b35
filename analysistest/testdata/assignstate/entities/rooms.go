package entities

import (
	"context"
	"database/sql"
)

type Room struct {
	ID, State string
	Version   int64
}

// Rooms fills in a room that it makes with its key.
type Rooms struct{ db *sql.DB }

func (r *Rooms) Find(ctx context.Context, id string) (*Room, error) {
	room := &Room{ID: id}
	err := r.db.QueryRowContext(ctx, "SELECT state, version FROM rooms WHERE id = $1", id).Scan(&room.State, &room.Version)
	return room, err
}

func (r *Rooms) Store(ctx context.Context, room *Room) error {
	_, err := r.db.ExecContext(ctx, "UPDATE rooms SET state = $2, version = $3 WHERE id = $1", room.ID, room.State, room.Version)
	return err
}

func (r *Rooms) wrongMade(ctx context.Context, e BookingChanged) error {
	room, err := r.Find(ctx, e.ID)
	if err != nil {
		return err
	}
	room.State = e.Status // want unguarded "Room.State is set from e.Status"
	return r.Store(ctx, room)
}

func (r *Rooms) rightMade(ctx context.Context, e BookingChanged) error {
	room, err := r.Find(ctx, e.ID)
	if err != nil {
		return err
	}
	if room.Version >= e.Version {
		return nil
	}
	room.State, room.Version = e.Status, e.Version
	return r.Store(ctx, room)
}
