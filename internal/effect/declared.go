package effect

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/directive"
)

// A comment can declare what a function, a method of an interface or a field of func
// type means. What was read of the code wins, but for what somebody says to be no
// event: the comment tells what the code at hand can't, since it lies in another module
// or in a package that a driver reads later.

// declares is a name with what comments declare it to be.
type declares struct {
	// Key is the import path, the type and the method or field, joined by dots.
	Key  string
	Says []directive.Directive
}

// readDirectives finds what comments declare in a package, and where comments could.
func (p *packageBuilder) readDirectives(u *Unit) {
	for _, f := range u.Files {
		if p.inTest(f.FileStart) {
			continue
		}
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				p.declareFunc(u, d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						p.declareMembers(u, t)
					}
				}
			}
		}
	}
}

func (p *packageBuilder) declareFunc(u *Unit, d *ast.FuncDecl) {
	says := parsed(d.Doc)
	for _, s := range says {
		if ofFunction(s) {
			p.declared[d.Name.Pos()] = append(p.declared[d.Name.Pos()], s)
		}
	}
	says = slices.DeleteFunc(says, ofFunction)
	if obj, ok := u.Info.Defs[d.Name].(*types.Func); ok {
		p.declare(funcKey(obj), says)
	}
}

// ofFunction: the comment speaks of how the function is run, and not of what its calls do.
func ofFunction(s directive.Directive) bool {
	return s.Verb == directive.Handler || s.Verb == directive.Handling || s.Verb == directive.Polled
}

// declareMembers takes up the methods of an interface or the fields of a struct.
func (p *packageBuilder) declareMembers(u *Unit, t *ast.TypeSpec) {
	var list *ast.FieldList
	switch x := t.Type.(type) {
	case *ast.InterfaceType:
		list = x.Methods
	case *ast.StructType:
		list = x.Fields
	default:
		return
	}
	for _, f := range list.List {
		_, fields := t.Type.(*ast.StructType)
		_, function := u.Info.TypeOf(f.Type).Underlying().(*types.Signature)
		if !function && !(fields && types.IsInterface(u.Info.TypeOf(f.Type))) {
			continue
		}
		for _, name := range f.Names {
			key := u.Path + "." + t.Name.Name + "." + name.Name
			says := append(parsed(f.Doc), parsed(f.Comment)...)
			p.declare(key, says)
			if u.Own && len(f.Names) == 1 {
				p.out.Sites = append(p.out.Sites, Site{Key: key, Name: t.Name.Name + "." + name.Name, Package: u.Path, Pos: p.position(name.Pos()), Says: says})
			}
		}
	}
}

func (p *packageBuilder) declare(key string, says []directive.Directive) {
	if len(says) > 0 {
		p.declares[key] = says
	}
}

// parsed are the directives of a comment that are well-formed; package finding tells
// of the others.
func parsed(doc *ast.CommentGroup) []directive.Directive {
	if doc == nil {
		return nil
	}
	var out []directive.Directive
	for _, c := range doc.List {
		if d, flaw, ok := directive.Parse(c.Text); ok && flaw == "" {
			out = append(out, d)
		}
	}
	return out
}

// ownDeclares are what the package itself declares, for its table.
func (p *packageBuilder) ownDeclares(below *tables) []declares {
	var out []declares
	for _, key := range slices.Sorted(maps.Keys(p.declares)) {
		if below.declares[key] == nil {
			out = append(out, declares{key, p.declares[key]})
		}
	}
	return out
}

// hasDirective reports whether a package declares something that others may call.
func hasDirective(files []*ast.File) bool {
	for _, f := range files {
		for _, g := range f.Comments {
			if len(parsed(g)) > 0 {
				return true
			}
		}
	}
	return false
}

// declaredOf is what comments declare of the callee.
func (p *packageBuilder) declaredOf(n *Node, c *ssa.CallCommon) []directive.Directive {
	if len(p.declares) == 0 {
		return nil
	}
	switch fn := c.StaticCallee(); {
	case c.IsInvoke():
		if says := p.declares[n.Args[0].fieldKey()]; says != nil {
			return says
		}
		if says := p.declares[funcKey(c.Method)]; says != nil {
			return says
		}
		if t := namedOf(c.Value.Type()); t != nil && t.Obj().Pkg() != nil { // it embeds the one that has the method
			return p.declares[t.Obj().Pkg().Path()+"."+t.Obj().Name()+"."+c.Method.Name()]
		}
	case fn != nil:
		if obj, ok := fn.Object().(*types.Func); ok {
			return p.declares[funcKey(obj)]
		}
	case n.Dynamic != nil && n.Dynamic.Kind == ValueField:
		return p.declares[n.Dynamic.placeKey("")]
	}
	return nil
}

// fieldKey names the field that a value is taken from, "" for any other value.
func (v *Value) fieldKey() string {
	if v == nil || v.Kind != ValueField {
		return ""
	}
	return v.placeKey("")
}

