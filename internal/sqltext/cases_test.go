package sqltext

import (
	"reflect"
	"strings"
	"testing"
)

// sqlCase is a text, with <gap> for a hole, and what each of its statements does.
type sqlCase struct {
	sql  string
	want []string
}

func allCases() map[string][]sqlCase {
	return map[string][]sqlCase{
		"postgres": postgresCases(),
		"mysql":    mysqlCases(),
		"others":   othersCases(),
		"gaps":     gapsCases(),
		"nosql":    nosqlCases(),
	}
}

func TestStatements(t *testing.T) {
	for name, cases := range allCases() {
		t.Run(name, func(t *testing.T) { check(t, cases) })
	}
}

// TestColumn holds the fields that describe folds together.
func TestColumn(t *testing.T) {
	got := ParseText(`UPDATE t SET n = n + 5, s = :state, e = lower(x) WHERE "A"."V" < $2 AND k = o.K`)[0]
	want := Statement{
		Verb: VerbUpdate, Table: "t", Tables: []string{"t"}, Writes: true,
		Set: []Column{
			{Name: "n", From: FromDelta, Literal: "5"},
			{Name: "s", From: FromParam, ParamName: "state"},
			{Name: "e", From: FromExpr, Ref: "lower"},
		},
		Compared: []Column{
			{Name: "v", Op: "<", From: FromParam, Param: 2},
			{Name: "k", Op: "=", From: FromColumnRef, Ref: "o.k"},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

// TestParts joins what is known before it is read, so that a keyword may be cut.
func TestParts(t *testing.T) {
	got := Parse(Text("UPD"), Text("ATE t SET a = 'x"), Hole(), Text("y' WH"), Text("ERE id = ?"))
	want := ParseText("UPDATE t SET a = '%v' WHERE id = ?")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	if got := Parse(); len(got) != 1 || got[0].Verb != VerbUnknown {
		t.Errorf("no parts: %+v", got)
	}
}

func withHoles(sql, mark string) []Part {
	var parts []Part
	for i, s := range strings.Split(sql, mark) {
		if i > 0 {
			parts = append(parts, Hole())
		}
		if s != "" {
			parts = append(parts, Text(s))
		}
	}
	return parts
}

func check(t *testing.T, cases []sqlCase) {
	t.Helper()
	for _, c := range cases {
		var got []string
		for _, s := range Parse(withHoles(c.sql, "<gap>")...) {
			got = append(got, describe(s))
		}
		if g, w := strings.Join(got, "\n"), strings.Join(c.want, "\n"); g != w {
			t.Errorf("%s\n got %s\nwant %s", c.sql, g, w)
		}
	}
}
