package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Read is what a value was read from: a table and the field of its row, "" where
// that is not known.
type Read struct {
	Table, Field string
	// Statement is the one that reads, nil where it is not known.
	Statement *sqltext.Statement
}

// maxParts bounds the fields of a struct that are told apart.
const maxParts = 80

// PartsAt are the fields that are assigned one by one in a value at the last of the
// calls of a path, and what the struct is made from otherwise.
func (a *Provenance) PartsAt(path []Call, o *Lineage) ([]Assignment, Sources) {
	p := &parting{a: a, seen: map[activeRef]bool{}}
	p.visit(chain(path), o, "", 0)
	return p.parts, p.whole
}

// ConstsAt are the constants that a value may be.
func (a *Provenance) ConstsAt(path []Call, o *Lineage) []string {
	return a.constsOf(chain(path), o)
}

func (a *Provenance) constsOf(c *calling, o *Lineage) []string {
	out := a.meets(c, o).consts
	slices.Sort(out)
	return slices.Compact(out)
}

// ReadsAt are what a value was read from.
func (a *Provenance) ReadsAt(path []Call, o *Lineage) []Read { return a.meets(chain(path), o).reads }

// ReadsOf are what a value was read from, over all callers.
func (a *Provenance) ReadsOf(f *Func, o *Lineage) []Read { return a.ReadsAt([]Call{{Func: f}}, o) }

// FreshAt are the symbols of the functions in which what a value is made from is made
// anew.
func (a *Provenance) FreshAt(path []Call, o *Lineage) []string {
	return a.meets(chain(path), o).clocks
}

func (a *Provenance) noteRead(c *calling, r LineageRef) {
	if a.met == nil || r.Index >= len(c.f.Nodes) || c.f.Nodes[r.Index] == nil {
		return
	}
	x := Read{Field: r.Field}
	for _, e := range c.f.Nodes[r.Index].Effects {
		if x.Table == "" {
			x.Table, x.Statement = e.Table, e.Statement
		}
	}
	if !slices.Contains(a.met.reads, x) {
		a.met.reads = append(a.met.reads, x)
	}
}

// parting follows a struct to where its fields are assigned.
type parting struct {
	a     *Provenance
	parts []Assignment
	whole Sources
	seen  map[activeRef]bool
}

// visit looks for the fields of a struct, or for the one that is wanted.
func (p *parting) visit(c *calling, o *Lineage, want string, depth int) {
	if o == nil || c == nil || c.f == nil || depth > maxDepth {
		return
	}
	p.whole |= o.Bits
	for _, f := range o.Fields {
		if want == "" || f.Name == want || strings.HasPrefix(f.Name, want+".") {
			p.add(c, f)
		}
	}
	for _, r := range o.Refs {
		key := activeRef{c.f, c.node, r}
		if p.seen[key] {
			continue
		}
		p.seen[key] = true
		field := r.Field
		r.Field = ""
		next := p.a.leads(c, r)
		if field != "" && want != "" || len(next) == 0 {
			r.Field = field
			p.whole |= p.a.evalAlone(c, r)
			continue
		}
		for _, x := range next {
			p.visit(x.c, x.o, field+want, depth+1)
		}
	}
}

func (p *parting) add(c *calling, f FieldLineage) {
	part := Assignment{Name: f.Name, From: p.a.evalFresh(c, f.Of)}
	if f.At == 0 && part.From.Has(FromStored) {
		p.whole |= FromStored // it was read into field by field
		return
	}
	if part.From == FromConst {
		part.Consts = p.a.constsOf(c, f.Of)
	}
	if part.From.Has(FromFresh) {
		part.Fresh = p.a.meets(c, f.Of).clocks
	}
	if f.At > 0 && f.At <= len(c.f.Assigns) {
		part.Func, part.At = c.f, &c.f.Assigns[f.At-1]
	}
	i := slices.IndexFunc(p.parts, func(x Assignment) bool { return x.Name == f.Name })
	if i < 0 {
		if len(p.parts) < maxParts {
			p.parts = append(p.parts, part)
		}
		return
	}
	old := &p.parts[i]
	old.From |= part.From
	old.Consts = append(old.Consts, part.Consts...)
	if old.At == nil || old.At.Made {
		old.Func, old.At = part.Func, part.At
	}
}

func (a *Provenance) evalFresh(c *calling, o *Lineage) Sources {
	a.steps = 0
	return a.eval(c, o, 0)
}

func (a *Provenance) evalAlone(c *calling, r LineageRef) Sources {
	return a.evalFresh(c, &Lineage{Refs: []LineageRef{r}})
}
