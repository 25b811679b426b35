package orders

import (
	"context"
	"encoding/json"

	"example.org/shop/internal/events"
)

type shipment struct {
	Order string `json:"order"`
	State string `json:"state"`
}

// OnShipmentChanged takes over what the carrier says, in whatever order it comes.
func (s *Service) OnShipmentChanged(ctx context.Context, e events.Event) error {
	var sh shipment
	if err := json.Unmarshal(e.Data, &sh); err != nil {
		return err
	}
	return s.orders.SetShipping(ctx, sh.Order, sh.State) // wrong: assignstate/unguarded
}

// OnShipmentTracked takes over only what is newer than what it has.
func (s *Service) OnShipmentTracked(ctx context.Context, e events.Event) error {
	var sh shipment
	if err := json.Unmarshal(e.Data, &sh); err != nil {
		return err
	}
	return s.orders.Advance(ctx, sh.Order, sh.State, e.Version) // right: the WHERE clause compares versions
}
