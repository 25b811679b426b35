// Package wire stands between a process and its servers. It reads the protocols of
// PostgreSQL, NATS and AMQP as they pass, counts what changes or asks something, and
// holds one of these requests until it is said what becomes of it. The process knows
// nothing of it.
package wire

import (
	"sync"
	"time"
)

// Kind is the server that a request is for.
type Kind int

// The kinds of requests.
const (
	Database Kind = iota
	Broker
)

// Request is what a process asks of a server.
type Request struct {
	Kind Kind
	// Text says what it is: SQL, or a subject.
	Text string
}

// Gate counts the requests of a process, on all of its connections.
type Gate struct {
	mu       sync.Mutex
	requests []Request
	last     time.Time
	at       int
	stopped  bool
	held     chan Request
	verdict  chan bool
}

// NewGate lets everything pass.
func NewGate() *Gate { return &Gate{at: -1} }

// Arm counts anew, and holds the request before which there were that many. What is
// held comes from the channel.
func (g *Gate) Arm(at int) <-chan Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests, g.at = nil, at
	g.held, g.verdict = make(chan Request, 1), make(chan bool, 1)
	return g.held
}

// Let lets what is held pass.
func (g *Gate) Let() { g.decide(true) }

// Cut closes the connection on which something is held.
func (g *Gate) Cut() { g.decide(false) }

func (g *Gate) decide(pass bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case g.verdict <- pass:
	default: // it was said before
	}
}

// Stop lets nothing pass any more.
func (g *Gate) Stop() {
	g.mu.Lock()
	g.stopped = true
	g.mu.Unlock()
	g.decide(false)
}

// Requests are those since the gate was armed. The held one is the last.
func (g *Gate) Requests() []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]Request(nil), g.requests...)
}

// Idle is how long there was none; zero if there never was one.
func (g *Gate) Idle() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last.IsZero() {
		return 0
	}
	return time.Since(g.last)
}

// pass counts a request and waits, if it is the one to hold. It reports whether the
// request may pass.
func (g *Gate) pass(r Request) bool {
	g.mu.Lock()
	if g.stopped {
		g.mu.Unlock()
		return false
	}
	n := len(g.requests)
	g.requests, g.last = append(g.requests, r), time.Now()
	held, verdict, at := g.held, g.verdict, g.at
	g.mu.Unlock()
	if n != at {
		return true
	}
	held <- r
	ok := <-verdict
	g.mu.Lock()
	g.last = time.Now()
	g.mu.Unlock()
	return ok
}
