package right

import (
	"context"
	"fmt"

	"github.com/IBM/sarama"
	"github.com/jmoiron/sqlx"
	"github.com/uptrace/bun"
)

type Seat struct {
	Show string `db:"show_id"`
	No   int    `db:"seat_no"`
}

type Seats struct {
	db   *sqlx.DB
	sync sarama.SyncProducer
}

const addSeatEvent = `INSERT INTO seat_outbox (show_id, seat_no, kind) VALUES (:show_id, :seat_no, 'reserved')`

func (s *Seats) Reserve(ctx context.Context, seat Seat) (err error) {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
		}
	}()
	if _, err = tx.NamedExecContext(ctx, `INSERT INTO reservations (show_id, seat_no) VALUES (:show_id, :seat_no)`, seat); err != nil {
		return err
	}
	if _, err = tx.NamedExecContext(ctx, addSeatEvent, seat); err != nil {
		return err
	}
	return tx.Commit()
}

// Price asks another service; a failed publish is the caller's to repeat.
func (s *Seats) Price(ctx context.Context, show string) error {
	var seats []Seat
	if err := s.db.SelectContext(ctx, &seats, `SELECT show_id, seat_no FROM seat_prices WHERE show_id = $1`, show); err != nil {
		return err
	}
	for _, seat := range seats {
		msg := &sarama.ProducerMessage{Topic: "price-requests", Value: sarama.StringEncoder(fmt.Sprint(seat.No))}
		if _, _, err := s.sync.SendMessage(msg); err != nil {
			return err
		}
	}
	return nil
}

type Berth struct {
	ID    int64 `bun:",pk,autoincrement"`
	Quay  string
	Taken bool
}

type OutboxRow struct {
	bun.BaseModel `bun:"table:berth_outbox"`

	ID   int64 `bun:",pk,autoincrement"`
	Kind string
	Ref  int64
}

type Harbour struct{ db *bun.DB }

func (h *Harbour) Take(ctx context.Context, b *Berth) error {
	return h.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		b.Taken = true
		if _, err := tx.NewUpdate().Model(b).WherePK().Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewInsert().Model(&OutboxRow{Kind: "taken", Ref: b.ID}).Exec(ctx)
		return err
	})
}
