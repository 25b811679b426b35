package assignstate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Name is the rule's name.
const Name = "assignstate"

// The stories.
const (
	unguarded   = "unguarded"
	arrivalTime = "arrival-time"
)

// story is a write that stores in a row what a message says, whatever the row holds.
type story struct {
	way   flow.Way
	set   effect.Assignment
	table string
	// level is that of the function that makes the statement.
	level int
	// write is what is written, on all ways that lead to it.
	write *written
	// optimistic: the entity is stored only if nobody has changed it since it was loaded.
	optimistic bool
	// field: an entity that was read gets the value, and is stored later.
	field bool
	// arrival: the value is the time of arrival, which the function at level clock reads,
	// or one that the way does not enter (-1).
	arrival bool
	clock   int
}

// judged is what the rule makes of the ways to a write that share a site: a call, or
// the assignment of a field.
type judged struct {
	ways  []flow.Way
	story *story
	why   string
	// guarded: on one way.
	guarded bool
}

// rule judges the writes of a program.
type rule struct {
	p      *effect.Program
	w      *flow.Ways
	values func() *effect.StoredValues
	// ordered are the columns that some code orders by. Like values, they are asked of
	// the whole program, when the first write wants to know.
	ordered func() flow.Orders
}

// judge asks of a write which values it takes from the message and whether anything on
// a way compares them with what is stored; for each place that it would be told of at.
func (r *rule) judge(f *effect.Func, n *effect.Node, e *effect.Effect) []*judged {
	var out []*judged
	bySite := map[any]*judged{}
	at := func(site any, way flow.Way) *judged {
		j := bySite[site]
		if j == nil {
			j = &judged{why: "it stores nothing that a newer message changes, or that is not known"}
			bySite[site] = j
			out = append(out, j)
		}
		j.ways = append(j.ways, way)
		return j
	}
	var seen []sighting
	write := &written{e, r.w.To(f, n)}
	for _, way := range write.ways {
		if r.w.Blind(&way) {
			j := at((&story{way: way, level: len(way.Path) - 1}).site(), way)
			j.why = "the handler asks its message nothing: it looks for itself what is to do"
			continue
		}
		if r.w.ReadsLog(&way) {
			j := at((&story{way: way, level: len(way.Path) - 1}).site(), way)
			j.why, j.guarded = "it is made from a log of events, whose order is that of the changes", true
			continue
		}
		es, level, data := way.Statements(e)
		for i := range es {
			s := &story{way: way, level: level, write: write, table: es[i].Table}
			o := es[i].Overwrites(data)
			if o == nil {
				at(s.site(), way)
				continue
			}
			for _, set := range o.Sets {
				seen = append(seen, sighting{s, set})
			}
			r.add(at, s, o)
		}
	}
	return append(out, r.arrivals(seen)...)
}

// add judges one way.
func (r *rule) add(at func(site any, way flow.Way) *judged, s *story, o *effect.Overwrite) {
	set := r.pick(s, o)
	if set == nil {
		if j := at(s.site(), s.way); j.story == nil && !j.guarded {
			j.why = "nothing that it sets is taken from the message and changes later: " + setsOf(o)
		}
		return
	}
	s.set, s.field = *set, set.At != nil && !set.At.Made
	s.optimistic = slices.ContainsFunc(o.Compared, func(c sqltext.Column) bool { return c.Op == "=" && flow.NamesOrder(c.Name) })
	j := at(s.site(), s.way)
	if j.guarded {
		return
	}
	if why := r.w.Ordered(&s.way, o, s.table); why != "" {
		j.guarded, j.why, j.story = true, why, nil
		return
	}
	if j.story == nil {
		j.story, j.why = s, ""
	}
}

// site identifies the place that the story is told of at.
func (s *story) site() any {
	if s.atField() {
		return s.set.At
	}
	return s.call().Node
}

