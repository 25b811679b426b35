package servers

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// RabbitMQ starts a server, or takes the one of AMQP_URL.
func RabbitMQ(t *testing.T) string {
	t.Helper()
	if url := os.Getenv("AMQP_URL"); url != "" {
		return url
	}
	// What stands in PATH is a wrapper that changes the user.
	server := "/usr/lib/rabbitmq/bin/rabbitmq-server"
	if _, err := os.Stat(server); err != nil {
		return missing(t, "RabbitMQ")
	}
	as, dir := newAccount(t, "rabbitmq")
	port, names := freePort(t), strconv.Itoa(freePort(t))
	env := []string{
		"HOME=" + dir, "RABBITMQ_NODENAME=test" + names + "@localhost", "RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
		"RABBITMQ_NODE_PORT=" + strconv.Itoa(port), "RABBITMQ_DIST_PORT=" + strconv.Itoa(freePort(t)),
		"RABBITMQ_MNESIA_BASE=" + filepath.Join(dir, "data"), "RABBITMQ_LOG_BASE=" + filepath.Join(dir, "log"),
		"RABBITMQ_CONFIG_FILE=" + filepath.Join(dir, "none"), "RABBITMQ_ENABLED_PLUGINS_FILE=" + filepath.Join(dir, "plugins"),
		"RABBITMQ_CONF_ENV_FILE=" + filepath.Join(dir, "env"), "ERL_EPMD_PORT=" + names, "ERL_EPMD_ADDRESS=127.0.0.1",
	}
	for name, text := range map[string]string{"plugins": "[].", "env": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// Cleanups run in reverse: the node is killed first.
	t.Cleanup(func() { stopNames(t, as, env) })
	as.serve(t, port, env, server)
	return "amqp://guest:guest@" + address(port) + "/"
}

// stopNames ends the name server that Erlang leaves behind, once it has noticed that
// the node is gone.
func stopNames(t *testing.T, as account, env []string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		cmd, _ := as.command(t, env, "epmd", "-kill")
		if cmd.Run() == nil {
			return
		}
	}
	t.Error("epmd does not end")
}
