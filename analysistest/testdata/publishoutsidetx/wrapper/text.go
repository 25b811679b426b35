package wrapper

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

// Lamps has methods that run the text they are given.
type Lamps struct {
	db  *sqlx.DB
	out *kafka.Writer
}

func (l *Lamps) tell(ctx context.Context, id string) error {
	return l.out.WriteMessages(ctx, kafka.Message{Topic: "lamps", Key: []byte(id)})
}

// row looks like a read: what it does, its text says.
func (l *Lamps) row(ctx context.Context, query string, args ...any) (state string, err error) {
	err = l.db.QueryRowxContext(ctx, l.db.Rebind(query), args...).Scan(&state)
	return state, err
}

// tried has a literal run the text.
func (l *Lamps) tried(ctx context.Context, query string, args ...any) (err error) {
	for range 3 {
		try := func() error {
			_, err := l.row(ctx, query, args...)
			return err
		}
		if err = try(); err == nil {
			return nil
		}
	}
	return err
}

func (l *Lamps) exec(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}

func (l *Lamps) Light(ctx context.Context, id string) error {
	if _, err := l.row(ctx, "UPDATE lamps SET lit = true WHERE id = ? RETURNING state", id); err != nil {
		return err
	}
	return l.tell(ctx, id) // want dual-write "follows"
}

func (l *Lamps) Dim(ctx context.Context, id string, by int) error {
	q := fmt.Sprintf("UPDATE lamps SET level = level - %d WHERE id = ?", by)
	if err := l.tried(ctx, q, id); err != nil {
		return err
	}
	return l.tell(ctx, id) // want dual-write "follows"
}

// Show reads through the same methods.
func (l *Lamps) Show(ctx context.Context, id string) error {
	if _, err := l.row(ctx, "SELECT state FROM lamps WHERE id = ?", id); err != nil {
		return err
	}
	if err := l.tried(ctx, "SELECT state FROM lamps WHERE id = ? FOR SHARE", id); err != nil {
		return err
	}
	return l.tell(ctx, id)
}

// Replace stores the event in the transaction.
func (l *Lamps) Replace(ctx context.Context, id string) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := l.exec(ctx, tx, "UPDATE lamps SET bulbs = bulbs + 1 WHERE id = $1", id); err != nil {
		return err
	}
	if err := l.exec(ctx, tx, "INSERT INTO lamp_outbox (lamp) VALUES ($1)", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return l.tell(ctx, id)
}

// Break stores none.
func (l *Lamps) Break(ctx context.Context, id string) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := l.exec(ctx, tx, "UPDATE lamps SET broken = true WHERE id = $1", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return l.tell(ctx, id) // want after-commit
}

// Any runs what it is given from outside: nothing is known of it.
func (l *Lamps) Any(ctx context.Context, id string, where ...string) error {
	if _, err := l.row(ctx, strings.Join(where, " "), id); err != nil {
		return err
	}
	return l.tell(ctx, id)
}

// Queryable is the module's own view of the handle.
type Queryable interface {
	QueryRowxContext(ctx context.Context, query string, args ...any) *sqlx.Row
	NamedQueryContext(ctx context.Context, query string, arg any) (*sqlx.Rows, error)
	NamedExecContext(ctx context.Context, query string, arg any) (sql.Result, error)
}

type traced struct {
	*sqlx.DB
	calls int
}

func (t *traced) NamedQueryContext(ctx context.Context, query string, arg any) (*sqlx.Rows, error) {
	t.calls++
	return t.DB.NamedQueryContext(ctx, query, arg)
}

// Torches writes through it.
type Torches struct {
	db  Queryable
	out *kafka.Writer
}

func NewTorches(db *sqlx.DB, out *kafka.Writer) *Torches {
	return &Torches{db: &traced{DB: db}, out: out}
}

func (t *Torches) Add(ctx context.Context, name string) error {
	rows, err := t.db.NamedQueryContext(ctx, "INSERT INTO torches (name) VALUES (:name) RETURNING id", map[string]any{"name": name})
	if err != nil {
		return err
	}
	if err := rows.Close(); err != nil {
		return err
	}
	return t.out.WriteMessages(ctx, kafka.Message{Topic: "torches", Key: []byte(name)}) // want dual-write "follows"
}

func (t *Torches) Find(ctx context.Context, name string) error {
	rows, err := t.db.NamedQueryContext(ctx, "SELECT id FROM torches WHERE name = :name", map[string]any{"name": name})
	if err != nil {
		return err
	}
	if err := rows.Close(); err != nil {
		return err
	}
	return t.out.WriteMessages(ctx, kafka.Message{Topic: "torches", Key: []byte(name)})
}

// Candles has prepared statements, as sqlc writes it.
type Candles struct {
	db   *sql.DB
	burn *sql.Stmt
	read *sql.Stmt
	out  *kafka.Writer
}

func (c *Candles) queryRow(ctx context.Context, stmt *sql.Stmt, query string, args ...any) *sql.Row {
	if stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return c.db.QueryRowContext(ctx, query, args...)
}

func (c *Candles) Burn(ctx context.Context, id string) error {
	var left int
	if err := c.queryRow(ctx, c.burn, "UPDATE candles SET len = len - 1 WHERE id = $1 RETURNING len", id).Scan(&left); err != nil {
		return err
	}
	return c.out.WriteMessages(ctx, kafka.Message{Topic: "candles", Key: []byte(id)}) // want dual-write "follows"
}

func (c *Candles) Read(ctx context.Context, id string) error {
	var left int
	if err := c.queryRow(ctx, c.read, "SELECT len FROM candles WHERE id = $1", id).Scan(&left); err != nil {
		return err
	}
	return c.out.WriteMessages(ctx, kafka.Message{Topic: "candles", Key: []byte(id)})
}
