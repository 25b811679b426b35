package publishoutsidetx

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/fix"
)

// twin is the method that enqueues in a transaction, and where that stands among
// its arguments.
type twin struct {
	name string
	at   int
}

// twinOf is the twin of a method of a client whose queue is in the database.
func twinOf(fn *types.Func) (twin, bool) {
	path, name := fn.Pkg().Path(), fn.Name()
	switch {
	case path == "github.com/riverqueue/river" && slices.Contains([]string{"Insert", "InsertMany", "InsertManyFast"}, name):
		return twin{name + "Tx", 1}, true
	case !strings.HasPrefix(path, "github.com/vgarvardt/gue/"):
	case name == "Enqueue" || name == "EnqueueBatch":
		return twin{name + "Tx", 2}, true
	case name == "EnqueueWithID":
		return twin{"EnqueueTxWithID", 3}, true
	}
	return twin{}, false
}

// twinRow is the call of the twin of a method that enqueues a job, nil if that is no
// such method.
func twinRow(job *fix.Site) *row {
	fn, sel := job.Method(job.Call)
	if fn == nil || fn.Pkg() == nil || job.Call.Ellipsis.IsValid() {
		return nil
	}
	t, ok := twinOf(fn)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(job.Info.TypeOf(sel.X), true, fn.Pkg(), t.name)
	to, ok := obj.(*types.Func)
	from, isSig := job.Info.TypeOf(sel).(*types.Signature)
	if !ok || !isSig || !types.Identical(to.Signature().Results(), from.Results()) || to.Signature().Params().Len() <= t.at || len(job.Call.Args) != from.Params().Len() {
		return nil
	}
	r := &row{Site: job, message: "enqueue in the transaction: " + t.name, blanks: -1}
	r.wrap, r.tx = adapted(job.File, to.Signature().Params().At(t.at).Type())
	r.call = func(_ *fix.Edits, at *place) (string, bool) {
		text := job.Rewritten(job.Call, func(e *fix.Edits) {
			e.Replace(sel.Sel, t.name)
			if at.ctx != "" {
				e.Replace(job.Call.Args[0], at.ctx)
			}
			tx := fmt.Sprintf(r.wrap, at.tx)
			if t.at < len(job.Call.Args) {
				e.Before(job.Call.Args[t.at], tx+", ")
			} else {
				e.Behind(job.Call.Args[len(job.Call.Args)-1], ", "+tx)
			}
		})
		return text, text != ""
	}
	return r
}

// adapted is how a transaction becomes one of gue's, by the one adapter that the file
// imports, and its type; any other is taken as it is.
func adapted(f *fix.File, want types.Type) (wrap string, inner types.Type) {
	named, ok := types.Unalias(want).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !strings.HasPrefix(named.Obj().Pkg().Path(), "github.com/vgarvardt/gue/") {
		return "%s", want
	}
	for _, spec := range f.Syntax.Imports {
		pkg := f.Info.PkgNameOf(spec)
		if pkg == nil || !strings.HasPrefix(pkg.Imported().Path(), named.Obj().Pkg().Path()+"/") {
			continue
		}
		fn, ok := pkg.Imported().Scope().Lookup("NewTx").(*types.Func)
		if ok && inner == nil && fn.Signature().Params().Len() == 1 {
			wrap, inner = pkg.Name()+".NewTx(%s)", fn.Signature().Params().At(0).Type()
		} else if ok {
			return "%s", want
		}
	}
	if inner == nil {
		return "%s", want
	}
	return wrap, inner
}
