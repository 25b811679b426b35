// Package scaffold_test writes every outbox and inbox that deliverylint knows to
// write, checks them with vet, staticcheck and deliverylint, and runs their tests
// against PostgreSQL, SQLite, JetStream and a Kafka made of Go.
package scaffold_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/twmb/franz-go/pkg/kfake"
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
	write(t, filepath.Join(dir, "go.mod"), "module example.com/written\n"+rest)
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

// services are what the written tests need: PostgreSQL, JetStream and Kafka.
func services(t *testing.T) []string {
	t.Helper()
	return []string{"TEST_DATABASE_URL=" + postgres(t), "NATS_URL=" + jetStream(t), "KAFKA_BROKERS=" + kafka(t)}
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

// postgres starts a server, or takes the one of TEST_DATABASE_URL. Without either
// it is empty, and the tests that need one say so.
func postgres(t *testing.T) string {
	t.Helper()
	if dsn := os.Getenv("TEST_DATABASE_URL"); dsn != "" {
		return dsn
	}
	bin := postgresBin()
	if bin == "" {
		t.Log("no PostgreSQL: neither TEST_DATABASE_URL nor initdb is there; what needs it is only compiled")
		return ""
	}
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	as := owner(t, dir)
	port, data := freePort(t), filepath.Join(dir, "data")
	as.run(t, filepath.Join(bin, "initdb"), "-D", data, "-A", "trust", "-U", "postgres")
	ctl := filepath.Join(bin, "pg_ctl")
	as.run(t, ctl, "-D", data, "-l", filepath.Join(dir, "log"), "-w", "start",
		"-o", fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1", port, dir))
	t.Cleanup(func() { as.run(t, ctl, "-D", data, "-m", "immediate", "-w", "stop") })
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port)
}

func postgresBin() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	// Debian keeps them out of PATH.
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin"); len(found) > 0 {
		return found[len(found)-1]
	}
	return ""
}

// account is whom PostgreSQL runs as; it refuses to run as root.
type account struct{ credential *syscall.Credential }

func owner(t *testing.T, dir string) account {
	t.Helper()
	if os.Getuid() != 0 {
		return account{}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		if err1 != nil || err2 != nil || os.Chown(dir, uid, gid) != nil {
			continue
		}
		return account{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	t.Skip("nobody but root is there to run PostgreSQL as")
	return account{}
}

func (a account) run(t *testing.T, program string, args ...string) {
	t.Helper()
	log, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Dir = "/"
	// A file, not a pipe: the server that pg_ctl leaves behind would keep it open.
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential}
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(log.Name())
		t.Fatalf("%s: %v\n%s", program, err, text)
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
