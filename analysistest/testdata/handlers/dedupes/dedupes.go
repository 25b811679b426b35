// Package dedupes tells deliveries that were handled from new ones, in many ways.
package dedupes

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"
	"gorm.io/gorm"
)

type event struct {
	ID, Account string
	Cents       int64
}

type seenEvent struct{ ID string }

type ledger struct {
	pool *pgxpool.Pool
	db   *sql.DB
	orm  *gorm.DB
	rdb  *redis.Client
	mu   sync.Mutex
	seen map[string]bool
	ids  sync.Map
}

func (l *ledger) credit(ctx context.Context, e event) error {
	_, err := l.db.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents)
	return err
}

func (l *ledger) exists(ctx context.Context, id string) (bool, error) {
	var found bool
	err := l.pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM inbox WHERE id = $1)`, id).Scan(&found)
	return found, err
}

func decode(t *asynq.Task) (event, error) {
	var e event
	err := json.Unmarshal(t.Payload(), &e)
	return e, err
}

func (l *ledger) table(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	e, err := decode(t)
	if err != nil {
		return err
	}
	found, err := l.exists(ctx, e.ID) // gate b keyed looks in inbox
	if err != nil {
		return err
	}
	if found {
		return nil
	}
	return l.credit(ctx, e)
}

func (l *ledger) row(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	e, err := decode(t)
	if err != nil {
		return err
	}
	var id string
	err = l.pool.QueryRow(ctx, `SELECT id FROM inbox WHERE id = $1`, e.ID).Scan(&id) // gate e keyed looks in inbox
	if err == nil {
		return nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	return l.credit(ctx, e)
}

// missing leaves where nothing is found: no dedupe.
func (l *ledger) missing(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	e, err := decode(t)
	if err != nil {
		return err
	}
	var id string
	err = l.pool.QueryRow(ctx, `SELECT id FROM accounts WHERE id = $1`, e.Account).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return l.credit(ctx, e)
}

func (l *ledger) model(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	e, err := decode(t)
	if err != nil {
		return err
	}
	var n int64
	if err := l.orm.Model(&seenEvent{}).Where("id = ?", e.ID).Count(&n).Error; err != nil { // gate n keyed looks in seenevent
		return err
	}
	if n > 0 {
		return nil
	}
	return l.credit(ctx, e)
}

func (l *ledger) claim(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	e, err := decode(t)
	if err != nil {
		return err
	}
	tag, err := l.pool.Exec(ctx, `INSERT INTO inbox (id) VALUES ($1) ON CONFLICT DO NOTHING`, e.ID) // gate n keyed claims in inbox
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	return l.credit(ctx, e)
}

func (l *ledger) violation(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	e, err := decode(t)
	if err != nil {
		return err
	}
	if _, err := l.pool.Exec(ctx, `INSERT INTO inbox (id) VALUES ($1)`, e.ID); err != nil { // gate k keyed claims in inbox
		var pe *pgconn.PgError
		if errors.As(err, &pe) {
			return nil
		}
		return err
	}
	return l.credit(ctx, e)
}

func (l *ledger) setNX(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	e, err := decode(t)
	if err != nil {
		return err
	}
	ok, err := l.rdb.SetNX(ctx, e.ID, 1, time.Hour).Result() // gate b keyed claims in go-redis
	if err != nil {
		return err
	}
	if !ok {
		return nil
	}
	return l.credit(ctx, e)
}

func (l *ledger) get(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	e, err := decode(t)
	if err != nil {
		return err
	}
	if n, _ := l.rdb.Exists(ctx, e.ID).Result(); n > 0 { // gate n keyed looks in go-redis
		return nil
	}
	if err := l.credit(ctx, e); err != nil {
		return err
	}
	return l.rdb.Set(ctx, e.ID, 1, time.Hour).Err()
}

func (l *ledger) memory(ctx context.Context, msgs <-chan amqp.Delivery) { // handler amqp explicit redeliver
	for d := range msgs {
		l.mu.Lock()
		seen := l.seen[d.MessageId] // gate b keyed looks in example.org/testdata/handlers/dedupes.ledger.seen
		l.mu.Unlock()
		if seen {
			d.Ack(false)
			continue
		}
		if err := l.credit(ctx, event{Account: d.Type}); err != nil {
			d.Nack(false, true)
			continue
		}
		l.seen[d.MessageId] = true
		d.Ack(false)
	}
}

func (l *ledger) loaded(ctx context.Context, msgs <-chan amqp.Delivery) { // handler amqp explicit redeliver
	for d := range msgs {
		if _, dup := l.ids.LoadOrStore(d.MessageId, true); dup { // gate b keyed claims in example.org/testdata/handlers/dedupes.ledger.ids
			d.Ack(false)
			continue
		}
		if err := l.credit(ctx, event{Account: d.Type}); err != nil {
			d.Nack(false, true)
			continue
		}
		d.Ack(false)
	}
}

// skips asks of nothing that the message tells.
func (l *ledger) skips(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	paused, err := l.exists(ctx, "paused") // gate b open looks in inbox
	if err != nil || paused {
		return err
	}
	e, err := decode(t)
	if err != nil {
		return err
	}
	return l.credit(ctx, e)
}

// routes registers them.
func routes(l *ledger, ch *amqp.Channel) error {
	m := asynq.NewServeMux()
	m.HandleFunc("table", l.table)
	m.HandleFunc("row", l.row)
	m.HandleFunc("missing", l.missing)
	m.HandleFunc("model", l.model)
	m.HandleFunc("claim", l.claim)
	m.HandleFunc("violation", l.violation)
	m.HandleFunc("setnx", l.setNX)
	m.HandleFunc("get", l.get)
	m.HandleFunc("skips", l.skips)
	msgs, err := ch.Consume("events", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	go l.memory(context.Background(), msgs)
	go l.loaded(context.Background(), msgs)
	return nil
}
