// Package env connects a service to the servers that its environment names.
package env

import (
	"database/sql"
	"os"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rabbitmq/amqp091-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// DB is the database.
func DB() (*sql.DB, error) {
	return sql.Open("pgx", os.Getenv("DATABASE_URL"))
}

// JetStream is the broker.
func JetStream() (jetstream.JetStream, error) {
	nc, err := nats.Connect(os.Getenv("NATS_URL"), nats.Timeout(10*time.Second))
	if err != nil {
		return nil, err
	}
	return jetstream.New(nc)
}

// AMQP is a channel to the other broker.
func AMQP() (*amqp091.Channel, error) {
	conn, err := amqp091.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		return nil, err
	}
	ch, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	return ch, ch.Qos(1, 0, false)
}

// Kafka is a member of the group that all replicas are in.
func Kafka() (*kgo.Client, error) {
	return kgo.NewClient(
		kgo.SeedBrokers(os.Getenv("KAFKA_BROKER")), kgo.ConsumeTopics("parcels"), kgo.ConsumerGroup("service"), kgo.DisableAutoCommit(),
		kgo.SessionTimeout(time.Second), kgo.HeartbeatInterval(200*time.Millisecond))
}
