package scaffold

import (
	"fmt"
	"strings"
)

// Next tells what is left to do after a spec was written.
func (s Spec) Next(t Target, rel string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nPackage %s is yours now. What is left:\n", t.ImportPath)
	fmt.Fprintf(&b, "  go mod tidy                 # adds what it imports\n")
	test := "go test ./" + strings.TrimPrefix(strings.ReplaceAll(rel, "\\", "/"), "./")
	if s.DB != "sqlite" {
		test = s.TestEnv() + "=... " + test
	}
	fmt.Fprintf(&b, "  %-28s# runs its tests%s\n", test+" ", map[string]string{
		"nats": " (NATS_URL for those of the publisher)", "kafka": " (KAFKA_BROKERS for those of the publisher)",
		"amqp": " (AMQP_URL for those of the publisher)",
	}[s.broker()])
	fmt.Fprintf(&b, "Apply %s.up.sql with your migrations", s.Kind)
	if s.Kind == "outbox" {
		b.WriteString("; call Enqueue in the transaction of the change, run a Relay\nand watch its Stats.\n")
	} else {
		b.WriteString("; call Once first in the transaction of each handler, and\nrun PruneEvery with a window that is longer than messages can come again.\n")
	}
	return b.String()
}

// broker is the one that tests publish to.
func (s Spec) broker() string {
	if s.Kind == "outbox" {
		return s.Broker
	}
	return ""
}
