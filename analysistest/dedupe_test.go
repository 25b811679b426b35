package analysistest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// TestGates: which calls tell a delivery that was handled from a new one, what of
// them is asked, whether the message is the key, and in which store it is.
func TestGates(t *testing.T) {
	l := cases(t)
	d := effect.NewDedupe(l.program)
	got := map[string]string{}
	for _, s := range l.program.Order {
		f := l.program.Funcs[s]
		if !strings.HasPrefix(f.Package, "example.org/testdata/handlers/dedupes") {
			continue
		}
		for _, g := range d.Gates(f) {
			key, does, touches := "open", "looks in", g.Lookups
			if g.Keyed {
				key = "keyed"
			}
			if len(g.Claims) > 0 {
				does, touches = "claims in", g.Claims
			}
			got[l.position(g.Node.Pos)] = fmt.Sprintf("%c %s %s %s", g.Form, key, does, touches[0].Names[0])
		}
	}
	compareLines(t, got, l.comments("gate"))
}
