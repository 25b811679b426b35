// Package changes says which lines of a git work tree differ from a revision.
package changes

// Changes are the changed lines of a work tree, files that git doesn't know yet
// included.
type Changes struct {
	// files are by absolute name.
	files map[string]*file
}

// file is what changed in one file.
type file struct {
	// whole says that all of it is new.
	whole bool
	// added are the lines that are new or changed, removed where lines are gone or
	// changed: Place.From is the line above, Place.To the one below.
	added, removed []Place
}

// Place is a range of lines, both ends included.
type Place struct{ From, To int }

func (p Place) meets(q Place) bool { return p.From <= q.To && q.From <= p.To }

// New reports whether a file is new as a whole.
func (c *Changes) New(name string) bool {
	f := c.files[name]
	return f != nil && f.whole
}

// Added reports whether one of the lines is new or changed.
func (c *Changes) Added(name string, lines Place) bool {
	f := c.files[name]
	if f == nil {
		return false
	}
	if f.whole {
		return true
	}
	for _, p := range f.added {
		if p.meets(lines) {
			return true
		}
	}
	return false
}

// Removed reports whether lines are gone, or others stand in their place, among
// these lines or next to them.
func (c *Changes) Removed(name string, lines Place) bool {
	f := c.files[name]
	if f == nil {
		return false
	}
	for _, p := range f.removed {
		if p.meets(lines) {
			return true
		}
	}
	return false
}
