package wrong

import (
	"context"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
)

var ridesTopic = "rides"

type Rides struct {
	conn     *pgx.Conn
	producer *kafka.Producer
}

func (r *Rides) record(id string, what string) *kafka.Message {
	return &kafka.Message{
		TopicPartition: kafka.TopicPartition{Topic: &ridesTopic, Partition: kafka.PartitionAny},
		Key:            []byte(id),
		Value:          []byte(what),
	}
}

func (r *Rides) Finish(ctx context.Context, id string) error {
	err := pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE rides SET ended_at = now() WHERE id = $1", id)
		return err
	})
	if err != nil {
		return err
	}
	reports := make(chan kafka.Event, 1)
	if err := r.producer.Produce(r.record(id, "finished"), reports); err != nil { // want after-commit "runs after"
		return err
	}
	if m, ok := (<-reports).(*kafka.Message); ok {
		return m.TopicPartition.Error
	}
	return nil
}

func (r *Rides) Request(ctx context.Context, id string, rider string) error {
	return pgx.BeginTxFunc(ctx, r.conn, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := r.producer.Produce(r.record(id, "requested"), nil); err != nil { // want inside-tx "transaction"
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO rides (id, rider) VALUES ($1, $2)", id, rider)
		return err
	})
}

// Accept wraps the publish in a Kafka transaction: it protects what is published
// from itself, not from the database.
func (r *Rides) Accept(ctx context.Context, id, driver string) error {
	if err := r.producer.BeginTransaction(); err != nil {
		return err
	}
	if _, err := r.conn.Exec(ctx, "UPDATE rides SET driver = $2 WHERE id = $1", id, driver); err != nil {
		_ = r.producer.AbortTransaction(ctx)
		return err
	}
	if err := r.producer.Produce(r.record(id, "accepted"), nil); err != nil { // want dual-write "follows"
		_ = r.producer.AbortTransaction(ctx)
		return err
	}
	return r.producer.CommitTransaction(ctx)
}
