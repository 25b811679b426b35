package kinds

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hibiken/asynq"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Voyages load an entity and store it again.
type Voyages struct{ orm *gorm.DB }

// Voyage is one.
type Voyage struct {
	ID      string `gorm:"primaryKey"`
	State   State
	EndedAt time.Time
}

// Ended is a message.
type Ended struct{ ID string }

// wrongEnded reads with a lock.
func (v *Voyages) wrongEnded(ctx context.Context, t *asynq.Task) error {
	var e Ended
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	return v.orm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var voyage Voyage
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&voyage, "id = ?", e.ID).Error; err != nil {
			return err
		}
		voyage.EndedAt = time.Now()
		voyage.State = Arrived // want unguarded
		return tx.Save(&voyage).Error
	})
}

// wrongStarted reads without one, in a transaction.
func (v *Voyages) wrongStarted(ctx context.Context, t *asynq.Task) error {
	var e Ended
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	return v.orm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var voyage Voyage
		if err := tx.First(&voyage, "id = ?", e.ID).Error; err != nil {
			return err
		}
		voyage.State = Started // want unguarded
		return tx.Save(&voyage).Error
	})
}

// WorkVoyages registers them.
func WorkVoyages(mux *asynq.ServeMux, v *Voyages) {
	mux.HandleFunc("voyage.ended", v.wrongEnded)
	mux.HandleFunc("voyage.started", v.wrongStarted)
}
