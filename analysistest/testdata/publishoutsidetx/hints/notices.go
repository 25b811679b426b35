package hints

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"

	"github.com/segmentio/kafka-go"
)

// ParcelNotification is what a user's phone shows.
type ParcelNotification struct {
	User, Text string
}

// ParcelMoved is what other services keep their state by.
type ParcelMoved struct {
	ID string
}

// Parcels tells people, and services, where parcels are.
type Parcels struct {
	db  *sql.DB
	out *kafka.Writer
}

func (p *Parcels) moved(ctx context.Context, id string) error {
	_, err := p.db.ExecContext(ctx, "UPDATE parcels SET moved = true WHERE id = $1", id)
	return err
}

func (p *Parcels) put(ctx context.Context, topic string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return p.out.WriteMessages(ctx, kafka.Message{Topic: topic, Value: body})
}

func (p *Parcels) sendNotification(ctx context.Context, n ParcelNotification) error {
	return p.put(ctx, "phones", n)
}

// Move goes on where the phone can't be told.
func (p *Parcels) Move(ctx context.Context, id, user string) error {
	if err := p.moved(ctx, id); err != nil {
		return err
	}
	if err := p.sendNotification(ctx, ParcelNotification{user, "moved"}); err != nil {
		slog.Error("notify", "err", err)
	}
	return nil
}

// MoveTold fails where the phone can't be told: somebody counts on it.
func (p *Parcels) MoveTold(ctx context.Context, id, user string) error {
	if err := p.moved(ctx, id); err != nil {
		return err
	}
	return p.sendNotification(ctx, ParcelNotification{user, "moved"}) // want dual-write "follows"
}

// MoveOn drops an event.
func (p *Parcels) MoveOn(ctx context.Context, id string) error {
	if err := p.moved(ctx, id); err != nil {
		return err
	}
	if err := p.put(ctx, "parcels", ParcelMoved{id}); err != nil { // want dual-write "follows"
		slog.Error("publish", "err", err)
	}
	return nil
}

// robotTold tells the people of a chat.
func (p *Parcels) robotTold(ctx context.Context, n ParcelNotification) {
	if err := p.put(ctx, "chat", n); err != nil {
		slog.Error("notify", "err", err)
	}
}

func (p *Parcels) Lose(ctx context.Context, id string) error {
	if err := p.moved(ctx, id); err != nil {
		return err
	}
	p.robotTold(ctx, ParcelNotification{"admin", "lost"})
	return nil
}
