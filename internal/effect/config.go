package effect

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Setting is a piece of a consumer's configuration as the code gives it: a field
// of a struct (Offsets.AutoCommit.Enable), a key of a map, an option (ManualAck),
// an argument by its index.
type Setting struct {
	// Value is the constant, "?" if it is none.
	Name, Value string
}

// Unset is the name of the setting that says that not all of the configuration
// is known: what is absent may be set elsewhere.
const Unset = "?"

// SettingOf is the value of a setting; known says that it is given, or that it
// is certain that it isn't.
func (n *Node) SettingOf(name string) (value string, known bool) {
	for _, s := range n.Settings {
		if s.Name == name {
			return s.Value, s.Value != "?"
		}
	}
	return "", n.complete()
}

// has reports whether a setting is given.
func (n *Node) has(name string) bool {
	return slices.ContainsFunc(n.Settings, func(s Setting) bool { return s.Name == name })
}

// complete: nothing of the configuration is hidden.
func (n *Node) complete() bool { return !n.has(Unset) }

// configured reports whether the arguments of a call configure how deliveries
// are acked.
func configured(e *catalog.Entry) bool {
	return e.Kind == catalog.Consumer || e.Kind == catalog.Receive || e.Kind == catalog.Handler
}

// settings reads the configuration that a call is given.
func (b *builder) settings(c *ssa.CallCommon) []Setting {
	r := &settingReader{b: b}
	_, args := receiverAndArgs(c)
	for i, a := range args {
		if k, ok := a.(*ssa.Const); ok {
			r.add("#"+strconv.Itoa(i), constValue(k).Name)
			continue
		}
		if isBool(a.Type()) {
			if key := b.switchKey(a); key != "" {
				r.add("#"+strconv.Itoa(i), placed+key)
			}
			continue
		}
		r.read("", a, 3)
	}
	slices.SortStableFunc(r.out, func(x, y Setting) int { return cmp.Compare(x.Name, y.Name) })
	return slices.Compact(r.out)
}

// placed begins the value of a setting that stands elsewhere: in a field, a variable
// or a parameter, whose key follows.
const placed = "@"

// switchKey names where a switch is kept.
func (b *builder) switchKey(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.Parameter:
		return paramKey(b.out.Symbol, b.paramIndex(x))
	case *ssa.UnOp:
		return placeKey(x.X)
	case *ssa.Field:
		return ownerOf(x.X.Type()) + "." + fieldName(x.X.Type(), x.Field)
	}
	return ""
}

// constant is the value of a setting, looked up where it is kept: "" where nobody, or
// not everybody, sets it to the same constant.
func (p *Program) constant(value string) string {
	key, ok := strings.CutPrefix(value, placed)
	if !ok {
		return value
	}
	var all []string
	for _, k := range p.Kept[key] {
		if k.Value.Kind == ValueConst {
			all = append(all, k.Value.Name)
		}
	}
	if symbol, at, ok := strings.Cut(key, "#"); ok {
		index, _ := strconv.Atoi(at)
		all = p.constantsGiven(symbol, index)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) != 1 {
		return ""
	}
	return all[0]
}

// constantsGiven are the constants that callers give a parameter; "" for what is none.
func (p *Program) constantsGiven(symbol string, index int) []string {
	var out []string
	for _, c := range p.Callers[symbol] {
		f := p.Funcs[c]
		if f == nil || f.Test {
			continue
		}
		for _, n := range f.Nodes {
			if n == nil || n.Kind > NodeDefer || n.Entry != nil || index >= len(n.Args) || !p.runs(f, n, symbol) {
				continue
			}
			name := ""
			if v := n.Args[index]; v != nil && v.Kind == ValueConst {
				name = v.Name
			}
			out = append(out, name)
		}
	}
	return out
}

type settingReader struct {
	b   *builder
	out []Setting
}

func (r *settingReader) add(name, value string) {
	if len(r.out) < 40 {
		r.out = append(r.out, Setting{name, value})
	}
}

// read takes apart a value that may be configuration; prefix is the path to it.
func (r *settingReader) read(prefix string, v ssa.Value, depth int) {
	if depth == 0 || isContext(v.Type()) {
		return
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		r.read(prefix, x.X, depth)
	case *ssa.ChangeType:
		r.read(prefix, x.X, depth)
	case *ssa.ChangeInterface:
		r.read(prefix, x.X, depth)
	case *ssa.UnOp:
		r.loaded(prefix, x, depth)
	case *ssa.Slice:
		r.read(prefix, x.X, depth)
	case *ssa.Alloc:
		r.alloc(prefix, x, depth)
	case *ssa.MakeMap:
		r.updates(x)
	case *ssa.Call:
		r.made(prefix, x)
	default:
		r.other(v)
	}
}

// other: a configuration that comes from elsewhere hides what it sets.
func (r *settingReader) other(v ssa.Value) {
	switch v.Type().Underlying().(type) {
	case *types.Struct, *types.Map, *types.Pointer, *types.Slice:
		r.add(Unset, "?")
	}
}

func (r *settingReader) loaded(prefix string, x *ssa.UnOp, depth int) {
	a, ok := x.X.(*ssa.Alloc)
	if !ok {
		r.other(x)
		return
	}
	r.alloc(prefix, a, depth)
}

func (r *settingReader) alloc(prefix string, a *ssa.Alloc, depth int) {
	for _, v := range r.b.stores[a] { // elements of an array, or a whole value
		if k, ok := v.(*ssa.Const); !ok || k.Value != nil {
			r.read(prefix, v, depth-1)
		}
	}
	r.fields(prefix, a, depth)
}

// fields reads what is stored in the fields of a struct.
func (r *settingReader) fields(prefix string, x ssa.Value, depth int) {
	if x.Referrers() == nil || depth == 0 {
		return
	}
	for _, i := range *x.Referrers() {
		f, ok := i.(*ssa.FieldAddr)
		if !ok || f.X != x {
			continue
		}
		name := prefix + fieldName(x.Type(), f.Field)
		for _, v := range storedIn(f) {
			r.add(name, settingValue(v))
		}
		r.fields(name+".", f, depth) // a struct within the struct
	}
}

// updates reads the entries of a map.
func (r *settingReader) updates(m ssa.Value) {
	for _, i := range *m.Referrers() {
		switch u := i.(type) {
		case *ssa.MapUpdate:
			if k, ok := u.Key.(*ssa.Const); ok {
				r.add(constValue(k).Name, settingValue(u.Value))
			} else {
				r.add(Unset, "?")
			}
		case *ssa.ChangeType:
			r.updates(u)
		}
	}
}

// made: an option is known by its name; other results may be given fields later.
func (r *settingReader) made(prefix string, c *ssa.Call) {
	fn := c.Call.StaticCallee()
	if fn == nil {
		r.other(c)
		return
	}
	if len(fn.Blocks) > 0 {
		r.add(Unset, "?")
		r.fields(prefix, c, 5)
		return
	}
	value := ""
	if len(c.Call.Args) == 1 {
		value = settingValue(c.Call.Args[0])
	}
	r.add(fn.Name(), value)
	r.fields(prefix, c, 5)
}

func settingValue(v ssa.Value) string {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	if c, ok := v.(*ssa.Const); ok {
		if x := constValue(c); x.Kind == ValueConst {
			return x.Name
		}
		return ""
	}
	return "?"
}
