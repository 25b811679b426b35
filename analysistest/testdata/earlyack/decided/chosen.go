package decided

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
)

// taken is a delivery with what settles it.
type taken struct {
	id        string
	ack, back func(context.Context) error
}

func take(r *azservicebus.Receiver, m *azservicebus.ReceivedMessage) taken {
	return taken{
		id:   m.MessageID,
		ack:  func(ctx context.Context) error { return r.CompleteMessage(ctx, m, nil) },
		back: func(ctx context.Context) error { return r.AbandonMessage(ctx, m, nil) },
	}
}

// chosen gives back what failed: the function that settles is chosen before.
func chosen(ctx context.Context, r *azservicebus.Receiver, db *sql.DB) error {
	for {
		ms, err := r.ReceiveMessages(ctx, 10, nil)
		if err != nil {
			return err
		}
		for _, m := range ms {
			d := take(r, m)
			settle := d.ack
			if _, err := db.ExecContext(ctx, `UPDATE notes SET seen = true WHERE id = $1`, d.id); err != nil {
				slog.Error("note", "err", err)
				settle = d.back
			}
			if err := settle(ctx); err != nil {
				return err
			}
		}
	}
}

// unchosen acks whatever happened.
func unchosen(ctx context.Context, r *azservicebus.Receiver, db *sql.DB) error {
	for {
		ms, err := r.ReceiveMessages(ctx, 10, nil)
		if err != nil {
			return err
		}
		for _, m := range ms {
			d := take(r, m)
			if _, err := db.ExecContext(ctx, `UPDATE notes SET seen = true WHERE id = $1`, d.id); err != nil { // want on-failure "db.ExecContext may fail"
				slog.Error("note", "err", err)
			}
			if err := d.ack(ctx); err != nil {
				return err
			}
		}
	}
}
