package ifacenoimpl

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Pedigrees has a real database on one side and an unknown publisher on the other.
type Pedigrees struct {
	db     *sql.DB
	events EventPublisher
}

func (p *Pedigrees) Record(ctx context.Context, a Animal) error {
	if _, err := p.db.ExecContext(ctx, "INSERT INTO pedigrees (tag) VALUES (?)", a.Tag); err != nil {
		return err
	}
	return p.events.Publish(ctx, "pedigrees", a) // want dual-write "looks like"
}

// Registry has a real broker and an unknown store.
type Registry struct {
	animals AnimalRepository
	writer  *kafka.Writer
}

func (r *Registry) Strike(ctx context.Context, tag string) error {
	if err := r.animals.Delete(ctx, tag); err != nil {
		return err
	}
	return r.writer.WriteMessages(ctx, kafka.Message{Key: []byte(tag)}) // want dual-write "looks like"
}

// Handler is an interface whose verb is no publish.
type Handler interface {
	Handle(ctx context.Context, a Animal) error
}

func (p *Pedigrees) Pass(ctx context.Context, a Animal, next Handler) error {
	if _, err := p.db.ExecContext(ctx, "UPDATE pedigrees SET passed = 1 WHERE tag = ?", a.Tag); err != nil {
		return err
	}
	return next.Handle(ctx, a)
}
