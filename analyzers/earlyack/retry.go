package earlyack

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// readsOffsets: the end is a fetch or a commit of kafka-go, whose commits pass all
// that came before.
func readsOffsets(end *fix.Site) bool {
	return end.Call != nil && end.Is(end.Call, "github.com/segmentio/kafka-go", "Reader", "FetchMessage", "ReadMessage", "CommitMessages")
}

// fixRetry tries the effect again until it has worked or the consumer stops.
func fixRetry(s *fix.Site, c *fix.Failure) []finding.Fix {
	e := s.Edits()
	if !retries(s, e, c) {
		return nil
	}
	return e.Offer("try again until the message is handled")
}

// retries puts a loop around the effect and its check.
func retries(s *fix.Site, e *fix.Edits, c *fix.Failure) bool {
	ctx := contextAt(s, c)
	leave, ok := stop(s, ctx)
	if ctx == "" || !ok || c.If.Else != nil || commentBetween(s, c.Made.End(), c.If.Body.Lbrace) {
		return false
	}
	wait := "select {\ncase <-" + ctx + ".Done():\n\t" + leave + "\ncase <-" + e.Import("time") + ".After(" + e.Import("time") + ".Second):\n}"
	space := s.Line(c.If.Pos())
	if c.If.Init == nil {
		space = s.Line(c.Made.Pos())
	}
	if strings.TrimSpace(space) != "" {
		return false
	}
	body := s.Rewritten(c.If.Body, func(in *fix.Edits) {
		if c.End != nil {
			in.Replace(c.End, strings.ReplaceAll(wait, "\n", "\n"+space+"\t"))
		} else {
			in.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], wait)
		}
	})
	made := s.Source(c.Made)
	beside, body, _ := strings.Cut(strings.TrimPrefix(body, "{"), "\n")
	if body == "" || strings.Contains(made, "`") || inTx(s) {
		return false
	}
	body = "\n" + body
	if keptBehind(s, c) {
		return again(s, e, c, "{"+beside+body, space)
	}
	head := "for {" + beside + "\n" + space + "\t" + strings.ReplaceAll(made, "\n", "\n\t") + "\n" +
		space + "\tif " + c.Err.Name + " == nil {\n" + space + "\t\tbreak\n" + space + "\t}"
	if c.If.Init == nil {
		e.Replace(fix.Span{From: c.Made.Pos(), To: c.If.End()}, head+body)
	} else {
		e.Replace(c.If, head+body)
	}
	return true
}

// inTx reports whether the effect belongs to a transaction, which has failed with it.
func inTx(s *fix.Site) bool {
	in := false
	ast.Inspect(s.Call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			name := strings.ToLower(n.Name)
			in = in || name == "commit" || name == "tx" || strings.HasSuffix(name, "tx") && name != "ctx" || strings.HasSuffix(name, "ession")
			if v, ok := s.Info.Uses[n].(*types.Var); ok && !in {
				in = isTx(v.Type())
			}
		}
		return !in
	})
	return in
}

func isTx(t types.Type) bool {
	n := fix.NameOf(t)
	return n != nil && (strings.HasSuffix(n.Name(), "Tx") || strings.HasSuffix(n.Name(), "Transaction"))
}

// again keeps the first try where it is, for what it gives is used below.
func again(s *fix.Site, e *fix.Edits, c *fix.Failure, body, space string) bool {
	made := s.Source(c.Made)
	if c.If.Init != nil || !strings.HasSuffix(body, "\n"+space+"}") {
		return false
	}
	once := strings.Replace(made, " := ", " = ", 1)
	body = strings.TrimSuffix(body, space+"}") + space + "\t" + strings.ReplaceAll(once, "\n", "\n\t") + "\n" + space + "}"
	e.Replace(c.If, "for "+s.Source(c.If.Cond)+" "+body)
	return true
}

// keptBehind reports whether a name that the effect's statement declares is used
// behind its check.
func keptBehind(s *fix.Site, c *fix.Failure) bool {
	if c.Made.Tok != token.DEFINE {
		return false
	}
	return slices.ContainsFunc(c.Made.Lhs, func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return ok && s.Info.Defs[id] != nil && s.UsedBehind(s.Body(), s.Info.Defs[id], c.If.End())
	})
}

func commentBetween(s *fix.Site, from, to token.Pos) bool {
	for _, group := range s.Syntax.Comments {
		if from <= group.Pos() && group.Pos() < to {
			return true
		}
	}
	return false
}

// contextAt is the name of the context that ends when the consumer stops: one that the
// effect is given, or ctx. One with a deadline would end before.
func contextAt(s *fix.Site, c *fix.Failure) string {
	found := ""
	for _, arg := range s.Call.Args {
		if id, ok := arg.(*ast.Ident); ok && isContext(s.Info.TypeOf(id)) {
			if found = id.Name; !lasting(s, s.Info.ObjectOf(id)) {
				return ""
			}
			break
		}
	}
	if found == "" {
		obj := s.Object("ctx", c.If.Pos())
		if obj == nil || !isContext(obj.Type()) || !lasting(s, obj) {
			return ""
		}
		found = "ctx"
	}
	return found
}

func isContext(t types.Type) bool { return t != nil && isNamed(t, "context", "Context") }

// lasting reports whether nothing in the function gives a context a deadline, or makes
// it of none.
func lasting(s *fix.Site, obj types.Object) bool {
	lasts := obj != nil
	ast.Inspect(s.Body(), func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 {
			return true
		}
		call, ok := assign.Rhs[0].(*ast.CallExpr)
		if !ok {
			return true
		}
		id, _ := assign.Lhs[0].(*ast.Ident)
		sel, _ := call.Fun.(*ast.SelectorExpr)
		if id != nil && sel != nil && s.Info.ObjectOf(id) == obj && slices.Contains([]string{"WithTimeout", "WithDeadline", "Background", "TODO", "WithoutCancel"}, sel.Sel.Name) {
			lasts = false
		}
		return lasts
	})
	return lasts
}

// stop is how a function leaves when its context ends.
func stop(s *fix.Site, ctx string) (leave string, ok bool) {
	switch r := s.Results(); {
	case r == nil || r.Len() == 0:
		return "return", true
	case s.ReturnsError():
		return "return " + ctx + ".Err()", true
	}
	return "", false
}
