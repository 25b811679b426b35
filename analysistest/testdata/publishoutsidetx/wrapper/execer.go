package wrapper

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Result hides the driver's, so that the interfaces stand for nothing known.
type Result interface{ RowsAffected() (int64, error) }

type QueryExecer interface {
	ExecContext(ctx context.Context, query string, args ...any) (Result, error)
}

type Transaction interface {
	QueryExecer
	Commit() error
	Rollback() error
}

type transactionKey struct{}

type client struct{ db *sql.DB }

func (c *client) ExecContext(ctx context.Context, query string, args ...any) (Result, error) {
	tx, ok := ctx.Value(transactionKey{}).(Transaction)
	if ok {
		return tx.ExecContext(ctx, query, args...)
	}
	return c.db.ExecContext(ctx, query, args...)
}

func (c *client) BeginTx(ctx context.Context) (Transaction, error) {
	stx, err := c.db.BeginTx(ctx, nil)
	return &transaction{stx}, err
}

// InTx hands the transaction on in the context.
func (c *client) InTx(ctx context.Context, f func(ctx context.Context) error) error {
	tx, err := c.BeginTx(ctx)
	if err != nil {
		return err
	}
	ctx = context.WithValue(ctx, transactionKey{}, tx)
	if err := f(ctx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

type transaction struct{ stx *sql.Tx }

func (tx *transaction) ExecContext(ctx context.Context, query string, args ...any) (Result, error) {
	return tx.stx.ExecContext(ctx, query, args...)
}

func (tx *transaction) Commit() error { return tx.stx.Commit() }

func (tx *transaction) Rollback() error { return tx.stx.Rollback() }

// Flags are stored through one or the other.
type Flags struct{ qe QueryExecer }

func (f *Flags) Save(ctx context.Context, id string) error {
	_, err := f.qe.ExecContext(ctx, "INSERT INTO flags (id) VALUES (?)", id)
	return err
}

type FlagAPI struct {
	client *client
	flags  *Flags
	out    *kafka.Writer
}

func NewFlagAPI(db *sql.DB, out *kafka.Writer) *FlagAPI {
	c := &client{db}
	return &FlagAPI{client: c, flags: &Flags{c}, out: out}
}

func (a *FlagAPI) tell(ctx context.Context, id string) error {
	return a.out.WriteMessages(ctx, kafka.Message{Topic: "flags", Key: []byte(id)})
}

// Create has no transaction.
func (a *FlagAPI) Create(ctx context.Context, id string) error {
	if err := a.flags.Save(ctx, id); err != nil {
		return err
	}
	return a.tell(ctx, id) // want dual-write "follows flags.Save"
}

func (a *FlagAPI) CreateInTx(ctx context.Context, id string) error {
	return a.client.InTx(ctx, func(ctx context.Context) error {
		if err := a.flags.Save(ctx, id); err != nil {
			return err
		}
		return a.tell(ctx, id) // want inside-tx "open"
	})
}

func (a *FlagAPI) CreateBound(ctx context.Context, id string) error {
	tx, err := a.client.BeginTx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := (&Flags{tx}).Save(ctx, id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return a.tell(ctx, id) // want after-commit "runs after tx.Commit"
}
