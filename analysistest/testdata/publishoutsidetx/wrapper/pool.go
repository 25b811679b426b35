package wrapper

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// Pool hides the context: its methods have the driver's results and not its
// parameters.
type Pool interface {
	Query(sql string, args ...any) (pgx.Rows, error)
	QueryRow(sql string, args ...any) pgx.Row
}

type pool struct{ conn *pgxpool.Pool }

func (p *pool) Query(sql string, args ...any) (pgx.Rows, error) {
	return p.conn.Query(context.Background(), sql, args...)
}

func (p *pool) QueryRow(sql string, args ...any) pgx.Row {
	return p.conn.QueryRow(context.Background(), sql, args...)
}

// Durations are updated by statements that hand rows back.
type Durations struct {
	db  Pool
	out *kafka.Writer
}

func NewDurations(conn *pgxpool.Pool, out *kafka.Writer) *Durations {
	return &Durations{db: &pool{conn}, out: out}
}

func (d *Durations) update(id string, end int64) (dur int64, err error) {
	err = d.db.QueryRow("UPDATE visits SET duration = $2 - start_ts WHERE id = $1 RETURNING duration", id, end).Scan(&dur)
	return dur, err
}

func (d *Durations) updateAll(ids []string) ([]string, error) {
	rows, err := d.db.Query("UPDATE visits SET ended = true WHERE id = any($1) RETURNING id", ids)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

func (d *Durations) read(id string) (dur int64, err error) {
	err = d.db.QueryRow("SELECT duration FROM visits WHERE id = $1", id).Scan(&dur)
	return dur, err
}

func (d *Durations) End(ctx context.Context, id string, end int64) error {
	if _, err := d.update(id, end); err != nil {
		return err
	}
	return d.out.WriteMessages(ctx, kafka.Message{Topic: "visit-ended", Key: []byte(id)}) // want dual-write "follows d.update"
}

func (d *Durations) EndAll(ctx context.Context, ids []string) error {
	ended, err := d.updateAll(ids)
	if err != nil {
		return err
	}
	for _, id := range ended {
		if err := d.out.WriteMessages(ctx, kafka.Message{Topic: "visit-ended", Key: []byte(id)}); err != nil { // want dual-write "follows d.updateAll"
			return err
		}
	}
	return nil
}

func (d *Durations) Tell(ctx context.Context, id string) error {
	if _, err := d.read(id); err != nil {
		return err
	}
	return d.out.WriteMessages(ctx, kafka.Message{Topic: "visit-seen", Key: []byte(id)})
}
