package chain

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"
)

// Container makes things by name, once a scope. The scope is in the context.
type Container struct {
	makers map[string]func(c *Scope) (any, error)
}

type Scope struct {
	*Container
	mu   sync.Mutex
	made map[string]any
}

type scopeKey struct{}

func (c *Container) Add(name string, maker func(c *Scope) (any, error)) { c.makers[name] = maker }

// In begins a scope.
func (c *Container) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeKey{}, &Scope{Container: c, made: map[string]any{}})
}

func (s *Scope) Get(name string) any {
	s.mu.Lock()
	v, ok := s.made[name]
	s.mu.Unlock()
	if ok {
		return v
	}
	v, err := s.makers[name](s)
	if err != nil {
		panic(fmt.Errorf("%s: %w", name, err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made[name] = v
	return v
}

// Get takes something from the scope of the context.
func Get(ctx context.Context, name string) any { return ctx.Value(scopeKey{}).(*Scope).Get(name) }

// Parcel goes to a stream that is the outbox in every scope of a request.
type Parcel struct{ ID string }

type ParcelStream interface {
	Announce(ctx context.Context, p Parcel) error
}

type natsParcels struct{ nc *nats.Conn }

func (n natsParcels) Announce(_ context.Context, p Parcel) error {
	return n.nc.Publish("parcels", []byte(p.ID))
}

type storedParcels struct{ tx *sql.Tx }

func (s storedParcels) Announce(ctx context.Context, p Parcel) error {
	_, err := s.tx.ExecContext(ctx, "INSERT INTO parcel_outbox (parcel) VALUES ($1)", p.ID)
	return err
}

type ParcelTable interface {
	Keep(ctx context.Context, p Parcel) error
}

type sqlParcels struct{ tx *sql.Tx }

func (t sqlParcels) Keep(ctx context.Context, p Parcel) error {
	_, err := t.tx.ExecContext(ctx, "INSERT INTO kept_parcels (id) VALUES ($1)", p.ID)
	return err
}

// Locker is the application. It knows neither the transaction nor the outbox.
type Locker struct {
	table  ParcelTable
	stream ParcelStream
}

func (l *Locker) Keep(ctx context.Context, p Parcel) error {
	if err := l.table.Keep(ctx, p); err != nil {
		return err
	}
	return l.stream.Announce(ctx, p)
}

// Build registers everything.
func Build(db *sql.DB, nc *nats.Conn) *Container {
	c := &Container{makers: map[string]func(*Scope) (any, error){}}
	c.Add("tx", func(*Scope) (any, error) { return db.Begin() })
	c.Add("broker", func(*Scope) (any, error) { return natsParcels{nc}, nil })
	c.Add("table", func(c *Scope) (any, error) { return sqlParcels{c.Get("tx").(*sql.Tx)}, nil })
	c.Add("stream", func(c *Scope) (any, error) { return storedParcels{c.Get("tx").(*sql.Tx)}, nil })
	c.Add("locker", func(c *Scope) (any, error) {
		return &Locker{table: c.Get("table").(ParcelTable), stream: c.Get("stream").(ParcelStream)}, nil
	})
	return c
}

// Serve has one scope, and with it one transaction, a request.
func Serve(ctx context.Context, c *Container, p Parcel) (err error) {
	ctx = c.In(ctx)
	defer func(tx *sql.Tx) {
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}(Get(ctx, "tx").(*sql.Tx))
	return Get(ctx, "locker").(*Locker).Keep(ctx, p)
}
