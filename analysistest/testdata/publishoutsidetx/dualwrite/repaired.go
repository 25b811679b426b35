package dualwrite

import (
	"context"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Export is a row whose state says whether it has been announced.
type Export struct {
	ID    uint
	File  string
	State string
}

func (Export) TableName() string { return "exports" }

type Exports struct {
	db *gorm.DB
	ch *amqp.Channel
}

func (x *Exports) announce(ctx context.Context, e Export) error {
	return x.ch.PublishWithContext(ctx, "exports", "new", true, false, amqp.Publishing{MessageId: e.File, Body: []byte(e.File)})
}

// Request stores the export as pending. Its publish is only for speed: Resume
// publishes every row that is still pending.
func (x *Exports) Request(ctx context.Context, file string) error {
	e := Export{File: file, State: "pending"}
	if err := x.db.WithContext(ctx).Create(&e).Error; err != nil {
		return err
	}
	if err := x.announce(ctx, e); err != nil {
		slog.WarnContext(ctx, "left to resume", "export", e.ID, "err", err)
	}
	return nil
}

func (x *Exports) Resume(ctx context.Context) error {
	var pending []Export
	if err := x.db.WithContext(ctx).Where("state = ?", "pending").Find(&pending).Error; err != nil {
		return err
	}
	for _, e := range pending {
		if err := x.announce(ctx, e); err != nil {
			return err
		}
		if err := x.db.WithContext(ctx).Model(&e).Update("state", "announced").Error; err != nil {
			return err
		}
	}
	return nil
}

type Share struct {
	ID   uint
	File string
}

type Shares struct {
	db *gorm.DB
	ch *amqp.Channel
}

func (s *Shares) tell(ctx context.Context, file string) error {
	return s.ch.PublishWithContext(ctx, "shares", "new", true, false, amqp.Publishing{Body: []byte(file)})
}

// Add has nobody who would find the row again.
func (s *Shares) Add(ctx context.Context, file string) error {
	if err := s.db.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&Share{File: file}).Error; err != nil {
		return err
	}
	if err := s.tell(ctx, file); err != nil { // want dual-write "follows"
		slog.WarnContext(ctx, "not told", "file", file, "err", err)
	}
	return nil
}

// AddAll publishes after many writes; it is one finding.
func (s *Shares) AddAll(ctx context.Context, files []string) error {
	db := s.db.WithContext(ctx)
	for _, f := range files {
		if err := db.Create(&Share{File: f}).Error; err != nil {
			return err
		}
	}
	if err := db.Exec("UPDATE share_counts SET n = n + ?", len(files)).Error; err != nil {
		return err
	}
	return s.tell(ctx, "all") // want dual-write "follows"
}
