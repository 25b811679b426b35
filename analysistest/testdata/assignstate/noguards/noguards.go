// Package noguards has what looks like a guard against late messages and is none.
package noguards

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/IBM/sarama"
	"gorm.io/gorm"
)

type Contract struct {
	ID      string `gorm:"primaryKey"`
	Status  string
	Version int64
}

type Changed struct {
	EventID, ID, Status string
	Version             int64
}

type Contracts struct {
	db  *sql.DB
	orm *gorm.DB
}

func (c *Contracts) SetStatus(ctx context.Context, id, status string) error {
	_, err := c.db.ExecContext(ctx, "UPDATE contracts SET status = $2 WHERE id = $1", id, status)
	return err
}

func (c *Contracts) Status(ctx context.Context, id string) (status string, err error) {
	err = c.db.QueryRowContext(ctx, "SELECT status FROM contracts WHERE id = $1", id).Scan(&status)
	return status, err
}

type Handlers struct{ contracts *Contracts }

// wrongSame asks only whether there is anything to do.
func (h *Handlers) wrongSame(ctx context.Context, e Changed) error {
	status, err := h.contracts.Status(ctx, e.ID)
	if err != nil {
		return err
	}
	if status == e.Status {
		return nil
	}
	return h.contracts.SetStatus(ctx, e.ID, e.Status) // want unguarded "contracts.status"
}

// wrongSameConstant: the same with a constant.
func (h *Handlers) wrongSameConstant(ctx context.Context, e Changed) error {
	status, err := h.contracts.Status(ctx, e.ID)
	if err != nil {
		return err
	}
	if status == "active" {
		return nil
	}
	return h.contracts.SetStatus(ctx, e.ID, "active") // want unguarded "contracts.status to active"
}

func (h *Handlers) wrongSuspended(ctx context.Context, e Changed) error {
	return h.contracts.SetStatus(ctx, e.ID, "suspended") // want unguarded "contracts.status to suspended"
}

// wrongDistinct: the same in the statement.
func (h *Handlers) wrongDistinct(ctx context.Context, e Changed) error {
	_, err := h.contracts.db.ExecContext(ctx, "UPDATE contracts SET status = $2 WHERE id = $1 AND status <> $2", e.ID, e.Status) // want unguarded "contracts.status"
	return err
}

// wrongOptimistic: the late message loads the newest version, too.
func (h *Handlers) wrongOptimistic(ctx context.Context, e Changed) error {
	var version int64
	if err := h.contracts.db.QueryRowContext(ctx, "SELECT version FROM contracts WHERE id = $1", e.ID).Scan(&version); err != nil {
		return err
	}
	_, err := h.contracts.db.ExecContext(ctx, "UPDATE contracts SET status = $2, version = $3 + 1 WHERE id = $1 AND version = $3", e.ID, e.Status, version) // want unguarded "contracts.status"
	return err
}

// wrongLocked: FOR UPDATE makes it wait, and then it writes.
func (h *Handlers) wrongLocked(ctx context.Context, e Changed) error {
	tx, err := h.contracts.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var id string
	if err := tx.QueryRowContext(ctx, "SELECT id FROM contracts WHERE id = $1 FOR UPDATE", e.ID).Scan(&id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE contracts SET status = $2 WHERE id = $1", id, e.Status); err != nil { // want unguarded "contracts.status"
		return err
	}
	return tx.Commit()
}

// wrongInbox: each message is applied once, the older one after the newer.
func (h *Handlers) wrongInbox(ctx context.Context, e Changed) error {
	tx, err := h.contracts.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	res, err := tx.ExecContext(ctx, "INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING", e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE contracts SET status = $2 WHERE id = $1", e.ID, e.Status); err != nil { // want unguarded "contracts.status"
		return err
	}
	return tx.Commit()
}

func (h *Handlers) seen(ctx context.Context, id string) (seen bool, err error) {
	err = h.contracts.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM processed_events WHERE event_id = $1)", id).Scan(&seen)
	return seen, err
}

func (h *Handlers) wrongSeen(ctx context.Context, e Changed) error {
	seen, err := h.seen(ctx, e.EventID)
	if err != nil || seen {
		return err
	}
	return h.contracts.SetStatus(ctx, e.ID, e.Status) // want unguarded "contracts.status"
}

// wrongThere: that a row is there says nothing of its age.
func (h *Handlers) wrongThere(ctx context.Context, e Changed) error {
	var c Contract
	err := h.contracts.orm.WithContext(ctx).First(&c, "id = ?", e.ID).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return h.contracts.orm.WithContext(ctx).Create(&Contract{ID: e.ID, Status: e.Status}).Error
	}
	if err != nil {
		return err
	}
	c.Status = e.Status // want unguarded "Contract.Status is set from e.Status"
	return h.contracts.orm.WithContext(ctx).Save(&c).Error
}

// wrongValid: that the status is a known one says nothing of the row.
func (h *Handlers) wrongValid(ctx context.Context, e Changed) error {
	if e.Status != "active" && e.Status != "suspended" {
		return errors.New("no such status")
	}
	return h.contracts.SetStatus(ctx, e.ID, e.Status) // want unguarded "contracts.status"
}

// wrongLive: rows that are deleted are left out, older messages are not.
func (h *Handlers) wrongLive(ctx context.Context, e Changed) error {
	_, err := h.contracts.db.ExecContext(ctx, "UPDATE contracts SET status = $2 WHERE id = $1 AND deleted_at IS NULL", e.ID, e.Status) // want unguarded "contracts.status"
	return err
}

type Claims struct {
	handle func(context.Context, Changed) error
}

func (c *Claims) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (c *Claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *Claims) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		var e Changed
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := c.handle(s.Context(), e); err != nil {
			return err
		}
		s.MarkMessage(m, "")
	}
	return nil
}

func Run(ctx context.Context, g sarama.ConsumerGroup, h *Handlers) error {
	for topic, handle := range map[string]func(context.Context, Changed) error{
		"same": h.wrongSame, "constant": h.wrongSameConstant, "suspended": h.wrongSuspended, "distinct": h.wrongDistinct,
		"optimistic": h.wrongOptimistic, "locked": h.wrongLocked, "inbox": h.wrongInbox, "seen": h.wrongSeen,
		"there": h.wrongThere, "valid": h.wrongValid, "live": h.wrongLive,
	} {
		if err := g.Consume(ctx, []string{topic}, &Claims{handle}); err != nil {
			return err
		}
	}
	return nil
}
