// Package scaffold writes an outbox or an inbox as code that its user owns: the
// migration, what stores and publishes messages or records deliveries, and tests.
package scaffold

import (
	"fmt"
	"slices"
	"strings"
)

// Spec says what to write.
type Spec struct {
	// Kind is outbox or inbox.
	Kind string
	// DB, Driver and Broker name what the code is written for.
	DB, Driver, Broker string
	// Package is the name of the package.
	Package string
}

// Kinds are the things that can be written.
func Kinds() []string { return []string{"outbox", "inbox"} }

// DBs are the databases that code can be written for.
func DBs() []string { return []string{"postgres", "mysql", "sqlite"} }

// Drivers are what transactions can come from.
func Drivers() []string { return []string{"sql", "pgx", "sqlx", "gorm", "bun"} }

// Brokers are what a relay can publish to.
func Brokers() []string { return []string{"kafka", "nats", "amqp", "watermill"} }

// databases are those that a driver can be used with here.
func databases(driver string) []string {
	switch driver {
	case "pgx":
		return []string{"postgres"}
	case "bun":
		return []string{"postgres", "sqlite"}
	}
	return DBs()
}

// Check tells what is wrong with a spec. An inbox needs no broker: it only settles
// what the comments say.
func (s Spec) Check() error {
	if err := oneOf("", s.Kind, Kinds()); err != nil {
		return err
	}
	if err := oneOf("-db ", s.DB, DBs()); err != nil {
		return err
	}
	if err := oneOf("-driver ", s.Driver, Drivers()); err != nil {
		return err
	}
	if s.Broker == "" && s.Kind == "outbox" {
		return fmt.Errorf("scaffold outbox needs -broker: %s", list(Brokers()))
	}
	if s.Broker != "" {
		if err := oneOf("-broker ", s.Broker, Brokers()); err != nil {
			return err
		}
	}
	if known := databases(s.Driver); !slices.Contains(known, s.DB) {
		return fmt.Errorf("scaffold: -driver %s is written for %s only, not for %s", s.Driver, list(known), s.DB)
	}
	return nil
}

func oneOf(flag, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("scaffold: unknown %s%q (known: %s)", flag, value, strings.Join(known, ", "))
}

// list writes words as a sentence does.
func list(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
