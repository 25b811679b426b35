package dispatch

import (
	"context"
	"log/slog"
)

// Declared is a handler, because its comment says so: what returns nil is acked.
//
//deliverylint:handler
func (m *Moved) Declared(ctx context.Context, body []byte) error {
	if err := m.move(ctx, body); err != nil { // want on-failure "m.move may fail, and the handler returns no error"
		slog.Error("move", "err", err)
	}
	return nil
}

// DeclaredRight returns its failure.
//
//deliverylint:handler
func (m *Moved) DeclaredRight(ctx context.Context, body []byte) error {
	return m.move(ctx, body)
}

// Plain is called by nobody who acks.
func (m *Moved) Plain(ctx context.Context, body []byte) error {
	if err := m.move(ctx, body); err != nil {
		slog.Error("move", "err", err)
	}
	return nil
}
