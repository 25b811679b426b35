package effect

import (
	"slices"
	"strings"
)

// Sources is a set of what a value may be made from.
type Sources uint8

// The members of Sources.
const (
	// FromMessage: from the delivery that is being handled.
	FromMessage Sources = 1 << iota
	// FromFresh: made anew in every attempt: a random id, the clock.
	FromFresh
	// FromStored: read from a database or another store.
	FromStored
	// FromConst: a constant.
	FromConst
	// FromElsewhere: configuration, variables of the package, or not known.
	FromElsewhere
	// FromOutside: what another service answers.
	FromOutside
)

// Has reports whether all of want are in o.
func (o Sources) Has(want Sources) bool { return o&want == want }

var sourceNames = [...]string{"message", "made anew", "stored", "constant", "elsewhere", "another service"}

// String lists the members for people.
func (o Sources) String() string {
	var out []string
	for i, name := range sourceNames {
		if o&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return "not known"
	}
	return strings.Join(out, ", ")
}

// Lineage says what a value may be made from, within its function: a set that is
// known there, and the parameters, captured variables and results of calls that
// only other functions tell of. It is a may: a variable has the origins of all
// that is stored in it, the result of an unknown call those of its arguments.
type Lineage struct {
	Bits Sources
	Refs []LineageRef
	// Fields are the fields of a struct into which something is stored one by
	// one; Bits and Refs hold for the other fields, and for these too.
	Fields []FieldLineage
	// Consts are the constants that it may be, as far as they are kept.
	Consts []string
}

// RefKind is the kind of an LineageRef.
type RefKind byte

// The kinds of references.
const (
	RefParam   RefKind = 'p' // parameter Index
	RefFree    RefKind = 'f' // captured variable Index
	RefCall    RefKind = 'c' // result Result of the call node Index
	RefChange  RefKind = 'm' // what the call node Index stores through its argument Result
	RefCapture RefKind = 'o' // what the literal Bound[Index] stores in its captured variable Result
	RefSum     RefKind = 's' // the sum Sums[Index] of the function
	RefRead    RefKind = 'r' // what the call node Index reads from a store; FromStored is set too
)

// LineageRef is a value, or one field of it, that others tell of.
type LineageRef struct {
	Kind          RefKind
	Index, Result int
	Field         string
}

// FieldLineage is the origin of one field.
type FieldLineage struct {
	Name string
	Of   *Lineage
	// At is one more than the index of the assignment in the function's Assigns, 0 if
	// it is not known.
	At int
}

// Assign is an assignment to a field.
type Assign struct {
	// Owner is the type of the struct, Value the assigned expression, where it is a
	// field or a variable: evt.Status.
	Owner, Field, Value string
	// Type is the name of the field's type.
	Type string
	// Made: the struct is made with the field.
	Made bool
	// Const is the constant that is assigned, "" for any other value.
	Const string
	Pos   Position
}

// Bound are the origins of what a function literal captures.
type Bound struct {
	Closure string
	From    []*Lineage
}

// maxRefs bounds the references of an origin; what is beyond is unknown. Of what is
// read, and of constants, fewer are enough.
const (
	maxRefs = 10
	// maxFieldDepth bounds the fields of fields that are told apart.
	maxFieldDepth = 3
	maxReads      = 3
	maxConsts     = 4
)

func (o *Lineage) empty() bool {
	return o == nil || o.Bits == 0 && len(o.Refs) == 0 && len(o.Fields) == 0
}

// add joins x to o.
func (o *Lineage) add(x *Lineage) {
	if x == nil {
		return
	}
	o.Bits |= x.Bits
	for _, r := range x.Refs {
		o.addRef(r)
	}
	for _, c := range x.Consts {
		o.addConst(c)
	}
	for _, f := range x.Fields {
		o.addField(f.Name, f.Of, f.At)
	}
}

func (o *Lineage) addConst(c string) {
	if len(o.Consts) < maxConsts && !slices.Contains(o.Consts, c) {
		o.Consts = append(o.Consts, c)
	}
}

// reads counts the references to what is read.
func (o *Lineage) reads() int {
	n := 0
	for _, r := range o.Refs {
		if r.Kind == RefRead {
			n++
		}
	}
	return n
}

func (o *Lineage) addRef(r LineageRef) {
	switch {
	case slices.Contains(o.Refs, r):
	case r.Kind == RefRead && o.reads() >= maxReads:
	case len(o.Refs)-o.reads() >= maxRefs && r.Kind != RefRead:
		o.Bits |= FromElsewhere
	default:
		o.Refs = append(o.Refs, r)
	}
}

func (o *Lineage) addField(name string, x *Lineage, at int) {
	if x == nil {
		return
	}
	x = x.flat()
	for i := range o.Fields {
		if o.Fields[i].Name == name && (o.Fields[i].At == 0) == (at == 0) { // what is assigned is kept apart
			both := o.Fields[i].Of.clone()
			both.add(x)
			o.Fields[i].Of = both
			o.Fields[i].At = at
			return
		}
	}
	o.Fields = append(o.Fields, FieldLineage{name, x, at})
}

func (o *Lineage) constants() []string {
	if o == nil {
		return nil
	}
	return o.Consts
}

func (o *Lineage) fieldNames() []string {
	var out []string
	if o != nil {
		for _, f := range o.Fields {
			out = append(out, f.Name)
		}
	}
	return out
}

// chooses: a function that only has constants for results chooses one by its arguments.
func (o *Lineage) chooses() bool {
	return o != nil && o.Bits == FromConst && len(o.Refs) == 0 && len(o.Fields) == 0
}

func (o *Lineage) clone() *Lineage {
	return &Lineage{o.Bits, slices.Clone(o.Refs), slices.Clone(o.Fields), slices.Clone(o.Consts)}
}

// flat is the origin of a value as a whole.
func (o *Lineage) flat() *Lineage {
	if o == nil || len(o.Fields) == 0 {
		return o
	}
	out := &Lineage{Bits: o.Bits, Refs: slices.Clone(o.Refs), Consts: slices.Clone(o.Consts)}
	for _, f := range o.Fields {
		out.add(f.Of)
	}
	return out
}

// Field is the origin of a field. A struct that is only built field by field has
// its zero value in the others.
func (o *Lineage) Field(name string) *Lineage {
	if o == nil {
		return nil
	}
	out := &Lineage{Bits: o.Bits, Consts: slices.Clone(o.Consts)}
	for _, r := range o.Refs {
		switch {
		case r.Field == "":
			r.Field = name
		case strings.Count(r.Field, ".") < maxFieldDepth-1:
			r.Field += "." + name
		}
		out.addRef(r)
	}
	for _, f := range o.Fields {
		if f.Name == name {
			out.add(f.Of)
		} else if inner, ok := strings.CutPrefix(f.Name, name+"."); ok {
			out.addField(inner, f.Of, f.At)
		} else if strings.HasPrefix(name, f.Name+".") {
			out.add(f.Of)
		}
	}
	if out.empty() && len(o.Fields) > 0 {
		out.Bits = FromConst
	}
	return out
}
