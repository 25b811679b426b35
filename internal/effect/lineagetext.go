package effect

import (
	"net/url"
	"strconv"
	"strings"
)

// An origin travels as text: letters for the set, references behind blanks,
// fields in braces. "M p1.ID c4:0{Status=C;ID=F}" is from the message, from the
// field ID of parameter 1 and from the first result of node 4.

// A constant is behind "k", escaped.
const constWord = "k"

const sourceLetters = "MFSCXO"

func (o *Lineage) text() string {
	if o.empty() {
		return ""
	}
	var b strings.Builder
	for i := range len(sourceLetters) {
		if o.Bits&(1<<i) != 0 {
			b.WriteByte(sourceLetters[i])
		}
	}
	for _, r := range o.Refs {
		b.WriteByte(' ')
		b.WriteByte(byte(r.Kind))
		b.WriteString(strconv.Itoa(r.Index))
		if r.Result != 0 {
			b.WriteString(":" + strconv.Itoa(r.Result))
		}
		if r.Field != "" {
			b.WriteString("." + r.Field)
		}
	}
	for _, c := range o.Consts {
		b.WriteString(" " + constWord + url.QueryEscape(c))
	}
	for i, f := range o.Fields {
		b.WriteByte("{;"[min(i, 1)])
		b.WriteString(f.Name)
		if f.At > 0 {
			b.WriteString("@" + strconv.Itoa(f.At))
		}
		b.WriteString("=" + f.Of.text())
	}
	if len(o.Fields) > 0 {
		b.WriteByte('}')
	}
	return b.String()
}

// parseLineage reads what text wrote; what it can't read is not known.
func parseLineage(s string) *Lineage {
	if s == "" {
		return nil
	}
	head, fields, _ := strings.Cut(s, "{")
	out := &Lineage{}
	for i, word := range strings.Split(head, " ") {
		if i == 0 {
			for _, c := range word {
				if at := strings.IndexRune(sourceLetters, c); at >= 0 {
					out.Bits |= 1 << at
				}
			}
		} else if c, ok := strings.CutPrefix(word, constWord); ok {
			if c, err := url.QueryUnescape(c); err == nil {
				out.Consts = append(out.Consts, c)
			}
		} else if r, ok := parseRef(word); ok {
			out.Refs = append(out.Refs, r)
		}
	}
	if fields = strings.TrimSuffix(fields, "}"); fields == "" {
		return out
	}
	for _, f := range strings.Split(fields, ";") {
		name, of, _ := strings.Cut(f, "=")
		name, place, _ := strings.Cut(name, "@")
		at, err := strconv.Atoi(place)
		if err != nil {
			at = 0
		}
		if x := parseLineage(of); x != nil {
			out.Fields = append(out.Fields, FieldLineage{name, x, at})
		}
	}
	return out
}

func parseRef(word string) (LineageRef, bool) {
	if word == "" {
		return LineageRef{}, false
	}
	r := LineageRef{Kind: RefKind(word[0])}
	numbers, field, _ := strings.Cut(word[1:], ".")
	r.Field = field
	index, result, two := strings.Cut(numbers, ":")
	var err, err2 error
	r.Index, err = strconv.Atoi(index)
	if two {
		r.Result, err2 = strconv.Atoi(result)
	}
	return r, err == nil && err2 == nil && r.Index >= 0 && r.Result >= 0
}
