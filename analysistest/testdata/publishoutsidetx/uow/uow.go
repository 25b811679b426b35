// Package uow has units of work: something with Begin and Commit of its own that
// hands out repositories.
package uow

import (
	"context"
	"database/sql"
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Unit struct {
	db   *sql.DB
	tx   *sql.Tx
	done bool
}

func NewUnit(db *sql.DB) *Unit { return &Unit{db: db} }

func (u *Unit) Begin(ctx context.Context) (err error) {
	u.tx, err = u.db.BeginTx(ctx, nil)
	return err
}

func (u *Unit) Commit() error {
	u.done = true
	return u.tx.Commit()
}

// Close rolls back what has not been committed.
func (u *Unit) Close() error {
	if u.done || u.tx == nil {
		return nil
	}
	return u.tx.Rollback()
}

func (u *Unit) Machines() *MachineRepo { return &MachineRepo{tx: u.tx} }
func (u *Unit) Outbox() *MachineOutbox { return &MachineOutbox{tx: u.tx} }

type Machine struct{ ID, State string }

type MachineRepo struct{ tx *sql.Tx }

func (r *MachineRepo) Update(ctx context.Context, m Machine) error {
	res, err := r.tx.ExecContext(ctx, "UPDATE machines SET state = ? WHERE id = ?", m.State, m.ID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil {
		return err
	} else if n == 0 {
		return errors.New("no such machine")
	}
	return nil
}

type MachineOutbox struct{ tx *sql.Tx }

func (o *MachineOutbox) Append(ctx context.Context, topic string, m Machine) error {
	_, err := o.tx.ExecContext(ctx, "INSERT INTO machine_outbox (topic, machine) VALUES (?, ?)", topic, m.ID)
	return err
}

type Plant struct {
	db *sql.DB
	ch *amqp.Channel
}

func (p *Plant) tell(ctx context.Context, topic string, m Machine) error {
	return p.ch.PublishWithContext(ctx, "machines", topic, true, false, amqp.Publishing{Body: []byte(m.ID)})
}

func (p *Plant) Start(ctx context.Context, m Machine) error {
	u := NewUnit(p.db)
	if err := u.Begin(ctx); err != nil {
		return err
	}
	defer u.Close()
	if err := u.Machines().Update(ctx, m); err != nil {
		return err
	}
	if err := u.Commit(); err != nil {
		return err
	}
	return p.tell(ctx, "started", m) // want after-commit "runs after"
}

func (p *Plant) Stop(ctx context.Context, m Machine) error {
	u := NewUnit(p.db)
	if err := u.Begin(ctx); err != nil {
		return err
	}
	defer u.Close()
	if err := u.Machines().Update(ctx, m); err != nil {
		return err
	}
	if err := p.tell(ctx, "stopped", m); err != nil { // want inside-tx "transaction"
		return err
	}
	return u.Commit()
}

func (p *Plant) Service(ctx context.Context, m Machine) error {
	u := NewUnit(p.db)
	if err := u.Begin(ctx); err != nil {
		return err
	}
	defer u.Close()
	if err := u.Machines().Update(ctx, m); err != nil {
		return err
	}
	if err := u.Outbox().Append(ctx, "serviced", m); err != nil {
		return err
	}
	return u.Commit()
}
