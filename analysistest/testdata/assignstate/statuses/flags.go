package statuses

import (
	"context"

	"github.com/hibiken/asynq"
	"gorm.io/gorm"
)

// Saga says by flags how far it got.
type Saga struct {
	ID        string `gorm:"primaryKey"`
	Completed bool
	Failed    bool
	Notified  bool
}

type Sagas struct{ db *gorm.DB }

func (s *Sagas) find(ctx context.Context, t *asynq.Task) (*Saga, error) {
	var saga Saga
	err := s.db.WithContext(ctx).First(&saga, "id = ?", string(t.Payload())).Error
	return &saga, err
}

// wrongCompleted and wrongFailed contradict each other: the one that comes last wins.
func (s *Sagas) wrongCompleted(ctx context.Context, t *asynq.Task) error {
	saga, err := s.find(ctx, t)
	if err != nil {
		return err
	}
	saga.Completed = true // want unguarded "Saga.Completed"
	return s.db.WithContext(ctx).Save(saga).Error
}

func (s *Sagas) wrongFailed(ctx context.Context, t *asynq.Task) error {
	saga, err := s.find(ctx, t)
	if err != nil {
		return err
	}
	saga.Failed = true // want unguarded "Saga.Failed"
	return s.db.WithContext(ctx).Save(saga).Error
}

func (s *Sagas) rightNotified(ctx context.Context, t *asynq.Task) error {
	saga, err := s.find(ctx, t)
	if err != nil {
		return err
	}
	saga.Notified = true
	return s.db.WithContext(ctx).Save(saga).Error
}

func (s *Sagas) rightCompleted(ctx context.Context, t *asynq.Task) error {
	saga, err := s.find(ctx, t)
	if err != nil {
		return err
	}
	if saga.Failed {
		return nil
	}
	saga.Completed = true
	return s.db.WithContext(ctx).Save(saga).Error
}

func SagaMux(s *Sagas) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("completed", s.wrongCompleted)
	m.HandleFunc("failed", s.wrongFailed)
	m.HandleFunc("notified", s.rightNotified)
	m.HandleFunc("complete", s.rightCompleted)
	return m
}
