// Package scaffold_test writes every outbox and inbox that deliverylint knows to
// write, checks them with vet, staticcheck and deliverylint, and runs their tests
// against PostgreSQL, SQLite, JetStream and a Kafka made of Go.
package scaffold_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/deliverylint/deliverylint/test/servers"
)

// module makes a module that has the requirements of this one.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(mod), "\n")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.com/written\n"+strings.Replace(rest, "=> ../..", "=> "+root, 1))
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// build builds the command of the repository that this module lies in.
func build(t *testing.T) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "deliverylint")
	run(t, "../..", nil, "go", "build", "-o", tool, "./cmd/deliverylint")
	return tool
}

// run runs a program that has to succeed and returns what it prints.
func run(t *testing.T, dir string, env []string, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
	return string(out)
}

// services are what the written tests need. JetStream and Kafka run in this
// process, the others are started if they are installed.
func services(t *testing.T) []string {
	t.Helper()
	return []string{
		"TEST_DATABASE_URL=" + servers.Postgres(t), "TEST_MYSQL_DSN=" + servers.MariaDB(t),
		"NATS_URL=" + jetStream(t), "KAFKA_BROKERS=" + kafka(t), "AMQP_URL=" + servers.RabbitMQ(t),
	}
}

// jetStream starts a server in this process that stores on disk.
func jetStream(t *testing.T) string {
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
	return s.ClientURL()
}

func kafka(t *testing.T) string {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.AllowAutoTopicCreation())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return strings.Join(c.ListenAddrs(), ",")
}