// funcKey names a function or method: pkg.Func, pkg.Type.Method.
func funcKey(f *types.Func) string {
	symbols := catalogSymbols(f, nil)
	if len(symbols) == 0 {
		return ""
	}
	s := symbols[0]
	if s.Type == "" {
		return s.Package + "." + s.Name
	}
	return s.Package + "." + s.Type + "." + s.Name
}

// applyDeclared gives the calls of what is declared their meaning, where nothing that
// was read has one.
func (p *Program) applyDeclared() {
	p.eachDeclared(func(n *Node) {
		t := p.Resolve(n)
		if n.overridden() || n.Dynamic != nil && n.Static == "" && len(p.FuncsFrom(n.Dynamic, "")) == 0 ||
			n.Iface != "" && len(t.Symbols) == 0 && t.Entry == nil {
			n.Effects = n.declaredEffects()
		}
	})
}

// applyUnreached does so where what was read does not do what is declared; it reports
// whether there was any.
func (p *Program) applyUnreached() (any bool) {
	p.eachDeclared(func(n *Node) {
		t := p.Resolve(n)
		reach := Kinds(0)
		for _, s := range t.Symbols {
			reach |= p.Reach[s]
		}
		if t.Entry != nil {
			reach |= KindOf(&Effect{Kind: t.Entry.Kind})
		}
		effects := n.declaredEffects()
		for i := range effects {
			if KindOf(&effects[i])&reach != 0 {
				return
			}
		}
		n.Effects, any = effects, true
	})
	return any
}

// eachDeclared visits the calls of what is declared that have no meaning yet.
func (p *Program) eachDeclared(visit func(*Node)) {
	for _, s := range p.Order {
		for _, n := range p.Funcs[s].Nodes {
			if n != nil && len(n.Declared) > 0 && n.Entry == nil && len(n.Effects) == 0 {
				visit(n)
			}
		}
	}
}

// overridden: the comment wins over what was read. It stands on the function itself,
// or somebody says why nothing is lost.
func (n *Node) overridden() bool {
	return n.Static != "" || slices.ContainsFunc(n.Declared, func(d directive.Directive) bool {
		return d.Verb == directive.Notify && d.Reasoned
	})
}

// saidMixed: a comment says that the method does more than its name tells.
func (n *Node) saidMixed() bool {
	return slices.ContainsFunc(n.Declared, func(d directive.Directive) bool { return d.Verb == directive.Mixed })
}

// declaredEffects are what comments declare that a call does.
func (n *Node) declaredEffects() []Effect {
	var out []Effect
	for _, d := range n.Declared {
		e := Effect{Declared: true, Handle: n.declaredHandle(d), Autocommit: d.Autocommit, TxParam: catalog.NoArg, CtxParam: catalog.NoArg}
		if e.Handle != nil {
			e.Class = e.Handle.Class
		}
		switch d.Verb {
		case directive.Publish:
			e.Kind, e.Confirm = catalog.Publish, "sync"
		case directive.Outbox:
			e.Kind, e.Op = catalog.OutboxWrite, catalog.Insert
		case directive.Write:
			e.Kind, e.Op = catalog.Write, catalog.Save
			e.Table = n.Iface[strings.LastIndexByte(n.Iface, '.')+1:]
		case directive.Notify:
			e.Kind = catalog.Notify
		case directive.Tx:
			if e.Func = funcArg(n); e.Func == nil {
				continue
			}
			e.Kind = catalog.RunInTx
			e.takesTx()
		default:
			continue
		}
		out = append(out, e)
	}
	return out
}

// declaredHandle is what a call goes through: the argument that the comment names, or
// what holds the callee.
func (n *Node) declaredHandle(d directive.Directive) *Value {
	switch {
	case d.Handle != directive.Receiver:
		return n.arg(d.Handle)
	case n.Recv && len(n.Args) > 0:
		return n.Args[0]
	}
	return n.Dynamic
}

// declaredHandler is what comments on a function say of how it is run.
func (b *builder) declaredHandler(pos token.Pos) []directive.Directive { return b.p.declared[pos] }

// says is what comments on a function say by a verb, nil for nothing.
func (f *Func) says(verb string) *directive.Directive {
	for i := range f.Declared {
		if f.Declared[i].Verb == verb {
			return &f.Declared[i]
		}
	}
	return nil
}

// DeclaredPolled reports whether a comment on a function, or on the one that a literal
// stands in, says that a poller finds what it stores in one of some tables. Where the
// whole module was read that tells, but for what somebody gives a reason for.
func (p *Program) DeclaredPolled(f *Func, tables []string) bool {
	for ; f != nil; f = p.Funcs[f.Parent] {
		if d := f.says(directive.Polled); d != nil && (!p.whole || d.Reasoned) {
			return len(d.Tables) == 0 || slices.ContainsFunc(d.Tables, func(t string) bool { return slices.Contains(tables, t) })
		}
	}
	return false
}
