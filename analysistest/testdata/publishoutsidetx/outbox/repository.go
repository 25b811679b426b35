package outbox

import (
	"context"

	"gorm.io/gorm"
)

type Tray struct {
	ID   uint
	Full bool
}

type TrayMessage struct {
	ID   uint
	Tray uint
	Kind string
}

func (TrayMessage) TableName() string { return "tray_outbox" }

type TrayRepository interface {
	SaveTray(ctx context.Context, tx *gorm.DB, t *Tray) error
}

// TrayPublisher stands for the outbox: what it is called says otherwise.
type TrayPublisher interface {
	PublishTray(ctx context.Context, tx *gorm.DB, t *Tray, kind string) error
}

type trayRepo struct{ db *gorm.DB }

// pick prefers the transaction that it is given.
func (r *trayRepo) pick(tx *gorm.DB) *gorm.DB {
	if tx != nil {
		return tx
	}
	return r.db
}

func (r *trayRepo) SaveTray(ctx context.Context, tx *gorm.DB, t *Tray) error {
	return r.pick(tx).WithContext(ctx).Save(t).Error
}

func (r *trayRepo) PublishTray(ctx context.Context, tx *gorm.DB, t *Tray, kind string) error {
	return r.pick(tx).WithContext(ctx).Create(&TrayMessage{Tray: t.ID, Kind: kind}).Error
}

type Trays struct {
	db   *gorm.DB
	repo TrayRepository
	pub  TrayPublisher
}

func NewTrays(db *gorm.DB) *Trays {
	r := &trayRepo{db: db}
	return &Trays{db: db, repo: r, pub: r}
}

func (s *Trays) Fill(ctx context.Context, t *Tray) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		t.Full = true
		if err := s.repo.SaveTray(ctx, tx, t); err != nil {
			return err
		}
		return s.pub.PublishTray(ctx, tx, t, "filled")
	})
}

// Empty forgets to pass the transaction on.
func (s *Trays) Empty(ctx context.Context, t *Tray) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		t.Full = false
		if err := s.repo.SaveTray(ctx, tx, t); err != nil {
			return err
		}
		return s.pub.PublishTray(ctx, nil, t, "emptied") // want outbox-outside-tx
	})
}
