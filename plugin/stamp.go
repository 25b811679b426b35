package plugin

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime/debug"

	"golang.org/x/tools/go/analysis"
)

const module = "github.com/deliverylint/deliverylint"

// stamp tells settings and versions of the plugin apart. golangci-lint keeps results
// by the code, its own version and file, and the names of the analyzers, so these
// have to change with whatever else decides on the results.
func stamp(settings [sha256.Size]byte) string {
	h := sha256.New()
	h.Write(settings[:])
	fmt.Fprint(h, version())
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// version is that of the plugin. Where it was not built from a release, the program's
// size and time have to do.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, m := range info.Deps {
			if m.Path == module && m.Replace == nil && m.Sum != "" {
				return m.Version + m.Sum
			}
		}
	}
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	stat, err := os.Stat(program)
	if err != nil {
		return ""
	}
	return fmt.Sprint(stat.Size(), stat.ModTime().UnixNano())
}

// stamped has the stamp in the names of what keeps facts, and of an analyzer more,
// which does nothing: the names of the others are shown.
func stamped(list []*analysis.Analyzer, stamp string) []*analysis.Analyzer {
	done := map[*analysis.Analyzer]bool{}
	for _, a := range list {
		for _, r := range a.Requires {
			if len(r.FactTypes) > 0 && !done[r] {
				done[r] = true
				r.Name += "_" + stamp
			}
		}
	}
	return append(list, &analysis.Analyzer{
		Name: "deliverysettings_" + stamp,
		Doc:  "hold results for as long as the settings stay the same; it reports nothing",
		Run:  func(*analysis.Pass) (any, error) { return nil, nil },
	})
}
