package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/directive"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Where comments on a method of an interface tell what it writes and reads, and nobody
// has read an implementation, a graph made from them stands for one: rules and walks
// take it for any other.

// addStubs makes the graphs of the methods that comments describe.
func (p *Program) addStubs() {
	stubs := map[string]*Func{}
	for _, f := range p.Funcs {
		for _, n := range f.Nodes {
			if n == nil || n.Iface == "" || n.Entry != nil || !slices.ContainsFunc(n.Declared, directive.Directive.Detailed) {
				continue
			}
			key := n.Iface + "." + n.Method
			if stubs[key] == nil && len(p.Impl[key]) == 0 && p.ImplEntry[key] == nil {
				stubs[key] = n.stub()
			}
		}
	}
	for key, f := range stubs {
		p.Impl[key] = []string{f.Symbol}
		p.Funcs[f.Symbol] = f
	}
}

// stub is the graph of the method that a node calls, as comments describe it. Of its
// parameters no more is known than what the call gives. It stands in a package of its own,
// as implementations do, beside that of the interface.
func (n *Node) stub() *Func {
	bare := withoutTypeArgs(n.Iface)
	slash := strings.LastIndexByte(bare, '/') + 1
	dot := slash + strings.IndexByte(bare[slash:]+".", '.')
	f := &Func{
		Symbol: "(" + n.Iface + ")." + n.Method, Package: bare[:min(dot, len(bare))] + "/declared", Name: bare[min(dot+1, len(bare)):] + "." + n.Method,
		Method: true, ErrResult: -1, BoolResult: -1, Message: -1,
	}
	for _, a := range n.Args {
		q := Param{}
		if a != nil {
			q.Type, q.Class = a.Type, a.Class
		}
		f.Params = append(f.Params, q)
	}
	if n.ErrResult {
		f.ErrResult, f.Results = 0, []string{"error"}
	}
	out := Block{}
	add := func(m *Node) *Node {
		m.ID = len(f.Nodes)
		f.Nodes = append(f.Nodes, m)
		out.Nodes = append(out.Nodes, m.ID)
		return m
	}
	ret := &Node{Kind: NodeReturn}
	for _, d := range n.Declared {
		if !d.Detailed() {
			continue
		}
		m := add(&Node{Text: n.Method, ErrResult: n.ErrResult, Effects: []Effect{described(d)}})
		ret.Err = Source{Key: Key{Kind: 'c', A: m.ID}}
		if d.Verb == directive.Read {
			row := &Lineage{Bits: FromStored, Refs: []LineageRef{{Kind: RefRead, Index: m.ID}}}
			f.ReturnFrom = []*Lineage{row, row}
		}
	}
	add(ret)
	f.Blocks = []Block{out}
	return f
}

// described is the effect that a comment tells, in a function with the method's
// parameters.
func described(d directive.Directive) Effect {
	e := Effect{
		Kind: catalog.Write, Table: d.Table(), Handle: &Value{Kind: ValueParam, Index: d.Handle + 1}, Autocommit: d.Autocommit,
		Declared: true, Cache: d.Cache, TxParam: catalog.NoArg, CtxParam: catalog.NoArg,
	}
	if d.Verb == directive.Read {
		e.Kind = catalog.Read
	}
	if len(d.Entity) > 0 {
		e.Op = map[string]catalog.Op{directive.Insert: catalog.Insert, directive.Update: catalog.Update, directive.Upsert: catalog.Upsert}[d.Op]
		if e.Op == "" {
			e.Op = catalog.Save
		}
		e.Data.Whole = &Lineage{Refs: []LineageRef{{Kind: RefParam, Index: d.Entity[0] + 1}}}
		return e
	}
	s := &sqltext.Statement{Verb: sqltext.VerbSelect, Table: d.Table(), Tables: d.Tables}
	if d.Verb == directive.Write {
		s.Verb, s.Writes = sqltext.VerbUpdate, true
	}
	s.Set = e.columns(d.Set)
	for _, name := range d.Add {
		s.Set = append(s.Set, sqltext.Column{Name: name, From: sqltext.FromDelta})
	}
	s.Compared = e.columns(d.Where)
	e.Statement = s
	e.does(d)
	return e
}

// described: the comment tells what is stored, and in what.
func (e *Effect) described() bool { return e.Statement != nil || e.Data.Whole != nil }

// does fills in what the write makes of a row that is there, and of one that is not.
func (e *Effect) does(d directive.Directive) {
	s := e.Statement
	switch {
	case d.Verb == directive.Read:
		return
	case d.Op == directive.Delete:
		s.Verb, e.Op = sqltext.VerbDelete, catalog.Delete
		return
	case d.Op == "" || d.Op == directive.Update:
		e.Op = catalog.Update
		return
	}
	s.Verb, e.Op = sqltext.VerbInsert, catalog.Upsert
	for _, c := range s.Compared {
		s.ConflictColumns = append(s.ConflictColumns, c.Name)
	}
	s.Compared = nil
	switch d.Op {
	case directive.Insert:
		e.Op = catalog.Insert
	case directive.Ignore:
		s.Conflict = sqltext.ConflictNothing
	case directive.Upsert:
		s.Conflict, s.ConflictSet = sqltext.ConflictUpdate, slices.Clone(s.Set)
	}
}

// columns are those of a statement; what they are made from are its parameters.
func (e *Effect) columns(list []directive.Column) []sqltext.Column {
	var out []sqltext.Column
	for _, c := range list {
		x := sqltext.Column{Name: c.Name, Op: c.Op, From: sqltext.FromParam}
		switch {
		case c.Op == "~":
			x.Op = "like"
			fallthrough
		default:
			e.Data.Params = append(e.Data.Params, lineageOf(c.From))
			x.Param = len(e.Data.Params)
		case len(c.From) == 0:
			x.From = sqltext.FromUnknown
		case len(c.From) == 1 && c.From[0].Arg == 0 && c.From[0].Word == "":
			x.From, x.Literal = sqltext.FromLiteral, c.From[0].Literal
		}
		out = append(out, x)
	}
	return out
}

// lineageOf is what a value is made from, in a function with the method's parameters.
func lineageOf(from []directive.Value) *Lineage {
	out := &Lineage{}
	for _, v := range from {
		switch {
		case v.Arg > 0:
			out.addRef(LineageRef{Kind: RefParam, Index: v.Arg, Field: v.Field})
		case v.Word == directive.Row:
			out.Bits |= FromStored
		case v.Word == directive.New:
			out.Bits |= FromFresh
		case v.Word == directive.Other:
			out.Bits |= FromElsewhere
		default:
			out.Bits |= FromConst
			if v.Literal != "" {
				out.addConst(v.Literal)
			}
		}
	}
	return out
}
