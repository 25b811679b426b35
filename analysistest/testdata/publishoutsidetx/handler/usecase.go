package handler

import (
	"context"
	"errors"
	"fmt"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	amqp "github.com/rabbitmq/amqp091-go"
)

type Avatar struct{ User, URL string }

type AvatarRepo interface {
	AddAvatar(ctx context.Context, a Avatar) error
	SetAvatar(ctx context.Context, a Avatar) error
}

type AvatarFeed interface {
	AvatarAdded(ctx context.Context, a Avatar) error
}

type avatars struct{ pool *pgxpool.Pool }

func (r avatars) AddAvatar(ctx context.Context, a Avatar) error {
	_, err := r.pool.Exec(ctx, "INSERT INTO avatars (user_id, url) VALUES ($1, $2)", a.User, a.URL)
	return err
}

func (r avatars) SetAvatar(ctx context.Context, a Avatar) error {
	_, err := r.pool.Exec(ctx, "UPDATE avatars SET url = $2 WHERE user_id = $1", a.User, a.URL)
	return err
}

type avatarFeed struct{ ch *amqp.Channel }

func (f avatarFeed) AvatarAdded(ctx context.Context, a Avatar) error {
	return f.ch.PublishWithContext(ctx, "avatars", "added", true, false, amqp.Publishing{Body: []byte(a.URL)})
}

// Studio is a use case that knows nothing of deliveries.
type Studio struct {
	repo AvatarRepo
	feed AvatarFeed
}

func NewStudio(pool *pgxpool.Pool, ch *amqp.Channel) *Studio {
	return &Studio{repo: avatars{pool}, feed: avatarFeed{ch}}
}

// Add is called by a worker that rejects what fails, and the broker then drops it.
func (s *Studio) Add(ctx context.Context, a Avatar) error {
	if err := s.repo.AddAvatar(ctx, a); err != nil {
		return fmt.Errorf("add: %w", err)
	}
	return s.feed.AvatarAdded(ctx, a) // want dual-write "follows"
}

// Replace is called by one that puts it back.
func (s *Studio) Replace(ctx context.Context, a Avatar) error {
	if err := s.repo.SetAvatar(ctx, a); err != nil {
		return fmt.Errorf("set: %w", err)
	}
	return s.feed.AvatarAdded(ctx, a)
}

func (s *Studio) WorkAdd(ctx context.Context, deliveries <-chan amqp.Delivery) {
	for d := range deliveries {
		if err := s.Add(ctx, Avatar{User: d.MessageId, URL: string(d.Body)}); err != nil {
			_ = d.Reject(false)
			continue
		}
		_ = d.Ack(false)
	}
}

func (s *Studio) WorkReplace(ctx context.Context, deliveries <-chan amqp.Delivery) {
	for d := range deliveries {
		if err := s.Replace(ctx, Avatar{User: d.MessageId, URL: string(d.Body)}); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
}

// Refusals is a handler of tasks. The second delivery meets the row of the first and
// takes it for done.
type Refusals struct {
	pool  *pgxpool.Pool
	tasks *asynq.Client
}

func (r *Refusals) ProcessTask(ctx context.Context, t *asynq.Task) error {
	_, err := r.pool.Exec(ctx, "INSERT INTO refusals (reference) VALUES ($1)", string(t.Payload()))
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = r.tasks.EnqueueContext(ctx, asynq.NewTask("webhook:refused", t.Payload())) // want dual-write "follows"
	return err
}
