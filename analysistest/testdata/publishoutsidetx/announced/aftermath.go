package announced

import (
	"context"
	"crypto/rand"
	"log/slog"
)

func (d *Depot) add(ctx context.Context, p *Parcel) error {
	_, err := d.db.Exec(ctx, `INSERT INTO parcels (id, weight, address) VALUES ($1, $2, $3)`, p.ID, p.Weight, p.Address)
	return err
}

// Take announces a parcel that may never be stored.
func (d *Depot) Take(ctx context.Context, p *Parcel) error {
	if err := d.tell(ctx, map[string]string{"taken": p.ID}); err != nil { // want before-write
		return err
	}
	return d.add(ctx, p)
}

// Order does the same with a parcel that it makes.
func (d *Depot) Order(ctx context.Context, to string) error {
	id := rand.Text()
	if err := d.tell(ctx, map[string]string{"ordered": id}); err != nil { // want before-write
		return err
	}
	return d.add(ctx, &Parcel{ID: id, Address: to})
}

// Scan is what a reader on the belt has seen.
type Scan struct {
	Belt   string
	Code   string
	Weight int
}

// Seen passes on that a parcel went by, and makes a parcel of its own of it.
func (d *Depot) Seen(ctx context.Context, s Scan) error {
	if err := d.tell(ctx, map[string]string{"belt": s.Belt, "code": s.Code}); err != nil {
		return err
	}
	return d.add(ctx, &Parcel{ID: s.Code, Weight: s.Weight})
}

// Count publishes once for each code: what it inserts is why the next call stops.
func (d *Depot) Count(ctx context.Context, s Scan) error {
	var n int
	if err := d.db.QueryRow(ctx, `SELECT count(*) FROM counted WHERE code = $1`, s.Code).Scan(&n); err != nil || n > 0 {
		return err
	}
	if err := d.tell(ctx, s); err != nil {
		return err
	}
	_, err := d.db.Exec(ctx, `INSERT INTO counted (code) VALUES ($1) ON CONFLICT DO NOTHING`, s.Code)
	return err
}

func (d *Depot) move(ctx context.Context, p *Parcel, to string) error {
	_, err := d.db.Exec(ctx, `UPDATE parcels SET belt = $2 WHERE id = $1`, p.ID, to)
	return err
}

// Move says that it begins, and if it comes to nothing says that too.
func (d *Depot) Move(ctx context.Context, p *Parcel, to string) error {
	if err := d.tell(ctx, map[string]string{"move-started": p.ID}); err != nil {
		return err
	}
	if err := d.move(ctx, p, to); err != nil {
		if err := d.tell(ctx, map[string]string{"move-failed": p.ID}); err != nil {
			slog.ErrorContext(ctx, "tell", "err", err)
		}
		return err
	}
	return nil
}

// Shift says nothing of the failure.
func (d *Depot) Shift(ctx context.Context, p *Parcel, to string) error {
	if err := d.tell(ctx, map[string]string{"shifted": p.ID}); err != nil { // want before-write
		return err
	}
	if err := d.move(ctx, p, to); err != nil {
		slog.ErrorContext(ctx, "move", "err", err)
		return err
	}
	return nil
}

// Index keeps a copy for the search, as well as it can.
func (d *Depot) Index(ctx context.Context, p *Parcel) error {
	if err := d.tell(ctx, p); err != nil {
		return err
	}
	d.index(ctx, p)
	return nil
}

func (d *Depot) index(ctx context.Context, p *Parcel) {
	if err := d.orm.WithContext(ctx).Save(p).Error; err != nil {
		slog.ErrorContext(ctx, "index", "err", err)
	}
}

// PublishRow is one of the places that events go to.
func (d *Depot) PublishRow(ctx context.Context, p *Parcel) error {
	return d.orm.WithContext(ctx).Save(p).Error
}

// PublishBoth gives an event to the broker and to the table that people query.
func (d *Depot) PublishBoth(ctx context.Context, p *Parcel) error {
	if err := d.tell(ctx, p); err != nil {
		return err
	}
	return d.PublishRow(ctx, p)
}

// Guess goes on without a weight; the message answers no failed write.
func (d *Depot) Guess(ctx context.Context, p *Parcel, to string) error {
	if err := d.db.QueryRow(ctx, `SELECT weight FROM scales WHERE parcel = $1`, p.ID).Scan(&p.Weight); err != nil {
		slog.WarnContext(ctx, "no weight", "err", err)
	}
	if err := d.tell(ctx, map[string]string{"guessed": p.ID}); err != nil { // want before-write
		return err
	}
	return d.move(ctx, p, to)
}
