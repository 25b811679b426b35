package effect

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// table is what one package tells those that import it: the graphs of its
// functions that matter to them, and what linking them needs. It is packed when
// it is made and unpacked when it is first asked.
type table struct {
	path   string
	packed []byte

	once    sync.Once
	head    head
	strings []string
	graphs  map[string][]byte
}

// head is the table without the graphs.
type head struct {
	// Graphs are the symbols and sizes of the graphs, in the order that they
	// follow the head in.
	Graphs []graphRef
	// Types are the package's types by the methods that they have.
	Types []typeSet
	// Live are types, of this or another package, that are put into interfaces.
	Live []string
	// Ifaces are the interfaces that the graphs call through.
	Ifaces []ifaceSet
	// Funcs are the functions that fields and variables may hold.
	Funcs []funcsIn
	// Channels are those whose readers publish.
	Channels []string
	// Declares is what comments say.
	Declares []declares
}

type graphRef struct {
	Symbol string
	Size   int
}

type funcsIn struct {
	Key     string
	Symbols []string
}

// tableVersion is the first byte of a packed table; others are not read.
const tableVersion = 1

// pack makes the table of a package. Everything in it is sorted already, so that
// equal tables are equal bytes.
func pack(path string, h head, funcs []*Func) (*table, error) {
	var strs stringTable
	var body []byte
	for _, f := range funcs {
		b, err := encode(f, &strs)
		if err != nil {
			return nil, err
		}
		h.Graphs = append(h.Graphs, graphRef{f.Symbol, len(b)})
		body = append(body, b...)
	}
	top, err := encode(&h, &strs)
	if err != nil {
		return nil, err
	}
	raw := binary.AppendUvarint(nil, uint64(len(strs.list)))
	for _, s := range strs.list {
		raw = binary.AppendUvarint(raw, uint64(len(s)))
	}
	raw = append(raw, strings.Join(strs.list, "")...)
	raw = binary.AppendUvarint(raw, uint64(len(top)))
	raw = append(append(raw, top...), body...)
	return &table{path: path, packed: append([]byte{tableVersion}, deflate(raw)...)}, nil
}

func deflate(raw []byte) []byte {
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.DefaultCompression)
	if err != nil {
		return nil
	}
	_, _ = w.Write(raw) // a buffer takes everything
	_ = w.Close()
	return buf.Bytes()
}

// open unpacks the table. One that can't be read is empty.
func (t *table) open() *head {
	t.once.Do(func() {
		if len(t.packed) == 0 || t.packed[0] != tableVersion {
			return
		}
		raw, err := t.raw()
		if err != nil || t.unpack(raw) != nil {
			t.head, t.graphs = head{}, nil
		}
	})
	return &t.head
}

func (t *table) raw() ([]byte, error) {
	return io.ReadAll(flate.NewReader(bytes.NewReader(t.packed[1:])))
}

func (t *table) unpack(raw []byte) error {
	d := &decoder{data: raw}
	sizes := make([]int, d.length())
	total := 0
	for i := range sizes {
		sizes[i] = d.length()
		total += sizes[i]
	}
	if d.err != nil || total > len(d.data) {
		return errMalformed
	}
	text := string(d.data[:total])
	d.data = d.data[total:]
	t.strings = make([]string, len(sizes))
	for i, n := range sizes {
		t.strings[i], text = text[:n], text[n:]
	}
	top := d.length()
	if d.err != nil {
		return d.err
	}
	if err := decode(d.data[:top], t.strings, nil, &t.head); err != nil {
		return err
	}
	return t.cut(d.data[top:])
}

// cut finds the graphs in what follows the head.
func (t *table) cut(body []byte) error {
	t.graphs = make(map[string][]byte, len(t.head.Graphs))
	for _, g := range t.head.Graphs {
		if g.Size < 0 || g.Size > len(body) {
			return errMalformed
		}
		t.graphs[g.Symbol], body = body[:g.Size], body[g.Size:]
	}
	return nil
}

// graph reads one graph anew: programs change the graphs that they have.
func (t *table) graph(symbol string, cat *catalog.Catalog) *Func {
	data, ok := t.graphs[symbol]
	if !ok {
		return nil
	}
	f := &Func{}
	if decode(data, t.strings, cat, f) != nil {
		return nil
	}
	return f
}

// Summary is the fact of a package: its table and those of all packages below
// it, since a fact is seen by the packages that import this one directly alone.
type Summary struct {
	tables []*table // sorted by path
}

// AFact marks a fact.
func (*Summary) AFact() {}

// merge adds the tables of another summary.
func (s *Summary) merge(other *Summary) {
	for _, t := range other.tables {
		s.add(t)
	}
}

func (s *Summary) add(t *table) {
	i, found := slices.BinarySearchFunc(s.tables, t.path, func(t *table, path string) int { return strings.Compare(t.path, path) })
	if !found {
		s.tables = slices.Insert(s.tables, i, t)
	}
}

// GobEncode writes the tables as they are packed.
func (s *Summary) GobEncode() ([]byte, error) {
	out := binary.AppendUvarint(nil, uint64(len(s.tables)))
	for _, t := range s.tables {
		out = binary.AppendUvarint(out, uint64(len(t.path)))
		out = append(out, t.path...)
		out = binary.AppendUvarint(out, uint64(len(t.packed)))
		out = append(out, t.packed...)
	}
	return out, nil
}

// GobDecode reads the tables, and leaves them packed.
func (s *Summary) GobDecode(data []byte) error {
	d := &decoder{data: bytes.Clone(data)}
	s.tables = nil
	for range d.length() {
		path := string(d.bytes())
		s.tables = append(s.tables, &table{path: path, packed: d.bytes()})
	}
	return d.err
}

func (d *decoder) bytes() []byte {
	n := d.length()
	out := d.data[:n:n]
	d.data = d.data[n:]
	return out
}
