package load

import (
	"context"
	"go/ast"
	"strings"
	"sync"
)

// demand is what importers need of a package. It grows while packages are read.
type demand struct {
	mu      sync.Mutex
	all     bool     // all that is exported
	names   []string // these too
	waiting bool     // the package is in the queue or being worked on
}

// ask adds to a package's demand. It returns true if the package has to be queued.
func (d *demand) ask(all bool, names ...string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = d.all || all
	d.names = append(d.names, names...)
	queue := !d.waiting
	d.waiting = true
	return queue
}

// take empties the demand. It returns false if there is none, and the package
// may be queued again.
func (d *demand) take() (all bool, names []string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	all, names = d.all, d.names
	d.all, d.names = false, nil
	d.waiting = all || len(names) > 0
	return all, names, d.waiting
}

// parseAll parses the packages with bodies and then, until nothing more is
// asked for, what the declarations kept so far refer to. What packages with
// bodies import is asked for whole, the rest by name.
func (l *loader) parseAll(ctx context.Context) error {
	l.reservePositions()
	q := newQueue()
	for _, n := range l.nodes {
		if n.bodies && n.demand.ask(true) {
			q.add(n)
		}
		if !n.bodies && l.isKin(n) && l.mayHaveBodies(n) && n.demand.ask(false, "_") {
			q.add(n) // reached by wiring alone, which the declarations don't show
		}
	}
	err := q.run(ctx, func(n *node) {
		for {
			all, names, ok := n.demand.take()
			if !ok {
				return
			}
			l.supply(n, all, names, q)
		}
	})
	if err != nil {
		return err
	}
	l.order()
	for _, n := range l.needed {
		if n.decls != nil {
			n.decls.dropRest()
			n.decls = nil
		}
	}
	return nil
}

// isKin reports whether a package belongs to the owner of a main package: the
// same host and organisation, as a company's shared library does.
func (l *loader) isKin(n *node) bool {
	if l.owners == nil {
		l.owners = map[string]bool{}
		for _, m := range l.nodes {
			if m.main {
				l.owners[owner(m.meta.PkgPath)] = true
			}
		}
	}
	o := owner(n.meta.PkgPath)
	return !n.std && o != "" && l.owners[o]
}

// owner is the host and organisation of an import path, "" if it has none.
func owner(path string) string {
	parts := strings.SplitN(path, "/", 3)
	if len(parts) < 3 || !strings.Contains(parts[0], ".") {
		return ""
	}
	return parts[0] + "/" + parts[1]
}

// supply keeps what is asked of a package and passes on what that needs.
func (l *loader) supply(n *node, all bool, names []string, q *queue) {
	defer n.recoverTo("parsing")
	if !n.parsed {
		n.parsed = true
		n.deps = map[*node]bool{}
		l.parse(n)
		if n.bodies {
			for _, dep := range n.allImports() {
				n.ask(q, dep, true)
			}
		} else {
			n.decls = indexDecls(n)
		}
	}
	if n.decls == nil {
		return
	}
	n.whole = n.whole || all
	n.decls.keep(all, names, func(dep *node, name string) {
		n.ask(q, dep, name == "", name)
	})
}

// ask demands a name, or all that is exported, of a package that n imports.
func (n *node) ask(q *queue, dep *node, all bool, names ...string) {
	n.deps[dep] = true
	if dep.demand.ask(all, names...) {
		q.add(dep)
	}
}

// allImports returns the packages that the files of n import.
func (n *node) allImports() []*node {
	seen := map[*node]bool{}
	var deps []*node
	for _, f := range n.files {
		for _, spec := range f.syntax.Imports {
			if dep := n.imports[importPath(spec)]; dep != nil && !seen[dep] {
				seen[dep] = true
				deps = append(deps, dep)
			}
		}
	}
	return deps
}

// syntax returns the parsed files.
func (n *node) syntax() []*ast.File {
	files := make([]*ast.File, len(n.files))
	for i, f := range n.files {
		files[i] = f.syntax
	}
	return files
}
