// Package retryloop tries again. It does not help: what ends the process between
// the commit and the last try still loses the event.
package retryloop

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

var errConflict = errors.New("conflict")

type Pumps struct {
	db    *sql.DB
	queue *sqs.Client
	url   string
}

func (p *Pumps) send(ctx context.Context, body string) error {
	_, err := p.queue.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &p.url, MessageBody: aws.String(body)})
	return err
}

func retry(ctx context.Context, tries int, fn func() error) (err error) {
	for i := range tries {
		if err = fn(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(time.Duration(1<<i)*time.Second + rand.N(time.Second)):
		}
	}
	return err
}

func (p *Pumps) start(ctx context.Context, id string) error {
	tx, err := p.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, "UPDATE pumps SET running = true WHERE id = $1 AND NOT running", id)
	if err != nil {
		return err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return errConflict
	}
	return tx.Commit()
}

// Start tries the publish again and again.
func (p *Pumps) Start(ctx context.Context, id string) error {
	if err := p.start(ctx, id); err != nil {
		return err
	}
	return retry(ctx, 5, func() error {
		return p.send(ctx, "started "+id) // want after-commit "runs after"
	})
}

// StartRetried tries the transaction again, and publishes after the loop.
func (p *Pumps) StartRetried(ctx context.Context, id string) error {
	var err error
	for range 3 {
		if err = p.start(ctx, id); !errors.Is(err, errConflict) {
			break
		}
	}
	if err != nil {
		return err
	}
	return p.send(ctx, "started "+id) // want after-commit "runs after"
}

// Stop publishes inside what is tried again: every try sends one.
func (p *Pumps) Stop(ctx context.Context, id string) error {
	return retry(ctx, 3, func() error {
		tx, err := p.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE pumps SET running = false WHERE id = $1", id); err != nil {
			return err
		}
		if err := p.send(ctx, "stopped "+id); err != nil { // want inside-tx "transaction"
			return err
		}
		return tx.Commit()
	})
}

// Drain tries the whole of it again, with the event stored in the transaction.
func (p *Pumps) Drain(ctx context.Context, id string) error {
	return retry(ctx, 3, func() error {
		tx, err := p.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE pumps SET level = 0 WHERE id = $1", id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO outbox (queue, body) VALUES ('pumps', $1)", id); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Alarm repeats a publish that announces nothing stored.
func (p *Pumps) Alarm(ctx context.Context, id string) error {
	return retry(ctx, 10, func() error { return p.send(ctx, "alarm "+id) })
}
