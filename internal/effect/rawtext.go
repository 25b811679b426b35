package effect

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// rawEffects are what a query does whose text an earlier call of the chain was given:
// session.Query(text, args...).Exec(), db.NewRaw(text, args...).Scan(ctx). nil where there is
// no such call, or its text is not known.
func (b *builder) rawEffects(base Effect, e *catalog.Entry, c *ssa.CallCommon) []Effect {
	call, given := b.rawQuery(c, 8)
	if call == nil {
		return nil
	}
	text := textArg(call, given.SQL)
	if text == nil {
		return nil
	}
	statements := sqltext.Parse(b.text(text, textDepth)...)
	base.Text = b.givenText(text)
	if len(statements) == 0 {
		if base.Text == nil {
			return nil
		}
		statements = []sqltext.Statement{{Verb: sqltext.VerbUnknown}}
	}
	if from := given.SQL + 1; e.Symbol.Type != "Stmt" {
		base.Data.Params, base.Data.Whole = b.params(call, from)
	} else { // a prepared statement is given its values when it runs
		if from = 0; len(c.Args) > 0 && isContext(ssaArg(c, 0).Type()) {
			from = 1
		}
		base.Data.Params, base.Data.Whole = b.params(c, from)
	}
	base.Data.Listed = false
	var out []Effect
	for i := range statements {
		x, s := base, &statements[i]
		if strings.HasPrefix(given.Library, "gocql") && s.Verb == sqltext.VerbInsert && s.Conflict == sqltext.ConflictNone {
			s.Conflict = sqltext.ConflictReplace // Cassandra's INSERT replaces the row
		}
		if s.Verb == sqltext.VerbUnknown {
			x.Statement = s
			out = append(out, x)
		} else if x.fromSQL(s, e.Symbol.Name) {
			x.Conditional = x.Conditional || e.Op == catalog.Conditional
			out = append(out, x)
		}
	}
	return out
}

// rawQuery is the call of a chain that was given a statement's text.
func (b *builder) rawQuery(c *ssa.CallCommon, depth int) (*ssa.CallCommon, *catalog.Entry) {
	recv, _ := receiverAndArgs(c)
	for range 3 {
		x, ok := recv.(*ssa.Extract)
		if !ok {
			break
		}
		recv = x.Tuple
	}
	call, ok := recv.(*ssa.Call)
	if !ok || depth == 0 {
		return nil, nil
	}
	e := b.entryOf(call.Common())
	switch {
	case e == nil:
		return nil, nil
	case e.Kind == catalog.Bind && e.SQL >= 0:
		return call.Common(), e
	}
	return b.rawQuery(call.Common(), depth-1)
}
