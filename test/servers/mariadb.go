package servers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// MariaDB starts a server, or takes the one of TEST_MYSQL_DSN. It stands for MySQL,
// whose server Debian doesn't have.
func MariaDB(t *testing.T) string {
	t.Helper()
	if dsn := os.Getenv("TEST_MYSQL_DSN"); dsn != "" {
		return dsn
	}
	server := sbin("mariadbd")
	if server == "" {
		return missing(t, "MariaDB")
	}
	as, dir := newAccount(t, "mysql")
	port, data := freePort(t), filepath.Join(dir, "data")
	// An empty folder does, with no tables of users.
	as.run(t, nil, "mkdir", "-p", filepath.Join(data, "test"))
	as.serve(t, port, nil, server, "--no-defaults", "--datadir="+data, "--skip-grant-tables", "--bind-address=127.0.0.1",
		fmt.Sprintf("--port=%d", port), "--socket="+filepath.Join(dir, "socket"), "--pid-file="+filepath.Join(dir, "pid"))
	return "root@tcp(" + address(port) + ")/test"
}

// sbin finds a program, also where servers are kept that PATH lacks.
func sbin(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	if path := "/usr/sbin/" + name; exec.Command("test", "-x", path).Run() == nil {
		return path
	}
	return ""
}
