// Package questions has functions that write while they answer a question: what
// is published after them tells of something else. And of several writes it tells
// of the one before it.
package questions

import (
	"context"
	"database/sql"
	"errors"

	"github.com/segmentio/kafka-go"
)

type Language struct{ Reader, Code string }

type Languages struct{ db *sql.DB }

// Get makes the default row on first sight.
func (l *Languages) Get(ctx context.Context, reader string) (Language, error) {
	lang := Language{Reader: reader}
	err := l.db.QueryRowContext(ctx, "SELECT code FROM languages WHERE reader = ?", reader).Scan(&lang.Code)
	if errors.Is(err, sql.ErrNoRows) {
		lang.Code = "en"
		return lang, l.insert(ctx, lang)
	}
	return lang, err
}

// GetOrCreate tells by its name that it makes one.
func (l *Languages) GetOrCreate(ctx context.Context, reader string) (Language, error) {
	lang, err := l.Get(ctx, reader)
	if err != nil {
		lang = Language{Reader: reader, Code: "en"}
		return lang, l.insert(ctx, lang)
	}
	return lang, nil
}

// FindAndReset changes what it finds.
func (l *Languages) FindAndReset(ctx context.Context, reader string) (Language, error) {
	_, err := l.db.ExecContext(ctx, "UPDATE languages SET code = 'en' WHERE reader = ?", reader)
	return Language{Reader: reader, Code: "en"}, err
}

func (l *Languages) insert(ctx context.Context, lang Language) error {
	_, err := l.db.ExecContext(ctx, "INSERT INTO languages (reader, code) VALUES (?, ?)", lang.Reader, lang.Code)
	return err
}

// Quota counts what readers send.
type Quota struct{ db *sql.DB }

func (q *Quota) CanSend(ctx context.Context, reader string) (bool, error) {
	res, err := q.db.ExecContext(ctx, "UPDATE allowances SET used = used + 1 WHERE reader = ? AND used < granted", reader)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

type Letters struct {
	db        *sql.DB
	languages *Languages
	quota     *Quota
	out       *kafka.Writer
}

func (l *Letters) say(ctx context.Context, topic, id string) error {
	return l.out.WriteMessages(ctx, kafka.Message{Topic: topic, Value: []byte(id)})
}

// Remind changes nothing of its own.
func (l *Letters) Remind(ctx context.Context, reader string) error {
	lang, err := l.languages.Get(ctx, reader)
	if err != nil {
		return err
	}
	return l.say(ctx, "letters.reminder."+lang.Code, reader)
}

// Forward asks for the quota.
func (l *Letters) Forward(ctx context.Context, reader, id string) error {
	ok, err := l.quota.CanSend(ctx, reader)
	if err != nil || !ok {
		return err
	}
	return l.say(ctx, "letters.forwarded", id)
}

// Tell publishes first: that a default row may not be made then is no matter.
func (l *Letters) Tell(ctx context.Context, reader string) (Language, error) {
	if err := l.say(ctx, "letters.told", reader); err != nil {
		return Language{}, err
	}
	return l.languages.Get(ctx, reader)
}

// Welcome announces the row.
func (l *Letters) Welcome(ctx context.Context, reader string) error {
	if _, err := l.languages.GetOrCreate(ctx, reader); err != nil {
		return err
	}
	return l.say(ctx, "letters.welcome", reader) // want dual-write "GetOrCreate"
}

func (l *Letters) Reset(ctx context.Context, reader string) error {
	if _, err := l.languages.FindAndReset(ctx, reader); err != nil {
		return err
	}
	return l.say(ctx, "letters.reset", reader) // want dual-write "FindAndReset"
}

// Store writes after it has asked.
func (l *Letters) Store(ctx context.Context, reader, id string) error {
	if _, err := l.languages.Get(ctx, reader); err != nil {
		return err
	}
	if _, err := l.db.ExecContext(ctx, "INSERT INTO envelopes (id) VALUES (?)", id); err != nil {
		return err
	}
	return l.say(ctx, "letters.stored", id) // want dual-write "follows db.ExecContext"
}

// Find makes the row itself, and has a question's name.
func (l *Letters) Find(ctx context.Context, id string) error {
	if _, err := l.db.ExecContext(ctx, "INSERT INTO finds (id) VALUES (?)", id); err != nil {
		return err
	}
	return l.say(ctx, "letters.found", id) // want dual-write "follows db.ExecContext"
}

// Send announces the sending, of which the row is the nearest.
func (l *Letters) Send(ctx context.Context, reader, id string) error {
	if err := l.touch(ctx, reader); err != nil {
		return err
	}
	if err := l.sent(ctx, id); err != nil {
		return err
	}
	return l.say(ctx, "letters.sent", id) // want dual-write "follows l.sent "
}

func (l *Letters) touch(ctx context.Context, reader string) error {
	_, err := l.db.ExecContext(ctx, "UPDATE readers SET mood = 'new' WHERE id = ?", reader)
	return err
}

func (l *Letters) sent(ctx context.Context, id string) error {
	_, err := l.db.ExecContext(ctx, "UPDATE envelopes SET place = 'post' WHERE id = ?", id)
	return err
}

// Return stores and tells of it; what its caller publishes is another matter.
func (l *Letters) Return(ctx context.Context, id string) error {
	if _, err := l.db.ExecContext(ctx, "UPDATE envelopes SET place = 'sender' WHERE id = ?", id); err != nil {
		return err
	}
	return l.say(ctx, "letters.returned", id) // want dual-write "follows db.ExecContext"
}

func (l *Letters) Sort(ctx context.Context, id string) error {
	if err := l.Return(ctx, id); err != nil {
		return err
	}
	return l.say(ctx, "post.sorted", id)
}

// Burn returns the letter first, and tells of the fire after a write of its own.
func (l *Letters) Burn(ctx context.Context, id string) error {
	if err := l.Return(ctx, id); err != nil {
		return err
	}
	if _, err := l.db.ExecContext(ctx, "DELETE FROM envelopes WHERE id = ?", id); err != nil {
		return err
	}
	return l.say(ctx, "letters.burned", id) // want dual-write "follows db.ExecContext"
}
