// Package sums reads a row, adds to it and stores it.
package sums

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/hibiken/asynq"
	"gorm.io/gorm"
)

type Award struct {
	Member uint
	Points int
}

type Member struct {
	ID     uint
	Points int
	Name   string
}

func (m *Member) Earn(points int) { m.Points += points }

type Cart struct {
	ID    string
	Items []string
}

type Worker struct {
	orm *gorm.DB
	db  *sql.DB
}

func parse(t *asynq.Task) (a Award, err error) {
	err = json.Unmarshal(t.Payload(), &a)
	return a, err
}

func (w *Worker) Save(_ context.Context, t *asynq.Task) error {
	a, err := parse(t)
	if err != nil {
		return err
	}
	var m Member
	if err := w.orm.First(&m, a.Member).Error; err != nil {
		return err
	}
	m.Points += a.Points
	return w.orm.Save(&m).Error // want no-dedupe "Member.Points"
}

func (w *Worker) Method(_ context.Context, t *asynq.Task) error {
	a, err := parse(t)
	if err != nil {
		return err
	}
	var m Member
	if err := w.orm.First(&m, a.Member).Error; err != nil {
		return err
	}
	m.Earn(a.Points)
	return w.orm.Save(&m).Error // want no-dedupe "Member.Points"
}

func (w *Worker) member(ctx context.Context, id uint) (*Member, error) {
	m := &Member{ID: id}
	err := w.db.QueryRowContext(ctx, "SELECT points FROM members WHERE id = $1", id).Scan(&m.Points)
	return m, err
}

func (w *Worker) setPoints(ctx context.Context, id uint, points int) error {
	_, err := w.db.ExecContext(ctx, "UPDATE members SET points = $1 WHERE id = $2", points, id) // want no-dedupe "members.points"
	return err
}

func (w *Worker) Column(ctx context.Context, t *asynq.Task) error {
	a, err := parse(t)
	if err != nil {
		return err
	}
	m, err := w.member(ctx, a.Member)
	if err != nil {
		return err
	}
	return w.setPoints(ctx, a.Member, m.Points+a.Points)
}

// update runs a function between a read and a write of a document.
func (w *Worker) update(ctx context.Context, id string, change func(Cart) Cart) error {
	var data []byte
	if err := w.db.QueryRowContext(ctx, "SELECT data FROM carts WHERE id = $1", id).Scan(&data); err != nil {
		return err
	}
	var c Cart
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	c = change(c)
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, "UPDATE carts SET data = $1 WHERE id = $2", data, id) // want no-dedupe "carts.data"
	return err
}

func (w *Worker) Append(ctx context.Context, t *asynq.Task) error {
	return w.update(ctx, "1", func(c Cart) Cart {
		c.Items = append(c.Items, string(t.Payload()))
		return c
	})
}

func (w *Worker) Rename(ctx context.Context, t *asynq.Task) error {
	return w.update(ctx, "1", func(c Cart) Cart {
		c.Items = []string{string(t.Payload())}
		return c
	})
}

// Total is made from the rows anew each time.
func (w *Worker) Total(ctx context.Context, t *asynq.Task) error {
	a, err := parse(t)
	if err != nil {
		return err
	}
	rows, err := w.db.QueryContext(ctx, "SELECT points FROM awards WHERE member = $1", a.Member)
	if err != nil {
		return err
	}
	defer rows.Close()
	total := 0
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return err
		}
		total += n
	}
	return w.setPoints(ctx, a.Member, total)
}

func Mux(w *Worker) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("save", w.Save)
	m.HandleFunc("method", w.Method)
	m.HandleFunc("column", w.Column)
	m.HandleFunc("append", w.Append)
	m.HandleFunc("rename", w.Rename)
	m.HandleFunc("total", w.Total)
	return m
}
