package load

import (
	"context"
	"errors"
	"fmt"
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
		for _, dep := range n.deps {
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
	if len(n.files) == 0 {
		return
	}
	if n.bodies {
		l.checkBodies(n)
		return
	}
	n.types = types.NewPackage(n.meta.PkgPath, n.meta.Name)
	l.runChecker(n, n.types, n.syntax(), nil, func(error) {})
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
	if version.Compare(v, runtime.Version()) > 0 {
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
	}
	return nil, fmt.Errorf("package %s has no Go files", path)
}
