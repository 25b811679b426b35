package effect

import (
	"encoding/binary"
	"reflect"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// decoder reads what an encoder wrote.
type decoder struct {
	data    []byte
	strings []string
	values  []*Value
	cat     *catalog.Catalog
	err     error
}

// decode reads a graph or a part of a table into out.
func decode(data []byte, strings []string, cat *catalog.Catalog, out any) error {
	d := &decoder{data: data, strings: strings, cat: cat}
	for range d.length() {
		v := &Value{}
		d.fields(reflect.ValueOf(v).Elem())
		d.values = append(d.values, v)
	}
	d.get(reflect.ValueOf(out).Elem())
	if d.err == nil && len(d.data) > 0 {
		d.err = errMalformed
	}
	return d.err
}

func (d *decoder) uint() uint64 {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.err, d.data = errMalformed, nil
		return 0
	}
	d.data = d.data[n:]
	return x
}

func (d *decoder) int() int64 {
	x, n := binary.Varint(d.data)
	if n <= 0 {
		d.err, d.data = errMalformed, nil
		return 0
	}
	d.data = d.data[n:]
	return x
}

// length is a number of things, each of which takes a byte or more.
func (d *decoder) length() int {
	n := d.uint()
	if n > uint64(len(d.data)) {
		d.err, d.data = errMalformed, nil
		return 0
	}
	return int(n)
}

func (d *decoder) string() string {
	i := d.uint()
	if i >= uint64(len(d.strings)) {
		d.err = errMalformed
		return ""
	}
	return d.strings[i]
}

func (d *decoder) get(v reflect.Value) {
	if d.err != nil {
		return
	}
	switch x := v.Addr().Interface().(type) {
	case **Value:
		*x = d.value()
		return
	case **Lineage:
		*x = parseLineage(d.string())
		return
	case **catalog.Entry:
		*x = d.entry()
		return
	case *Position:
		x.File, x.Line = d.string(), int(d.uint())
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(d.string())
	case reflect.Bool:
		v.SetBool(d.uint() != 0)
	case reflect.Int:
		v.SetInt(d.int())
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(d.uint())
	case reflect.Slice:
		d.slice(v)
	case reflect.Pointer:
		if d.uint() != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			d.get(v.Elem())
		}
	case reflect.Struct:
		d.fields(v)
	}
}

func (d *decoder) slice(v reflect.Value) {
	n := d.length()
	if n == 0 {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		d.get(v.Index(i))
	}
}

func (d *decoder) fields(v reflect.Value) {
	mask := d.uint()
	for i := range v.NumField() {
		if mask&(1<<i) != 0 {
			d.get(v.Field(i))
		}
	}
}

func (d *decoder) value() *Value {
	id := d.uint()
	if id == 0 {
		return nil
	}
	if id > uint64(len(d.values)) {
		d.err = errMalformed
		return nil
	}
	return d.values[id-1]
}

func (d *decoder) entry() *catalog.Entry {
	s := catalog.Symbol{Package: d.string(), Type: d.string(), Name: d.string()}
	if s.Package == "" {
		return nil
	}
	e, ok := d.cat.Function(s)
	if !ok {
		return nil
	}
	return &e
}
