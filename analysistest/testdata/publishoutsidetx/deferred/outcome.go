package deferred

import (
	"context"
	"time"

	"github.com/IBM/sarama"
	"github.com/jmoiron/sqlx"
)

type Orchard struct {
	db       *sqlx.DB
	producer sarama.SyncProducer
}

func (o *Orchard) tell(topic, tree string) {
	_, _, _ = o.producer.SendMessage(&sarama.ProducerMessage{Topic: topic, Value: sarama.StringEncoder(tree)})
}

// Pick reports failure from a deferred function: nothing was stored then.
func (o *Orchard) Pick(ctx context.Context, tree string) (err error) {
	defer func() {
		if err != nil {
			o.tell("picking-failed", tree)
		}
	}()
	tx, err := o.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err = tx.ExecContext(ctx, "UPDATE trees SET picked = true WHERE id = $1", tree); err != nil {
		return err
	}
	return tx.Commit()
}

// Graft reports success from one.
func (o *Orchard) Graft(ctx context.Context, tree string) (err error) {
	defer func() {
		if err == nil {
			o.tell("grafted", tree) // want after-commit "runs after tx.Commit"
		}
	}()
	tx, err := o.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err = tx.ExecContext(ctx, "UPDATE trees SET grafted = true WHERE id = $1", tree); err != nil {
		return err
	}
	return tx.Commit()
}

// Fell publishes by a deferred call without a literal, after an autocommit write.
func (o *Orchard) Fell(ctx context.Context, tree string) error {
	if _, err := o.db.ExecContext(ctx, "DELETE FROM trees WHERE id = $1", tree); err != nil {
		return err
	}
	defer o.tell("felled", tree) // want dual-write "follows"
	return nil
}

// Measure defers what is no message.
func (o *Orchard) Measure(ctx context.Context, tree string, observe func(time.Duration)) error {
	start := time.Now()
	defer func() { observe(time.Since(start)) }()
	_, err := o.db.ExecContext(ctx, "UPDATE trees SET measured = true WHERE id = $1", tree)
	return err
}

// Spray rolls back in a deferred function whatever happened, and nobody commits.
func (o *Orchard) Spray(ctx context.Context, tree string) error {
	tx, err := o.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var sprayed bool
	if err := tx.GetContext(ctx, &sprayed, "SELECT sprayed FROM trees WHERE id = $1", tree); err != nil {
		return err
	}
	if !sprayed {
		o.tell("spray-wanted", tree)
	}
	return nil
}
