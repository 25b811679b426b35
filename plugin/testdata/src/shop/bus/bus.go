package bus

import "github.com/nats-io/nats.go"

type Bus interface{ Tell(event string) error }

type natsBus struct{ conn *nats.Conn }

func New(conn *nats.Conn) Bus { return &natsBus{conn} }

func (b *natsBus) Tell(event string) error { return b.conn.Publish("events", []byte(event)) }
