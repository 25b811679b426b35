package load

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// checkBodies type-checks a package with bodies. Where functions have errors
// it does so again without their bodies, so that what is left is well-typed.
func (l *loader) checkBodies(n *node) {
	p := l.newPackage(n)
	n.pkg = p
	var hard []token.Pos
	endless := false
	l.checkInto(n, p, func(err error) {
		var te types.Error
		if !errors.As(err, &te) || strings.HasPrefix(te.Msg, "\t") { // a tab continues the error before
			return
		}
		if !te.Soft {
			hard = append(hard, te.Pos)
		}
		endless = endless || isCycle(err)
		if n.usesC(te.Pos) {
			return // what the types of C would make of it isn't known
		}
		n.errors = append(n.errors, Error{
			Pos: l.res.Fset.Position(te.Pos), Package: p.Path, Message: strings.TrimSuffix(te.Msg, ":"),
		})
	})
	for _, f := range n.files {
		for _, e := range f.errors {
			hard = append(hard, f.tokens.Pos(min(e.Pos.Offset, f.tokens.Size())))
		}
	}
	if dropBodies(p, hard) {
		l.checkInto(n, p, func(err error) { endless = endless || isCycle(err) })
	}
	if endless { // SSA would be built for ever, here and where the package is used
		n.note(errors.New("an instantiation cycle"))
		n.pkg, n.types = nil, nil
		return
	}
	if pos := dropIllTyped(p, hard); pos.IsValid() && len(hard) == 0 {
		l.explain(n, pos)
	}
	if len(hard) > 0 {
		dropUndeclared(p)
	}
	dropFakeImports(p.Types)
	n.types = p.Types
}

// isCycle tells the error about generic code that has no end of instances. The
// type checker reports one of them.
func isCycle(err error) bool {
	var te types.Error
	return errors.As(err, &te) && strings.HasPrefix(te.Msg, "instantiation cycle")
}

// usesC reports whether a position is in a file that imports "C".
func (n *node) usesC(pos token.Pos) bool {
	for _, f := range n.files {
		if f.syntax.FileStart <= pos && pos <= f.syntax.FileEnd {
			return importsC(f.syntax)
		}
	}
	return false
}

// explain adds an error where the cause of ill-typed code is elsewhere.
func (l *loader) explain(n *node, pos token.Pos) {
	if err := n.reason(map[*node]bool{}); err != nil {
		n.errors = append(n.errors, Error{
			Pos:     l.res.Fset.Position(pos),
			Package: n.meta.PkgPath,
			Message: "cannot be type-checked because of " + err.Error(),
		})
	}
}

// dropFakeImports drops the packages that the type checker made up for missing
// ones and for "C": SSA doesn't know them.
func dropFakeImports(pkg *types.Package) {
	pkg.SetImports(slices.DeleteFunc(slices.Clone(pkg.Imports()), func(p *types.Package) bool { return !p.Complete() }))
}

func (l *loader) checkInto(n *node, p *Package, report func(error)) {
	p.Types = types.NewPackage(p.Path, p.Name)
	p.Info = &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Instances:    map[*ast.Ident]types.Instance{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
	l.runChecker(n, p.Types, p.Files, p.Info, report)
}

func (l *loader) newPackage(n *node) *Package {
	p := &Package{
		ID:        n.meta.ID,
		Path:      n.meta.PkgPath,
		Name:      n.meta.Name,
		Dir:       n.meta.Dir,
		Files:     n.syntax(),
		Imports:   sortedImports(n),
		ForTest:   n.meta.ForTest,
		Target:    n.target,
		Main:      n.main,
		Broken:    map[*ast.FuncDecl]bool{},
		Generated: map[string]bool{},
	}
	if m := n.meta.Module; m != nil {
		p.Module, p.ModuleDir = m.Path, m.Dir
	}
	for _, f := range n.files {
		if ast.IsGenerated(f.syntax) {
			p.Generated[f.tokens.Name()] = true
		}
	}
	return p
}

// dropBodies drops the bodies of the functions that hold one of the positions.
func dropBodies(p *Package, errs []token.Pos) bool {
	if len(errs) == 0 {
		return false
	}
	dropped := false
	eachFunc(p, func(decl *ast.FuncDecl) {
		if holds(decl, errs) {
			p.Broken[decl] = true
			decl.Body = nil
			dropped = true
		}
	})
	return dropped
}

// dropIllTyped drops the functions and package-level values in which some
// expression has no type, and returns the first such place. Not all of those
// are reported as errors.
func dropIllTyped(p *Package, errs []token.Pos) (first token.Pos) {
	note := func(pos token.Pos) {
		if !first.IsValid() || pos < first {
			first = pos
		}
	}
	eachFunc(p, func(decl *ast.FuncDecl) {
		if pos := illTyped(p.Info, decl); pos.IsValid() {
			note(pos)
			p.Broken[decl] = true
			decl.Body = nil
		}
	})
	kept := p.Info.InitOrder[:0]
	for _, init := range p.Info.InitOrder {
		pos := illTyped(p.Info, init.Rhs)
		switch {
		case pos.IsValid():
			note(pos)
		case !holds(init.Rhs, errs):
			kept = append(kept, init)
		}
	}
	p.Info.InitOrder = kept
	return first
}

func eachFunc(p *Package, do func(*ast.FuncDecl)) {
	for _, f := range p.Files {
		for _, decl := range f.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				do(decl)
			}
		}
	}
}

func holds(n ast.Node, positions []token.Pos) bool {
	for _, pos := range positions {
		if n.Pos() <= pos && pos <= n.End() {
			return true
		}
	}
	return false
}

// illTyped returns the position of the first expression below n without a type.
func illTyped(info *types.Info, n ast.Node) (pos token.Pos) {
	ast.Inspect(n, func(n ast.Node) bool {
		ok := true
		switch n := n.(type) {
		case *ast.Ident:
			ok = !invalidObject(info.Uses[n]) && !invalidObject(info.Defs[n])
		case *ast.BadExpr, *ast.BadStmt, *ast.BadDecl:
			ok = false
		case *ast.RangeStmt:
			ok = typed(info, n.X)
		case *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.CompositeLit, *ast.UnaryExpr,
			*ast.BinaryExpr, *ast.StarExpr, *ast.SliceExpr, *ast.FuncLit:
			ok = typed(info, n.(ast.Expr))
		}
		if !ok && !pos.IsValid() {
			pos = n.Pos()
		}
		return !pos.IsValid()
	})
	return pos
}

func typed(info *types.Info, e ast.Expr) bool {
	tv, found := info.Types[e]
	if sel, isSel := e.(*ast.SelectorExpr); isSel && !found {
		return info.Uses[sel.Sel] != nil
	}
	return found && (tv.IsBuiltin() || tv.Type != nil && tv.Type.Underlying() != types.Typ[types.Invalid])
}

// invalidObject tells an object whose type is invalid because of an error.
func invalidObject(obj types.Object) bool {
	switch obj.(type) {
	case nil, *types.PkgName, *types.Label, *types.Builtin:
		return false
	}
	return obj.Type() == types.Typ[types.Invalid]
}
