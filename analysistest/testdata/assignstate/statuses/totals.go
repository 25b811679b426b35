package statuses

import (
	"context"
	"encoding/json"

	"github.com/hibiken/asynq"
	"gorm.io/gorm"
)

// Fill is a part of an order that was filled.
type Fill struct {
	Order string
	Qty   int64
	Last  bool
}

type Trade struct {
	ID            string `gorm:"primaryKey"`
	Status        string
	Filled, Total int64
}

type Trades struct{ db *gorm.DB }

// settle says how far a trade is by what was filled so far, whatever came first.
func (t *Trades) settle(trade *Trade, f Fill) {
	trade.Filled += f.Qty
	trade.Status = "partial"
	if trade.Filled >= trade.Total || f.Last {
		trade.Status = "filled"
	}
}

func (t *Trades) rightFilled(ctx context.Context, task *asynq.Task) error {
	var f Fill
	if err := json.Unmarshal(task.Payload(), &f); err != nil {
		return err
	}
	var trade Trade
	if err := t.db.WithContext(ctx).First(&trade, "id = ?", f.Order).Error; err != nil {
		return err
	}
	t.settle(&trade, f)
	return t.db.WithContext(ctx).Save(&trade).Error
}

// wrongLast asks the message alone.
func (t *Trades) wrongLast(ctx context.Context, task *asynq.Task) error {
	var f Fill
	if err := json.Unmarshal(task.Payload(), &f); err != nil {
		return err
	}
	var trade Trade
	if err := t.db.WithContext(ctx).First(&trade, "id = ?", f.Order).Error; err != nil {
		return err
	}
	trade.Status = "partial"
	if f.Last {
		trade.Status = "filled" // want unguarded "Trade.Status"
	}
	return t.db.WithContext(ctx).Save(&trade).Error
}

func TradeMux(t *Trades) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("filled", t.rightFilled)
	m.HandleFunc("last", t.wrongLast)
	return m
}
