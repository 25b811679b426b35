// Package writer has one object run all writes, some of them in a goroutine.
package writer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/segmentio/kafka-go"
)

// Writer runs f in the given transaction, or in one of its own.
type Writer interface {
	Do(db *sql.DB, txn *sql.Tx, f func(txn *sql.Tx) error) error
}

// Ender is what ends a transaction.
type Ender interface {
	Commit() error
	Rollback() error
}

func endTransaction(txn Ender, succeeded *bool) error {
	if *succeeded {
		return txn.Commit()
	}
	return txn.Rollback()
}

func endWithCheck(txn Ender, succeeded *bool, err *error) {
	if e := endTransaction(txn, succeeded); e != nil && *err == nil {
		*err = e
	}
}

func withTransaction(db *sql.DB, fn func(txn *sql.Tx) error) (err error) {
	txn, err := db.Begin()
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	succeeded := false
	defer endWithCheck(txn, &succeeded, &err)
	if err = fn(txn); err != nil {
		return
	}
	succeeded = true
	return
}

// direct runs f where it is called.
type direct struct{}

func (w *direct) Do(db *sql.DB, txn *sql.Tx, f func(txn *sql.Tx) error) error {
	if db != nil && txn == nil {
		return withTransaction(db, func(txn *sql.Tx) error {
			return f(txn)
		})
	}
	return f(txn)
}

// exclusive runs one f at a time, in a goroutine.
type exclusive struct{ todo chan task }

type task struct {
	db   *sql.DB
	txn  *sql.Tx
	f    func(txn *sql.Tx) error
	wait chan error
}

func (w *exclusive) Do(db *sql.DB, txn *sql.Tx, f func(txn *sql.Tx) error) error {
	if w.todo == nil {
		return errors.New("not initialised")
	}
	go w.run()
	t := task{db: db, txn: txn, f: f, wait: make(chan error, 1)}
	w.todo <- t
	return <-t.wait
}

func (w *exclusive) run() {
	for t := range w.todo {
		if t.db != nil && t.txn != nil {
			t.wait <- t.f(t.txn)
		} else if t.db != nil && t.txn == nil {
			t.wait <- withTransaction(t.db, func(txn *sql.Tx) error {
				return t.f(txn)
			})
		} else {
			t.wait <- t.f(nil)
		}
		close(t.wait)
	}
}

// New is one or the other.
func New(sqlite bool) Writer {
	if sqlite {
		return &exclusive{todo: make(chan task)}
	}
	return &direct{}
}

// savepoint is another thing that is committed.
type savepoint struct{ done bool }

func (s *savepoint) Commit() error   { s.done = true; return nil }
func (s *savepoint) Rollback() error { return nil }

func finish() error {
	ok := true
	return endTransaction(&savepoint{}, &ok)
}

// Rooms keeps rooms.
type Rooms struct {
	db     *sql.DB
	writer Writer
	out    *kafka.Writer
}

func NewRooms(db *sql.DB, sqlite bool, out *kafka.Writer) *Rooms {
	return &Rooms{db: db, writer: New(sqlite), out: out}
}

func (r *Rooms) save(ctx context.Context, txn *sql.Tx, id string) error {
	_, err := txn.ExecContext(ctx, "INSERT INTO rooms (id) VALUES ($1)", id)
	return err
}

// Add publishes when the writer has committed.
func (r *Rooms) Add(ctx context.Context, id string) error {
	err := r.writer.Do(r.db, nil, func(txn *sql.Tx) error {
		return r.save(ctx, txn, id)
	})
	if err != nil {
		return err
	}
	return r.out.WriteMessages(ctx, kafka.Message{Topic: "rooms", Key: []byte(id)}) // want after-commit "runs after writer.Do"
}

// store is a caller away.
func (r *Rooms) store(ctx context.Context, id string) error {
	return r.writer.Do(r.db, nil, func(txn *sql.Tx) error {
		return r.save(ctx, txn, id)
	})
}

func (r *Rooms) AddStored(ctx context.Context, id string) error {
	if err := r.store(ctx, id); err != nil {
		return err
	}
	return r.out.WriteMessages(ctx, kafka.Message{Topic: "rooms", Key: []byte(id)}) // want after-commit "runs after r.store"
}

// AddInside publishes before the writer commits.
func (r *Rooms) AddInside(ctx context.Context, id string) error {
	return r.writer.Do(r.db, nil, func(txn *sql.Tx) error {
		if err := r.save(ctx, txn, id); err != nil {
			return err
		}
		return r.out.WriteMessages(ctx, kafka.Message{Topic: "rooms", Key: []byte(id)}) // want inside-tx "open"
	})
}

// Move writes in the transaction of its caller.
func (r *Rooms) Move(ctx context.Context, id string) error {
	return withTransaction(r.db, func(txn *sql.Tx) error {
		err := r.writer.Do(r.db, txn, func(txn *sql.Tx) error {
			return r.save(ctx, txn, id)
		})
		if err != nil {
			return err
		}
		return r.out.WriteMessages(ctx, kafka.Message{Topic: "rooms", Key: []byte(id)}) // want inside-tx "open"
	})
}

// Announce has written nothing.
func (r *Rooms) Announce(ctx context.Context, id string) error {
	if err := finish(); err != nil {
		return err
	}
	return r.out.WriteMessages(ctx, kafka.Message{Topic: "rooms", Key: []byte(id)})
}

// Exclusive are rooms in a database that takes one writer.
type Exclusive struct {
	db     *sql.DB
	writer *exclusive
	out    *kafka.Writer
}

func (r *Exclusive) Add(ctx context.Context, id string) error {
	err := r.writer.Do(r.db, nil, func(txn *sql.Tx) error {
		_, err := txn.ExecContext(ctx, "INSERT INTO rooms (id) VALUES ($1)", id)
		return err
	})
	if err != nil {
		return err
	}
	return r.out.WriteMessages(ctx, kafka.Message{Topic: "rooms", Key: []byte(id)}) // want after-commit "runs after writer.Do"
}
