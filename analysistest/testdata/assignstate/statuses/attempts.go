package statuses

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"gorm.io/gorm"
)

// Attempts are steps of a checkout, each in a row of its own.
type Attempts struct {
	db  *sql.DB
	orm *gorm.DB
}

type Attempt struct {
	ID, Checkout, Step string
	Status             string
}

// row is one row, or one of many.
type row interface{ Scan(dest ...any) error }

func scanAttempt(r row) (a Attempt, err error) {
	err = r.Scan(&a.ID, &a.Checkout, &a.Step, &a.Status)
	return a, err
}

func (a *Attempts) find(ctx context.Context, id string) (Attempt, error) {
	return scanAttempt(a.db.QueryRowContext(ctx, "SELECT id, checkout, step, status FROM payment_steps WHERE id = $1", id))
}

func (a *Attempts) store(ctx context.Context, x Attempt) error {
	_, err := a.db.ExecContext(ctx, "UPDATE payment_steps SET status = $2 WHERE id = $1", x.ID, x.Status)
	return err
}

// Answered is a message.
type Answered struct{ ID, Checkout, Answer string }

func (a *Attempts) wrongScanned(ctx context.Context, t *asynq.Task) error {
	var e Answered
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	x, err := a.find(ctx, e.ID)
	if err != nil {
		return err
	}
	x.Status = e.Answer // want unguarded "Attempt.Status is set from e.Answer"
	return a.store(ctx, x)
}

// rightScanned asks for the status that was read behind an interface.
func (a *Attempts) rightScanned(ctx context.Context, t *asynq.Task) error {
	var e Answered
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	x, err := a.find(ctx, e.ID)
	if err != nil {
		return err
	}
	switch x.Status {
	case "sent":
		x.Status = e.Answer
	case "answered":
		return nil
	default:
		return errors.New("not sent")
	}
	return a.store(ctx, x)
}

func (a *Attempts) set(ctx context.Context, id, status string) error {
	_, err := a.db.ExecContext(ctx, "UPDATE payment_steps SET status = $2 WHERE id = $1", id, status)
	return err
}

// rightMade: nobody else knows the row.
func (a *Attempts) rightMade(ctx context.Context, t *asynq.Task) error {
	x := Attempt{ID: uuid.NewString(), Checkout: string(t.Payload()), Status: "sent"}
	if _, err := a.db.ExecContext(ctx, "INSERT INTO payment_steps (id, checkout, status) VALUES ($1, $2, $3)", x.ID, x.Checkout, x.Status); err != nil {
		return err
	}
	return a.set(ctx, x.ID, "answered")
}

type madeAttempt struct{ ID int64 }

// rightReturned and the next two know the row's key from the insert alone.
func (a *Attempts) rightReturned(ctx context.Context, t *asynq.Task) error {
	var x madeAttempt
	if err := a.db.QueryRowContext(ctx, "INSERT INTO payment_steps (checkout, status) VALUES ($1, 'sent') RETURNING id", string(t.Payload())).Scan(&x.ID); err != nil {
		return err
	}
	_, err := a.db.ExecContext(ctx, "UPDATE payment_steps SET status = 'answered' WHERE id = $1", x.ID)
	return err
}

func (a *Attempts) rightLastInserted(ctx context.Context, t *asynq.Task) error {
	res, err := a.db.ExecContext(ctx, "INSERT INTO payment_steps (checkout, status) VALUES (?, 'sent')", string(t.Payload()))
	if err != nil {
		return err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return err
	}
	_, err = a.db.ExecContext(ctx, "UPDATE payment_steps SET status = 'answered' WHERE id = ?", id)
	return err
}

// wrongReturned may get the key of a row that was there.
func (a *Attempts) wrongReturned(ctx context.Context, t *asynq.Task) error {
	var x madeAttempt
	if err := a.db.QueryRowContext(ctx, "INSERT INTO payment_steps (checkout, status) VALUES ($1, 'sent') ON CONFLICT (checkout) DO UPDATE SET tries = payment_steps.tries + 1 RETURNING id", string(t.Payload())).Scan(&x.ID); err != nil {
		return err
	}
	_, err := a.db.ExecContext(ctx, "UPDATE payment_steps SET status = 'answered' WHERE id = $1", x.ID) // want unguarded "payment_steps.status to answered"
	return err
}

// wrongPaid and wrongCancelled contradict each other, though an order that was paid may be
// delivered later.
func (a *Attempts) wrongPaid(ctx context.Context, t *asynq.Task) error {
	return a.orm.WithContext(ctx).Table("checkouts").Where("id = ?", string(t.Payload())).Update("status", "paid").Error // want unguarded "checkouts.status to paid"
}

func (a *Attempts) wrongCancelled(ctx context.Context, t *asynq.Task) error {
	_, err := a.db.ExecContext(ctx, "UPDATE checkouts SET status = 'cancelled' WHERE id = $1", string(t.Payload())) // want unguarded "checkouts.status to cancelled"
	return err
}

func (a *Attempts) wrongDeclined(ctx context.Context, t *asynq.Task) error {
	_, err := a.db.ExecContext(ctx, "UPDATE checkouts SET status = 'paid' WHERE id = $1", string(t.Payload())) // want unguarded "checkouts.status to paid"
	return err
}

// wrongDelivered: a parcel is an entity.
func (a *Attempts) wrongDelivered(ctx context.Context, t *asynq.Task) error {
	var e Answered
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	_, err := a.db.ExecContext(ctx, "UPDATE deliveries SET status = $2 WHERE id = $1", e.ID, e.Answer) // want unguarded "deliveries.status"
	return err
}

// rightSent: the row says how its own sending went.
func (a *Attempts) rightSent(ctx context.Context, t *asynq.Task) error {
	var e Answered
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	if _, err := a.db.ExecContext(ctx, "UPDATE notifications SET status = $2 WHERE id = $1", e.ID, e.Answer); err != nil {
		return err
	}
	_, err := a.db.ExecContext(ctx, "UPDATE message_deliveries SET status = $2 WHERE id = $1", e.ID, e.Answer)
	return err
}

func AttemptMux(a *Attempts) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("scanned", a.wrongScanned)
	m.HandleFunc("asked", a.rightScanned)
	m.HandleFunc("made", a.rightMade)
	m.HandleFunc("returned", a.rightReturned)
	m.HandleFunc("inserted", a.rightLastInserted)
	m.HandleFunc("returned again", a.wrongReturned)
	m.HandleFunc("paid", a.wrongPaid)
	m.HandleFunc("cancelled", a.wrongCancelled)
	m.HandleFunc("declined", a.wrongDeclined)
	m.HandleFunc("delivered", a.wrongDelivered)
	m.HandleFunc("sent", a.rightSent)
	return m
}
