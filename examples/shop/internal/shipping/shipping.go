// Package shipping sends parcels, on database/sql.
package shipping

import (
	"context"
	"database/sql"

	"example.org/shop/internal/events"
	"example.org/shop/internal/uow"
)

// Service is the use cases of shipping.
type Service struct {
	db   *sql.DB
	work *uow.Work
	pub  events.Publisher
}

// New works on db and announces through pub.
func New(db *sql.DB, pub events.Publisher) *Service {
	return &Service{db: db, work: uow.New(db), pub: pub}
}

// Dispatch tells the customer first.
func (s *Service) Dispatch(ctx context.Context, id, carrier string) error {
	e, err := events.New("shipment.dispatched", id, 1, map[string]string{"carrier": carrier})
	if err != nil {
		return err
	}
	if err := s.pub.Publish(ctx, e); err != nil { // wrong: publishoutsidetx/before-write
		return err
	}
	return s.setDispatched(ctx, id, carrier)
}

// ChaseLate asks the carriers about parcels that they have not been asked about.
func (s *Service) ChaseLate(ctx context.Context) error {
	ids, err := s.unchased(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		e, err := events.New("shipment.late", id, 0, nil)
		if err != nil {
			return err
		}
		if err := s.pub.Publish(ctx, e); err != nil { // right: the flag that is set next is the one that was asked for
			return err
		}
		if _, err := s.db.ExecContext(ctx, `UPDATE shipments SET chased = true WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) setDispatched(ctx context.Context, id, carrier string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE shipments SET dispatched = true, carrier = $2 WHERE id = $1 AND NOT dispatched`, id, carrier)
	return err
}

func (s *Service) unchased(ctx context.Context) (ids []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id FROM shipments WHERE dispatched AND NOT chased`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
