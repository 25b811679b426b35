package deltas

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"

	"github.com/segmentio/kafka-go"
)

// handed reads in one goroutine, and adds and commits in another.
type handed struct {
	db     *sql.DB
	reader *kafka.Reader
	events chan received
}

type received struct {
	Account string
	Cents   int64
	msg     kafka.Message
}

// NewHanded makes one with a group.
func NewHanded(db *sql.DB) *handed {
	return &handed{db: db, reader: kafka.NewReader(kafka.ReaderConfig{Topic: "credits", GroupID: "ledger"}), events: make(chan received)}
}

// Fetch commits what it can't read, and passes the rest on.
func (h *handed) Fetch(ctx context.Context) error {
	for {
		msg, err := h.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		e := received{msg: msg}
		if err := json.Unmarshal(msg.Value, &e); err != nil {
			_ = h.reader.CommitMessages(ctx, msg)
			continue
		}
		h.events <- e
	}
}

// Work adds what is passed on.
func (h *handed) Work(ctx context.Context) {
	for e := range h.events {
		_, err := h.db.ExecContext(ctx, `UPDATE accounts SET cents = cents + $1 WHERE id = $2`, e.Cents, e.Account) // want no-dedupe "adds to accounts.cents"
		if err != nil {
			slog.Error("add", "err", err)
			return
		}
		if err := h.reader.CommitMessages(ctx, e.msg); err != nil {
			slog.Error("commit", "err", err)
		}
	}
}
