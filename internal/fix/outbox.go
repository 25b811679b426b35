package fix

import (
	"go/token"
	"go/types"
	"strings"
)

// Outbox is what a program has to store an event's row with, where something
// reads such rows.
type Outbox struct{ Writers []Writer }

// Way is how a writer comes by its transaction.
type Way byte

// The ways.
const (
	// ByParam: it is a parameter.
	ByParam Way = iota
	// ByContext: it is in the context.
	ByContext
	// ByReceiver: the method's receiver was made on it.
	ByReceiver
)

// Writer is a function, or a method of a type, that stores a row in a transaction
// and does nothing else.
type Writer struct {
	Package, Type, Name string
	Way                 Way
	// Tx is the index of the parameter, without the receiver.
	Tx int
}

// Func is the declared function or method; nil if the package doesn't know it.
func (p *Package) Func(w Writer) *types.Func {
	pkg := p.known(w.Package)
	if w.Package == p.Types.Path() {
		pkg = p.Types
	}
	if pkg == nil {
		return nil
	}
	obj := pkg.Scope().Lookup(strings.TrimPrefix(w.Type, "*"))
	if w.Type == "" {
		fn, _ := pkg.Scope().Lookup(w.Name).(*types.Func)
		return fn
	}
	name, ok := obj.(*types.TypeName)
	if !ok {
		return nil
	}
	member, _, _ := types.LookupFieldOrMethod(types.NewPointer(name.Type()), false, pkg, w.Name)
	fn, _ := member.(*types.Func)
	return fn
}

// Between puts text in the place of what is from one position to another.
func (e *Edits) Between(from, to token.Pos, text string) {
	e.add(e.file.tokens.Offset(from), e.file.tokens.Offset(to), text)
}

// Spoil says that the fix can't be made.
func (e *Edits) Spoil() { e.wrong = true }
