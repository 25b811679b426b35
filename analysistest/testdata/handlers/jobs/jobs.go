// Package jobs runs handlers that a framework calls and acks for.
package jobs

import (
	"context"
	"database/sql"

	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/hibiken/asynq"
	"github.com/riverqueue/river"
)

// Store keeps what was delivered.
type Store struct{ db *sql.DB }

func (s *Store) put(ctx context.Context, body string) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO jobs_done (body) VALUES ($1)`, body)
	return err
}

// ProcessTask is a method of asynq's interface.
func (s *Store) ProcessTask(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	return s.put(ctx, string(t.Payload()))
}

// Tasks registers methods, through a middleware too.
func Tasks(mux *asynq.ServeMux, s *Store) {
	mux.Handle("keep", s)
	mux.HandleFunc("drop", s.drop)
	mux.HandleFunc("wrapped", logged(s.wrapped))
}

func (s *Store) drop(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	return s.put(ctx, string(t.Payload()))
}

func (s *Store) wrapped(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	return s.put(ctx, string(t.Payload()))
}

func logged(next func(context.Context, *asynq.Task) error) func(context.Context, *asynq.Task) error {
	return func(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
		return next(ctx, t)
	}
}

// Args are a river job's.
type Args struct{ Parcel string }

// Kind names the job.
func (Args) Kind() string { return "parcel" }

// Worker works jobs.
type Worker struct {
	river.WorkerDefaults[Args]
	store *Store
}

// Work is called for each job.
func (w *Worker) Work(ctx context.Context, job *river.Job[Args]) error { // handler river return redeliver
	return w.store.put(ctx, job.Args.Parcel)
}

// Placed is an event.
type Placed struct{ Order string }

// Routes registers with watermill's router and processors.
func Routes(r *message.Router, ep *cqrs.EventProcessor, sub message.Subscriber, s *Store) error {
	r.AddConsumerHandler("keep", "orders", sub, s.keep)
	return ep.AddHandlers(cqrs.NewEventHandler("placed", s.placed))
}

func (s *Store) keep(m *message.Message) error { // handler watermill return redeliver
	return s.put(m.Context(), string(m.Payload))
}

func (s *Store) placed(ctx context.Context, e *Placed) error { // handler watermill return redeliver
	return s.put(ctx, e.Order)
}

// Subscribe acks by itself.
func Subscribe(ctx context.Context, sub message.Subscriber, s *Store) error { // handler watermill explicit redeliver
	msgs, err := sub.Subscribe(ctx, "orders")
	if err != nil {
		return err
	}
	for m := range msgs {
		if s.put(ctx, string(m.Payload)) != nil {
			m.Nack()
			continue
		}
		m.Ack()
	}
	return nil
}

// Batch fails as a whole.
func Batch(s *Store) {
	lambda.Start(func(ctx context.Context, e events.SQSEvent) error { // handler lambda return redeliver
		for _, r := range e.Records {
			if err := s.put(ctx, r.Body); err != nil {
				return err
			}
		}
		return nil
	})
}

// Each says which of its records failed.
func Each(s *Store) {
	lambda.Start(func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) { // handler lambda return redeliver partial
		var out events.SQSEventResponse
		for _, r := range e.Records {
			if s.put(ctx, r.Body) != nil {
				out.BatchItemFailures = append(out.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: r.MessageId})
			}
		}
		return out, nil
	})
}
