package publishoutsidetx

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// row is the call that stores an event, or a job, in a transaction, in the place of
// one that publishes it.
type row struct {
	*fix.Site
	message string
	// tx is the type of the transaction that it takes, nil where that comes with the
	// context or the receiver; wrap is how it is handed over.
	tx   types.Type
	wrap string
	way  fix.Way
	// blanks counts its results before the error, -1 where they are those of the
	// publish.
	blanks int
	// call is its text at a place; false if something that it needs is not at hand.
	call func(e *fix.Edits, at *place) (string, bool)
	// also is what else changes, nil for nothing.
	also func(e *fix.Edits)
}

// offered is the fix with these edits.
func (r *row) offered(e *fix.Edits, where string) []finding.Fix {
	if r.also != nil {
		r.also(e)
	}
	return e.Offer(r.message + where)
}

// place is where a row is stored: names are looked up at pos, tx and ctx are the
// names to use there.
type place struct {
	*fix.File
	pos     token.Pos
	tx, ctx string
	// params are those of the literal that runs in the transaction: what is made on it
	// comes from there.
	params []*types.Var
}

// rowsOf are the calls that may take the place of a publish, which may be in a function
// of its own.
func rowsOf(job *fix.Site) []*row {
	if rows := directRows(job); len(rows) > 0 {
		return rows
	}
	return helperRows(job)
}

// directRows are the calls that may take the place of a publish. Of several writers
// those count that are nearest to the package.
func directRows(job *fix.Site) []*row {
	if r := twinRow(job); r != nil {
		return []*row{r}
	}
	if job.Outbox == nil {
		return nil
	}
	var rows []*row
	near := 0
	for _, w := range job.Outbox.Writers {
		fn := job.Func(w)
		if fn == nil {
			continue
		}
		r := writerRow(job, w, fn)
		if r == nil {
			continue
		}
		n := shared(job.Types.Path(), w.Package)
		if n > near {
			rows, near = nil, n
		}
		if n == near {
			rows = append(rows, r)
		}
	}
	return rows
}

