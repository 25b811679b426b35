// Package screens takes messages to show them, and nothing else.
package screens

import (
	"context"
	"sync"

	"github.com/nats-io/nats.go"
)

// A Hub has the screens that look.
type Hub struct {
	mu      sync.Mutex
	screens map[chan []byte]bool
}

// Run hands on what comes; who is slow misses it.
func (h *Hub) Run(ctx context.Context, nc *nats.Conn) error {
	sub, err := nc.Subscribe("changes", func(m *nats.Msg) { h.show(m.Data) })
	if err != nil {
		return err
	}
	<-ctx.Done()
	return sub.Unsubscribe()
}

func (h *Hub) show(data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.screens {
		select {
		case s <- data:
		default:
		}
	}
}
