package driver

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// color reports whether the report is coloured: on a terminal, unless NO_COLOR
// is set or the terminal is a dumb one.
func (e Env) color() bool {
	return e.StdoutTerminal && lookup(e.Environ, "NO_COLOR") == "" && lookup(e.Environ, "TERM") != "dumb"
}

// patience is how long a run stays silent before it says what it is doing.
const patience = 2 * time.Second

// progress is one line on the terminal that says what a long run is doing. It
// is gone when the work ends.
type progress struct {
	env   Env
	start time.Time
	mu    sync.Mutex
	shown bool
}

func newProgress(env Env) *progress { return &progress{env: env, start: env.Now()} }

func (p *progress) show(text string) {
	if !p.env.StderrTerminal || lookup(p.env.Environ, "TERM") == "dumb" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.env.Now().Sub(p.start) < patience {
		return
	}
	p.shown = true
	fmt.Fprintf(p.env.Stderr, "\r\x1b[Kdeliverylint: %s", text)
}

func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.env.Stderr, "\r\x1b[K")
	}
	p.shown = false
}
