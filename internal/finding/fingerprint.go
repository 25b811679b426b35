package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// identity is what makes two findings the same one after edits elsewhere in the
// file: no line numbers, no words of the message.
type identity struct {
	rule, category, pkg, function, callee string
}

// Fingerprint fills in the Fingerprint of each finding. Findings that are equal
// in rule, package, function and callee are told apart by their order in the
// source, so the list is sorted first.
func Fingerprint(list []Finding) {
	Sort(list)
	count := make(map[identity]int, len(list))
	for i := range list {
		f := &list[i]
		id := identity{f.Rule, f.Category, f.Package, f.Function, f.Callee}
		f.Fingerprint = id.hash(count[id])
		count[id]++
	}
}

func (id identity) hash(ordinal int) string {
	h := sha256.New()
	for _, part := range []string{id.rule, id.category, id.pkg, id.function, id.callee, strconv.Itoa(ordinal)} {
		// The length in front keeps ("ab", "c") and ("a", "bc") apart.
		fmt.Fprintf(h, "%d:%s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
