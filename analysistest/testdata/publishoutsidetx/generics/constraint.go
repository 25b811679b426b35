package generics

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// sender is a constraint, not an interface that a value is put in.
type sender[E any] interface {
	Emit(ctx context.Context, e E) error
}

type OarCut struct{ Length int }

type Workshop[S sender[OarCut]] struct {
	db  *sqlx.DB
	out S
}

// Cut runs with the topic, as NewWorkshop makes it.
func (w *Workshop[S]) Cut(ctx context.Context, length int) error {
	if _, err := w.db.ExecContext(ctx, "INSERT INTO oars (length) VALUES (?)", length); err != nil {
		return err
	}
	return w.out.Emit(ctx, OarCut{length}) // want dual-write "follows"
}

func NewWorkshop(db *sqlx.DB, out *Topic[OarCut]) *Workshop[*Topic[OarCut]] {
	return &Workshop[*Topic[OarCut]]{db: db, out: out}
}
