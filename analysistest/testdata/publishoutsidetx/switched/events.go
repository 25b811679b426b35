package switched

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// Fact is any of the events here.
type Fact interface{ Topic() string }

type (
	Hired struct{ Player string }
	Fired struct{ Player string }
)

func (Hired) Topic() string { return "players.hired" }
func (Fired) Topic() string { return "players.fired" }

type Orchestra struct {
	pool *pgxpool.Pool
	out  *kafka.Writer
}

func (o *Orchestra) emit(ctx context.Context, f Fact) error {
	raw, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return o.out.WriteMessages(ctx, kafka.Message{Topic: f.Topic(), Value: raw})
}

// Seat has a variable for the event, nil where nobody is told. It is set inside
// the transaction and published after it.
func (o *Orchestra) Seat(ctx context.Context, player string, seat *int) error {
	var fact Fact
	err := pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		switch {
		case seat == nil:
			fact = Fired{player}
		case *seat == 0:
			fact = Hired{player}
		}
		_, err := tx.Exec(ctx, "UPDATE players SET seat = $2 WHERE name = $1", player, seat)
		return err
	})
	if err != nil || fact == nil {
		return err
	}
	return o.emit(ctx, fact) // want after-commit "runs after"
}

// Audition stores nothing.
func (o *Orchestra) Audition(ctx context.Context, player string, good bool) error {
	var fact Fact = Fired{player}
	if good {
		fact = Hired{player}
	}
	return o.emit(ctx, fact)
}
