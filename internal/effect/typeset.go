package effect

import (
	"go/types"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Package by package, the types of other packages are often known by name
// alone: what an unexported type implements can't be asked. So types and
// interfaces are compared by the hashes of their methods' names and signatures.

// typeSet is a type by its methods.
type typeSet struct {
	// Name is the type as a symbol's receiver has it: *pkg.T.
	Name string
	// Hashes are those of all methods, sorted.
	Hashes []uint64
	// Methods are those that have a graph or an entry, by hash.
	Methods []methodRef
}

// methodRef is where a method leads.
type methodRef struct {
	Hash   uint64
	Symbol string
	// Library is the method's name in the catalog, if it is a library's.
	Library catalog.Symbol
}

// ifaceSet is an interface by its methods.
type ifaceSet struct {
	Name    string
	Methods []methodName
	// Foreign: others than the module's types implement it.
	Foreign bool
}

type methodName struct {
	Name string
	Hash uint64
}

// implements reports whether a type has all methods of an interface.
func (t *typeSet) implements(iface []uint64) bool {
	for _, h := range iface {
		if _, ok := slices.BinarySearch(t.Hashes, h); !ok {
			return false
		}
	}
	return len(iface) > 0
}

func (t *typeSet) method(hash uint64) *methodRef {
	for i := range t.Methods {
		if t.Methods[i].Hash == hash {
			return &t.Methods[i]
		}
	}
	return nil
}

// hashesOf are the hashes of an interface's methods, sorted.
func hashesOf(i *types.Interface) []uint64 {
	var out []uint64
	for m := range i.Methods() {
		out = append(out, methodHash(m, m.Signature()))
	}
	slices.Sort(out)
	return out
}

// methodHash is the hash of a method's name and signature.
func methodHash(m *types.Func, sig *types.Signature) uint64 {
	w := typeWriter{}
	w.WriteString(m.Id())
	w.signature(sig, 8)
	h := fnv.New64a()
	_, _ = h.Write([]byte(w.String())) // a hash takes everything
	return h.Sum64() >> 15             // seven bytes when it is written
}

// typeWriter writes a type in one way only: aliases are what they stand for,
// names of parameters are left out.
type typeWriter struct{ strings.Builder }

func (w *typeWriter) write(t types.Type, depth int) {
	if depth == 0 {
		w.WriteByte('?')
		return
	}
	depth--
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		w.named(t, depth)
	case *types.Pointer:
		w.WriteByte('*')
		w.write(t.Elem(), depth)
	case *types.Slice:
		w.WriteString("[]")
		w.write(t.Elem(), depth)
	case *types.Array:
		w.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		w.write(t.Elem(), depth)
	case *types.Map:
		w.WriteString("map[")
		w.write(t.Key(), depth)
		w.WriteByte(']')
		w.write(t.Elem(), depth)
	case *types.Chan:
		w.WriteString("chan" + strconv.Itoa(int(t.Dir())) + " ")
		w.write(t.Elem(), depth)
	case *types.Signature:
		w.WriteString("func")
		w.signature(t, depth)
	case *types.Basic:
		w.WriteString(types.Typ[t.Kind()].Name())
	default:
		w.literal(t, depth)
	}
}

func (w *typeWriter) named(t *types.Named, depth int) {
	if p := t.Obj().Pkg(); p != nil {
		w.WriteString(p.Path())
		w.WriteByte('.')
	}
	w.WriteString(t.Obj().Name())
	for a := range t.TypeArgs().Types() {
		w.WriteByte('[')
		w.write(a, depth)
		w.WriteByte(']')
	}
}

func (w *typeWriter) signature(s *types.Signature, depth int) {
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		w.WriteByte('(')
		for v := range tuple.Variables() {
			w.write(v.Type(), depth)
			w.WriteByte(',')
		}
		w.WriteByte(')')
	}
	if s.Variadic() {
		w.WriteString("...")
	}
}

// literal writes structs, interfaces and type parameters.
func (w *typeWriter) literal(t types.Type, depth int) {
	switch t := t.(type) {
	case *types.Struct:
		w.WriteString("struct{")
		for f := range t.Fields() {
			w.WriteString(f.Id() + " ")
			w.write(f.Type(), depth)
			w.WriteByte(';')
		}
		w.WriteByte('}')
	case *types.Interface:
		w.WriteString("interface{")
		for m := range t.Methods() {
			w.WriteString(m.Id())
			w.signature(m.Signature(), depth)
			w.WriteByte(';')
		}
		w.WriteByte('}')
	default:
		w.WriteString("?" + t.String())
	}
}
