// Package dispatch hands messages to handlers by their types.
package dispatch

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Envelope is what all messages come in.
type Envelope struct {
	Type    string
	Version int64
	Payload json.RawMessage
}

type AccountChanged struct{ ID, Status, Email string }

// Registry decodes payloads by their types.
type Registry struct {
	make map[string]func() any
}

func NewRegistry() *Registry {
	return &Registry{map[string]func() any{"account.changed": func() any { return new(AccountChanged) }}}
}

func (r *Registry) Deserialize(kind string, data []byte) (any, error) {
	newEvent, ok := r.make[kind]
	if !ok {
		return nil, fmt.Errorf("no type %s", kind)
	}
	e := newEvent()
	return e, json.Unmarshal(data, e)
}

type Accounts struct{ db *sql.DB }

func (a *Accounts) SetStatus(ctx context.Context, id, status string) error {
	_, err := a.db.ExecContext(ctx, "UPDATE accounts SET status = ? WHERE id = ?", status, id)
	return err
}

type Dispatcher struct {
	registry *Registry
	accounts *Accounts
	client   *kgo.Client
}

func (d *Dispatcher) Run(ctx context.Context) error {
	for {
		fetches := d.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for it := fetches.RecordIter(); !it.Done(); {
			if err := d.handle(ctx, it.Next()); err != nil {
				return err
			}
		}
		if err := d.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (d *Dispatcher) handle(ctx context.Context, r *kgo.Record) error {
	var env Envelope
	if err := json.Unmarshal(r.Value, &env); err != nil {
		return err
	}
	e, err := d.registry.Deserialize(env.Type, env.Payload)
	if err != nil {
		return err
	}
	switch e := e.(type) {
	case *AccountChanged:
		return d.wrongChanged(ctx, e)
	}
	switch env.Type {
	case "profile":
		return d.wrongPayload(ctx, env.Payload)
	case "generic":
		return generic(ctx, env.Payload, d.wrongGeneric)
	case "getter":
		return generic(ctx, env.Payload, d.wrongGetter)
	}
	return nil
}

func (d *Dispatcher) wrongChanged(ctx context.Context, e *AccountChanged) error {
	return d.accounts.SetStatus(ctx, e.ID, e.Status) // want unguarded "accounts.status from the message"
}

func (d *Dispatcher) wrongPayload(ctx context.Context, payload []byte) error {
	var e AccountChanged
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return d.accounts.SetStatus(ctx, e.ID, e.Status) // want unguarded "accounts.status"
}

func generic[E any](ctx context.Context, payload []byte, handle func(context.Context, E) error) error {
	var e E
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return handle(ctx, e)
}

func (d *Dispatcher) wrongGeneric(ctx context.Context, e AccountChanged) error {
	return d.accounts.SetStatus(ctx, e.ID, e.Status) // want unguarded "accounts.status"
}

// Proto has getters, as generated code has.
type Proto struct{ Id, Status string }

func (p *Proto) GetId() string {
	if p != nil {
		return p.Id
	}
	return ""
}

func (p *Proto) GetStatus() string {
	if p != nil {
		return p.Status
	}
	return ""
}

func (d *Dispatcher) wrongGetter(ctx context.Context, p *Proto) error {
	return d.accounts.SetStatus(ctx, p.GetId(), p.GetStatus()) // want unguarded "accounts.status"
}
