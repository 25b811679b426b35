// Package chains gives a query its text first, and runs it at the end of the chain.
package chains

import (
	"context"
	"encoding/json"

	"github.com/gocql/gocql"
	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/uptrace/bun"
)

// schema says what a second insert meets.
const schema = `CREATE TABLE runs (id uuid PRIMARY KEY, name text)`

type event struct {
	ID, Name string
}

type store struct {
	session *gocql.Session
	db      *bun.DB
}

func decode(t *asynq.Task) (e event, err error) {
	err = json.Unmarshal(t.Payload(), &e)
	return e, err
}

// wrongMade stores one more row for each delivery.
func (s *store) wrongMade(ctx context.Context, t *asynq.Task) error {
	e, err := decode(t)
	if err != nil {
		return err
	}
	return s.session.Query("INSERT INTO runs (id, name) VALUES (?, ?)", uuid.NewString(), e.Name).WithContext(ctx).Exec() // want unstable-key
}

// rightKeyed replaces the row.
func (s *store) rightKeyed(ctx context.Context, t *asynq.Task) error {
	e, err := decode(t)
	if err != nil {
		return err
	}
	q := s.session.Query("INSERT INTO runs (id, name) VALUES (?, ?)", e.ID, e.Name)
	return q.WithContext(ctx).Exec()
}

// wrongCounter counts once more.
func (s *store) wrongCounter(ctx context.Context, t *asynq.Task) error {
	e, err := decode(t)
	if err != nil {
		return err
	}
	return s.session.Query("UPDATE counts SET runs = runs + 1 WHERE name = ?", e.Name).Exec() // want no-dedupe
}

// wrongRaw does so through bun.
func (s *store) wrongRaw(ctx context.Context, t *asynq.Task) error {
	e, err := decode(t)
	if err != nil {
		return err
	}
	_, err = s.db.NewRaw("UPDATE counts SET runs = runs + 1 WHERE name = ?", e.Name).Exec(ctx) // want no-dedupe
	return err
}

// rightRead changes nothing.
func (s *store) rightRead(ctx context.Context, t *asynq.Task) error {
	e, err := decode(t)
	if err != nil {
		return err
	}
	var n int
	return s.db.NewRaw("SELECT runs FROM counts WHERE name = ?", e.Name).Scan(ctx, &n)
}

func mux(s *store) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("made", s.wrongMade)
	m.HandleFunc("keyed", s.rightKeyed)
	m.HandleFunc("counter", s.wrongCounter)
	m.HandleFunc("raw", s.wrongRaw)
	m.HandleFunc("read", s.rightRead)
	return m
}
