package handler

import (
	"context"
	"log/slog"

	"cloud.google.com/go/pubsub/v2"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/riverqueue/river"
)

type Films struct {
	pool  *pgxpool.Pool
	js    jetstream.JetStream
	topic *pubsub.Publisher
	tasks *asynq.Client
	queue *sqs.Client
	url   string
}

func (f *Films) rate(ctx context.Context, film string) error {
	_, err := f.pool.Exec(ctx, "UPDATE films SET rated = true WHERE id = $1", film)
	return err
}

// Consume naks what failed and acks last.
func (f *Films) Consume(ctx context.Context, c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(msg jetstream.Msg) {
		if err := f.rate(ctx, string(msg.Data())); err != nil {
			_ = msg.Nak()
			return
		}
		if _, err := f.js.Publish(ctx, "films.rated", msg.Data()); err != nil {
			_ = msg.Nak()
			return
		}
		if err := msg.Ack(); err != nil {
			slog.Error("ack", "err", err)
		}
	})
}

// ConsumeOnce terminates what it could not publish.
func (f *Films) ConsumeOnce(ctx context.Context, c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(msg jetstream.Msg) {
		if err := f.rate(ctx, string(msg.Data())); err != nil {
			_ = msg.Nak()
			return
		}
		if _, err := f.js.Publish(ctx, "films.rated", msg.Data()); err != nil { // want dual-write "follows"
			_ = msg.Term()
			return
		}
		_ = msg.Ack()
	})
}

func (f *Films) Receive(ctx context.Context, sub *pubsub.Subscriber) error {
	return sub.Receive(ctx, func(ctx context.Context, m *pubsub.Message) {
		if err := f.rate(ctx, string(m.Data)); err != nil {
			m.Nack()
			return
		}
		if _, err := f.topic.Publish(ctx, &pubsub.Message{Data: m.Data}).Get(ctx); err != nil {
			m.Nack()
			return
		}
		m.Ack()
	})
}

// Poll deletes a message only when all of it is done.
func (f *Films) Poll(ctx context.Context) error {
	out, err := f.queue.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &f.url, WaitTimeSeconds: 20})
	if err != nil {
		return err
	}
	for _, m := range out.Messages {
		if err := f.rate(ctx, *m.Body); err != nil {
			slog.Error("rate", "err", err)
			continue
		}
		if _, err := f.js.Publish(ctx, "films.rated", []byte(*m.Body)); err != nil {
			slog.Error("publish", "err", err)
			continue
		}
		if _, err := f.queue.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &f.url, ReceiptHandle: m.ReceiptHandle}); err != nil {
			return err
		}
	}
	return nil
}

// ProcessTask is retried by asynq when it returns an error.
func (f *Films) ProcessTask(ctx context.Context, t *asynq.Task) error {
	if err := f.rate(ctx, string(t.Payload())); err != nil {
		return err
	}
	_, err := f.tasks.EnqueueContext(ctx, asynq.NewTask("film:rated", t.Payload()))
	return err
}

type RateArgs struct{ Film string }

func (RateArgs) Kind() string { return "rate" }

type RateWorker struct {
	river.WorkerDefaults[RateArgs]
	films *Films
}

// Work is retried by river.
func (w *RateWorker) Work(ctx context.Context, job *river.Job[RateArgs]) error {
	if err := w.films.rate(ctx, job.Args.Film); err != nil {
		return err
	}
	_, err := w.films.js.Publish(ctx, "films.rated", []byte(job.Args.Film))
	return err
}
