package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// named are the effects of a call with what the user's file says of an outbox: its
// tables, and the functions whose handle their arguments tell.
func (b *builder) named(n *Node, c *ssa.CallCommon, list []Effect) []Effect {
	for i := range list {
		e := &list[i]
		if b.cat.OutboxTable(e.Table) || slices.ContainsFunc(e.Hints, b.cat.OutboxTable) {
			e.Outbox = true
			if e.Kind == catalog.Write {
				e.outbox(b.ownName())
			}
		}
		if e.Kind == catalog.OutboxWrite && n.Entry.Handle.Arg == catalog.NoArg {
			e.Handle = b.handleAmong(n, c.Signature())
			if e.Handle != nil {
				e.Class = e.Handle.Class
			}
		}
	}
	return list
}

// handleAmong is the transaction that a call is given, or what may be one, or the
// context, by the types of the parameters; or else the receiver.
func (b *builder) handleAmong(n *Node, sig *types.Signature) *Value {
	params := slices.Collect(sig.Params().Variables())
	for _, is := range []func(t types.Type) bool{
		func(t types.Type) bool { return b.classes.of(t) == catalog.Tx },
		func(t types.Type) bool { return b.classes.of(t) == catalog.Either },
		isContext,
	} {
		if i := slices.IndexFunc(params, func(v *types.Var) bool { return is(v.Type()) }); i >= 0 {
			return n.arg(i)
		}
	}
	return n.arg(catalog.ReceiverArg)
}

// FixFacts are what the program tells of itself to who makes fixes for it.
func (p *Program) FixFacts() fix.Facts {
	return fix.Facts{Outbox: p.Outbox(), Quiet: p.Quiet, Locks: p.Locks}
}

// Outbox is what the program stores events with, nil if nothing is seen to read and
// to mark or delete their rows and the user's file names none: what nobody reads is
// lost. A program that is read package by package sees a relay only among what it
// imports.
func (p *Program) Outbox() *fix.Outbox {
	if !p.named && !p.relays() {
		return nil
	}
	out := new(fix.Outbox)
	for _, s := range p.Order {
		f := p.Funcs[s]
		if w, ok := p.outboxWriter(f); ok {
			out.Writers = append(out.Writers, w)
		} else if w, ok := writerAt(f, p.stores[catalogSymbol(f)]); ok {
			out.Writers = append(out.Writers, w)
		}
	}
	return out
}

// storesOf are the functions of the user's file that store events.
func storesOf(cat *catalog.Catalog) map[catalog.Symbol]*catalog.Entry {
	out := map[catalog.Symbol]*catalog.Entry{}
	for _, e := range cat.OwnEntries() {
		if e.Kind == catalog.OutboxWrite {
			out[e.Symbol] = &e
		}
	}
	return out
}

// catalogSymbol is how a user's file names a function.
func catalogSymbol(f *Func) catalog.Symbol {
	typ, name := typeAndName(f)
	return catalog.Symbol{Package: f.Package, Type: strings.TrimPrefix(typ, "*"), Name: name}
}

// writerAt is a function that the user's file says stores events, and what it is given
// them through.
func writerAt(f *Func, e *catalog.Entry) (fix.Writer, bool) {
	if e == nil || f.Test || f.Parent != "" || f.Synthetic {
		return fix.Writer{}, false
	}
	first := 0
	if f.Method {
		first = 1
	}
	typ, name := typeAndName(f)
	w := fix.Writer{Package: f.Package, Type: typ, Name: name, Way: fix.ByReceiver, Tx: -1}
	if e.Handle.Arg >= 0 {
		w.Tx = e.Handle.Arg
	} else if e.Handle.Arg == catalog.NoArg {
		w.Tx = slices.IndexFunc(f.Params[first:], func(p Param) bool { return p.Class == catalog.Tx })
		if w.Tx < 0 {
			w.Tx = slices.IndexFunc(f.Params[first:], func(p Param) bool { return p.Class == catalog.Either })
		}
		if w.Tx < 0 {
			w.Tx = slices.IndexFunc(f.Params[first:], func(p Param) bool { return p.Type == "Context" })
		}
	}
	switch {
	case w.Tx >= len(f.Params)-first:
		return fix.Writer{}, false
	case w.Tx >= 0 && f.Params[first+w.Tx].Type == "Context":
		w.Way = fix.ByContext
	case w.Tx >= 0:
		w.Way = fix.ByParam
	}
	return w, true
}

// typeAndName are the type of a method, with a star where it is a pointer, and the
// name of a function.
func typeAndName(f *Func) (typ, name string) {
	dot := strings.LastIndexByte(f.Name, '.')
	if !f.Method || dot < 0 {
		return "", f.Name
	}
	return strings.Trim(f.Name[:dot], "()"), f.Name[dot+1:]
}

// Quiet reports whether a function of the program does nothing that anybody else
// could see, and reads nothing that others write.
func (p *Program) Quiet(fn *types.Func) bool {
	f := p.Funcs[methodSymbol(fn)]
	return f != nil && p.Reach[f.Symbol] == 0
}

// StoresEvents reports whether a function reaches an outbox, or is the method of a
// function type (PublisherFunc) as which some function that does is handed on: that
// may stand around all others.
func (p *Program) StoresEvents(symbol string) bool {
	return p.Reach[symbol].Has(Outboxes) || slices.ContainsFunc(p.FuncsWide[paramKey(symbol, 0)], func(s string) bool {
		return p.Reach[s].Has(Outboxes)
	})
}
