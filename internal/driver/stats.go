package driver

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Stats counts what a run looked at. Times are printed by -stats alone, so that
// reports are the same bytes each time.
type Stats struct {
	// Packages and Functions are those that were analysed, Read all functions
	// whose bodies were read; Skipped are packages that reach no code with a known
	// meaning.
	Packages, Functions, Read, Skipped int
	// Capped are the functions of which on some paths nothing was seen, since
	// they are entered in too many states.
	Capped []string
	// Phases are the parts of the work, in order.
	Phases []Phase
}

// Phase is one part of the work and how long it took.
type Phase struct {
	Name string
	Took time.Duration
}

// add sums up the runs of several modules.
func (s *Stats) add(o Stats) {
	s.Packages += o.Packages
	s.Functions += o.Functions
	s.Read += o.Read
	s.Skipped += o.Skipped
	s.Capped = append(s.Capped, o.Capped...)
	for _, p := range o.Phases {
		s.addPhase(p)
	}
}

func (s *Stats) addPhase(p Phase) {
	for i := range s.Phases {
		if s.Phases[i].Name == p.Name {
			s.Phases[i].Took += p.Took
			return
		}
	}
	s.Phases = append(s.Phases, p)
}

func (s *Stats) print(w io.Writer) {
	fmt.Fprintf(w, "packages analysed:  %d (%d skipped)\n", s.Packages, s.Skipped)
	fmt.Fprintf(w, "functions analysed: %d of %d\n", s.Functions, s.Read)
	fmt.Fprintf(w, "given up on:        %s\n", given(s.Capped))
	for _, p := range s.Phases {
		fmt.Fprintf(w, "%-19s %s\n", p.Name+":", p.Took.Round(time.Millisecond))
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	fmt.Fprintf(w, "memory from system: %d MB\n", mem.Sys>>20)
}

// maxNamed is how many functions are named that were given up on.
const maxNamed = 5

// given counts and names functions that were given up on.
func given(capped []string) string {
	if len(capped) == 0 {
		return "no function"
	}
	names := slices.Sorted(slices.Values(capped))
	more := ""
	if len(names) > maxNamed {
		names, more = names[:maxNamed], ", ..."
	}
	return fmt.Sprintf("%s on some paths (%s%s)", count(len(capped), "function"), strings.Join(names, ", "), more)
}
