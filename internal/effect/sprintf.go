package effect

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// formatted is the format of a Sprintf with those of its arguments in it that are known, such
// as a constant that names the table. The verbs of others stay.
func (b *builder) formatted(c *ssa.Call, depth int) []sqltext.Part {
	format := b.text(c.Call.Args[0], depth)
	args, _ := elementsOf(c.Call.Args[1])
	if len(format) != 1 || !format[0].Known || len(args) == 0 {
		return format
	}
	next := 0
	return []sqltext.Part{sqltext.Text(verbs.ReplaceAllStringFunc(format[0].Text, func(verb string) string {
		if verb == "%%" {
			return verb
		}
		if i := strings.IndexByte(verb, '['); i >= 0 {
			if n, err := strconv.Atoi(verb[i+1 : strings.IndexByte(verb, ']')]); err == nil {
				next = n - 1
			}
		}
		at := next
		next++
		if at < 0 || at >= len(args) || !strings.HasSuffix(verb, "s") && !strings.HasSuffix(verb, "v") {
			return verb
		}
		text := ""
		for _, part := range b.text(args[at], depth-1) {
			if !part.Known {
				return verb
			}
			text += part.Text
		}
		return text
	}))}
}

// verbs are those of fmt, with flags, widths and indexes.
var verbs = regexp.MustCompile(`%[-+# 0]*(?:\[\d+\])?\d*(?:\.\d+)?(?:\[\d+\])?[a-zA-Z%]`)
