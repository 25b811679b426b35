package relay

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Stock fills what is reserved. Its loop reads rows, changes them and publishes, and
// is no poller: what it has changed it doesn't find again.
type Stock struct {
	db  *sql.DB
	out *kafka.Writer
}

func (s *Stock) Fill(ctx context.Context, sku string) error {
	rows, err := s.db.QueryContext(ctx, "SELECT id FROM stock_reservations WHERE sku = $1 AND state = 'OPEN'", sku)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if err := s.set(ctx, id, "FILLED"); err != nil {
			return err
		}
		if err := s.tell(ctx, id); err != nil { // want dual-write "follows s.set"
			return err
		}
	}
	return rows.Err()
}

func (s *Stock) Reserve(ctx context.Context, id, sku string) error {
	if _, err := s.db.ExecContext(ctx, "INSERT INTO stock_reservations (id, sku, state) VALUES ($1, $2, 'OPEN')", id, sku); err != nil {
		return err
	}
	return s.tell(ctx, id) // want dual-write "follows"
}

func (s *Stock) set(ctx context.Context, id, state string) error {
	_, err := s.db.ExecContext(ctx, "UPDATE stock_reservations SET state = $2 WHERE id = $1", id, state)
	return err
}

func (s *Stock) tell(ctx context.Context, id string) error {
	return s.out.WriteMessages(ctx, kafka.Message{Topic: "reservations", Key: []byte(id)})
}
