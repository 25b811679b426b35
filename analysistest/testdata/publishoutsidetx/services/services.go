// Package services has one service publish and another write: each knows the other
// as an interface, and neither has the pair to itself.
package services

import (
	"context"
	"errors"
	"fmt"
	"time"
)

type Stay struct {
	ID, Guest, Room string
	Until           time.Time
}

// StayFlow runs elsewhere what a stay needs.
type StayFlow interface {
	CheckIn(ctx context.Context, s Stay) (*Stay, error)
	CheckOut(ctx context.Context, s *Stay) error
	Estimate(ctx context.Context, s Stay) (*Stay, error)
}

type StayTable interface {
	PutStay(ctx context.Context, s *Stay) error
	PutStays(ctx context.Context, s ...*Stay) error
	Stay(ctx context.Context, id string) (*Stay, error)
}

// StayNews has a past participle for each event.
type StayNews interface {
	Lengthened(ctx context.Context, s *Stay) error
	Moved(ctx context.Context, s *Stay)
}

type Reception struct {
	flow StayFlow
	db   StayTable
	news StayNews
}

func NewReception(flow StayFlow, db StayTable, news StayNews) *Reception {
	return &Reception{flow: flow, db: db, news: news}
}

// Arrive has the flow publish that the guest is here, and then stores it.
func (r *Reception) Arrive(ctx context.Context, s Stay) (*Stay, error) {
	in, err := r.flow.CheckIn(ctx, s) // want before-write
	if err != nil {
		return nil, fmt.Errorf("check in: %w", err)
	}
	if err := r.db.PutStays(ctx, in); err != nil {
		return nil, err
	}
	return in, nil
}

func (r *Reception) Leave(ctx context.Context, id string) error {
	s, err := r.db.Stay(ctx, id)
	if err != nil {
		return err
	}
	s.Until = time.Now()
	if err := r.db.PutStay(ctx, s); err != nil {
		return err
	}
	return r.flow.CheckOut(ctx, s) // want dual-write "follows"
}

// Lengthen throws the error away.
func (r *Reception) Lengthen(ctx context.Context, s *Stay, until time.Time) error {
	s.Until = until
	if err := r.db.PutStay(ctx, s); err != nil {
		return err
	}
	_ = r.news.Lengthened(ctx, s) // want dual-write "follows"
	return nil
}

func (r *Reception) Move(ctx context.Context, s *Stay, room string) error {
	if s.Room == room {
		return errors.New("is there already")
	}
	s.Room = room
	if err := r.db.PutStay(ctx, s); err != nil {
		return err
	}
	r.news.Moved(ctx, s) // want dual-write "follows"
	return nil
}

// Reserve stores what the flow has only worked out.
func (r *Reception) Reserve(ctx context.Context, s Stay) error {
	est, err := r.flow.Estimate(ctx, s)
	if err != nil {
		return err
	}
	return r.db.PutStay(ctx, est)
}

// Remind reads, and leaves the rest to the flow.
func (r *Reception) Remind(ctx context.Context, id string) error {
	s, err := r.db.Stay(ctx, id)
	if err != nil {
		return err
	}
	return r.flow.CheckOut(ctx, s)
}
