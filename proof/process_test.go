package proof_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/deliverylint/deliverylint/proof/internal/wire"
)

// process is a service that runs.
type process struct {
	cmd     *exec.Cmd
	gate    *wire.Gate
	held    <-chan wire.Request
	proxies []*wire.Proxy
	stdin   io.WriteCloser
	answers chan string
	exited  chan struct{}
	log     *logged
	// listening is since when it is known to take deliveries.
	listening time.Time
}

// logged is what a process has said of itself.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start starts a service, which is held before its request of that number; never if
// that is negative.
func (w *world) start(program, name string, at int) (*process, error) {
	p := &process{gate: wire.NewGate(), answers: make(chan string, 16), exited: make(chan struct{}), log: &logged{}}
	p.held = p.gate.Arm(at)
	env, err := w.environment(p)
	if err != nil {
		p.close()
		return nil, err
	}
	p.cmd = exec.Command(program, name)
	p.cmd.Env, p.cmd.Stderr = env, p.log
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			p.answers <- lines.Text()
		}
		_ = p.cmd.Wait() // it is killed, or its log says why it ended
		close(p.exited)
	}()
	return p, nil
}

// environment names the proxies that stand before the servers.
func (w *world) environment(p *process) ([]string, error) {
	var env []string
	through := func(name string, u url.URL, listen func(*wire.Gate, string) (*wire.Proxy, error)) error {
		proxy, err := listen(p.gate, u.Host)
		if err != nil {
			return err
		}
		p.proxies = append(p.proxies, proxy)
		u.Host = proxy.Address()
		env = append(env, name+"="+u.String())
		return nil
	}
	database := *w.dsn
	query := database.Query()
	query.Set("application_name", w.name)
	database.RawQuery = query.Encode()
	if err := through("DATABASE_URL", database, wire.Postgres); err != nil {
		return nil, err
	}
	if err := through("NATS_URL", url.URL{Scheme: "nats", Host: w.nats.Addr().String()}, wire.NATS); err != nil {
		return nil, err
	}
	if w.amqp != nil {
		if err := through("AMQP_URL", *w.amqps, wire.AMQP); err != nil {
			return nil, err
		}
		env = append(env, "AMQP_QUEUE="+w.name)
	}
	if w.kafka != nil {
		env = append(env, "KAFKA_BROKER="+w.kafkaCluster.ListenAddrs()[0])
	}
	return env, nil
}

// gone reports whether the process has ended.
func (p *process) gone() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// rearm holds a later request.
func (p *process) rearm(at int) { p.held = p.gate.Arm(at) }

func (p *process) ask(order string) error {
	_, err := fmt.Fprintln(p.stdin, order)
	return err
}

// kill ends the process with SIGKILL. What is held then never reaches its server.
func (p *process) kill() error {
	if !p.gone() {
		if err := p.cmd.Process.Kill(); err != nil && !p.gone() {
			return err
		}
	}
	<-p.exited
	p.close()
	return nil
}

func (p *process) close() {
	p.gate.Stop()
	for _, proxy := range p.proxies {
		proxy.Close()
	}
}

// dump ends the process and returns what it has said, and where it stood.
func (p *process) dump() string {
	if !p.gone() {
		_ = p.cmd.Process.Signal(syscall.SIGQUIT) // if it is gone by now, its log says why
		select {
		case <-p.exited:
		case <-time.After(2 * time.Second):
		}
	}
	return p.log.String()
}
