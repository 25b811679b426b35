package decorator

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"

	"github.com/nats-io/nats.go"
)

type Shard struct {
	Subject string
	Body    []byte
}

// ShardStream is the broker, or what stands before it.
type ShardStream interface {
	Publish(ctx context.Context, s Shard) error
	Drain() error
}

type natsStream struct{ nc *nats.Conn }

func (n natsStream) Publish(_ context.Context, s Shard) error { return n.nc.Publish(s.Subject, s.Body) }
func (n natsStream) Drain() error                             { return n.nc.Drain() }

// stored is a stream whose Publish only inserts a row; a relay has the stream that
// it embeds.
type stored struct {
	ShardStream
	tx *sql.Tx
}

func (s stored) Publish(ctx context.Context, m Shard) error {
	_, err := s.tx.ExecContext(ctx, "INSERT INTO shard_outbox (subject, body) VALUES (?, ?)", m.Subject, m.Body)
	return err
}

type Potters struct {
	db     *sql.DB
	stream ShardStream
}

func NewPotters(db *sql.DB, nc *nats.Conn) *Potters { return &Potters{db: db, stream: natsStream{nc}} }

func (p *Potters) Break(ctx context.Context, pot string) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "DELETE FROM pots WHERE id = ?", pot); err != nil {
		return err
	}
	if err := report(ctx, stored{p.stream, tx}, pot); err != nil {
		return err
	}
	return tx.Commit()
}

// report takes any stream.
func report(ctx context.Context, s ShardStream, pot string) error {
	return s.Publish(ctx, Shard{Subject: "pots.broken", Body: []byte(pot)})
}

// Relay publishes the rows and deletes them.
func (p *Potters) Relay(ctx context.Context) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	var s Shard
	row := tx.QueryRowContext(ctx, "SELECT id, subject, body FROM shard_outbox ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED")
	if err := row.Scan(&id, &s.Subject, &s.Body); err != nil {
		return err
	}
	if err := p.stream.Publish(ctx, s); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM shard_outbox WHERE id = ?", id); err != nil {
		return err
	}
	return tx.Commit()
}

// Clay is a message on brokers of which there are several.
type Clay struct{ Pit string }

type ClayBroker interface {
	SendClay(ctx context.Context, c Clay) error
}

type natsClay struct{ nc *nats.Conn }

func (n natsClay) SendClay(_ context.Context, c Clay) error {
	return n.nc.Publish("clay", []byte(c.Pit))
}

// fanOut forwards to each of them; logged to one, with a line.
type fanOut []ClayBroker

func (f fanOut) SendClay(ctx context.Context, c Clay) error {
	var errs []error
	for _, b := range f {
		errs = append(errs, b.SendClay(ctx, c))
	}
	return errors.Join(errs...)
}

type logged struct{ ClayBroker }

func (l logged) SendClay(ctx context.Context, c Clay) error {
	slog.InfoContext(ctx, "clay", "pit", c.Pit)
	return l.ClayBroker.SendClay(ctx, c)
}

type Pits struct {
	db  *sql.DB
	out ClayBroker
}

func NewPits(db *sql.DB, a, b *nats.Conn) *Pits {
	return &Pits{db: db, out: logged{fanOut{natsClay{a}, natsClay{b}}}}
}

func (p *Pits) Dig(ctx context.Context, pit string) error {
	if _, err := p.db.ExecContext(ctx, "UPDATE pits SET dug = dug + 1 WHERE id = ?", pit); err != nil {
		return err
	}
	return p.out.SendClay(ctx, Clay{pit}) // want dual-write "follows"
}
