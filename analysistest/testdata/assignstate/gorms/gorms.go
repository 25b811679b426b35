// Package gorms stores what messages say through gorm.
package gorms

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/hibiken/asynq"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Ticket struct {
	ID      string `gorm:"primaryKey"`
	Status  string
	Title   string
	Version int64
}

type TicketChanged struct {
	ID, Status, Title string
	Version           int64
}

type Worker struct{ db *gorm.DB }

func parse(t *asynq.Task) (e TicketChanged, err error) {
	err = json.Unmarshal(t.Payload(), &e)
	return e, err
}

func (w *Worker) wrongUpdate(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Model(&Ticket{}).Where("id = ?", e.ID).Update("status", e.Status).Error // want unguarded "status from"
}

func (w *Worker) wrongUpdates(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Model(&Ticket{}).Where("id = ?", e.ID).Updates(map[string]any{"status": e.Status, "title": e.Title}).Error // want unguarded "status"
}

func (w *Worker) wrongStruct(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Model(&Ticket{ID: e.ID}).Updates(Ticket{Status: e.Status, Title: e.Title}).Error // want unguarded "Status"
}

func (w *Worker) wrongSave(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	var ticket Ticket
	if err := w.db.WithContext(ctx).First(&ticket, "id = ?", e.ID).Error; err != nil {
		return err
	}
	ticket.Status = e.Status // want unguarded "Ticket.Status is set from e.Status with no version or transition guard"
	return w.db.WithContext(ctx).Save(&ticket).Error
}

func (w *Worker) wrongAll(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&Ticket{ID: e.ID, Status: e.Status}).Error // want unguarded "Status"
}

func (w *Worker) wrongSome(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	onConflict := clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns([]string{"status"})}
	return w.db.WithContext(ctx).Clauses(onConflict).Create(&Ticket{ID: e.ID, Status: e.Status}).Error // want unguarded "Status"
}

func (w *Worker) rightUpdate(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Model(&Ticket{}).Where("id = ? AND version < ?", e.ID, e.Version).Updates(map[string]any{"status": e.Status, "version": e.Version}).Error
}

func (w *Worker) rightState(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Model(&Ticket{}).Where("id = ?", e.ID).Where("status IN ?", []string{"open", "waiting"}).Update("status", e.Status).Error
}

func (w *Worker) rightNothing(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&Ticket{ID: e.ID, Status: e.Status}).Error
}

func (w *Worker) rightWhere(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Clauses(clause.OnConflict{
		UpdateAll: true,
		Where:     clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "tickets.version < excluded.version"}}},
	}).Create(&Ticket{ID: e.ID, Status: e.Status, Version: e.Version}).Error
}

func (w *Worker) rightLoaded(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	var ticket Ticket
	if err := w.db.WithContext(ctx).First(&ticket, "id = ?", e.ID).Error; err != nil {
		return err
	}
	if ticket.Version >= e.Version {
		return nil
	}
	ticket.Status, ticket.Version = e.Status, e.Version
	return w.db.WithContext(ctx).Save(&ticket).Error
}

func (w *Worker) rightInsert(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Create(&Ticket{ID: e.ID, Status: e.Status}).Error
}

func (w *Worker) rightDelta(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Model(&Ticket{}).Where("id = ?", e.ID).Update("weight", gorm.Expr("weight + ?", e.Version)).Error
}

// obtain finds a ticket, or makes one of what the message says.
func (w *Worker) obtain(ctx context.Context, e TicketChanged) (*Ticket, error) {
	found := Ticket{}
	err := w.db.WithContext(ctx).First(&found, "id = ?", e.ID).Error
	if err == nil {
		return &found, nil
	}
	if !errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, err
	}
	made := &Ticket{ID: e.ID, Status: e.Status, Title: e.Title}
	return made, w.db.WithContext(ctx).Create(made).Error
}

// rightObtained: what the message says is stored in a new row only.
func (w *Worker) rightObtained(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	ticket, err := w.obtain(ctx, e)
	if err != nil {
		return err
	}
	ticket.Version++
	return w.db.WithContext(ctx).Save(ticket).Error
}

func (w *Worker) wrongObtained(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	ticket, err := w.obtain(ctx, e)
	if err != nil {
		return err
	}
	ticket.Status = e.Status // want unguarded "Ticket.Status is set from e.Status"
	return w.db.WithContext(ctx).Save(ticket).Error
}

func (w *Worker) rightDeltas(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	return w.db.Transaction(func(tx *gorm.DB) error {
		return tx.WithContext(ctx).Model(&Ticket{}).Where("id = ?", e.ID).Updates(map[string]any{
			"weight":  gorm.Expr("weight + ?", e.Version),
			"version": gorm.Expr("version + 1"),
		}).Error
	})
}

// rightStep asks how far the ticket is.
func (w *Worker) rightStep(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	var route Route
	if err := w.db.WithContext(ctx).First(&route, "ticket = ?", e.ID).Error; err != nil {
		return err
	}
	if route.CurrentStep != "printed" {
		return nil
	}
	return w.db.WithContext(ctx).Model(&Ticket{}).Where("id = ?", e.ID).Update("status", e.Status).Error
}

// Route says how far a ticket is.
type Route struct{ Ticket, CurrentStep string }

func Mux(w *Worker) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("update", w.wrongUpdate)
	m.HandleFunc("updates", w.wrongUpdates)
	m.HandleFunc("struct", w.wrongStruct)
	m.HandleFunc("save", w.wrongSave)
	m.HandleFunc("all", w.wrongAll)
	m.HandleFunc("some", w.wrongSome)
	m.HandleFunc("newer", w.rightUpdate)
	m.HandleFunc("state", w.rightState)
	m.HandleFunc("nothing", w.rightNothing)
	m.HandleFunc("where", w.rightWhere)
	m.HandleFunc("loaded", w.rightLoaded)
	m.HandleFunc("insert", w.rightInsert)
	m.HandleFunc("delta", w.rightDelta)
	m.HandleFunc("got", w.rightObtained)
	m.HandleFunc("made", w.wrongObtained)
	m.HandleFunc("deltas", w.rightDeltas)
	m.HandleFunc("step", w.rightStep)
	return m
}
