// Package ports has the interfaces that the use cases know. It imports no client.
package ports

import "context"

type Lease struct{ ID, Flat string }

type LeaseStore interface {
	Sign(ctx context.Context, l Lease) error
}

type LeaseFeed interface {
	LeaseSigned(ctx context.Context, l Lease) error
}

// UseCase knows nothing but interfaces, and is where the finding is.
type UseCase struct {
	Store LeaseStore
	Feed  LeaseFeed
}

func (u UseCase) Sign(ctx context.Context, l Lease) error {
	if err := u.Store.Sign(ctx, l); err != nil {
		return err
	}
	return u.Feed.LeaseSigned(ctx, l) // want dual-write "follows"
}

// Renew announces nothing.
func (u UseCase) Renew(ctx context.Context, l Lease) error { return u.Store.Sign(ctx, l) }
