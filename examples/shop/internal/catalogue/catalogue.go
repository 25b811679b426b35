// Package catalogue has the products, on gorm.
package catalogue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"example.org/shop/internal/events"
	"example.org/shop/internal/outbox"
)

// Product is what is sold.
type Product struct {
	ID    string `gorm:"primaryKey"`
	Name  string
	Cents int64
	Stock int64
}

// Products stores them.
type Products interface {
	SetPrice(ctx context.Context, id string, cents int64) error
}

// Service is the catalogue's use cases.
type Service struct {
	db       *gorm.DB
	products Products
	pub      events.Publisher
}

// New works on db and announces through pub.
func New(db *gorm.DB, pub events.Publisher) *Service {
	return &Service{db: db, products: &table{db: db}, pub: pub}
}

// SetPrice stores the price and leaves the news of it to a goroutine.
func (s *Service) SetPrice(ctx context.Context, id string, cents int64) error {
	if cents <= 0 {
		return fmt.Errorf("price of %s: %d", id, cents)
	}
	if err := s.products.SetPrice(ctx, id, cents); err != nil {
		return err
	}
	go s.announce("product.priced", id, map[string]int64{"cents": cents}) // wrong: publishoutsidetx/dual-write
	return nil
}

// Rename stores the name and its event together.
func (s *Service) Rename(ctx context.Context, id, name string) error {
	e, err := events.New("product.renamed", id, 0, map[string]string{"name": name})
	if err != nil {
		return err
	}
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Model(&Product{}).Where("id = ?", id).Update("name", name).Error; err != nil {
			return err
		}
		return tx.Create(outbox.RowOf(e)).Error // right: the event's row is in the transaction of the change
	})
}

func (s *Service) announce(typ, id string, data any) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	e, err := events.New(typ, id, 0, data)
	if err == nil {
		err = s.pub.Publish(ctx, e)
	}
	if err != nil {
		slog.Error("announce", "type", typ, "product", id, "err", err)
	}
}

type table struct{ db *gorm.DB }

func (t *table) SetPrice(ctx context.Context, id string, cents int64) error {
	return t.db.WithContext(ctx).Model(&Product{}).Where("id = ?", id).Update("cents", cents).Error
}
