package fixes

import (
	"context"
	"log"
	"log/slog"

	"github.com/nats-io/nats.go"
	"github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

// Rounds reads in a select, has no error to return, and leaves out what nobody wants.
func (s *Store) Rounds(ctx context.Context) {
	r := reader()
	for {
		select {
		case <-ctx.Done():
			return
		default:
			m, err := r.ReadMessage(ctx) // want auto-ack
			if err != nil {
				if ctx.Err() != nil {
					return
				}
				log.Printf("read: %v", err)
				continue
			}
			if len(m.Value) == 0 {
				log.Print("empty")
				continue
			}
			if err := s.keep(ctx, string(m.Key)); err != nil {
				log.Printf("keep: %v", err)
			}
		}
	}
}

// Compensated does something else where the effect fails, which is not to be done twice.
func (s *Store) Compensated(ctx context.Context, w *kafka.Writer) error {
	r := reader()
	for {
		m, err := r.ReadMessage(ctx) // want auto-ack
		if err != nil {
			return err
		}
		if err := s.keep(ctx, string(m.Key)); err != nil {
			s.tell(ctx, w, m)
		}
	}
}

func (s *Store) tell(ctx context.Context, w *kafka.Writer, m kafka.Message) {
	if err := w.WriteMessages(ctx, kafka.Message{Topic: "failures", Value: m.Value}); err != nil {
		slog.Error("tell", "err", err)
	}
}

// Fetched handles in a function that can't tell of a failure.
func (s *Store) Fetched(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		s.handleFetched(ctx, r, m)
	}
}

func (s *Store) handleFetched(ctx context.Context, r *kafka.Reader, m kafka.Message) {
	if err := s.keep(ctx, string(m.Key)); err != nil { // want on-failure
		slog.Error("keep", "err", err)
		return
	}
	if err := r.CommitMessages(ctx, m); err != nil {
		slog.Error("commit", "err", err)
	}
}

// Committed has a transaction, which fails with its commit.
func (s *Store) Committed(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO events (id) VALUES ($1)`, string(m.Key)); err != nil {
			tx.Rollback()
			return err
		}
		if err := tx.Commit(); err != nil { // want on-failure
			slog.Error("commit", "err", err)
			continue
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Timed gives the effect a deadline, which would be over when it is tried again.
func (s *Store) Timed(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		short, cancel := context.WithTimeout(ctx, 1000)
		if err := s.keep(short, string(m.Key)); err != nil { // want on-failure
			slog.Error("keep", "err", err)
		}
		cancel()
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Answered acks what was answered with true.
func Answered(ctx context.Context, s *Store, sub *nats.Subscription) error {
	for _, handle := range []func(context.Context, *nats.Msg) bool{s.answers, s.answersOn, s.answersAtOnce, s.means} {
		msgs, err := sub.Fetch(1)
		if err != nil {
			return err
		}
		for _, m := range msgs {
			if handle(ctx, m) {
				err = m.Ack()
			} else {
				err = m.Nak()
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) answers(ctx context.Context, m *nats.Msg) bool {
	if err := s.keep(ctx, string(m.Data)); err != nil { // want on-failure
		slog.Error("keep", "err", err)
	}
	return true
}

func (s *Store) answersOn(ctx context.Context, m *nats.Msg) bool {
	if err := s.keep(ctx, string(m.Data)); err != nil { // want on-failure
		slog.Error("keep", "err", err)
	} else {
		slog.Info("kept")
	}
	return true
}

func (s *Store) answersAtOnce(ctx context.Context, m *nats.Msg) bool {
	err := s.keep(ctx, string(m.Data)) // want on-failure
	if err != nil {
		slog.Error("keep", "err", err)
		return true
	}
	slog.Info("kept")
	return true
}

// means says why.
func (s *Store) means(ctx context.Context, m *nats.Msg) bool {
	err := s.keep(ctx, string(m.Data)) // want on-failure
	if err != nil {
		slog.Error("keep", "err", err)
		return true // or else it would come again and again
	}
	return true
}

// Spanned ends a span on either way.
func (s *Store) Spanned(ctx context.Context, msgs <-chan amqp091.Delivery, start func() interface{ End() }) {
	for d := range msgs {
		span := start()
		if err := s.keep(ctx, d.MessageId); err != nil { // want on-failure
			slog.Error("keep", "err", err)
		}
		slog.Info("kept")
		span.End()
		err := d.Ack(false)
		if err != nil {
			slog.Error("ack", "err", err)
		}
	}
}

// Counted does something else before the ack, which a failure must not leave out.
func (s *Store) Counted(ctx context.Context, msgs <-chan amqp091.Delivery, done func(id string)) {
	for d := range msgs {
		if err := s.keep(ctx, d.MessageId); err != nil { // want on-failure
			slog.Error("keep", "err", err)
		}
		done(d.MessageId)
		_ = d.Ack(false)
	}
}

// Given lets the effect ack: what it does where it fails is not known here.
func (s *Store) Given(ctx context.Context) error {
	r := reader()
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := s.keepOrCommit(ctx, r, m); err != nil { // want on-failure
			slog.Error("keep", "err", err)
		}
	}
}

func (s *Store) keepOrCommit(ctx context.Context, r *kafka.Reader, m kafka.Message) error {
	if err := s.keep(ctx, string(m.Key)); err != nil {
		return err
	}
	return r.CommitMessages(ctx, m)
}
