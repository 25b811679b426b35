package fix

import "github.com/deliverylint/deliverylint/internal/finding"

// Apart takes the fixes away that touch what an earlier finding's fix touches: some
// drivers apply none in a file where two meet.
func Apart(list []finding.Finding) {
	var taken []finding.Edit
	for i := range list {
		kept := list[i].Fixes[:0:0]
		for _, fix := range list[i].Fixes {
			if !meetsAny(taken, fix.Edits) {
				kept = append(kept, fix)
				taken = append(taken, fix.Edits...)
			}
		}
		list[i].Fixes = kept
	}
}

func meetsAny(taken, edits []finding.Edit) bool {
	for _, a := range taken {
		for _, b := range edits {
			if a.File == b.File && (meet(a, b) && a.Start <= b.Start || meet(b, a) && b.Start <= a.Start) {
				return true
			}
		}
	}
	return false
}
