package dispatch

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/mehdihadeli/go-mediatr"
	amqp "github.com/rabbitmq/amqp091-go"
)

// RenameUser is a command.
type RenameUser struct {
	id, name, status string
	version          int64
}

func NewRenameUser(id, name, status string, version int64) *RenameUser {
	return &RenameUser{id: id, name: name, status: status, version: version}
}

type Renamed struct{ ID string }

type RenameUserHandler struct{ db *sql.DB }

func (h *RenameUserHandler) Handle(ctx context.Context, c *RenameUser) (*Renamed, error) {
	_, err := h.db.ExecContext(ctx, "UPDATE users SET status = $2, name = $3 WHERE id = $1", c.id, c.status, c.name)
	return &Renamed{c.id}, err
}

// RenameNewer is the command that says which version it is of.
type RenameNewer struct{ *RenameUser }

type RenameNewerHandler struct{ db *sql.DB }

func (h *RenameNewerHandler) Handle(ctx context.Context, c *RenameNewer) (*Renamed, error) {
	_, err := h.db.ExecContext(ctx, "UPDATE users SET status = $2, name = $3, version = $4 WHERE id = $1 AND version < $4", c.id, c.status, c.name, c.version)
	return &Renamed{c.id}, err
}

func Register(db *sql.DB) error {
	if err := mediatr.RegisterRequestHandler[*RenameUser, *Renamed](&RenameUserHandler{db}); err != nil {
		return err
	}
	return mediatr.RegisterRequestHandler[*RenameNewer, *Renamed](&RenameNewerHandler{db})
}

type UserChanged struct {
	ID, Name, Status string
	Version          int64
}

func consume(ctx context.Context, ch *amqp.Channel, handle func(context.Context, amqp.Delivery) error) error {
	deliveries, err := ch.Consume("users", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := handle(ctx, d); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
	return nil
}

func wrongCommand(ctx context.Context, d amqp.Delivery) error {
	var e UserChanged
	if err := json.Unmarshal(d.Body, &e); err != nil {
		return err
	}
	_, err := mediatr.Send[*RenameUser, *Renamed](ctx, NewRenameUser(e.ID, e.Name, e.Status, e.Version)) // want unguarded "users.status"
	return err
}

func rightCommand(ctx context.Context, d amqp.Delivery) error {
	var e UserChanged
	if err := json.Unmarshal(d.Body, &e); err != nil {
		return err
	}
	_, err := mediatr.Send[*RenameNewer, *Renamed](ctx, &RenameNewer{NewRenameUser(e.ID, e.Name, e.Status, e.Version)})
	return err
}

func RunUsers(ctx context.Context, ch *amqp.Channel) error {
	if err := consume(ctx, ch, wrongCommand); err != nil {
		return err
	}
	return consume(ctx, ch, rightCommand)
}
