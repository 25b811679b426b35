package telemetry

import (
	"context"
	"log/slog"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

// Tracker says how far an upload has come. It goes over the broker, and is telemetry
// all the same.
type Tracker struct{ telemetry *kafka.Writer }

func (t *Tracker) Track(ctx context.Context, upload, state string) {
	msg := kafka.Message{Topic: "telemetry.uploads", Key: []byte(upload), Value: []byte(state)}
	if err := t.telemetry.WriteMessages(ctx, msg); err != nil {
		slog.DebugContext(ctx, "telemetry", "upload", upload, "err", err)
	}
}

type Upload struct {
	ID    string
	State string
}

type Uploads struct {
	db      *gorm.DB
	tracker *Tracker
}

// Take tracks before, within and after.
func (u *Uploads) Take(ctx context.Context, id string) error {
	u.tracker.Track(ctx, id, "received")
	err := u.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&Upload{ID: id, State: "stored"}).Error; err != nil {
			return err
		}
		u.tracker.Track(ctx, id, "stored")
		return nil
	})
	if err != nil {
		u.tracker.Track(ctx, id, "failed")
		return err
	}
	u.tracker.Track(ctx, id, "done")
	return nil
}
