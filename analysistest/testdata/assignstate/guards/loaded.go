package guards

import (
	"context"
	"encoding/json"

	"github.com/hibiken/asynq"
	"gorm.io/gorm"
)

// Claim is stored as a whole.
type Claim struct {
	ID     string `gorm:"primaryKey"`
	Status string
	Seq    int64
}

func (c *Claim) CanTransitionTo(status string) bool { return status == Paid && c.Status == Created }

// Approve refuses what was not created just before.
func (c *Claim) Approve() error {
	if c.Status != Created {
		return errTransition
	}
	c.Status = "approved"
	return nil
}

func (c *Claim) Reject() error {
	switch c.Status {
	case Paid, Cancelled:
		return errFinal
	}
	c.Status = "rejected"
	return nil
}

// Settle asks a method of its own first.
func (c *Claim) Settle(status string) error {
	if !c.CanTransitionTo(status) {
		return errTransition
	}
	c.Status = status
	return nil
}

// Reopen asks for nothing.
func (c *Claim) Reopen() {
	c.Status = "reopened" // want unguarded "Claim.Status is set to reopened"
}

// Advance keeps the newer one.
func (c *Claim) Advance(e Changed) bool {
	if e.Seq <= c.Seq {
		return false
	}
	c.Status, c.Seq = e.Status, e.Seq
	return true
}

// AdvanceHere changes nothing for a message that comes late.
func (c *Claim) AdvanceHere(e Changed) {
	if e.Seq <= c.Seq {
		return
	}
	c.Status, c.Seq = e.Status, e.Seq
}

type Worker struct{ db *gorm.DB }

// change runs a function between a read and a write.
func (w *Worker) change(ctx context.Context, t *asynq.Task, change func(*Claim, Changed) error) error {
	var e Changed
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	var c Claim
	if err := w.db.WithContext(ctx).First(&c, "id = ?", e.ID).Error; err != nil {
		return err
	}
	if err := change(&c, e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Save(&c).Error
}

func (w *Worker) rightApproved(ctx context.Context, t *asynq.Task) error {
	return w.change(ctx, t, func(c *Claim, _ Changed) error { return c.Approve() })
}

func (w *Worker) rightRejected(ctx context.Context, t *asynq.Task) error {
	return w.change(ctx, t, func(c *Claim, _ Changed) error { return c.Reject() })
}

func (w *Worker) rightSettled(ctx context.Context, t *asynq.Task) error {
	return w.change(ctx, t, func(c *Claim, e Changed) error { return c.Settle(e.Status) })
}

func (w *Worker) rightHere(ctx context.Context, t *asynq.Task) error {
	return w.change(ctx, t, func(c *Claim, e Changed) error {
		c.AdvanceHere(e)
		return nil
	})
}

func (w *Worker) rightClosure(ctx context.Context, t *asynq.Task) error {
	return w.change(ctx, t, func(c *Claim, e Changed) error {
		if e.Seq > c.Seq {
			c.Status, c.Seq = e.Status, e.Seq
		}
		return nil
	})
}

func (w *Worker) wrongReopened(ctx context.Context, t *asynq.Task) error {
	return w.change(ctx, t, func(c *Claim, _ Changed) error {
		c.Reopen()
		return nil
	})
}

func (w *Worker) rightAdvanced(ctx context.Context, t *asynq.Task) error {
	var e Changed
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	var c Claim
	if err := w.db.WithContext(ctx).First(&c, "id = ?", e.ID).Error; err != nil {
		return err
	}
	if !c.Advance(e) {
		return nil
	}
	return w.db.WithContext(ctx).Save(&c).Error
}

func (w *Worker) rightCan(ctx context.Context, t *asynq.Task) error {
	var e Changed
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	var c Claim
	if err := w.db.WithContext(ctx).First(&c, "id = ?", e.ID).Error; err != nil {
		return err
	}
	if !c.CanTransitionTo(e.Status) {
		return nil
	}
	c.Status = e.Status
	return w.db.WithContext(ctx).Save(&c).Error
}

func Mux(w *Worker) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("approved", w.rightApproved)
	m.HandleFunc("rejected", w.rightRejected)
	m.HandleFunc("settled", w.rightSettled)
	m.HandleFunc("here", w.rightHere)
	m.HandleFunc("closure", w.rightClosure)
	m.HandleFunc("reopened", w.wrongReopened)
	m.HandleFunc("advanced", w.rightAdvanced)
	m.HandleFunc("can", w.rightCan)
	return m
}
