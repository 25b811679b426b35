package wire

import (
	"bufio"
	"io"
	"net"
	"sync"
)

// protocol reads what a client says, hands it on and asks the gate about requests.
type protocol func(g *Gate, from *bufio.Reader, to io.Writer) error

// Proxy listens in the place of a server.
type Proxy struct {
	listener net.Listener
	mu       sync.Mutex
	open     map[net.Conn]bool
	closed   bool
}

// Postgres stands before a PostgreSQL server, without TLS.
func Postgres(g *Gate, server string) (*Proxy, error) { return listen(g, server, postgres) }

// NATS stands before a NATS server.
func NATS(g *Gate, server string) (*Proxy, error) { return listen(g, server, nats) }

// AMQP stands before an AMQP 0.9.1 broker.
func AMQP(g *Gate, server string) (*Proxy, error) { return listen(g, server, amqp) }

func listen(g *Gate, server string, read protocol) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, open: map[net.Conn]bool{}}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(g, client, server, read)
		}
	}()
	return p, nil
}

// Address is where it listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Close closes all connections.
func (p *Proxy) Close() {
	p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for c := range p.open {
		c.Close()
	}
}

// keep remembers a connection, so that it is closed; false if it is too late.
func (p *Proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[c] = true
	return !p.closed
}

func (p *Proxy) drop(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
	c.Close()
}

// serve ends both connections when one of them ends: a server sees that its client
// is gone.
func (p *Proxy) serve(g *Gate, client net.Conn, server string, read protocol) {
	defer p.drop(client)
	upstream, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer p.drop(upstream)
	if !p.keep(client) || !p.keep(upstream) {
		return
	}
	go func() {
		_, _ = io.Copy(client, upstream) // its end is the connection's
		client.Close()
	}()
	_ = read(g, bufio.NewReader(client), upstream) // as above
}
