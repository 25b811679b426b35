// Package upserts copies what another service tells of into a table of its own.
package upserts

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5/pgxpool"
)

type ProductUpdated struct {
	ID      string
	Name    string
	Cents   int64
	Status  string
	Version int64
}

type Products struct {
	db   *sql.DB
	pool *pgxpool.Pool
}

func (p *Products) Put(ctx context.Context, e ProductUpdated) error {
	_, err := p.db.ExecContext(ctx, `
		INSERT INTO products (id, name, cents) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, cents = EXCLUDED.cents`, e.ID, e.Name, e.Cents)
	return err
}

func (p *Products) PutStatus(ctx context.Context, id, status string) error {
	_, err := p.pool.Exec(ctx, "INSERT INTO product_states (id, status) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET status = $2", id, status)
	return err
}

func (p *Products) PutDuplicate(ctx context.Context, e ProductUpdated) error {
	_, err := p.db.ExecContext(ctx, "INSERT INTO listings (id, status) VALUES (?, ?) ON DUPLICATE KEY UPDATE status = VALUES(status)", e.ID, e.Status)
	return err
}

func (p *Products) Replace(ctx context.Context, e ProductUpdated) error {
	_, err := p.db.ExecContext(ctx, "REPLACE INTO listings (id, status) VALUES (?, ?)", e.ID, e.Status)
	return err
}

func (p *Products) PutNewer(ctx context.Context, e ProductUpdated) error {
	_, err := p.db.ExecContext(ctx, `
		INSERT INTO products (id, name, cents, version) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, cents = EXCLUDED.cents, version = EXCLUDED.version
		WHERE products.version < EXCLUDED.version`, e.ID, e.Name, e.Cents, e.Version)
	return err
}

func (p *Products) PutLater(ctx context.Context, e ProductUpdated, at int64) error {
	_, err := p.pool.Exec(ctx, `
		INSERT INTO product_states (id, status, occurred_at) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, occurred_at = EXCLUDED.occurred_at
		WHERE EXCLUDED.occurred_at > product_states.occurred_at`, e.ID, e.Status, at)
	return err
}

func (p *Products) PutOnce(ctx context.Context, e ProductUpdated) error {
	_, err := p.db.ExecContext(ctx, "INSERT INTO products (id, name, status) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING", e.ID, e.Name, e.Status)
	return err
}

func (p *Products) Count(ctx context.Context, e ProductUpdated) error {
	_, err := p.db.ExecContext(ctx, "INSERT INTO product_totals (id, n) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET n = product_totals.n + 1", e.ID)
	return err
}

type Handlers struct{ products *Products }

func parse(m *message.Message) (e ProductUpdated, err error) {
	err = json.Unmarshal(m.Payload, &e)
	return e, err
}

func (h *Handlers) updatedWrong(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	return h.products.Put(m.Context(), e) // want unguarded "products.name"
}

func (h *Handlers) statusWrong(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	return h.products.PutStatus(m.Context(), e.ID, e.Status) // want unguarded "product_states.status"
}

func (h *Handlers) duplicateWrong(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	return h.products.PutDuplicate(m.Context(), e) // want unguarded "listings.status"
}

func (h *Handlers) replaceWrong(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	return h.products.Replace(m.Context(), e) // want unguarded "listings.status"
}

func (h *Handlers) updatedRight(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	return h.products.PutNewer(m.Context(), e)
}

func (h *Handlers) laterRight(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	return h.products.PutLater(m.Context(), e, e.Version)
}

func (h *Handlers) onceRight(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	return h.products.PutOnce(m.Context(), e)
}

func (h *Handlers) countRight(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	return h.products.Count(m.Context(), e)
}

// createdRight: by its name it happens once, so that there is no newer message.
func (h *Handlers) createdRight(m *message.Message) error {
	e, err := parse(m)
	if err != nil {
		return err
	}
	_, err = h.products.db.ExecContext(m.Context(), "INSERT INTO makers (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name", e.ID, e.Name)
	return err
}

func Routes(r *message.Router, s message.Subscriber, h *Handlers) {
	r.AddConsumerHandler("updated", "updated", s, h.updatedWrong)
	r.AddConsumerHandler("status", "status", s, h.statusWrong)
	r.AddConsumerHandler("duplicate", "duplicate", s, h.duplicateWrong)
	r.AddConsumerHandler("replace", "replace", s, h.replaceWrong)
	r.AddConsumerHandler("newer", "newer", s, h.updatedRight)
	r.AddConsumerHandler("later", "later", s, h.laterRight)
	r.AddConsumerHandler("once", "once", s, h.onceRight)
	r.AddConsumerHandler("count", "count", s, h.countRight)
	r.AddConsumerHandler("created", "created", s, h.createdRight)
}
