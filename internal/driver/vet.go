package driver

import (
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/deliverylint/deliverylint/analyzers"
)

// isVet reports whether the go command calls: it asks for the version and the
// flags, then hands over one configuration file a package.
func isVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return strings.HasSuffix(last, ".cfg") || len(args) == 1 && (last == "-V=full" || last == "-flags")
}

// vet runs as the tool of go vet -vettool. It ends the process itself.
func vet() {
	var list []*analysis.Analyzer
	for _, r := range analyzers.All() {
		if r.Analyzer != nil {
			list = append(list, r.Analyzer)
		}
	}
	unitchecker.Main(list...)
}
