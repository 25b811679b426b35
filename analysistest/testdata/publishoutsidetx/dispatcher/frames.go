package dispatcher

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go/jetstream"
)

// FrameEvent is what happens to the frames.
type FrameEvent interface {
	Event
	Frame() string
}

type FrameHung struct{ ID string }

func (FrameHung) EventName() string { return "frame.hung" }
func (e FrameHung) Frame() string   { return e.ID }

type FrameSold struct{ ID string }

func (FrameSold) EventName() string { return "frame.sold" }
func (e FrameSold) Frame() string   { return e.ID }

// FramePublisher is how the application knows the dispatcher.
type FramePublisher interface {
	Publish(ctx context.Context, events ...FrameEvent) error
}

// integration is the handler behind which the broker is.
type integration struct{ js jetstream.JetStream }

func (i integration) Handle(ctx context.Context, e FrameEvent) error {
	switch e := e.(type) {
	case FrameHung:
		return i.send(ctx, "frames.hung", e.ID)
	case FrameSold:
		return i.send(ctx, "frames.sold", e.ID)
	}
	return nil
}

func (i integration) send(ctx context.Context, subject, id string) error {
	_, err := i.js.Publish(ctx, subject, []byte(id))
	return err
}

type FrameRepo interface {
	SaveFrame(ctx context.Context, id string, hung bool) error
	HasFrame(ctx context.Context, id string) (bool, error)
}

type frameRepo struct{ db *sql.DB }

func (r frameRepo) SaveFrame(ctx context.Context, id string, hung bool) error {
	_, err := r.db.ExecContext(ctx, "UPDATE frames SET hung = $2 WHERE id = $1", id, hung)
	return err
}

func (r frameRepo) HasFrame(ctx context.Context, id string) (ok bool, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT hung FROM frames WHERE id = $1", id).Scan(&ok)
	return ok, err
}

type Gallery struct {
	repo   FrameRepo
	events FramePublisher
}

func NewGallery(db *sql.DB, js jetstream.JetStream) *Gallery {
	d := New[FrameEvent]()
	h := integration{js}
	d.Subscribe(FrameHung{}.EventName(), h)
	d.Subscribe(FrameSold{}.EventName(), h)
	return &Gallery{repo: frameRepo{db}, events: d}
}

func (g *Gallery) Hang(ctx context.Context, id string) error {
	if err := g.repo.SaveFrame(ctx, id, true); err != nil {
		return err
	}
	return g.events.Publish(ctx, FrameHung{id}) // want dual-write "follows"
}

func (g *Gallery) Sell(ctx context.Context, id string) error {
	if err := g.events.Publish(ctx, FrameSold{id}); err != nil { // want before-write
		return err
	}
	return g.repo.SaveFrame(ctx, id, false)
}

// Offer only looks.
func (g *Gallery) Offer(ctx context.Context, id string) error {
	if ok, err := g.repo.HasFrame(ctx, id); err != nil || !ok {
		return err
	}
	return g.events.Publish(ctx, FrameSold{id})
}
