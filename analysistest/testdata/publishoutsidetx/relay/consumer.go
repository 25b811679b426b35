package relay

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// Parcels reads, publishes and updates in a loop, and is no poller: what it reads
// is the row that the message names.
type Parcels struct {
	pool *pgxpool.Pool
	in   *kafka.Reader
	out  *kafka.Writer
}

func (p *Parcels) state(ctx context.Context, id string) (state string, err error) {
	err = p.pool.QueryRow(ctx, "SELECT state FROM parcels WHERE id = $1", id).Scan(&state)
	return state, err
}

// List is for people.
func (p *Parcels) List(ctx context.Context, owner string) ([]string, error) {
	rows, err := p.pool.Query(ctx, "SELECT id FROM parcels WHERE owner = $1", owner)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (p *Parcels) lose(ctx context.Context, id string) error {
	was, err := p.state(ctx, id)
	if err != nil {
		return err
	}
	if _, err := p.pool.Exec(ctx, "UPDATE parcels SET state = 'lost' WHERE id = $1", id); err != nil {
		return err
	}
	if was == "lost" {
		return nil
	}
	return p.out.WriteMessages(ctx, kafka.Message{Topic: "parcel-lost", Key: []byte(id)}) // want dual-write "follows"
}

// Run is the consumer.
func (p *Parcels) Run(ctx context.Context) error {
	for {
		m, err := p.in.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := p.lose(ctx, string(m.Value)); err != nil {
			slog.ErrorContext(ctx, "parcel", "err", err)
		}
	}
}

// Post has nobody who would find the row again.
func (p *Parcels) Post(ctx context.Context, id string) error {
	if _, err := p.pool.Exec(ctx, "INSERT INTO parcels (id, state) VALUES ($1, 'posted')", id); err != nil {
		return err
	}
	return p.out.WriteMessages(ctx, kafka.Message{Topic: "parcel-posted", Key: []byte(id)}) // want dual-write "follows"
}

// Letters has a poller of many rows.
type Letters struct {
	pool *pgxpool.Pool
	out  *kafka.Writer
}

func (l *Letters) tell(ctx context.Context, id string) error {
	return l.out.WriteMessages(ctx, kafka.Message{Topic: "letter-posted", Key: []byte(id)})
}

// Post tells at once, for speed.
func (l *Letters) Post(ctx context.Context, id string) error {
	if _, err := l.pool.Exec(ctx, "INSERT INTO letters (id, told) VALUES ($1, false)", id); err != nil {
		return err
	}
	return l.tell(ctx, id)
}

func (l *Letters) untold(ctx context.Context) ([]string, error) {
	rows, err := l.pool.Query(ctx, "SELECT id FROM letters WHERE NOT told")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (l *Letters) told(ctx context.Context, id string) error {
	_, err := l.pool.Exec(ctx, "UPDATE letters SET told = true WHERE id = $1", id)
	return err
}

// Run is the poller.
func (l *Letters) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		ids, err := l.untold(ctx)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := l.tell(ctx, id); err != nil {
				return err
			}
			if err := l.told(ctx, id); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// Tickets claims a row in one statement, whatever the table is called.
type Tickets struct {
	pool *pgxpool.Pool
	out  *kafka.Writer
}

func (t *Tickets) Run(ctx context.Context) error {
	for {
		var id string
		err := t.pool.QueryRow(ctx, `UPDATE tickets SET status = 'taken', taken_at = now() WHERE id = (
			SELECT id FROM tickets WHERE status = 'new' OR status = 'taken' AND taken_at < now() - interval '1 hour'
			ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id`).Scan(&id)
		if err != nil {
			return err
		}
		if err := t.out.WriteMessages(ctx, kafka.Message{Topic: "ticket-opened", Key: []byte(id)}); err != nil {
			return err
		}
		if _, err := t.pool.Exec(ctx, "UPDATE tickets SET status = $2, updated_at = now() WHERE id = $1", id, "opened"); err != nil {
			return err
		}
	}
}

// Open tells at once, for speed.
func (t *Tickets) Open(ctx context.Context, id string) error {
	if _, err := t.pool.Exec(ctx, "INSERT INTO tickets (id, status) VALUES ($1, 'new')", id); err != nil {
		return err
	}
	return t.out.WriteMessages(ctx, kafka.Message{Topic: "ticket-opened", Key: []byte(id)})
}
