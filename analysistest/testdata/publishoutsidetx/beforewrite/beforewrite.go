// Package beforewrite announces first and writes afterwards.
package beforewrite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/IBM/sarama"
)

type Loan struct {
	ID     string
	Cents  int64
	Status string
}

type Loans struct {
	db       *sql.DB
	producer sarama.SyncProducer
}

func (l *Loans) emit(topic string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, _, err = l.producer.SendMessage(&sarama.ProducerMessage{Topic: topic, Value: sarama.ByteEncoder(raw)})
	return err
}

func (l *Loans) insert(ctx context.Context, loan Loan) error {
	_, err := l.db.ExecContext(ctx, "INSERT INTO loans (id, cents, status) VALUES (?, ?, ?)", loan.ID, loan.Cents, loan.Status)
	return err
}

func (l *Loans) Grant(ctx context.Context, loan Loan) error {
	loan.Status = "granted"
	if err := l.emit("loans-granted", loan); err != nil { // want before-write
		return err
	}
	if err := l.insert(ctx, loan); err != nil {
		return fmt.Errorf("insert loan %s: %w", loan.ID, err)
	}
	return nil
}

// Repay publishes before it begins.
func (l *Loans) Repay(ctx context.Context, loan Loan) error {
	if err := l.emit("loans-repaid", loan); err != nil { // want before-write
		return err
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE loans SET cents = 0, status = 'repaid' WHERE id = ?", loan.ID); err != nil {
		return err
	}
	return tx.Commit()
}

// Extend validates, publishes, and then writes with a condition that may fail.
func (l *Loans) Extend(ctx context.Context, loan *Loan) error {
	if loan.Cents <= 0 {
		return fmt.Errorf("loan %s has nothing left to extend", loan.ID)
	}
	if err := l.emit("loans-extended", loan); err != nil { // want before-write
		return err
	}
	res, err := l.db.ExecContext(ctx, "UPDATE loans SET status = 'extended' WHERE id = ? AND status = 'granted'", loan.ID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("loan %s was changed by another: %w", loan.ID, err)
	}
	return nil
}

// Quote asks another service for a price and notes who asked: the event does not
// announce the note.
func (l *Loans) Quote(ctx context.Context, cents int64, clerk string) error {
	if err := l.emit("quotes-wanted", map[string]int64{"cents": cents}); err != nil {
		return err
	}
	_, err := l.db.ExecContext(ctx, "INSERT INTO clerk_log (clerk, what) VALUES (?, 'quote')", clerk)
	return err
}

// Remind publishes what is due and then remembers that it did: the flag it sets is
// the flag that it asked for.
func (l *Loans) Remind(ctx context.Context, id string) error {
	var reminded bool
	if err := l.db.QueryRowContext(ctx, "SELECT reminded FROM loans WHERE id = ?", id).Scan(&reminded); err != nil {
		return err
	}
	if reminded {
		return nil
	}
	if err := l.emit("loans-due", id); err != nil {
		return err
	}
	_, err := l.db.ExecContext(ctx, "UPDATE loans SET reminded = 1 WHERE id = ?", id)
	return err
}

// Check publishes on one way and writes on the other.
func (l *Loans) Check(ctx context.Context, loan Loan) error {
	if loan.Cents > 1_000_000 {
		return l.emit("loans-review", loan)
	}
	return l.insert(ctx, loan)
}

// Ship keeps where the message went to: there is nothing to write before.
func (l *Loans) Ship(ctx context.Context, loan Loan) error {
	raw, err := json.Marshal(loan)
	if err != nil {
		return err
	}
	_, offset, err := l.producer.SendMessage(&sarama.ProducerMessage{Topic: "loans", Value: sarama.ByteEncoder(raw)})
	if err != nil {
		return err
	}
	if _, err := l.db.ExecContext(ctx, "UPDATE loans SET sent_at_position = ? WHERE id = ?", offset, loan.ID); err != nil {
		return fmt.Errorf("loan %s: %w", loan.ID, err)
	}
	return nil
}
