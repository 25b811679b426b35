// Package ifacenoimpl has interfaces that nothing implements: what is behind them
// comes from another module. Names are all there is, so the message says "looks like".
package ifacenoimpl

import "context"

type Animal struct {
	Tag  string
	Home string
}

type AnimalRepository interface {
	Save(ctx context.Context, a Animal) error
	Update(ctx context.Context, a Animal) error
	Delete(ctx context.Context, tag string) error
	Get(ctx context.Context, tag string) (Animal, error)
}

type EventPublisher interface {
	Publish(ctx context.Context, topic string, a Animal) error
}

type TxManager interface {
	InTx(ctx context.Context, fn func(ctx context.Context, a Animal) error) error
}

type OutboxRepository interface {
	Add(ctx context.Context, topic string, a Animal) error
}

// Renderer is neither a store nor a publisher.
type Renderer interface {
	Emit(ctx context.Context, a Animal) error
}

// StatsCollector is telemetry by its name.
type StatsCollector interface {
	Send(ctx context.Context, a Animal) error
}

type Shelter struct {
	animals AnimalRepository
	events  EventPublisher
	tx      TxManager
	outbox  OutboxRepository
	page    Renderer
	metrics StatsCollector
}

func (s *Shelter) Admit(ctx context.Context, a Animal) error {
	if err := s.animals.Save(ctx, a); err != nil {
		return err
	}
	return s.events.Publish(ctx, "animals.admitted", a) // want dual-write "looks like"
}

func (s *Shelter) Adopt(ctx context.Context, tag, home string) error {
	a, err := s.animals.Get(ctx, tag)
	if err != nil {
		return err
	}
	a.Home = home
	return s.tx.InTx(ctx, func(ctx context.Context, _ Animal) error {
		if err := s.animals.Update(ctx, a); err != nil {
			return err
		}
		return s.events.Publish(ctx, "animals.adopted", a) // want inside-tx "looks like"
	})
}

func (s *Shelter) Rename(ctx context.Context, a Animal) error {
	err := s.tx.InTx(ctx, func(ctx context.Context, _ Animal) error {
		return s.animals.Update(ctx, a)
	})
	if err != nil {
		return err
	}
	return s.events.Publish(ctx, "animals.renamed", a) // want after-commit "looks like"
}

// Register leaves the event to the outbox.
func (s *Shelter) Register(ctx context.Context, a Animal) error {
	return s.tx.InTx(ctx, func(ctx context.Context, _ Animal) error {
		if err := s.animals.Save(ctx, a); err != nil {
			return err
		}
		return s.outbox.Add(ctx, "animals.registered", a)
	})
}

func (s *Shelter) Show(ctx context.Context, a Animal) error {
	if err := s.animals.Save(ctx, a); err != nil {
		return err
	}
	return s.page.Emit(ctx, a)
}

func (s *Shelter) Count(ctx context.Context, a Animal) error {
	if err := s.animals.Save(ctx, a); err != nil {
		return err
	}
	return s.metrics.Send(ctx, a)
}

// Ask only reads.
func (s *Shelter) Ask(ctx context.Context, tag string) error {
	a, err := s.animals.Get(ctx, tag)
	if err != nil {
		return err
	}
	return s.events.Publish(ctx, "animals.asked", a)
}
