package dispatcher

import (
	"context"
	"database/sql"
	"sync/atomic"
)

// ShelfEvent stays in this process.
type ShelfEvent interface {
	Event
	Shelf() string
}

type ShelfFilled struct{ ID string }

func (ShelfFilled) EventName() string { return "shelf.filled" }
func (e ShelfFilled) Shelf() string   { return e.ID }

type ShelfEmptied struct{ ID string }

func (ShelfEmptied) EventName() string { return "shelf.emptied" }
func (e ShelfEmptied) Shelf() string   { return e.ID }

type shelfTx struct{}

// Shelves has a dispatcher with a counter and a table behind it, and no broker.
type Shelves struct {
	db     *sql.DB
	events *Dispatcher[ShelfEvent]
	full   atomic.Int64
}

func NewShelves(db *sql.DB) *Shelves {
	s := &Shelves{db: db, events: New[ShelfEvent]()}
	s.events.Subscribe("shelf.filled", HandlerFunc[ShelfEvent](func(context.Context, ShelfEvent) error {
		s.full.Add(1)
		return nil
	}))
	s.events.Subscribe("shelf.emptied", HandlerFunc[ShelfEvent](s.note))
	return s
}

// note writes through the transaction that the publisher has put in the context.
func (s *Shelves) note(ctx context.Context, e ShelfEvent) error {
	tx, ok := ctx.Value(shelfTx{}).(*sql.Tx)
	if !ok {
		return nil
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO shelf_log (shelf, what) VALUES ($1, $2)", e.Shelf(), e.EventName())
	return err
}

func (s *Shelves) Fill(ctx context.Context, id string) error {
	if _, err := s.db.ExecContext(ctx, "UPDATE shelves SET full = true WHERE id = $1", id); err != nil {
		return err
	}
	return s.events.Publish(ctx, ShelfFilled{id})
}

// Empty has its handlers join the transaction.
func (s *Shelves) Empty(ctx context.Context, id string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE shelves SET full = false WHERE id = $1", id); err != nil {
		return err
	}
	if err := s.events.Publish(context.WithValue(ctx, shelfTx{}, tx), ShelfEmptied{id}); err != nil {
		return err
	}
	return tx.Commit()
}
