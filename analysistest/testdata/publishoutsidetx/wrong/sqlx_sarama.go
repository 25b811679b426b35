package wrong

import (
	"context"

	"github.com/IBM/sarama"
	"github.com/jmoiron/sqlx"
)

type Seat struct {
	Show string `db:"show_id"`
	Row  string `db:"seat_row"`
	No   int    `db:"seat_no"`
}

type Seats struct {
	db    *sqlx.DB
	sync  sarama.SyncProducer
	async sarama.AsyncProducer
}

func (s *Seats) Reserve(ctx context.Context, seat Seat) error {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.NamedExecContext(ctx, `INSERT INTO reservations (show_id, seat_row, seat_no) VALUES (:show_id, :seat_row, :seat_no)`, seat); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, _, err = s.sync.SendMessage(&sarama.ProducerMessage{Topic: "seats", Key: sarama.StringEncoder(seat.Show)}) // want after-commit "runs after tx.Commit"
	return err
}

// Release hands the event to the producer's input channel, which is a publish too.
func (s *Seats) Release(ctx context.Context, seat Seat) error {
	query := `DELETE FROM reservations WHERE show_id = ? AND seat_row = ? AND seat_no = ?`
	if _, err := s.db.ExecContext(ctx, s.db.Rebind(query), seat.Show, seat.Row, seat.No); err != nil {
		return err
	}
	s.async.Input() <- &sarama.ProducerMessage{Topic: "seats", Value: sarama.StringEncoder("released")} // want dual-write "follows"
	return nil
}

func (s *Seats) Block(ctx context.Context, show string, row string) error {
	tx := s.db.MustBeginTx(ctx, nil)
	defer tx.Rollback()
	tx.MustExecContext(ctx, `UPDATE seats SET blocked = true WHERE show_id = $1 AND seat_row = $2`, show, row)
	msgs := []*sarama.ProducerMessage{{Topic: "seats", Value: sarama.StringEncoder(show)}, {Topic: "shows", Value: sarama.StringEncoder(show)}}
	if err := s.sync.SendMessages(msgs); err != nil { // want inside-tx "transaction"
		return err
	}
	return tx.Commit()
}

func (s *Seats) Move(ctx context.Context, from, to Seat) error {
	_, err := s.db.NamedExecContext(ctx, `UPDATE reservations SET seat_no = :seat_no, seat_row = :seat_row WHERE show_id = :show_id`, to)
	if err != nil {
		return err
	}
	if _, _, err := s.sync.SendMessage(&sarama.ProducerMessage{Topic: "seats", Value: sarama.StringEncoder(from.Row)}); err != nil { // want dual-write "follows"
		return err
	}
	return nil
}
