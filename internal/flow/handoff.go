package flow

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// HandsOver is a rule that wants to know when a path leaves work to others in the
// process.
type HandsOver interface {
	// Sent: a value goes into a channel.
	Sent(p *Path, f *effect.Func, n *effect.Node)
	// Spawned: a goroutine is started that has effects of these kinds. The path is
	// that of the goroutine too.
	Spawned(p *Path, f *effect.Func, n *effect.Node, kinds effect.Kinds)
	// Took: the next delivery is taken from a channel.
	Took(p *Path)
	// Waited: the path waits for another goroutine.
	Waited(p *Path)
	// Called: a function is called that is given by somebody unknown.
	Called(p *Path, f *effect.Func, n *effect.Node)
}

// Entering is a rule that wants to know with what a handler that a library calls
// begins.
type Entering interface {
	Entered(p *Path, f *effect.Func)
}

func (w *Walker) entered(f *effect.Func, s *State) {
	if r, ok := w.base.(Entering); ok {
		n := &effect.Node{Pos: f.Pos, Text: f.Name}
		r.Entered(w.path(&frame{f: f, root: true}, s, n, nil), f)
	}
}

func (w *Walker) sent(fr *frame, s *State, n *effect.Node) {
	r, ok := w.base.(HandsOver)
	if !ok {
		return
	}
	if n.Delivery {
		r.Took(w.path(fr, s, n, nil))
	} else if len(n.Taken) > 0 {
		r.Waited(w.path(fr, s, n, nil))
	}
	if len(n.From) > 0 && slices.ContainsFunc(n.Args, kept) && !slices.ContainsFunc(n.Args, w.prog.Shown) {
		p := w.path(fr, s, n, nil)
		p.now.owner = 1 // what waits in the channel waits here
		r.Sent(p, fr.f, n)
	}
}

// kept: the channel is a field or variable. One that is made for a caller is gone with
// the caller.
func kept(v *effect.Value) bool { return effect.ChannelKey(v) != "" }

func (w *Walker) spawned(fr *frame, s *State, n *effect.Node) {
	r, ok := w.base.(HandsOver)
	if !ok {
		return
	}
	kinds := effect.Kinds(0)
	for _, t := range w.targets(fr, s, n) {
		if t.f != nil {
			kinds |= w.prog.Reach[t.f.Symbol]
		}
	}
	r.Spawned(w.path(fr, s, n, nil), fr.f, n, kinds)
}

func (w *Walker) waited(fr *frame, s *State, n *effect.Node) {
	r, ok := w.base.(HandsOver)
	switch {
	case !ok:
	case n.Delivery:
		r.Took(w.path(fr, s, n, nil))
	default:
		r.Waited(w.path(fr, s, n, nil))
	}
}

// handed tells the rule of a call that may wait, or of a call of a function that
// somebody unknown has given.
func (w *Walker) handed(fr *frame, s *State, n *effect.Node) {
	r, ok := w.base.(HandsOver)
	switch {
	case !ok:
	case strings.HasSuffix(n.Text, ".Wait"):
		r.Waited(w.path(fr, s, n, nil))
	case n.Dynamic != nil && n.Static == "" && n.Iface == "" && len(n.From) > 0:
		r.Called(w.path(fr, s, n, nil), fr.f, n)
	}
}
