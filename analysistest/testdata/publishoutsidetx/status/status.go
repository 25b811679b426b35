// Package status keeps in a row whether its message is out. The row is there before
// the publish, and what comes after it only notes the result.
package status

import (
	"context"
	"log/slog"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

// Dispatch is a message to a device. Retry finds those that are not sent.
type Dispatch struct {
	ID     uint
	Device string
	State  string
	SentAt *time.Time
}

func (Dispatch) TableName() string { return "dispatches" }

type Dispatches struct {
	db *gorm.DB
	ch *amqp.Channel
}

func (d *Dispatches) publish(ctx context.Context, device string) error {
	return d.ch.PublishWithContext(ctx, "devices", device, true, false, amqp.Publishing{Body: []byte(device)})
}

func (d *Dispatches) mark(ctx context.Context, m *Dispatch, state string) error {
	return d.db.WithContext(ctx).Model(m).Updates(map[string]any{"state": state, "sent_at": time.Now()}).Error
}

// Send stores the row, publishes, and notes how that went.
func (d *Dispatches) Send(ctx context.Context, device string) error {
	m := &Dispatch{Device: device, State: "queued"}
	if err := d.db.WithContext(ctx).Create(m).Error; err != nil {
		return err
	}
	if err := d.publish(ctx, device); err != nil {
		return d.mark(ctx, m, "failed")
	}
	return d.mark(ctx, m, "sent")
}

// SendLater does it in a goroutine.
func (d *Dispatches) SendLater(ctx context.Context, device string) error {
	m := &Dispatch{Device: device, State: "queued"}
	if err := d.db.WithContext(ctx).Create(m).Error; err != nil {
		return err
	}
	go d.deliver(context.WithoutCancel(ctx), m)
	return nil
}

func (d *Dispatches) deliver(ctx context.Context, m *Dispatch) {
	state := "sent"
	if err := d.publish(ctx, m.Device); err != nil {
		state = "failed"
	}
	if err := d.mark(ctx, m, state); err != nil {
		slog.ErrorContext(ctx, "mark", "dispatch", m.ID, "err", err)
	}
}

// Retry takes up what was not sent.
func (d *Dispatches) Retry(ctx context.Context) error {
	var open []Dispatch
	if err := d.db.WithContext(ctx).Where("state IN ?", []string{"queued", "failed"}).Limit(100).Find(&open).Error; err != nil {
		return err
	}
	for i := range open {
		d.deliver(ctx, &open[i])
	}
	return nil
}

// Alert is a row that is marked before its message is out. Nobody looks for it then.
type Alert struct {
	ID   uint
	Told bool
}

type Alerts struct {
	db *gorm.DB
	ch *amqp.Channel
}

func (a *Alerts) Tell(ctx context.Context, id uint) error {
	var open Alert
	if err := a.db.WithContext(ctx).Where("told = ?", false).First(&open, id).Error; err != nil {
		return err
	}
	if err := a.db.WithContext(ctx).Model(&open).Update("told", true).Error; err != nil {
		return err
	}
	return a.ch.PublishWithContext(ctx, "alerts", "", true, false, amqp.Publishing{Body: []byte("alert")}) // want dual-write "follows"
}

// TellFirst marks what is out.
func (a *Alerts) TellFirst(ctx context.Context, id uint) error {
	var open Alert
	if err := a.db.WithContext(ctx).Where("told = ?", false).First(&open, id).Error; err != nil {
		return err
	}
	if err := a.ch.PublishWithContext(ctx, "alerts", "", true, false, amqp.Publishing{Body: []byte("alert")}); err != nil {
		return err
	}
	return a.db.WithContext(ctx).Model(&open).Update("told", true).Error
}
