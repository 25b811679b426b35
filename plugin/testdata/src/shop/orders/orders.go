package orders

import (
	"gorm.io/gorm"

	"shop/bus"
)

type Order struct{ ID int }

type Service struct {
	db  *gorm.DB
	bus bus.Bus
}

func (s *Service) Place(o *Order) error {
	if err := s.db.Create(o).Error; err != nil {
		return err
	}
	return s.bus.Tell("placed") // want `bus.Tell .*publishoutsidetx/dual-write`
}

func (s *Service) Inside(o *Order) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(o).Error; err != nil {
			return err
		}
		return s.bus.Tell("placed") // want `publishoutsidetx/inside-tx`
	})
}

func (s *Service) Hint(o *Order) error {
	if err := s.db.Create(o).Error; err != nil {
		return err
	}
	return s.bus.Tell("placed") //nolint:deliverylint // readers poll
}
