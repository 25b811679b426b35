package dispatch

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Ordered drops what is older than what it has handled of an account.
type Ordered struct {
	db     *sql.DB
	client *kgo.Client
}

func (o *Ordered) Run(ctx context.Context) error {
	for {
		fetches := o.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for it := fetches.RecordIter(); !it.Done(); {
			if err := o.handle(ctx, it.Next()); err != nil {
				return err
			}
		}
		if err := o.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (o *Ordered) handle(ctx context.Context, r *kgo.Record) error {
	var env Envelope
	if err := json.Unmarshal(r.Value, &env); err != nil {
		return err
	}
	var last int64
	if err := o.db.QueryRowContext(ctx, "SELECT version FROM account_versions WHERE id = ?", string(r.Key)).Scan(&last); err != nil {
		return err
	}
	if env.Version <= last {
		return nil
	}
	return o.rightChanged(ctx, env.Payload)
}

// rightChanged: what calls it lets no old message through.
func (o *Ordered) rightChanged(ctx context.Context, payload []byte) error {
	var e AccountChanged
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	_, err := o.db.ExecContext(ctx, "UPDATE members SET status = ?, email = ? WHERE id = ?", e.Status, e.Email, e.ID)
	return err
}
