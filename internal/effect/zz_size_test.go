package effect

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"os"
	"sort"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

type gobFact struct {
	PkgPath string
	Object  string
	Fact    analysis.Fact
}

func TestZZSize(t *testing.T) {
	name := os.Getenv("VETX")
	if name == "" {
		t.Skip()
	}
	gob.Register((*Summary)(nil))
	data, _ := os.ReadFile(name)
	tl := binary.LittleEndian.Uint32(data[4:8])
	var facts []gobFact
	if err := gob.NewDecoder(bytes.NewReader(data[12+tl:])).Decode(&facts); err != nil {
		t.Fatal(err)
	}
	cat, _ := catalog.Builtin()
	for _, f := range facts {
		s := f.Fact.(*Summary)
		ts := s.tables
		sort.Slice(ts, func(i, j int) bool { return len(ts[i].packed) > len(ts[j].packed) })
		for i, x := range ts {
			h := x.open()
			g, strs, whole := 0, 0, 0
			for _, b := range h.Graphs {
				g += b.Size
				if f := x.graph(b.Symbol, cat); f != nil && len(f.Blocks) > 0 {
					whole++
					if os.Getenv("WHOLE") == x.path {
						fmt.Println("  ", b.Symbol, b.Size)
						for _, n := range f.Nodes {
							if n != nil && len(n.Effects) > 0 {
								fmt.Println("      ", n.Effects[0].Kind, n.Text)
							}
						}
					}
				} else if os.Getenv("WHOLE") == x.path+"-" {
					fmt.Println("  ", b.Symbol, b.Size, f.Words(f.Returns[0]))
				}
			}
			for _, s := range x.strings {
				strs += len(s)
			}
			if i < 25 {
				fmt.Println(x.path, len(x.packed), "graphs", len(h.Graphs), g, "types", len(h.Types), "live", len(h.Live), "ifaces", len(h.Ifaces), "funcs", len(h.Funcs), "strings", strs, whole)
			}
		}
		fmt.Println(len(ts), "tables")
	}
}
