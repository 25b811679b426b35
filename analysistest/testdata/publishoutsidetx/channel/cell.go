package channel

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

// Gate keeps its state in a channel of one: who wants it takes it out, and puts it in
// again. That is a lock, and no queue.
type Gate struct {
	db    *gorm.DB
	ch    *amqp.Channel
	state chan string
}

func NewGate(db *gorm.DB, ch *amqp.Channel) *Gate {
	g := &Gate{db: db, ch: ch, state: make(chan string, 1)}
	g.state <- "closed"
	return g
}

func (g *Gate) Open(ctx context.Context) error {
	state := <-g.state
	if state == "open" {
		g.state <- state
		return nil
	}
	if err := g.db.WithContext(ctx).Create(&Player{Name: "gate"}).Error; err != nil {
		g.state <- state
		return err
	}
	g.state <- "open"
	return nil
}

func (g *Gate) Tell(ctx context.Context) error {
	state := <-g.state
	defer func() { g.state <- state }()
	return g.ch.PublishWithContext(ctx, "gates", "state", false, false, amqp.Publishing{Body: []byte(state)})
}
