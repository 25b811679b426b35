// Package servers starts the servers that tests need, where they are installed: as a
// user that may run them, in a folder of their own, until the test is over.
package servers

import (
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// account is whom a server runs as, since some refuse to run as root.
type account struct{ credential *syscall.Credential }

// newAccount takes the first of the users that there is, and makes a folder of its
// own.
func newAccount(t *testing.T, users ...string) (account, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "server")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if os.Getuid() != 0 {
		return account{}, dir
	}
	for _, name := range append(users, "nobody") {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		if err1 != nil || err2 != nil || os.Chown(dir, uid, gid) != nil {
			continue
		}
		return account{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, dir
	}
	t.Fatal("nobody but root is there to run a server as")
	return account{}, ""
}

// command is a program that writes to a file. A pipe would be kept open by the
// servers that some programs leave behind.
func (a account) command(t *testing.T, env []string, program string, args ...string) (*exec.Cmd, string) {
	t.Helper()
	log, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = "/", append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = log, log
	// A group of its own: a server's children end with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential, Setpgid: true}
	return cmd, log.Name()
}

// run runs a program to its end.
func (a account) run(t *testing.T, env []string, program string, args ...string) {
	t.Helper()
	cmd, log := a.command(t, env, program, args...)
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(log)
		t.Fatalf("%s: %v\n%s", filepath.Base(program), err, text)
	}
}

// serve starts a program that is ready once it listens at a port.
func (a account) serve(t *testing.T, port int, env []string, program string, args ...string) {
	t.Helper()
	cmd, log := a.command(t, env, program, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		conn, err := net.Dial("tcp", address(port))
		if err == nil {
			conn.Close()
			return
		}
	}
	text, _ := os.ReadFile(log)
	t.Fatalf("%s does not start\n%s", filepath.Base(program), text)
}

func address(port int) string {
	return "127.0.0.1:" + strconv.Itoa(port)
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

// missing says that a server isn't there.
func missing(t *testing.T, what string) string {
	t.Helper()
	t.Logf("%s is not installed, nor named by a variable: what needs it is only compiled", what)
	return ""
}
