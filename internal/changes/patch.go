package changes

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// hunk is the head of a hunk of a patch without context.
var hunk = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// read takes over a patch; its names are relative to dir.
func (c *Changes) read(dir, patch string) error {
	var f *file
	created := false
	lines := strings.Split(patch, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "diff --git "):
			f, created = nil, false
		case line == "--- /dev/null":
			created = true
		case strings.HasPrefix(line, "+++ "):
			name, ok, err := target(line)
			if err != nil {
				return err
			}
			if f = (&file{whole: created}); ok {
				c.files[filepath.Join(dir, filepath.FromSlash(name))] = f
			}
		case f != nil && strings.HasPrefix(line, "@@ "):
			skip, err := f.hunk(line)
			if err != nil {
				return err
			}
			i += skip
		}
	}
	return nil
}

// target is the name of the new file of a patch; false if there is none.
func target(line string) (name string, ok bool, err error) {
	name = strings.TrimSuffix(strings.TrimPrefix(line, "+++ "), "\t")
	if strings.HasPrefix(name, `"`) {
		if name, err = strconv.Unquote(name); err != nil {
			return "", false, fmt.Errorf("git names a file %s: %w", line, err)
		}
	}
	name, ok = strings.CutPrefix(name, "b/")
	return name, ok, nil
}

// hunk takes over the head of a hunk and returns how many lines its body has,
// which may look like anything.
func (f *file) hunk(line string) (int, error) {
	m := hunk.FindStringSubmatch(line)
	if m == nil {
		return 0, fmt.Errorf("git prints a hunk as %s", line)
	}
	gone, start, come := number(m[1]), number(m[2]), number(m[3])
	switch {
	case come == 0: // start is the line above
		f.removed = append(f.removed, Place{start, start + 1})
	case gone > 0:
		f.removed = append(f.removed, Place{start - 1, start + come})
		fallthrough
	default:
		f.added = append(f.added, Place{start, start + come - 1})
	}
	return gone + come, nil
}

// number reads a count, which is one where it is left out.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 1
	}
	return n
}
