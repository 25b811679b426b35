package effect

import (
	"reflect"
	"testing"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// filled sets every field of a graph, to some depth, so that a field that can't
// travel is noticed.
func filled(t *testing.T, v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case *catalog.Entry:
		e, ok := mustCatalog(t).Function(catalog.Symbol{Package: "database/sql", Type: "Tx", Name: "Commit"})
		if !ok {
			t.Fatal("Tx.Commit is not known")
		}
		v.Set(reflect.ValueOf(&e))
		return
	case *Lineage:
		v.Set(reflect.ValueOf(parseLineage("MF p1.ID c4:2{Note=S m3:1;Status=C}")))
		return
	case Position:
		v.Set(reflect.ValueOf(Position{File: "a.go", Line: 7}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text of " + v.Type().String())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(-3)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(2)
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			filled(t, v.Index(0), depth-1)
		}
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			filled(t, v.Elem(), depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			filled(t, v.Field(i), depth)
		}
	default:
		t.Errorf("a %s can't travel", v.Type())
	}
}

func mustCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	cat, err := builtinCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// TestGraphsTravel: whatever fields a graph has, it comes out as it went in.
func TestGraphsTravel(t *testing.T) {
	in := &Func{}
	filled(t, reflect.ValueOf(in).Elem(), 6)
	in.Symbol = "p.F"
	packed, err := pack("p", head{Live: []string{"*p.T"}}, []*Func{in})
	if err != nil {
		t.Fatal(err)
	}
	unpacked := &table{path: "p", packed: packed.packed}
	if h := unpacked.open(); len(h.Live) != 1 || len(h.Graphs) != 1 {
		t.Fatalf("head %+v", h)
	}
	out := unpacked.graph("p.F", mustCatalog(t))
	if !reflect.DeepEqual(in, out) {
		t.Errorf("got %+v, want %+v", out, in)
	}
	if unpacked.graph("p.G", mustCatalog(t)) != nil {
		t.Error("a graph that isn't there")
	}
}

// TestEqualValuesAreOne: a value is a tree that shares what is equal, however
// often it occurs.
func TestEqualValuesAreOne(t *testing.T) {
	tree := func() *Value {
		v := &Value{Kind: ValueParam, Index: 1}
		for range 40 {
			v = &Value{Kind: ValueChoice, Of: []*Value{v, v}}
		}
		return v
	}
	var strs stringTable
	data, err := encode(&Func{Returns: []*Value{tree(), tree()}}, &strs)
	if err != nil || len(data) > 400 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	var out Func
	if err := decode(data, strs.list, nil, &out); err != nil || out.Returns[0] != out.Returns[1] {
		t.Errorf("equal values are two: %v", err)
	}
}

func FuzzSummary(f *testing.F) {
	in := &Func{Symbol: "p.F", Returns: []*Value{{Kind: ValueParam, Of: []*Value{{Name: "x"}}}}}
	packed, err := pack("p", head{Live: []string{"*p.T"}}, []*Func{in})
	if err != nil {
		f.Fatal(err)
	}
	var sum Summary
	sum.add(packed)
	data, err := sum.GobEncode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	raw, err := packed.raw()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	cat, err := catalog.Builtin()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		var s Summary
		if s.GobDecode(data) == nil {
			openTables(&s)
		}
		t := &table{}
		if t.unpack(data) == nil {
			for _, g := range t.head.Graphs {
				t.graph(g.Symbol, cat)
			}
		}
	})
}

func TestMalformedFactIsAnError(t *testing.T) {
	if err := new(Summary).GobDecode([]byte{9, 9}); err == nil {
		t.Error("no error")
	}
	broken := &table{packed: []byte{tableVersion, 1, 2, 3}}
	if h := broken.open(); len(h.Graphs) > 0 {
		t.Error("graphs out of nothing")
	}
}
