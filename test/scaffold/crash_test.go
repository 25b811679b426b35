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
)

const (
	keys, perKey = 100, 100
	kills        = 8
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
	c := newCrash(t)
	c.fill(t)
	one, two := c.start(t), c.start(t)
	c.await(t)
	if n := c.check(t); n != 0 {
		t.Errorf("%d rows were published twice, and nobody was killed", n)
	}
	interrupt(t, one)
	interrupt(t, two)

	c.fill(t)
	relays := []*exec.Cmd{c.start(t), c.start(t)}
	for i := range kills {
		time.Sleep(250 * time.Millisecond)
		kill(t, relays[i%2])
		relays[i%2] = c.start(t)
	}
	c.await(t)
	n := c.check(t)
	t.Logf("%d of %d rows were published twice after %d kills", n, keys*perKey, kills)
	if n > kills*batch {
		t.Errorf("more than a batch a kill")
	}
}

// crash is an outbox, the program that relays it and the stream it goes to.
type crash struct {
	relay  string
	env    []string
	db     *pgx.Conn
	stream jetstream.Stream
	// next is the stream's position to read on from.
	next uint64
}

func newCrash(t *testing.T) *crash {
	t.Helper()
	dsn := postgres(t)
	if dsn == "" {
		t.Skip("no PostgreSQL: neither TEST_DATABASE_URL nor initdb is there")
	}
	tool, dir := build(t), module(t)
	w := written{"outbox", "postgres", "pgx", "nats"}
	scaffold(t, tool, dir, w)
	text, err := os.ReadFile("testdata/relay.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "relay", "main.go"), string(text))
	c := &crash{relay: filepath.Join(dir, "bin-relay")}
	run(t, dir, nil, "go", "build", "-o", c.relay, "./relay")
	url := jetStream(t)
	c.env = []string{"TEST_DATABASE_URL=" + dsn + "&search_path=crash", "NATS_URL=" + url}
	c.connect(t, dsn, url)
	up, err := os.ReadFile(filepath.Join(dir, w.dir(), "outbox.up.sql"))
	if err != nil {
		t.Fatal(err)
	}
	c.exec(t, "DROP SCHEMA IF EXISTS crash CASCADE; CREATE SCHEMA crash; SET search_path = crash;"+string(up))
	t.Cleanup(func() { c.exec(t, "DROP SCHEMA crash CASCADE") })
	return c
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
func (c *crash) fill(t *testing.T) {
	t.Helper()
	c.exec(t, `DELETE FROM outbox;
INSERT INTO outbox (id, aggregatetype, aggregateid, type, payload)
SELECT gen_random_uuid(), 'order', (i % `+strconv.Itoa(keys)+`)::text, 'OrderPaid', convert_to((i / `+strconv.Itoa(keys)+`)::text, 'UTF8')
FROM generate_series(0, `+strconv.Itoa(keys*perKey-1)+`) AS i ORDER BY i`)
}

func (c *crash) start(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(c.relay)
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

func (c *crash) await(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var n int
		if err := c.db.QueryRow(context.Background(), "SELECT count(*) FROM outbox WHERE published_at IS NULL").Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
	t.Fatal("rows are left that nobody publishes")
}

// check reads what was published since the last check. All rows have to be there,
// and each key has to come in order: a message may come again, but none before the
// one in front of it. It returns the number of those that came again.
func (c *crash) check(t *testing.T) int {
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
