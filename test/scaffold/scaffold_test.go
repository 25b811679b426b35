package scaffold_test

import (
	"flag"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"

// written is something that deliverylint writes.
type written struct{ kind, db, driver, broker string }

func (w written) dir() string {
	if w.kind == "inbox" {
		return filepath.Join(w.db, w.driver, "inbox")
	}
	return filepath.Join(w.db, w.driver, w.broker, "outbox")
}

// combinations are all databases with all drivers, and all brokers once.
func combinations() []written {
	drivers := map[string][]string{
		"postgres": {"sql", "pgx", "sqlx", "gorm", "bun"},
		"mysql":    {"sql", "sqlx", "gorm"},
		"sqlite":   {"sql", "sqlx", "gorm", "bun"},
	}
	var all []written
	for _, db := range []string{"postgres", "mysql", "sqlite"} {
		for _, driver := range drivers[db] {
			all = append(all, written{"outbox", db, driver, "nats"}, written{"inbox", db, driver, ""})
		}
	}
	for _, broker := range []string{"kafka", "amqp", "watermill"} {
		all = append(all, written{"outbox", "postgres", "sql", broker})
	}
	return all
}

func scaffold(t *testing.T, tool, module string, list ...written) {
	t.Helper()
	for _, w := range list {
		args := []string{"scaffold", w.kind, "-db", w.db, "-driver", w.driver, "-dir", w.dir()}
		if w.broker != "" {
			args = append(args, "-broker", w.broker)
		}
		run(t, module, nil, tool, args...)
	}
}

// TestWritten checks what is written for each combination, and runs its tests.
func TestWritten(t *testing.T) {
	tool, dir := build(t), module(t)
	scaffold(t, tool, dir, combinations()...)
	t.Run("gofmt", func(t *testing.T) {
		if out := run(t, dir, nil, "gofmt", "-l", "."); out != "" {
			t.Error(out)
		}
	})
	t.Run("vet", func(t *testing.T) { run(t, dir, nil, "go", "vet", "./...") })
	t.Run("deliverylint", func(t *testing.T) { run(t, dir, nil, tool, "./...") })
	t.Run("staticcheck", func(t *testing.T) {
		run(t, dir, nil, "go", "run", staticcheck, "./postgres/...", "./mysql/...")
		// It takes a minute to read a SQLite in Go, which the tests import.
		run(t, dir, nil, "go", "run", staticcheck, "-tests=false", "./sqlite/...")
	})
	t.Run("tests", func(t *testing.T) { t.Log(run(t, dir, services(t), "go", "test", "./...")) })
}

var (
	measure = flag.Bool("throughput", false, "measure the relay's throughput")
	rate    = regexp.MustCompile(`([0-9.]+) rows/s`)
)

// bar is how many rows a second the relay has to move, on two cores.
const bar = 5000

// TestThroughput prints how many rows a second a relay moves from PostgreSQL to
// JetStream. It is a measure, so it runs when it is asked for.
func TestThroughput(t *testing.T) {
	if !*measure {
		t.Skip("make relay measures")
	}
	tool, dir, env := build(t), module(t), services(t)
	if env[0] == "TEST_DATABASE_URL=" {
		t.Skip("no PostgreSQL")
	}
	for _, driver := range []string{"sql", "pgx"} {
		w := written{"outbox", "postgres", driver, "nats"}
		scaffold(t, tool, dir, w)
		out := run(t, dir, env, "go", "test", "./"+filepath.ToSlash(w.dir()), "-run", "^$", "-bench", "NATS", "-benchtime", "20000x")
		m := rate.FindStringSubmatch(out)
		if m == nil {
			t.Fatalf("no figure in\n%s", out)
		}
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("relay, PostgreSQL by %s to JetStream: %.0f rows/s", driver, n)
		if n < bar {
			t.Errorf("that is less than %d", bar)
		}
	}
}
