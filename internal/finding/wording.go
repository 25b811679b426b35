package finding

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Limits of a message: it has to be read in one go beside a line of code.
const (
	maxWords = 24
	maxVia   = 3
)

// banned are the words that a message never has: hedges, and words of the
// linter's insides that mean nothing to its reader.
var banned = regexp.MustCompile(`(?i)\b(should|consider|potential|potentially|detected|ssa|facts?|catalogs?|catalogued)\b`)

var english = regexp.MustCompile(`^(A|An|The|This|That|These|It|Its|If|When|While|After|Before|In|On|At|No|There)$`)

// Via names the helpers between the site and what they do, "via save ->
// insertOrder": at most three names, the first two and the last of a longer
// chain. It is empty for no names.
func Via(names ...string) string {
	if len(names) == 0 {
		return ""
	}
	if len(names) > maxVia {
		names = []string{names[0], names[1], "...", names[len(names)-1]}
	}
	return "via " + strings.Join(names, " -> ")
}

// Check says what is wrong with the wording of a message, nil if nothing is.
// Tests run it over every message that a rule can make.
func Check(message string) error {
	words := strings.Fields(message)
	switch {
	case len(words) == 0:
		return fmt.Errorf("message is empty")
	case message != strings.Join(words, " "):
		return fmt.Errorf("message has stray white space: %q", message)
	case len(words) > maxWords:
		return fmt.Errorf("message has %d words, more than %d: %q", len(words), maxWords, message)
	case strings.HasSuffix(message, "."):
		return fmt.Errorf("message ends with a period: %q", message)
	}
	if word := banned.FindString(message); word != "" {
		return fmt.Errorf("message says %q: %q", word, message)
	}
	if first := words[0]; unicode.IsUpper([]rune(first)[0]) && !isIdentifier(first) {
		return fmt.Errorf("message opens with a capital: %q", message)
	}
	return nil
}

// isIdentifier reports whether a capitalised first word is code. Any word may be
// the name of an exported function; only those that open an English sentence are
// taken for English.
func isIdentifier(word string) bool { return !english.MatchString(word) }
