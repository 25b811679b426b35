package proof_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rabbitmq/amqp091-go"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// ackWait is when JetStream delivers again what was not acked: long enough for another
// process to take the next message first. In a random schedule anything may come first.
const (
	ackWait       = 300 * time.Millisecond
	ackWaitRandom = 100 * time.Millisecond
)

// world is what a service works on: a schema of its own in the database, and
// brokers.
type world struct {
	takes source
	// jobs is set if it has a queue of jobs.
	jobs  bool
	dsn   *url.URL
	db    *sql.DB
	nats  *server.Server
	js    jetstream.JetStream
	amqp  *amqp091.Channel
	amqps *url.URL
	// name is that of its schema and its AMQP queue, and that under which its processes are
	// known to the database.
	name         string
	kafka        *kgo.Client
	kafkaCluster *kfake.Cluster
	// kafkaEnd is how many messages it has been given.
	kafkaEnd int64
}

func (l *lab) world(t *testing.T, name string, st *story) *world {
	t.Helper()
	w := &world{name: name, takes: st.takes}
	w.connect(t, l.postgres, name)
	w.startNATS(t)
	if st.jobs {
		w.migrateJobs(t)
	}
	switch st.takes {
	case rabbitMQ:
		w.startAMQP(t, l.amqp)
	case kafka:
		t.Cleanup(w.stopKafka)
	}
	return w
}

// connect makes the schema.
func (w *world) connect(t *testing.T, server, name string) {
	t.Helper()
	dsn, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	query := dsn.Query()
	query.Set("search_path", name)
	dsn.RawQuery = query.Encode()
	w.dsn = dsn
	if w.db, err = sql.Open("pgx", dsn.String()); err != nil {
		t.Fatal(err)
	}
	w.exec(t, "DROP SCHEMA IF EXISTS "+name+" CASCADE; CREATE SCHEMA "+name)
	t.Cleanup(func() {
		w.exec(t, "DROP SCHEMA "+name+" CASCADE")
		w.db.Close()
	})
	for _, file := range []string{"schema.sql", "outbox/outbox.up.sql", "inbox/inbox.up.sql"} {
		text, err := os.ReadFile(filepath.Join("services", file))
		if err != nil {
			t.Fatal(err)
		}
		w.exec(t, string(text))
	}
}

func (w *world) migrateJobs(t *testing.T) {
	t.Helper()
	w.jobs = true
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, w.dsn.String())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	m, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		t.Fatal(err)
	}
}

func (w *world) exec(t *testing.T, text string) {
	t.Helper()
	if _, err := w.db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

// startNATS starts a server in this process. It isn't killed, so that it stores in
// memory is no loss.
func (w *world) startNATS(t *testing.T) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	nc, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if w.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	w.nats = s
}

func (w *world) startAMQP(t *testing.T, server string) {
	t.Helper()
	conn, err := amqp091.Dial(server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if w.amqps, err = url.Parse(server); err != nil {
		t.Fatal(err)
	}
	if w.amqp, err = conn.Channel(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.amqp.QueueDeclare(w.name, false, false, false, false, nil); err != nil {
		t.Fatal(err)
	}
}

const tables = "orders, accounts, credits, processed, payments, shipments, meters, parcels, outbox, inbox"

// reset empties the world and puts there what the messages are about.
func (w *world) reset(entities int, wait time.Duration) error {
	text := "SET synchronous_commit = off;"
	for _, table := range strings.Split(tables, ", ") {
		text += "DELETE FROM " + table + ";"
	}
	for i := range entities {
		text += fmt.Sprintf(`INSERT INTO orders VALUES ('%[1]s', 'new'); INSERT INTO accounts VALUES ('%[1]s', 0);
INSERT INTO credits VALUES ('m%[2]d', FALSE);`, entity(i), i)
	}
	text += `INSERT INTO shipments VALUES ('e0', '', -1); INSERT INTO meters VALUES ('e0', -1, '2000-01-01');`
	if w.jobs {
		text += "DELETE FROM river_job;"
	}
	if _, err := w.db.Exec(text); err != nil {
		return err
	}
	if w.amqp != nil {
		if _, err := w.amqp.QueuePurge(w.name, false); err != nil {
			return err
		}
	}
	if w.takes == kafka {
		if err := w.resetKafka(); err != nil {
			return err
		}
	}
	return w.resetStream(wait)
}

func (w *world) resetStream(wait time.Duration) error {
	ctx := context.Background()
	_ = w.js.DeleteStream(ctx, "EVENTS") // there may be none
	stream, err := w.js.CreateStream(ctx, jetstream.StreamConfig{Name: "EVENTS", Subjects: []string{"orders.>", "outbox.>", "told.>"}, Storage: jetstream.MemoryStorage})
	if err != nil {
		return err
	}
	_, err = stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "service", FilterSubject: "told.>", AckWait: wait, AckPolicy: jetstream.AckExplicitPolicy, MemoryStorage: true})
	return err
}
