package fix

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// Plan is what the fixes of some findings make of the files together.
type Plan struct {
	// Fixed are the findings whose fix is in, Dropped those whose fix is not.
	Fixed   []finding.Finding
	Dropped []Dropped
	// Old and New are the bytes of the files that change.
	Old, New map[string][]byte

	pkgs  map[string]*Package // by file
	edits map[string][]finding.Edit
}

// Dropped is a finding whose fix can't be applied with the others.
type Dropped struct {
	Finding finding.Finding
	Why     string
}

// NewPlan takes the first fix of each finding, in their order. One that meets an
// earlier one, or with which the file is not sound, is dropped.
func NewPlan(pkgs []*Package, list []finding.Finding) *Plan {
	p := &Plan{
		Old: map[string][]byte{}, New: map[string][]byte{},
		pkgs: map[string]*Package{}, edits: map[string][]finding.Edit{},
	}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			p.pkgs[pkg.Fset.File(f.FileStart).Name()] = pkg
		}
	}
	for _, f := range list {
		if len(f.Fixes) == 0 || len(f.Fixes[0].Edits) == 0 {
			continue
		}
		if why := p.add(f.Fixes[0]); why != "" {
			p.Dropped = append(p.Dropped, Dropped{f, why})
		} else {
			p.Fixed = append(p.Fixed, f)
		}
	}
	return p
}

// add takes a fix in, or says why not. The edits of a fix are all in one file.
func (p *Plan) add(fix finding.Fix) (why string) {
	name := fix.Edits[0].File
	pkg := p.pkgs[name]
	if pkg == nil {
		return "its file is not one that may be changed"
	}
	file := pkg.File(name)
	if file == nil {
		return "its file is generated, or has changed since it was read"
	}
	if p.made(fix) {
		return "" // two findings of one statement
	}
	edits := file.mergeImports(slices.Clone(p.edits[name]), fix.Edits)
	slices.SortStableFunc(edits, func(a, b finding.Edit) int { return cmp.Compare(a.Start, b.Start) })
	for i := 1; i < len(edits); i++ {
		if meet(edits[i-1], edits[i]) && !sameFix(fix, edits[i-1], edits[i]) {
			return "it changes what an earlier fix changes"
		}
	}
	changed, ok := apply(file.Text, edits)
	if !ok || bytes.Equal(changed, file.Text) {
		return "it changes what an earlier fix changes"
	}
	all := map[string][]byte{name: changed}
	for other, text := range p.New {
		if other != name && p.pkgs[other] == pkg {
			all[other] = text
		}
	}
	if !formatted(changed) || pkg.Check(all) != nil {
		return "with the earlier fixes the package would not build"
	}
	p.edits[name], p.Old[name], p.New[name] = edits, file.Text, changed
	return ""
}

// made reports whether a fix that is in does the same.
func (p *Plan) made(fix finding.Fix) bool {
	return slices.ContainsFunc(p.Fixed, func(f finding.Finding) bool {
		return slices.Equal(f.Fixes[0].Edits, fix.Edits)
	})
}

// meet reports whether two edits touch each other, the first of which doesn't
// begin later.
func meet(a, b finding.Edit) bool { return b.Start < a.End || b.Start == a.Start }

// sameFix reports whether both edits are of one fix, which knows what it does.
func sameFix(fix finding.Fix, a, b finding.Edit) bool {
	return slices.Contains(fix.Edits, a) && slices.Contains(fix.Edits, b)
}