// atField: it is told of at the assignment of a field.
func (s *story) atField() bool { return s.field && !s.arrival }

// call is the call that the story is told of at, unless it is told of at a field.
func (s *story) call() flow.Level {
	if s.arrival && s.clock >= 0 {
		return s.way.Path[s.clock]
	}
	return s.way.Site(s.level)
}

// pick is the assignment that matters most: a state first, then a time that tells of one.
func (r *rule) pick(s *story, o *effect.Overwrite) *effect.Assignment {
	var found, since *effect.Assignment
	again := happens(s)
	for i := range o.Sets {
		set := &o.Sets[i]
		if isKey(set, o) {
			continue
		}
		state := isState(set)
		switch {
		case state && told(set) && again != onlyOnce && again != made, state && !told(set) && (!o.Upsert || o.Loaded) && again != made && r.changes(s, set):
			if !strings.HasSuffix(flow.PlainName(set.Name), "at") {
				return set
			}
			since = cmp.Or(since, set)
		case found == nil && !state && told(set) && (again == moreThanOnce || again == unsaid && (!o.Upsert || o.Loaded)):
			found = set
		}
	}
	return cmp.Or(since, found)
}

// isState tells by the name of a column or field, or of the field's type.
func isState(set *effect.Assignment) bool {
	return flow.NamesState(set.Name) || set.At != nil && flow.NamesState(set.At.Type)
}

// changes: a state is set to one of several constants, which the message chooses, or to one
// beside others that some code sets.
func (r *rule) changes(s *story, set *effect.Assignment) bool {
	if set.From != effect.FromConst || len(set.Consts) == 0 || slices.ContainsFunc(set.Consts, isNote) {
		return false
	}
	if len(set.Consts) > 1 {
		return r.chosen(s, set)
	}
	owner := s.table
	if set.At != nil && set.At.Owner != "" {
		owner = set.At.Owner
	}
	if set.At != nil && set.At.Const == "true" && r.values().Contradicted(owner, set.Func, flow.NamesState) {
		return true
	}
	others := r.values().Others(owner, set.Name[strings.LastIndexByte(set.Name, '.')+1:], set.Consts)
	value := set.Consts[0]
	return len(others) > 0 && (!isLast(value) || slices.ContainsFunc(others, isLast) || isRefusal(value) && slices.ContainsFunc(others, isOutcome))
}

// isRefusal and isOutcome tell by their names states that contradict each other, whatever may
// follow the second: an attempt that failed is told of after the one that was paid.
func isRefusal(value string) bool {
	return namesAny(value, []string{"cancel", "fail", "reject", "declin", "expire"})
}

func isOutcome(value string) bool {
	return namesAny(value, []string{"paid", "confirm", "approve", "capture", "ship", "succe", "complete"})
}

// isLast tells by its name a state that none follows. One that replaces it is no newer one
// than the others, unless these have a last state too.
func isLast(value string) bool {
	return value == "false" || namesAny(value, []string{"cancel", "delet", "void", "revoke", "expire", "archive", "close", "terminat", "refund", "complete", "done", "deliver", "finish", "succe", "fail", "reject", "final", "settle", "inactive", "remove", "abort", "declin", "processed", "sold", "sent"})
}

// told: the value is what the message says, and not computed from what is stored or asked
// of another service.
func told(set *effect.Assignment) bool {
	return set.From.Has(effect.FromMessage) && set.From&(effect.FromStored|effect.FromOutside) == 0
}

