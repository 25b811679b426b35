package load

import (
	"context"
	"errors"
	"go/ast"
	"go/types"
	"go/version"
	"runtime"
	"sync"
	"sync/atomic"
)

// checkAll type-checks the parsed packages, each after what it imports.
func (l *loader) checkAll(ctx context.Context) error {
	waiting := make(map[*node]*atomic.Int32, len(l.needed))
	users := map[*node][]*node{}
	position := make(map[*node]int, len(l.needed))
	for i, n := range l.needed {
		position[n] = i
	}
	q := newQueue()
	var ready []*node
	for i, n := range l.needed {
		count := new(atomic.Int32)
		for _, dep := range n.sortedDeps() {
			if position[dep] < i { // else an import cycle
				count.Add(1)
				users[dep] = append(users[dep], n)
			}
		}
		waiting[n] = count
		if count.Load() == 0 {
			ready = append(ready, n)
		}
	}
	q.add(ready...)
	progress := l.progress(len(l.needed))
	return q.run(ctx, func(n *node) {
		l.check(n)
		progress()
		for _, user := range users[n] {
			if waiting[user].Add(-1) == 0 {
				q.add(user)
			}
		}
	})
}

// progress returns a function that counts one package more.
func (l *loader) progress(total int) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		if l.cfg.Progress == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		l.cfg.Progress(done, total)
	}
}

// check type-checks a package. Only one read with bodies keeps its syntax.
func (l *loader) check(n *node) {
	defer n.recoverTo("type-checking")
	if n.meta.PkgPath == "unsafe" {
		n.types = types.Unsafe
		return
	}
	n.noteSyntax()
	if len(n.files) == 0 {
		return
	}
	if n.bodies {
		l.checkBodies(n)
		return
	}
	pkg := types.NewPackage(n.meta.PkgPath, n.meta.Name)
	l.runChecker(n, pkg, n.syntax(), nil, n.note)
	n.types = pkg
	for _, f := range n.files {
		f.syntax = nil
	}
}

// runChecker type-checks files into pkg; errors go to report.
func (l *loader) runChecker(n *node, pkg *types.Package, files []*ast.File, info *types.Info, report func(error)) {
	conf := types.Config{
		GoVersion:        l.goVersion(n),
		IgnoreFuncBodies: !n.bodies,
		FakeImportC:      true,
		Error:            report,
		Importer:         n,
		Sizes:            l.sizes,
	}
	// The error is the first of those reported.
	_ = types.NewChecker(&conf, l.res.Fset, pkg, info).Files(files)
}

// goVersion is the language version of a package, at most our own.
func (l *loader) goVersion(n *node) string {
	if n.meta.Module == nil || n.meta.Module.GoVersion == "" {
		return ""
	}
	v := "go" + n.meta.Module.GoVersion
	if version.IsValid(runtime.Version()) && version.Compare(v, runtime.Version()) > 0 {
		return version.Lang(runtime.Version())
	}
	return v
}

// Import implements types.Importer for the files of a package.
func (n *node) Import(path string) (*types.Package, error) {
	dep := n.imports[path]
	switch {
	case path == "unsafe":
		return types.Unsafe, nil
	case dep == nil:
		return nil, errors.New("package not found")
	case dep.types != nil:
		return dep.types, nil
	case len(dep.meta.Errors) > 0:
		return nil, oneLine(errors.New(dep.meta.Errors[0].Msg))
	case dep.failed != nil:
		return nil, dep.failed
	case len(dep.files) == 0:
		return nil, errors.New("package has no Go files")
	}
	return nil, errors.New("import cycle, or the package could not be read")
}

// noteSyntax keeps the first syntax error.
func (n *node) noteSyntax() {
	for _, f := range n.files {
		if len(f.errors) > 0 {
			n.note(f.errors[0])
		}
	}
}

// reason returns why something that n depends on, outside the main module,
// could not be type-checked, nil if all could.
func (n *node) reason(seen map[*node]bool) error {
	if seen[n] {
		return nil
	}
	seen[n] = true
	if n.failed != nil {
		return n.failed
	}
	for _, dep := range n.sortedDeps() {
		if err := dep.reason(seen); err != nil {
			return err
		}
	}
	return nil
}

// note keeps the first error, for packages that depend on this one.
func (n *node) note(err error) {
	if n.failed == nil {
		n.failed = err
	}
}
