package beforewrite

import (
	"context"
	"database/sql"
	"time"

	"github.com/nats-io/nats.go"
)

type Watcher struct {
	db *sql.DB
	nc *nats.Conn
}

// Watch looks every second for what has been mined. What it could not store it finds again.
func (w *Watcher) Watch(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = w.look(ctx)
		}
	}
}

func (w *Watcher) look(ctx context.Context) error {
	var id string
	if err := w.db.QueryRowContext(ctx, "SELECT id FROM transfers WHERE block IS NULL LIMIT 1").Scan(&id); err != nil {
		return err
	}
	if err := w.nc.Publish("transfers.mined", []byte(id)); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, "UPDATE transfers SET block = $2 WHERE id = $1", id, "head")
	return err
}

// Mine does the same once, when it is asked to.
func (w *Watcher) Mine(ctx context.Context, block string) error {
	var id string
	if err := w.db.QueryRowContext(ctx, "SELECT id FROM transfers WHERE next = $1", block).Scan(&id); err != nil {
		return err
	}
	if err := w.nc.Publish("transfers.mined", []byte(id)); err != nil { // want before-write
		return err
	}
	_, err := w.db.ExecContext(ctx, "UPDATE transfers SET block = $2 WHERE id = $1", id, block)
	return err
}