// shared counts the first elements that two paths have in common.
func shared(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// writerRow is a call of a writer with what a publish is given: the same values in
// the same order, of the same names where their types tell nothing.
func writerRow(job *fix.Site, w fix.Writer, fn *types.Func) *row {
	sig := fn.Signature()
	from, ok := job.Info.TypeOf(job.Call.Fun).(*types.Signature)
	if !ok || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || !onlyError(sig.Results()) {
		return nil
	}
	r := &row{Site: job, message: "store the event in the transaction: " + fn.Name(), wrap: "%s", way: w.Way}
	skip := -1
	if w.Way == fix.ByParam {
		skip, r.tx = w.Tx, sig.Params().At(w.Tx).Type()
	}
	want, have := besides(sig, skip), besides(from, -1)
	if !alike(sig, from, want, have) {
		return nil
	}
	r.call = func(e *fix.Edits, at *place) (string, bool) {
		callee, ok := r.callee(e, at, w, fn)
		if !ok {
			return "", false
		}
		args, ok := r.args(at, sig, skip, have)
		return callee + "(" + args + ")", ok
	}
	return r
}

// selfRows are the calls of the writer that stores a row already, with the transaction
// for what it is given now.
func selfRows(job *fix.Site) []*row {
	if job.Outbox == nil {
		return nil
	}
	var rows []*row
	for _, w := range job.Outbox.Writers {
		fn := job.Func(w)
		if fn == nil || !calls(job, fn) {
			continue
		}
		r := &row{Site: job, message: "store the event in the transaction of the change", wrap: "%s", way: w.Way}
		if w.Way != fix.ByParam {
			if r = writerRow(job, w, fn); r != nil {
				rows = append(rows, r)
			}
			continue
		}
		r.tx = fn.Signature().Params().At(w.Tx).Type()
		r.call = func(_ *fix.Edits, at *place) (string, bool) {
			text := job.Rewritten(job.Call, func(e *fix.Edits) {
				for i, a := range job.Call.Args {
					if i == w.Tx {
						e.Replace(a, at.tx)
					} else if fix.IsContext(job.Info.TypeOf(a)) && at.ctx != "" {
						e.Replace(a, at.ctx)
					}
				}
			})
			return text, text != "" && w.Tx < len(job.Call.Args)
		}
		rows = append(rows, r)
	}
	return rows
}

// calls reports whether a call is one of a function, or of the method of an interface
// that it implements.
func calls(job *fix.Site, fn *types.Func) bool {
	callee, ok := typeutil.Callee(job.Info, job.Call).(*types.Func)
	if !ok {
		return false
	}
	if callee.Origin() == fn {
		return true
	}
	recv := callee.Signature().Recv()
	if recv == nil || fn.Signature().Recv() == nil || callee.Name() != fn.Name() {
		return false
	}
	i, ok := recv.Type().Underlying().(*types.Interface)
	return ok && types.Implements(fn.Signature().Recv().Type(), i)
}

// args are the arguments of a writer: those of the publish, the context and the
// transaction.
func (r *row) args(at *place, sig *types.Signature, skip int, have []int) (string, bool) {
	var args []string
	for i := range sig.Params().Len() {
		switch {
		case i == skip:
			args = append(args, fmt.Sprintf(r.wrap, at.tx))
		case fix.IsContext(sig.Params().At(i).Type()):
			if at.ctx == "" {
				return "", false
			}
			args = append(args, at.ctx)
		default:
			for _, a := range r.given(have[0]) {
				args = append(args, r.Source(a))
			}
			have = have[1:]
		}
	}
	text := strings.Join(args, ", ")
	if r.Call.Ellipsis.IsValid() {
		text += "..."
	}
	return text, true
}

// given are the arguments of the publish for a parameter of it: of the last that
// takes many, all.
func (r *row) given(i int) []ast.Expr {
	sig, ok := r.Info.TypeOf(r.Call.Fun).(*types.Signature)
	if ok && sig.Variadic() && i == sig.Params().Len()-1 {
		return r.Call.Args[i:]
	}
	return r.Call.Args[i : i+1]
}

// besides are the indices of the parameters that are neither a context nor skipped.
func besides(sig *types.Signature, skip int) (list []int) {
	for i := range sig.Params().Len() {
		if i != skip && !fix.IsContext(sig.Params().At(i).Type()) {
			list = append(list, i)
		}
	}
	return list
}

// alike reports whether two lists of parameters take the same.
func alike(a, b *types.Signature, of, as []int) bool {
	if len(of) == 0 || len(of) != len(as) || a.Variadic() != b.Variadic() {
		return false
	}
	for i := range of {
		x, y := a.Params().At(of[i]), b.Params().At(as[i])
		if !types.Identical(x.Type(), y.Type()) {
			return false
		}
		if !telling(x.Type()) && (x.Name() == "" || role(x.Name()) != role(y.Name())) {
			return false
		}
	}
	return true
}

// telling reports whether a type says what a value is for: a named one of a program.
func telling(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return telling(t.Elem())
	case *types.Slice:
		return telling(t.Elem())
	case *types.Named:
		return t.Obj().Pkg() != nil && strings.Contains(t.Obj().Pkg().Path(), ".") && t.String() != "encoding/json.RawMessage"
	}
	return false
}

// role is what a parameter is for, by its name.
func role(name string) string {
	l := strings.ToLower(name)
	for role, words := range map[string][]string{
		"topic":   {"topic", "subject", "channel", "queue", "stream", "routingkey", "destination"},
		"key":     {"key", "partitionkey", "aggregateid", "messagekey"},
		"payload": {"payload", "data", "body", "value", "message", "msg", "event", "evt"},
	} {
		for _, w := range words {
			if l == w {
				return role
			}
		}
	}
	return l
}

func onlyError(t *types.Tuple) bool { return t.Len() == 1 && fix.IsError(t.At(0).Type()) }
