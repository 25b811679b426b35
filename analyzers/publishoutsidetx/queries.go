package publishoutsidetx

import (
	"slices"
	"strings"
	"unicode"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// changes are the bits that say that state was changed.
const changes = wrote | committed | inserted | surely | txWrote

// Keeps: what a function writes now and then while by its name it answers a
// question (a default row that is made on first sight, a cache in the database)
// is no change that its caller's event tells of; nor is what it counts to say
// yes or no. Nor is what a function has written and told of itself.
func (rule) Keeps(f *effect.Func, local flow.Bits, always bool) flow.Bits {
	if local&announced != 0 && local&(wrote|committed) != 0 || asks(f, decisions()) || !always && asks(f, questions()) {
		return changes
	}
	return 0
}

// Answers: a message that says that something failed announces no write.
func (rule) Answers() flow.Bits { return published | txPublished | announced }

// Answered: a write failed, and that is told of.
func (rule) Answered(local flow.Bits) flow.Bits {
	if local&unsaved != 0 {
		return retorted
	}
	return 0
}

// Nearest: of several writes the event tells of the one before it.
func (rule) Nearest() flow.Bits { return changes }

// asks tells by its name whether a function asks one of some questions and does
// nothing else.
func asks(f *effect.Func, openings []string) bool {
	if f.Parent != "" {
		return false
	}
	w := words(f.Name[strings.LastIndexByte(f.Name, '.')+1:])
	return len(w) > 0 && slices.Contains(openings, w[0]) && !slices.ContainsFunc(w, func(s string) bool { return slices.Contains(verbs(), s) })
}

func questions() []string {
	return []string{"get", "find", "fetch", "load", "list", "lookup", "query", "search", "select", "count"}
}

// decisions are answered with yes or no.
func decisions() []string { return []string{"is", "has", "can", "allow", "allowed", "exists"} }

// verbs: a function that does one of these too (FindOrCreate, FetchAndUpdate) is
// asked for it.
func verbs() []string {
	return []string{"create", "update", "save", "insert", "delete", "set", "add", "upsert", "store", "mark", "remove", "register", "modify", "make", "and", "or"}
}

// words are the words of a name in camel case, in lower case.
func words(name string) []string {
	var out []string
	start := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) {
			out = append(out, strings.ToLower(string(runes[start:i])))
			start = i
		}
	}
	return out
}
