package relay

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Holds looks like a relay and is none: its rows are the state, not the event, and
// the state is changed before the event is out.
type Holds struct {
	db  *sql.DB
	out *kafka.Writer
}

func (h *Holds) expired(ctx context.Context) (ids []string, err error) {
	rows, err := h.db.QueryContext(ctx, "SELECT id FROM holds WHERE state = 'held' AND until < now()")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// Sweep frees a hold, which the next run then doesn't find.
func (h *Holds) Sweep(ctx context.Context) error {
	ids, err := h.expired(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := h.db.ExecContext(ctx, "UPDATE holds SET state = 'free' WHERE id = $1", id); err != nil {
			return err
		}
		if err := h.out.WriteMessages(ctx, kafka.Message{Topic: "hold-freed", Key: []byte(id)}); err != nil { // want dual-write "follows"
			return err
		}
	}
	return nil
}

// SweepFirst publishes first: the next run finds what it could not free.
func (h *Holds) SweepFirst(ctx context.Context) error {
	ids, err := h.expired(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := h.out.WriteMessages(ctx, kafka.Message{Topic: "hold-freed", Key: []byte(id)}); err != nil {
			return err
		}
		if _, err := h.db.ExecContext(ctx, "UPDATE holds SET state = 'free' WHERE id = $1", id); err != nil {
			return err
		}
	}
	return nil
}
