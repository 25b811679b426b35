package scaffold_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deliverylint/deliverylint/test/servers"
)

const (
	keys  = 100
	kills = 10
	// batch is the relay's default.
	batch = 1000
)

// TestTwoRelays runs two relays in processes of their own on one outbox: no row is
// published twice. Then they are killed, again and again: rows are published twice
// then, but none is lost, and no key gets out of order.
func TestTwoRelays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const perKey = 200
	c := newCrash(t)
	c.fill(t, perKey)
	one, two := c.start(t, c.relay), c.start(t, c.relay)
	c.await(t, "SELECT count(*) FROM outbox WHERE published_at IS NULL", 0)
	if n := c.check(t, perKey); n != 0 {
		t.Errorf("%d rows were published twice, and nobody was killed", n)
	}
	interrupt(t, one)
	interrupt(t, two)

	c.fill(t, perKey)
	c.killing(t, c.relay)
	c.await(t, "SELECT count(*) FROM outbox WHERE published_at IS NULL", 0)
	n := c.check(t, perKey)
	t.Logf("%d of %d rows were published twice after %d kills", n, keys*perKey, kills)
	if n > kills*batch {
		t.Errorf("more than a batch a kill")
	}
}

// TestConsumersKilled kills relays first and consumers then: each message has its
// effect once.
func TestConsumersKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const perKey = 30
	c := newCrash(t)
	c.exec(t, `CREATE TABLE counts (key text PRIMARY KEY, n bigint NOT NULL);
INSERT INTO counts SELECT i::text, 0 FROM generate_series(0, `+strconv.Itoa(keys-1)+`) AS i`)
	c.fill(t, perKey)
	c.killing(t, c.relay)
	c.killing(t, c.consumer)
	c.await(t, "SELECT count(*) FROM inbox", keys*perKey)
	info, err := c.stream.Info(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	consumer, err := c.stream.Consumer(context.Background(), "counter")
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); consumer.CachedInfo().AckFloor.Stream < info.State.LastSeq; time.Sleep(50 * time.Millisecond) {
		if _, err := consumer.Info(context.Background()); err != nil || time.Now().After(end) {
			t.Fatalf("messages are left: %v", err)
		}
	}
	state := consumer.CachedInfo()
	t.Logf("%d events, %d messages, %d deliveries", keys*perKey, info.State.Msgs, state.Delivered.Consumer)
	c.await(t, "SELECT count(*) FROM counts WHERE n <> "+strconv.Itoa(perKey), 0)
}

// killing runs a program twice at once, and kills and replaces the two in turn.
func (c *crash) killing(t *testing.T, program string) {
	t.Helper()
	running := []*exec.Cmd{c.start(t, program), c.start(t, program)}
	for i := range kills {
		time.Sleep(100 * time.Millisecond)
		kill(t, running[i%2])
		running[i%2] = c.start(t, program)
	}
}

// crash is an outbox and an inbox, the programs that work on them and the stream
// between them.
type crash struct {
	relay, consumer string

	env    []string
	db     *pgx.Conn
	stream jetstream.Stream
	// next is the stream's position to read on from.
	next uint64
}

func newCrash(t *testing.T) *crash {
	t.Helper()
	dsn := servers.Postgres(t)
	if dsn == "" {
		t.Skip("no PostgreSQL")
	}
	tool, dir := build(t), module(t)
	out, in := written{"outbox", "postgres", "pgx", "nats"}, written{"inbox", "postgres", "pgx", ""}
	scaffold(t, tool, dir, out, in)
	c := &crash{relay: program(t, dir, "relay"), consumer: program(t, dir, "consumer")}
	url := jetStream(t)
	c.env = []string{"TEST_DATABASE_URL=" + dsn + "&search_path=crash", "NATS_URL=" + url}
	c.connect(t, dsn, url)
	c.exec(t, "DROP SCHEMA IF EXISTS crash CASCADE; CREATE SCHEMA crash; SET search_path = crash")
	t.Cleanup(func() { c.exec(t, "DROP SCHEMA crash CASCADE") })
	for _, w := range []written{out, in} {
		up, err := os.ReadFile(filepath.Join(dir, w.dir(), w.kind+".up.sql"))
		if err != nil {
			t.Fatal(err)
		}
		c.exec(t, string(up))
	}
	return c
}

// program builds one of the programs in testdata, which use what was written.
func program(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, name, "main.go"), string(text))
	file := filepath.Join(dir, "bin-"+name)
	run(t, dir, nil, "go", "build", "-o", file, "./"+name)
	return file
}

func (c *crash) connect(t *testing.T, dsn, url string) {
	t.Helper()
	var err error
	if c.db, err = pgx.Connect(context.Background(), dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.db.Close(context.Background()) })
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	c.stream, err = js.CreateStream(context.Background(), jetstream.StreamConfig{Name: "events", Subjects: []string{"events.*"}})
	if err != nil {
		t.Fatal(err)
	}
	c.next = 1
}

func (c *crash) exec(t *testing.T, text string) {
	t.Helper()
	if _, err := c.db.Exec(context.Background(), text); err != nil {
		t.Fatal(err)
	}
}

// fill stores perKey rows for each key, whose payload counts them.
func (c *crash) fill(t *testing.T, perKey int) {
	t.Helper()
	c.exec(t, `DELETE FROM outbox;
INSERT INTO outbox (id, aggregatetype, aggregateid, type, payload)
SELECT gen_random_uuid(), 'order', (i % `+strconv.Itoa(keys)+`)::text, 'OrderPaid', convert_to((i / `+strconv.Itoa(keys)+`)::text, 'UTF8')
FROM generate_series(0, `+strconv.Itoa(keys*perKey-1)+`) AS i ORDER BY i`)
}

func (c *crash) start(t *testing.T, program string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), c.env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			kill(t, cmd)
		}
	})
	return cmd
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); !errors.As(err, new(*exec.ExitError)) {
		t.Errorf("the relay had ended: %v", err)
	}
}

// interrupt stops a relay cleanly.
func interrupt(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the relay did not stop cleanly: %v", err)
	}
}

// await waits until a query counts what it is to count.
func (c *crash) await(t *testing.T, query string, want int) {
	t.Helper()
	n := -1
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if err := c.db.QueryRow(context.Background(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == want {
			return
		}
	}
	t.Fatalf("%s: %d, want %d", query, n, want)
}

// check reads what was published since the last check. All rows have to be there,
// and each key has to come in order: a message may come again, but none before the
// one in front of it. It returns the number of those that came again.
func (c *crash) check(t *testing.T, perKey int) int {
	t.Helper()
	info, err := c.stream.Info(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	again, seen := 0, map[string]int{}
	for ; c.next <= info.State.LastSeq; c.next++ {
		msg, err := c.stream.GetMsg(context.Background(), c.next)
		if err != nil {
			t.Fatal(err)
		}
		key := strings.TrimPrefix(msg.Subject, "events.")
		n, err := strconv.Atoi(string(msg.Data))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case n == seen[key]:
			seen[key]++
		case n < seen[key]:
			again++
		default:
			t.Fatalf("key %s: %d was published before %d", key, n, seen[key])
		}
	}
	for key, n := range seen {
		if n != perKey {
			t.Errorf("key %s: %d of %d messages", key, n, perKey)
		}
	}
	if len(seen) != keys {
		t.Errorf("%d of %d keys", len(seen), keys)
	}
	return again
}
