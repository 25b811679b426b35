package fix

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/types/typeutil"
)

// Site is a call that a finding, or a step of it, points at.
type Site struct {
	*File
	Call *ast.CallExpr
	// Around are the nodes around the call, itself first.
	Around []ast.Node
}

// Site finds the outermost call that begins at a position; nil if there is none
// in a file that may be changed.
func (p *Package) Site(pos token.Position) *Site {
	s := p.At(pos)
	if s == nil || s.Call == nil {
		return nil
	}
	return s
}

// At is like Site, but where no call begins it is the outermost node that does.
func (p *Package) At(pos token.Position) *Site {
	f := p.File(pos.Filename)
	if f == nil || pos.Line < 1 || pos.Line > f.tokens.LineCount() {
		return nil
	}
	offset := f.tokens.Offset(f.tokens.LineStart(pos.Line)) + pos.Column - 1
	if offset < 0 || offset >= f.tokens.Size() {
		return nil
	}
	at := f.tokens.Pos(offset)
	around, _ := astutil.PathEnclosingInterval(f.Syntax, at, at)
	var other *Site
	for i := len(around) - 1; i >= 0; i-- {
		if around[i].Pos() != at {
			continue
		}
		if call, ok := around[i].(*ast.CallExpr); ok {
			return &Site{f, call, around[i:]}
		}
		if other == nil {
			other = &Site{f, nil, around[i:]}
		}
	}
	return other
}

// Block is the innermost list of statements around the call, with the place in it.
// The statement may hold the call anywhere but in a block or literal of its own.
func (s *Site) Block() (list []ast.Stmt, i int) {
	for up := 1; up < len(s.Around); up++ {
		list := statements(s.Around[up])
		for i, stmt := range list {
			if stmt == s.Around[up-1] {
				return list, i
			}
		}
		if list != nil {
			return nil, 0
		}
	}
	return nil, 0
}

func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// Loop is the endless or ranging loop whose body is the block of the call.
func (s *Site) Loop() *ast.ForStmt {
	for up := 1; up+1 < len(s.Around); up++ {
		if _, ok := s.Around[up].(*ast.BlockStmt); ok {
			loop, _ := s.Around[up+1].(*ast.ForStmt)
			return loop
		}
	}
	return nil
}

// InLoop reports whether the block of the call is the body of a loop.
func (s *Site) InLoop() bool {
	for up := 1; up+1 < len(s.Around); up++ {
		if statements(s.Around[up]) == nil {
			continue
		}
		switch s.Around[up+1].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
		return false
	}
	return false
}

// Results are the results of the function or literal around the call.
func (s *Site) Results() *types.Tuple {
	for _, n := range s.Around {
		switch n := n.(type) {
		case *ast.FuncLit:
			if sig, ok := s.Info.TypeOf(n).(*types.Signature); ok {
				return sig.Results()
			}
		case *ast.FuncDecl:
			if fn, ok := s.Info.Defs[n.Name].(*types.Func); ok {
				return fn.Signature().Results()
			}
		}
	}
	return nil
}

// Body is the body of the function or literal around the call.
func (s *Site) Body() *ast.BlockStmt {
	for _, n := range s.Around {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return nil
}

// ReturnsError reports whether the function around the call returns an error and
// nothing else, without a name.
func (s *Site) ReturnsError() bool {
	r := s.Results()
	return r != nil && r.Len() == 1 && IsError(r.At(0).Type()) && r.At(0).Name() == ""
}

// ReturnsBool reports whether the function around the call returns a bool and nothing
// else, without a name.
func (s *Site) ReturnsBool() bool {
	r := s.Results()
	return r != nil && r.Len() == 1 && types.Identical(r.At(0).Type(), types.Typ[types.Bool]) && r.At(0).Name() == ""
}

// Method is the called method and what it is called on; nil for other calls.
func (f *File) Method(call *ast.CallExpr) (*types.Func, *ast.SelectorExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	if s := f.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
		fn, _ := s.Obj().(*types.Func)
		return fn, sel
	}
	return nil, nil
}

// Decl is the declaration of the function that a call names, if it is one of the
// package that has a body.
func (p *Package) Decl(call *ast.CallExpr) *ast.FuncDecl {
	fn := typeutil.StaticCallee(p.Info, call)
	if fn == nil {
		return nil
	}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if ok && decl.Body != nil && p.Info.Defs[decl.Name] == fn {
				return decl
			}
		}
	}
	return nil
}

// Is reports whether a call is one of a method of a type of a package, which is
// told by the symbol (pkg.Type).Method, pointer or not.
func (f *File) Is(call *ast.CallExpr, pkg, typ string, names ...string) bool {
	fn, _ := f.Method(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != pkg {
		return false
	}
	t := fn.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Name() != typ {
		return false
	}
	for _, name := range names {
		if fn.Name() == name {
			return true
		}
	}
	return false
}

// Source is the text of a node.
func (f *File) Source(n ast.Node) string {
	return string(f.Text[f.tokens.Offset(n.Pos()):f.tokens.Offset(n.End())])
}

// Line is the text of the line that a position is on, up to it.
func (f *File) Line(pos token.Pos) string {
	at := f.tokens.Offset(pos)
	return string(f.Text[bytes.LastIndexByte(f.Text[:at], '\n')+1 : at])
}
