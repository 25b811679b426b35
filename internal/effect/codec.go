package effect

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"reflect"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Graphs travel in package facts. They are written field by field, whatever
// fields they have, since the writer and the reader are one program: of a
// struct a mask of the fields that are set, then these; strings as indices into
// a list; equal values once. A catalog entry is written as its symbol, a
// position as file name and line.

var errMalformed = errors.New("malformed graph")

// strings numbers strings.
type stringTable struct {
	list []string
	ids  map[string]int
}

func (t *stringTable) id(s string) uint64 {
	if id, ok := t.ids[s]; ok {
		return uint64(id)
	}
	if t.ids == nil {
		t.ids = map[string]int{}
	}
	id := len(t.list)
	t.list = append(t.list, s)
	t.ids[s] = id
	return uint64(id)
}

// encoder writes one graph.
type encoder struct {
	strings *stringTable
	values  []byte
	count   int
	byPtr   map[*Value]int
	byText  map[string]int
	err     error
}

// encode writes a graph or a part of a table.
func encode(v any, strings *stringTable) ([]byte, error) {
	e := &encoder{strings: strings, byPtr: map[*Value]int{}, byText: map[string]int{}}
	body := e.put(nil, reflect.ValueOf(v).Elem())
	out := binary.AppendUvarint(nil, uint64(e.count))
	return append(append(out, e.values...), body...), e.err
}

func (e *encoder) put(buf []byte, v reflect.Value) []byte {
	switch x := v.Interface().(type) {
	case *Value:
		return binary.AppendUvarint(buf, e.value(x))
	case *Lineage:
		return binary.AppendUvarint(buf, e.strings.id(x.text()))
	case *catalog.Entry:
		return e.symbol(buf, x)
	case Position:
		buf = binary.AppendUvarint(buf, e.strings.id(path.Base(x.File)))
		return binary.AppendUvarint(buf, uint64(max(x.Line, 0)))
	}
	switch v.Kind() {
	case reflect.String:
		return binary.AppendUvarint(buf, e.strings.id(v.String()))
	case reflect.Bool:
		return binary.AppendUvarint(buf, uint64(btoi(v.Bool())))
	case reflect.Int:
		return binary.AppendVarint(buf, v.Int())
	case reflect.Uint8, reflect.Uint64:
		return binary.AppendUvarint(buf, v.Uint())
	case reflect.Slice:
		buf = binary.AppendUvarint(buf, uint64(v.Len()))
		for i := range v.Len() {
			buf = e.put(buf, v.Index(i))
		}
		return buf
	case reflect.Pointer:
		if v.IsNil() {
			return append(buf, 0)
		}
		return e.put(append(buf, 1), v.Elem())
	case reflect.Struct:
		return e.fields(buf, v)
	}
	e.err = fmt.Errorf("a %s can't be written", v.Type())
	return buf
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (e *encoder) fields(buf []byte, v reflect.Value) []byte {
	mask := uint64(0)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			mask |= 1 << i
		}
	}
	buf = binary.AppendUvarint(buf, mask)
	for i := range v.NumField() {
		if mask&(1<<i) != 0 {
			buf = e.put(buf, v.Field(i))
		}
	}
	return buf
}

// value is the number of a value, 0 for none; its parts come before it.
func (e *encoder) value(v *Value) uint64 {
	if v == nil {
		return 0
	}
	if id, ok := e.byPtr[v]; ok {
		return uint64(id)
	}
	text := e.fields(nil, reflect.ValueOf(v).Elem())
	id, ok := e.byText[string(text)]
	if !ok {
		e.count++
		id = e.count
		e.byText[string(text)] = id
		e.values = append(e.values, text...)
	}
	e.byPtr[v] = id
	return uint64(id)
}

func (e *encoder) symbol(buf []byte, x *catalog.Entry) []byte {
	var s catalog.Symbol
	if x != nil {
		s = x.Symbol
	}
	for _, part := range []string{s.Package, s.Type, s.Name} {
		buf = binary.AppendUvarint(buf, e.strings.id(part))
	}
	return buf
}
