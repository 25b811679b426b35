package servers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Postgres starts a server with settings ("fsync=off"), or takes the one of
// TEST_DATABASE_URL. Without either it is empty, and the tests that need one say so.
func Postgres(t *testing.T, settings ...string) string {
	t.Helper()
	if dsn := os.Getenv("TEST_DATABASE_URL"); dsn != "" {
		return dsn
	}
	bin := postgresBin()
	if bin == "" {
		if os.Getenv("CI") != "" {
			t.Error("a full check needs PostgreSQL")
		}
		return missing(t, "PostgreSQL")
	}
	as, dir := newAccount(t, "postgres")
	port, data := freePort(t), filepath.Join(dir, "data")
	as.run(t, nil, filepath.Join(bin, "initdb"), "-D", data, "-A", "trust", "-U", "postgres")
	options := fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1", port, dir)
	for _, s := range settings {
		options += " -c " + s
	}
	ctl := filepath.Join(bin, "pg_ctl")
	as.run(t, nil, ctl, "-D", data, "-l", filepath.Join(dir, "log"), "-w", "start",
		"-o", options)
	t.Cleanup(func() { as.run(t, nil, ctl, "-D", data, "-m", "immediate", "-w", "stop") })
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
