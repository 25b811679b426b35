package beforewrite

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/uptrace/bun"
)

type Plot struct {
	ID   string `bun:",pk"`
	Sold bool
}

type Plots struct {
	db *bun.DB
	js jetstream.JetStream
}

func (p *Plots) sell(ctx context.Context, plot *Plot) error {
	plot.Sold = true
	_, err := p.db.NewUpdate().Model(plot).Column("sold").WherePK().Exec(ctx)
	return err
}

// Sell is called by whoever likes to.
func (p *Plots) Sell(ctx context.Context, plot *Plot) error {
	if _, err := p.js.Publish(ctx, "plots.sold", []byte(plot.ID)); err != nil { // want before-write
		return err
	}
	return p.sell(ctx, plot)
}

// Consume does the same for each delivery, and naks the ones whose write failed:
// the next delivery publishes again and writes.
func (p *Plots) Consume(ctx context.Context, c jetstream.Consumer) error {
	cc, err := c.Consume(func(msg jetstream.Msg) {
		plot := &Plot{ID: string(msg.Data())}
		if _, err := p.js.Publish(ctx, "plots.sold", []byte(plot.ID)); err != nil {
			_ = msg.Nak()
			return
		}
		if err := p.sell(ctx, plot); err != nil {
			slog.ErrorContext(ctx, "sell", "plot", plot.ID, "err", err)
			_ = msg.Nak()
			return
		}
		_ = msg.Ack()
	})
	if err != nil {
		return err
	}
	<-ctx.Done()
	cc.Stop()
	return nil
}
