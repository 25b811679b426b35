package telemetry

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Runners keeps books on who is alive and how much was used. None of it is what the
// messages tell of.
type Runners struct {
	db  *sql.DB
	out *kafka.Writer
}

func (r *Runners) tell(ctx context.Context, id string) error {
	return r.out.WriteMessages(ctx, kafka.Message{Topic: "runners", Key: []byte(id)})
}

func (r *Runners) Beat(ctx context.Context, id string) error {
	if _, err := r.db.ExecContext(ctx, "UPDATE runners SET last_heartbeat_at = now(), updated_at = now() WHERE id = $1", id); err != nil {
		return err
	}
	return r.tell(ctx, id)
}

// Wake changes state too.
func (r *Runners) Wake(ctx context.Context, id string) error {
	if _, err := r.db.ExecContext(ctx, "UPDATE runners SET last_heartbeat_at = now(), active = $2 WHERE id = $1", id, true); err != nil {
		return err
	}
	return r.tell(ctx, id) // want dual-write "follows"
}

func (r *Runners) Start(ctx context.Context, id string) error {
	if _, err := r.db.ExecContext(ctx, "UPDATE runner_resource_limits SET used = used + 1 WHERE id = $1", id); err != nil {
		return err
	}
	if _, err := r.db.ExecContext(ctx, "INSERT INTO v1_otel_spans (runner) VALUES ($1)", id); err != nil {
		return err
	}
	return r.tell(ctx, id)
}
