package kinds

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/hibiken/asynq"
)

// Bundle is stored as a document, with flags that say how far it is.
type Bundle struct {
	ID                    string
	IsCompleted, IsFailed bool
	ClerkID               string
}

// Bundles run what changes one in a transaction.
type Bundles struct{ db *sql.DB }

func (b *Bundles) within(ctx context.Context, level sql.IsolationLevel, do func(ctx context.Context, tx *sql.Tx) error) error {
	tx, err := b.db.BeginTx(ctx, &sql.TxOptions{Isolation: level})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

type row interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (b *Bundles) find(ctx context.Context, db row, id string) (out Bundle, err error) {
	var text []byte
	if err := db.QueryRowContext(ctx, "SELECT payload FROM bundles WHERE id = $1", id).Scan(&text); err != nil {
		return out, err
	}
	err = json.Unmarshal(text, &out)
	return out, err
}

// Update runs in the strictest isolation: of two at a time one fails.
func (b *Bundles) Update(ctx context.Context, id string, change func(Bundle) (Bundle, error)) error {
	return b.within(ctx, sql.LevelSerializable, func(ctx context.Context, tx *sql.Tx) error {
		bundle, err := b.find(ctx, tx, id)
		if err != nil {
			return err
		}
		if bundle, err = change(bundle); err != nil {
			return err
		}
		text, err := json.Marshal(bundle)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE bundles SET payload = $1 WHERE id = $2", text, id)
		return err
	})
}

// Done is a message.
type Done struct{ ID, ClerkID string }

func (b *Bundles) wrongDone(ctx context.Context, t *asynq.Task) error {
	var e Done
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	return b.Update(ctx, e.ID, func(bundle Bundle) (Bundle, error) {
		bundle.ClerkID = e.ClerkID
		bundle.IsCompleted = true // want unguarded
		return bundle, nil
	})
}

func (b *Bundles) wrongBroke(ctx context.Context, t *asynq.Task) error {
	var e Done
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	return b.Update(ctx, e.ID, func(bundle Bundle) (Bundle, error) {
		bundle.IsCompleted = true // want unguarded
		bundle.IsFailed = true
		return bundle, nil
	})
}

// rightBroke asks whether it is over: no other outcome comes after that.
func (b *Bundles) rightBroke(ctx context.Context, t *asynq.Task) error {
	var e Done
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	return b.Update(ctx, e.ID, func(bundle Bundle) (Bundle, error) {
		if bundle.IsCompleted {
			return bundle, nil
		}
		bundle.IsCompleted = true
		bundle.IsFailed = true
		return bundle, nil
	})
}

// WorkBundles registers them.
func WorkBundles(mux *asynq.ServeMux, b *Bundles) {
	mux.HandleFunc("bundle.done", b.wrongDone)
	mux.HandleFunc("bundle.broke", b.wrongBroke)
	mux.HandleFunc("bundle.late", b.rightBroke)
}
