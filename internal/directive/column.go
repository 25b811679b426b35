package directive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The words for values that no argument tells.
const (
	Row   = "row"   // read from a store
	New   = "new"   // made anew: the clock, a random id
	Const = "const" // a constant that is not told
	Other = "other" // anything else
)

// Column is a column that is set or compared, with what its value is made from.
type Column struct {
	Name string
	// Op is the operator of a comparison, "" in an assignment.
	Op   string
	From []Value
}

// Value is an argument, or a field of it, a constant ('paid') or one of the words.
type Value struct {
	// Arg counts from 1, 0 for none.
	Arg                  int
	Field, Literal, Word string
}

// operators are those of comparisons, the longer ones first.
func operators() []string { return []string{"<>", "<=", ">=", "=", "<", ">", "~"} }

func (v Value) String() string {
	switch {
	case v.Arg > 0 && v.Field != "":
		return strconv.Itoa(v.Arg-1) + "." + v.Field
	case v.Arg > 0:
		return strconv.Itoa(v.Arg - 1)
	case v.Word != "":
		return v.Word
	}
	return "'" + v.Literal + "'"
}

func (c Column) String() string {
	if len(c.From) == 0 {
		return c.Name
	}
	var from []string
	for _, v := range c.From {
		from = append(from, v.String())
	}
	op := c.Op
	if op == "" {
		op = "<-"
	}
	return c.Name + op + strings.Join(from, "+")
}

// columns reads a list of assignments or comparisons.
func columns(key, text string, into *[]Column) (flaw string) {
	for _, item := range strings.Split(text, ",") {
		c := Column{Name: item}
		signs := operators()
		if key == "set" {
			signs = []string{"<-"}
		}
		for _, op := range signs {
			name, rest, ok := strings.Cut(item, op)
			if !ok {
				continue
			}
			c.Name, c.Op = name, op
			for _, v := range strings.Split(rest, "+") {
				from, ok := value(v)
				if !ok {
					return fmt.Sprintf("has %s=%s: %q is no argument, 'constant', %s", key, text, v, strings.Join(words(), ", "))
				}
				c.From = append(c.From, from)
			}
			break
		}
		if c.Op == "<-" {
			c.Op = ""
		}
		if c.Name == "" || strings.ContainsAny(c.Name, "'<>=+~") {
			return fmt.Sprintf("has %s=%s: names of columns are wanted", key, text)
		}
		*into = append(*into, c)
	}
	return ""
}

func words() []string { return []string{Row, New, Const, Other} }

func value(s string) (Value, bool) {
	if slices.Contains(words(), s) {
		return Value{Word: s}, true
	}
	if inner, ok := strings.CutPrefix(s, "'"); ok {
		inner, ok = strings.CutSuffix(inner, "'")
		return Value{Literal: inner}, ok && Plain(inner)
	}
	arg, field, _ := strings.Cut(s, ".")
	n, err := strconv.Atoi(arg)
	return Value{Arg: n + 1, Field: field}, err == nil && n >= 0 && n <= 31
}

// Plain reports whether a constant can be written in a comment.
func Plain(s string) bool {
	return len(s) <= 40 && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
