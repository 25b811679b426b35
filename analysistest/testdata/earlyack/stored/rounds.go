package stored

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/segmentio/kafka-go"
)

// Checks looks at what was signed up, and stores what it finds.
type Checks struct {
	db     *sql.DB
	reader *kafka.Reader
}

type result struct {
	kind  string
	score int
}

func (c *Checks) put(ctx context.Context, id string, r *result) error {
	if _, err := c.db.ExecContext(ctx, `INSERT INTO detections (user_id, kind) VALUES ($1, $2)`, id, r.kind); err != nil {
		return err
	}
	if r.score > 90 {
		if _, err := c.db.ExecContext(ctx, `UPDATE users SET blocked = true WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}

// Run commits what was looked at.
func (c *Checks) Run(ctx context.Context) error {
	for {
		m, err := c.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := c.signedUp(ctx, m); err != nil {
			return err
		}
		if err := c.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (c *Checks) signedUp(ctx context.Context, m kafka.Message) error {
	var state string
	if err := c.db.QueryRowContext(ctx, `SELECT state FROM users WHERE id = $1`, string(m.Key)).Scan(&state); err != nil {
		return err
	}
	if state == "blocked" {
		return nil
	}
	return c.wrongEach(ctx, string(m.Key), state)
}

func (c *Checks) wrongEach(ctx context.Context, id, state string) error {
	var results []*result
	if state == "new" {
		results = append(results, &result{"new", 10})
	}
	if len(id) > 20 {
		results = append(results, &result{"long", 95})
	}
	for _, r := range results {
		if err := c.put(ctx, id, r); err != nil { // want on-failure "acks all the same"
			slog.Error("put", "err", err)
		}
	}
	if len(results) > 0 {
		slog.Info("found", "n", len(results))
	}
	return nil
}
