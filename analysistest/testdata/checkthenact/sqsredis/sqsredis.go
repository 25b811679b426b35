// Package sqsredis dedupes what it takes from SQS in Redis.
package sqsredis

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/redis/go-redis/v9"
)

type worker struct {
	queue *sqs.Client
	url   string
	rdb   *redis.Client
	db    *sql.DB
}

func (w *worker) poll(ctx context.Context, handle func(ctx context.Context, m types.Message) error) error {
	out, err := w.queue.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &w.url})
	if err != nil {
		return err
	}
	for _, m := range out.Messages {
		if err := handle(ctx, m); err != nil {
			continue
		}
		if _, err := w.queue.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &w.url, ReceiptHandle: m.ReceiptHandle}); err != nil {
			return err
		}
	}
	return nil
}

// Run polls with each of the handlers.
func (w *worker) Run(ctx context.Context) error {
	for {
		for _, h := range []func(context.Context, types.Message) error{
			w.wrongGetSet, w.wrongSetNX, w.rightRelease, w.rightLease, w.rightKeyed, w.rightSettings,
		} {
			if err := w.poll(ctx, h); err != nil {
				return err
			}
		}
	}
}

func (w *worker) book(ctx context.Context, m types.Message) error {
	_, err := w.db.ExecContext(ctx, `INSERT INTO bookings (body) VALUES ($1)`, aws.ToString(m.Body))
	return err
}

func (w *worker) wrongGetSet(ctx context.Context, m types.Message) error {
	key := "done:" + aws.ToString(m.MessageId)
	err := w.rdb.Get(ctx, key).Err() // want volatile-store "asks a cache beside the database"
	if err == nil {
		return nil
	}
	if !errors.Is(err, redis.Nil) {
		return err
	}
	if err := w.book(ctx, m); err != nil {
		return err
	}
	return w.rdb.Set(ctx, key, 1, time.Hour).Err()
}

func (w *worker) wrongSetNX(ctx context.Context, m types.Message) error {
	fresh, err := w.rdb.SetNX(ctx, "done:"+aws.ToString(m.MessageId), 1, 24*time.Hour).Result() // want mark-before-effect "marks the message before"
	if err != nil {
		return err
	}
	if !fresh {
		return nil
	}
	return w.book(ctx, m)
}

// rightRelease gives the claim back.
func (w *worker) rightRelease(ctx context.Context, m types.Message) error {
	key := "done:" + aws.ToString(m.MessageId)
	fresh, err := w.rdb.SetNX(ctx, key, 1, 24*time.Hour).Result()
	if err != nil || !fresh {
		return err
	}
	if err := w.book(ctx, m); err != nil {
		w.rdb.Del(ctx, key)
		return err
	}
	return nil
}

// rightLease claims the work for a minute.
func (w *worker) rightLease(ctx context.Context, m types.Message) error {
	fresh, err := w.rdb.SetNX(ctx, "busy:"+aws.ToString(m.MessageId), 1, time.Minute).Result()
	if err != nil || !fresh {
		return err
	}
	return w.book(ctx, m)
}

// rightKeyed looks first only to save work: the row is there once.
func (w *worker) rightKeyed(ctx context.Context, m types.Message) error {
	key := "done:" + aws.ToString(m.MessageId)
	if n, _ := w.rdb.Exists(ctx, key).Result(); n > 0 {
		return nil
	}
	_, err := w.db.ExecContext(ctx, `INSERT INTO bookings (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, aws.ToString(m.MessageId), aws.ToString(m.Body))
	if err != nil {
		return err
	}
	return w.rdb.Set(ctx, key, 1, time.Hour).Err()
}

// rightSettings asks for a setting, which the message doesn't tell.
func (w *worker) rightSettings(ctx context.Context, m types.Message) error {
	if n, _ := w.rdb.Exists(ctx, "paused").Result(); n > 0 {
		return nil
	}
	return w.book(ctx, m)
}
