package dispatch

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/hibiken/asynq"
)

type (
	PlanChanged struct{ ID, Status string }
	PlanViewed  struct{ ID string }
)

// Plans keeps a projection; each function has a case for each type of event.
type Plans struct{ db *sql.DB }

func (p *Plans) project(ctx context.Context, e any) error {
	switch e := e.(type) {
	case PlanChanged:
		return p.set(ctx, e.ID, e.Status)
	case PlanViewed:
		return p.view(ctx, e.ID)
	}
	return fmt.Errorf("%T is not known", e)
}

func (p *Plans) set(ctx context.Context, id, status string) error {
	_, err := p.db.ExecContext(ctx, "UPDATE plans SET status = ? WHERE id = ?", status, id)
	return err
}

func (p *Plans) view(ctx context.Context, id string) error {
	_, err := p.db.ExecContext(ctx, "UPDATE plans SET views = views + 1 WHERE id = ?", id)
	return err
}

// rightViewed: the case that sets the status is that of another type.
func (p *Plans) rightViewed(ctx context.Context, t *asynq.Task) error {
	var e PlanViewed
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	return p.project(ctx, e)
}

// Teams is the same with both.
type Teams struct{ db *sql.DB }

func (t *Teams) project(ctx context.Context, e any) error {
	switch e := e.(type) {
	case PlanViewed:
		return t.set(ctx, e.ID, "viewed")
	case *PlanChanged:
		return t.set(ctx, e.ID, e.Status)
	}
	return fmt.Errorf("%T is not known", e)
}

func (t *Teams) set(ctx context.Context, id, status string) error {
	_, err := t.db.ExecContext(ctx, "UPDATE teams SET status = ? WHERE id = ?", status, id) // want unguarded "sets teams.status"
	return err
}

func (t *Teams) wrongChanged(ctx context.Context, task *asynq.Task) error {
	var e PlanChanged
	if err := json.Unmarshal(task.Payload(), &e); err != nil {
		return err
	}
	return t.project(ctx, &e)
}

// Work registers them.
func Work(mux *asynq.ServeMux, p *Plans, t *Teams) {
	mux.HandleFunc("plan:viewed", p.rightViewed)
	mux.HandleFunc("plan:changed", t.wrongChanged)
}
