package arrivals

import (
	"context"
	"time"
)

type label struct {
	ID, Path, Owner, Note string
	ReplacedAt            time.Time
}

// printed asks somebody else when a label was printed.
var printed func(id, path, owner, note string, replaced time.Time) time.Time

// Newer compares a time that is made of all that a row has: no column of it orders.
func (h *Handlers) Newer(ctx context.Context, latest time.Time) (time.Time, error) {
	var l label
	err := h.db.QueryRowContext(ctx, "SELECT id, path, owner, note, replaced_at FROM meters").Scan(&l.ID, &l.Path, &l.Owner, &l.Note, &l.ReplacedAt)
	if err != nil {
		return latest, err
	}
	t := printed(l.ID, l.Path, l.Owner, l.Note, l.ReplacedAt)
	if t.After(latest) {
		return t, nil
	}
	return latest, nil
}
