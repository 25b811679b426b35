package relay

import (
	"context"
	"log/slog"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

// Letter is the row of the outbox here.
type Letter struct {
	ID        uint
	Route     string
	Body      []byte
	Processed bool
	Tries     int
}

func (Letter) TableName() string { return "letters_outbox" }

type LetterBox interface {
	Unsent(ctx context.Context, max int) ([]Letter, error)
	MarkSent(ctx context.Context, l Letter) error
	MarkFailed(ctx context.Context, l Letter, cause error) error
}

type Carrier interface {
	Carry(ctx context.Context, l Letter) error
}

type gormBox struct{ db *gorm.DB }

func (b gormBox) Unsent(ctx context.Context, max int) (out []Letter, err error) {
	err = b.db.WithContext(ctx).Where("processed = ?", false).Order("id").Limit(max).Find(&out).Error
	return out, err
}

func (b gormBox) MarkSent(ctx context.Context, l Letter) error {
	return b.db.WithContext(ctx).Model(&l).Update("processed", true).Error
}

func (b gormBox) MarkFailed(ctx context.Context, l Letter, cause error) error {
	slog.WarnContext(ctx, "letter", "id", l.ID, "err", cause)
	return b.db.WithContext(ctx).Model(&l).UpdateColumn("tries", gorm.Expr("tries + 1")).Error
}

type amqpCarrier struct{ ch *amqp.Channel }

func (c amqpCarrier) Carry(ctx context.Context, l Letter) error {
	conf, err := c.ch.PublishWithDeferredConfirmWithContext(ctx, "letters", l.Route, true, false, amqp.Publishing{Body: l.Body})
	if err != nil {
		return err
	}
	_, err = conf.WaitContext(ctx)
	return err
}

type Postman struct {
	box     LetterBox
	carrier Carrier
}

func NewPostman(db *gorm.DB, ch *amqp.Channel) *Postman {
	return &Postman{box: gormBox{db}, carrier: amqpCarrier{ch}}
}

// Round publishes and marks: a crash in between publishes once more.
func (p *Postman) Round(ctx context.Context) error {
	letters, err := p.box.Unsent(ctx, 20)
	if err != nil {
		return err
	}
	for _, l := range letters {
		if err := p.carrier.Carry(ctx, l); err != nil {
			if err := p.box.MarkFailed(ctx, l, err); err != nil {
				return err
			}
			continue
		}
		if err := p.box.MarkSent(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

func (p *Postman) Walk(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		if err := p.Round(ctx); err != nil {
			slog.ErrorContext(ctx, "round", "err", err)
		}
		time.Sleep(every)
	}
}
