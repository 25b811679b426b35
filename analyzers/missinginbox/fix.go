package missinginbox

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// Fix asks the module's inbox in the transaction of the effect, where there is one, the
// transaction is at hand, and it is plain what the message's ID is.
func Fix(p *fix.Package, f *finding.Finding) []finding.Fix {
	effect := p.Site(f.Pos)
	if f.Category != noDedupe || effect == nil || len(p.Inbox) != 1 || !effect.ReturnsError() {
		return nil
	}
	inbox := p.Inbox[0]
	tx := txOf(effect, inbox.Signature().Params().At(1).Type())
	if tx == nil {
		return nil
	}
	at := firstUse(effect, tx)
	id, ctx := messageID(effect), effect.Object("ctx", effect.Call.Pos())
	if at == nil || id == "" || ctx == nil || !types.Identical(ctx.Type(), inbox.Signature().Params().At(0).Type()) {
		return nil
	}
	e := effect.Edits()
	e.InsertBefore(at, "if first, err := "+e.Qualified(inbox)+"(ctx, "+tx.Name()+", "+strconv.Quote(p.Types.Name())+", "+id+
		"); err != nil {\n\treturn err\n} else if !first {\n\treturn nil\n}")
	return e.Offer("ask the inbox whether the message is new")
}

// txOf is the variable of a type that the effect names.
func txOf(s *fix.Site, want types.Type) *types.Var {
	var found *types.Var
	ast.Inspect(s.Call, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		v, isVar := s.Info.Uses[id].(*types.Var)
		if ok && isVar && !v.IsField() && types.Identical(v.Type(), want) {
			found = v
		}
		return found == nil
	})
	return found
}

// firstUse is the first statement of the function that does something with a
// transaction that is begun in it and rolled back where it isn't committed, or that a
// literal is run in. A function that is given one may be called twice in it, and
// would find its own record.
func firstUse(s *fix.Site, tx *types.Var) ast.Stmt {
	sig := s.Signature()
	_, literal := s.Function().(*ast.FuncLit)
	given := literal && sig != nil && slices.Contains(slices.Collect(sig.Params().Variables()), tx)
	rolledBack := false
	for _, stmt := range s.Body().List {
		if stmt.Pos() <= tx.Pos() && tx.Pos() < stmt.End() || !s.UsedBehind(stmt, tx, stmt.Pos()) {
			continue
		}
		if _, ok := stmt.(*ast.DeferStmt); ok {
			rolledBack = rolledBack || strings.Contains(s.Source(stmt), "Rollback")
			continue
		}
		if !given && !rolledBack || s.Innermost() != s.Function() {
			return nil
		}
		return stmt
	}
	return nil
}

// messageID is the one text at hand that is a message's own ID: by its name, or by that
// of the type of which it is the ID.
func messageID(s *fix.Site) string {
	var found []string
	for _, v := range s.Vars(s.Call.Pos()) {
		t := v.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		named, ok := types.Unalias(t).(*types.Named)
		fields, isStruct := t.Underlying().(*types.Struct)
		if !ok || !isStruct {
			if types.Identical(t, types.Typ[types.String]) && isMessageID(v.Name(), "") {
				found = append(found, v.Name())
			}
			continue
		}
		for field := range fields.Fields() {
			if types.Identical(field.Type(), types.Typ[types.String]) && isMessageID(field.Name(), named.Obj().Name()) && (field.Exported() || field.Pkg() == s.Types) {
				found = append(found, v.Name()+"."+field.Name())
			}
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

func isMessageID(name, owner string) bool {
	name, owner = strings.ToLower(name), strings.ToLower(owner)
	if slices.Contains([]string{"eventid", "messageid", "msgid", "deliveryid"}, name) {
		return true
	}
	return slices.Contains([]string{"id", "uuid"}, name) && slices.ContainsFunc([]string{"event", "message", "msg", "envelope", "notification"}, func(end string) bool {
		return strings.HasSuffix(owner, end)
	})
}
