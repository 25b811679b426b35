// Package guards has what keeps a late message from overwriting newer state.
package guards

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/IBM/sarama"
)

const (
	Created   = "created"
	Paid      = "paid"
	Shipped   = "shipped"
	Cancelled = "cancelled"
)

var (
	errTransition = errors.New("no such transition")
	errFinal      = errors.New("order is final")
)

type Order struct {
	ID        string
	Status    string
	UpdatedAt time.Time
	Seq       int64
}

// next are the states that may follow one.
var next = map[string][]string{Created: {Paid, Cancelled}, Paid: {Shipped}}

func (o *Order) CanTransitionTo(status string) bool { return slices.Contains(next[o.Status], status) }

func (o *Order) IsFinal() bool { return o.Status == Shipped || o.Status == Cancelled }

// MarkPaid refuses what was not created just before.
func (o *Order) MarkPaid() error {
	if o.Status != Created {
		return errTransition
	}
	o.Status = Paid
	return nil
}

func (o *Order) Cancel() error {
	switch o.Status {
	case Shipped, Cancelled:
		return errFinal
	}
	o.Status = Cancelled
	return nil
}

func (o *Order) TransitionTo(status string) error {
	if !o.CanTransitionTo(status) {
		return errTransition
	}
	o.Status = status
	return nil
}

// Orders is where orders are kept.
type Orders interface {
	Get(ctx context.Context, id string) (*Order, error)
	Save(ctx context.Context, o *Order) error
}

type Postgres struct{ db *sql.DB }

func (p *Postgres) Get(ctx context.Context, id string) (*Order, error) {
	var o Order
	err := p.db.QueryRowContext(ctx, "SELECT id, status, updated_at, seq FROM orders WHERE id = $1", id).Scan(&o.ID, &o.Status, &o.UpdatedAt, &o.Seq)
	return &o, err
}

func (p *Postgres) Save(ctx context.Context, o *Order) error {
	_, err := p.db.ExecContext(ctx, "UPDATE orders SET status = $2, updated_at = $3, seq = $4 WHERE id = $1", o.ID, o.Status, o.UpdatedAt, o.Seq)
	return err
}

// SetStatus is what the other handlers call when they are sure.
func (p *Postgres) SetStatus(ctx context.Context, id, status string) error {
	_, err := p.db.ExecContext(ctx, "UPDATE orders SET status = $2 WHERE id = $1", id, status)
	return err
}

type Changed struct {
	ID, Status string
	Seq        int64
	At         time.Time
}

type Handlers struct {
	orders Orders
	pg     *Postgres
}

func NewHandlers(db *sql.DB) *Handlers {
	pg := &Postgres{db}
	return &Handlers{pg, pg}
}

func (h *Handlers) rightPaid(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if err := o.MarkPaid(); err != nil {
		return err
	}
	return h.orders.Save(ctx, o)
}

func (h *Handlers) rightCancelled(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if err := o.Cancel(); err != nil {
		return nil // too late for it
	}
	return h.orders.Save(ctx, o)
}

func (h *Handlers) rightTransition(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if err := o.TransitionTo(e.Status); err != nil {
		return err
	}
	return h.orders.Save(ctx, o)
}

func (h *Handlers) rightCan(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if !o.CanTransitionTo(e.Status) {
		return nil
	}
	o.Status = e.Status
	return h.orders.Save(ctx, o)
}

func (h *Handlers) rightFinal(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if o.IsFinal() {
		return nil
	}
	return h.pg.SetStatus(ctx, e.ID, e.Status)
}

func (h *Handlers) rightState(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if o.Status != Created && o.Status != Paid {
		return nil
	}
	return h.pg.SetStatus(ctx, e.ID, e.Status)
}

func (h *Handlers) rightSeq(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if e.Seq <= o.Seq {
		return nil
	}
	o.Status, o.Seq = e.Status, e.Seq
	return h.orders.Save(ctx, o)
}

func (h *Handlers) rightTime(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if o.UpdatedAt.After(e.At) {
		return nil
	}
	o.Status, o.UpdatedAt = e.Status, e.At
	return h.orders.Save(ctx, o)
}

// stale tells by the sequence that a message comes late.
func stale(o *Order, e Changed) bool { return e.Seq <= o.Seq }

func (h *Handlers) rightPredicate(ctx context.Context, e Changed) error {
	o, err := h.orders.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if stale(o, e) {
		return nil
	}
	o.Status, o.Seq = e.Status, e.Seq
	return h.orders.Save(ctx, o)
}

// rightFound: only rows in a state that may be left are found.
func (h *Handlers) rightFound(ctx context.Context, e Changed) error {
	tx, err := h.pg.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var id string
	err = tx.QueryRowContext(ctx, "SELECT id FROM orders WHERE id = $1 AND status = 'created' FOR UPDATE", e.ID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE orders SET status = $2 WHERE id = $1", id, e.Status); err != nil {
		return err
	}
	return tx.Commit()
}

// checkOpen fails for what is closed.
func (h *Handlers) checkOpen(ctx context.Context, id string) error {
	var status string
	if err := h.pg.db.QueryRowContext(ctx, "SELECT status FROM orders WHERE id = $1", id).Scan(&status); err != nil {
		return err
	}
	if status == Shipped {
		return errFinal
	}
	return nil
}

func (h *Handlers) rightChecked(ctx context.Context, e Changed) error {
	if err := h.checkOpen(ctx, e.ID); err != nil {
		return err
	}
	return h.pg.SetStatus(ctx, e.ID, e.Status)
}

type Claims struct {
	handle func(context.Context, Changed) error
}

func (c *Claims) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (c *Claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *Claims) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		var e Changed
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := c.handle(s.Context(), e); err != nil {
			return err
		}
		s.MarkMessage(m, "")
	}
	return nil
}

func Run(ctx context.Context, g sarama.ConsumerGroup, h *Handlers) error {
	for topic, handle := range map[string]func(context.Context, Changed) error{
		"paid": h.rightPaid, "cancelled": h.rightCancelled, "transition": h.rightTransition, "can": h.rightCan,
		"final": h.rightFinal, "state": h.rightState, "seq": h.rightSeq, "time": h.rightTime,
		"predicate": h.rightPredicate, "found": h.rightFound, "checked": h.rightChecked,
	} {
		if err := g.Consume(ctx, []string{topic}, &Claims{handle}); err != nil {
			return err
		}
	}
	return nil
}