// isKey: what a row is found by, when it was written, and how often something was tried.
func isKey(set *effect.Assignment, o *effect.Overwrite) bool {
	l := strings.ToLower(strings.ReplaceAll(set.Name, "_", ""))
	if l == "id" || strings.HasSuffix(l, "id") || strings.HasSuffix(l, "ids") || strings.HasSuffix(l, "key") || strings.HasSuffix(l, "uuid") || flow.NamesOrder(set.Name) {
		return true
	}
	for _, word := range []string{"created", "updated", "modified", "retr", "attempt", "error", "message", "hash", "checksum", "seen", "lastused", "lastlogin", "lastaccess", "heartbeat", "callback", "notif"} {
		if strings.Contains(l, word) {
			return true
		}
	}
	at := len(l) > 4 && (strings.HasSuffix(set.Name, "At") || strings.HasSuffix(set.Name, "_at"))
	if !isState(set) && (at || strings.HasSuffix(l, "time") || strings.HasSuffix(l, "date")) {
		return true
	}
	for _, c := range o.Compared {
		if c.Name == set.Name && c.Op == "=" {
			return true
		}
	}
	return false
}

// isNote: a text for people says how far something is, and is no state.
func isNote(value string) bool {
	last := value[strings.LastIndexByte(value, ' ')+1:]
	return len(last) < len(value) && last != "" && strings.ToLower(last[:1]) == last[:1]
}

// chosen: the function that assigns one of several constants doesn't ask what is stored
// which, or asks the message too; how much has come so far is no such question.
func (r *rule) chosen(s *story, set *effect.Assignment) bool {
	if set.Func != nil && r.w.Totals(&s.way, set.Func) {
		return false
	}
	return set.Func == nil || r.w.Asks(&s.way, set.Func, effect.FromMessage) || !r.w.Asks(&s.way, set.Func, effect.FromStored)
}

// frequency is how often what a handler handles happens in the life of an entity.
type frequency byte

const (
	unsaid frequency = iota
	// made: it is the entity's beginning.
	made
	onlyOnce
	moreThanOnce
)

// happens tells by the names of the functions on the way, those next to the write first.
func happens(s *story) frequency {
	for i := len(s.way.Path) - 1; i >= 0; i-- {
		name := s.way.Path[i].Func.Name
		if namesAny(name, repeats()) {
			return moreThanOnce
		}
		if namesAny(name, begins()) {
			return made
		}
		if namesAny(name, once()) {
			return onlyOnce
		}
	}
	return unsaid
}

func repeats() []string {
	return []string{"update", "change", "rename", "rebrand", "modif", "edit", "sync", "moved", "replace", "adjust", "refresh", "status", "enable", "disable", "connect"}
}

func begins() []string {
	return []string{"create", "register", "insert", "add", "placed", "opened", "signup", "signedup", "new"}
}

func once() []string {
	return []string{"issued", "delete", "remove", "booked", "confirmed", "refunded", "printed", "closed", "finalized"}
}

// namesAny: a name has one of the words, itself or in another form: added, updating.
func namesAny(name string, words []string) bool {
	for _, x := range wordsOf(name) {
		for _, w := range words {
			rest, ok := strings.CutPrefix(x, strings.TrimSuffix(w, "e"))
			if ok && (len(w) > 4 || slices.Contains([]string{"", "e", "s", "es", "d", "ed", "ing", "w", "t"}, rest)) {
				return true
			}
		}
	}
	return false
}

// wordsOf are the words of a name in lower case.
func wordsOf(name string) []string {
	var out []string
	start := 0
	for i, c := range name {
		lower := unicode.IsLower(c)
		switch {
		case !unicode.IsLetter(c):
			out = append(out, strings.ToLower(name[start:i]))
			start = i + len(string(c))
		case !lower && i > start && unicode.IsLower(rune(name[i-1])):
			out = append(out, strings.ToLower(name[start:i]))
			start = i
		}
	}
	return append(out, strings.ToLower(name[start:]))
}

// each calls do with the writes that handlers reach, but for events of one's own.
func (r *rule) each(do func(f *effect.Func, n *effect.Node, e *effect.Effect)) {
	r.w.EachWrite(func(f *effect.Func, n *effect.Node, e *effect.Effect) {
		if e.Kind != catalog.OutboxWrite || e.Text != nil {
			do(f, n, e)
		}
	})
}
