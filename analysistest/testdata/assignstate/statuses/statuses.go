// Package statuses has a handler for each kind of message, and each sets a status of its
// own.
package statuses

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/hibiken/asynq"
)

type Payment struct{ ID string }

type Payments struct{ db *sql.DB }

func (p *Payments) UpdateStatus(ctx context.Context, id, status string) error {
	_, err := p.db.ExecContext(ctx, "UPDATE payments SET status = $2, updated_at = now() WHERE id = $1", id, status)
	return err
}

// Complete completes what is pending.
func (p *Payments) Complete(ctx context.Context, id string) error {
	_, err := p.db.ExecContext(ctx, "UPDATE payments SET status = 'completed' WHERE id = $1 AND status = 'pending'", id)
	return err
}

func (p *Payments) Refund(ctx context.Context, id string) error {
	_, err := p.db.ExecContext(ctx, "UPDATE payments SET status = $2 WHERE id = $1 AND status IN ('completed', 'disputed')", id, "refunded")
	return err
}

func (p *Payments) Reverse(ctx context.Context, id string) error {
	res, err := p.db.ExecContext(ctx, "UPDATE payments SET status = 'reversed' WHERE id = $1 AND status = ANY($2)", id, []string{"completed"})
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errors.New("nothing to reverse"))
	}
	return nil
}

type Worker struct{ payments *Payments }

func parse(t *asynq.Task) (p Payment, err error) {
	err = json.Unmarshal(t.Payload(), &p)
	return p, err
}

func (w *Worker) wrongCompleted(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	return w.payments.UpdateStatus(ctx, p.ID, "completed") // want unguarded "payments.status to completed"
}

func (w *Worker) wrongFailed(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	return w.payments.UpdateStatus(ctx, p.ID, "failed") // want unguarded "payments.status to failed"
}

func (w *Worker) wrongPending(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	return w.payments.UpdateStatus(ctx, p.ID, "pending") // want unguarded "payments.status to pending"
}

// wrongChosen: what comes in chooses between two.
func (w *Worker) wrongChosen(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	status := "completed"
	if t.Type() == "failed" {
		status = "failed"
	}
	return w.payments.UpdateStatus(ctx, p.ID, status) // want unguarded "payments.status"
}

func (w *Worker) rightComplete(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	return w.payments.Complete(ctx, p.ID)
}

func (w *Worker) rightRefund(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	return w.payments.Refund(ctx, p.ID)
}

func (w *Worker) rightReverse(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	return w.payments.Reverse(ctx, p.ID)
}

// rightOnly: no other code sets another status of invitations.
func (w *Worker) rightOnly(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.payments.db.ExecContext(ctx, "UPDATE invitations SET status = 'accepted' WHERE id = $1", p.ID)
	return err
}

// rightOnce: the first message sets it for good.
func (w *Worker) rightOnce(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.payments.db.ExecContext(ctx, "UPDATE payments SET outcome_status = $2 WHERE id = $1 AND outcome_status IS NULL", p.ID, t.Type())
	return err
}

// Opened and rightLast: what a last state replaces is no newer one.
func (w *Worker) rightLast(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.payments.db.ExecContext(ctx, "UPDATE mandates SET status = 'cancelled' WHERE id = $1", p.ID)
	return err
}

// Open is no handler of a message.
func (w *Worker) Open(ctx context.Context, id string) error {
	_, err := w.payments.db.ExecContext(ctx, "UPDATE mandates SET status = 'open' WHERE id = $1", id)
	return err
}

// rightJournal: a message adds a row and changes none.
func (w *Worker) rightJournal(ctx context.Context, t *asynq.Task) error {
	p, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.payments.db.ExecContext(ctx, "INSERT INTO payment_history (payment, status) VALUES ($1, $2)", p.ID, t.Type())
	return err
}

func Mux(w *Worker) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("completed", w.wrongCompleted)
	m.HandleFunc("failed", w.wrongFailed)
	m.HandleFunc("pending", w.wrongPending)
	m.HandleFunc("chosen", w.wrongChosen)
	m.HandleFunc("complete", w.rightComplete)
	m.HandleFunc("refund", w.rightRefund)
	m.HandleFunc("reverse", w.rightReverse)
	m.HandleFunc("only", w.rightOnly)
	m.HandleFunc("once", w.rightOnce)
	m.HandleFunc("last", w.rightLast)
	m.HandleFunc("journal", w.rightJournal)
	return m
}
