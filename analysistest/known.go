package analysistest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// difference is a line of known.txt: a place at which the linter is wrong.
type difference struct {
	file           string // within testdata
	line           int
	category, kind string
}

// The kinds of differences.
const (
	missing = "missing" // wanted, and not found
	extra   = "extra"   // found, and not wanted
)

// unexplained is the reason of a line that nobody has judged yet.
const unexplained = "?"

func (d difference) String() string {
	return fmt.Sprintf("%s:%d %s %s", d.file, d.line, d.category, d.kind)
}

func compare(a, b difference) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line),
		cmp.Compare(a.category, b.category), cmp.Compare(a.kind, b.kind))
}

// known are the differences that are listed, with their reasons.
type known map[difference]string

const header = `# What the linter gets wrong in these cases today: missing is wanted and not
# found, extra is found and not wanted. The tests fail when a line is no longer
# true, so the list only shrinks. Written by go test ./analyzers/... -update-known,
# except for the reasons.
`

func readKnown(file string) (known, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return known{}, nil
	}
	if err != nil {
		return nil, err
	}
	return parseKnown(file, string(data))
}

func parseKnown(file, text string) (known, error) {
	k := known{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		d, reason, ok := parseDifference(line)
		if _, dup := k[d]; dup || !ok {
			return nil, fmt.Errorf("%s:%d: malformed or there twice: %q", file, i+1, line)
		}
		k[d] = reason
	}
	return k, nil
}

// parseDifference reads "file:line category missing|extra  reason".
func parseDifference(line string) (d difference, reason string, ok bool) {
	place, rest, _ := strings.Cut(line, " ")
	d.category, rest, _ = strings.Cut(rest, " ")
	d.kind, reason, _ = strings.Cut(rest, " ")
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return d, "", false
	}
	var err error
	d.file = place[:i]
	d.line, err = strconv.Atoi(place[i+1:])
	reason = strings.TrimSpace(reason)
	return d, reason, err == nil && reason != "" && (d.kind == missing || d.kind == extra)
}

func (k known) String() string {
	var b strings.Builder
	b.WriteString(header)
	for _, d := range k.sorted() {
		fmt.Fprintf(&b, "%s  %s\n", d, k[d])
	}
	return b.String()
}

func (k known) sorted() []difference {
	list := make([]difference, 0, len(k))
	for d := range k {
		list = append(list, d)
	}
	slices.SortFunc(list, compare)
	return list
}

// renew is the list after a run of the rule that found now: lines of other
// rules stay, those of the rule are replaced, and reasons are kept.
func (k known) renew(rule string, now []difference) known {
	out := known{}
	for d, reason := range k {
		if !strings.HasPrefix(d.file, rule+"/") {
			out[d] = reason
		}
	}
	for _, d := range now {
		out[d] = cmp.Or(k[d], unexplained)
	}
	return out
}
