package channel

import (
	"context"
	"log/slog"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

type Joined struct{ Player string }

// LocalBus calls its subscribers in this process, whatever its method is called.
type LocalBus struct {
	mu   sync.RWMutex
	subs []func(ctx context.Context, e Joined)
}

func (b *LocalBus) Subscribe(fn func(ctx context.Context, e Joined)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs = append(b.subs, fn)
}

func (b *LocalBus) Publish(ctx context.Context, e Joined) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, fn := range b.subs {
		fn(ctx, e)
	}
}

type Player struct {
	ID   uint
	Name string
}

// Lobby has a bus whose subscribers only count and log.
type Lobby struct {
	db  *gorm.DB
	bus *LocalBus
	n   int
}

func NewLobby(db *gorm.DB) *Lobby {
	l := &Lobby{db: db, bus: &LocalBus{}}
	l.bus.Subscribe(func(context.Context, Joined) { l.n++ })
	l.bus.Subscribe(func(ctx context.Context, e Joined) { slog.InfoContext(ctx, "joined", "player", e.Player) })
	return l
}

func (l *Lobby) Join(ctx context.Context, name string) error {
	if err := l.db.WithContext(ctx).Create(&Player{Name: name}).Error; err != nil {
		return err
	}
	l.bus.Publish(ctx, Joined{name})
	return nil
}

// Scored travels on a bus that has a bridge to the broker among its subscribers.
type Scored struct {
	Player string
	Points int
}

type ScoreBus struct {
	subs []func(ctx context.Context, e Scored) error
}

func (b *ScoreBus) On(fn func(ctx context.Context, e Scored) error) { b.subs = append(b.subs, fn) }

func (b *ScoreBus) Raise(ctx context.Context, e Scored) error {
	for _, fn := range b.subs {
		if err := fn(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

type Score struct {
	ID     uint
	Player string
	Points int
}

type League struct {
	db  *gorm.DB
	bus *ScoreBus
	ch  *amqp.Channel
}

func NewLeague(db *gorm.DB, ch *amqp.Channel) *League {
	l := &League{db: db, bus: &ScoreBus{}, ch: ch}
	l.bus.On(l.bridge)
	return l
}

func (l *League) bridge(ctx context.Context, e Scored) error {
	return l.ch.PublishWithContext(ctx, "league", "scored", true, false, amqp.Publishing{Body: []byte(e.Player)})
}

func (l *League) Score(ctx context.Context, s *Score) error {
	if err := l.db.WithContext(ctx).Create(s).Error; err != nil {
		return err
	}
	return l.bus.Raise(ctx, Scored{s.Player, s.Points}) // want dual-write "follows"
}

func (l *League) Correct(ctx context.Context, s *Score) error {
	return l.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Save(s).Error; err != nil {
			return err
		}
		return l.bus.Raise(ctx, Scored{s.Player, s.Points}) // want inside-tx "transaction"
	})
}
