package earlyack

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// fixFailure has the delivery of a failed effect come again, in the way of its
// library: a handler returns the error, a claim of sarama ends with it, a delivery
// that is acked on its own is given back, and where the next offset would pass it the
// effect is tried again in place.
func fixFailure(p *fix.Package, f *finding.Finding) []finding.Fix {
	effect := p.Site(f.Flow[0].Pos)
	if effect == nil {
		return nil
	}
	failure := effect.Failure()
	if failure == nil || marks(effect) {
		return nil
	}
	end := p.At(f.Flow[1].Pos)
	switch {
	case maySettle(effect):
		return nil
	case isClaim(effect):
		return fixClaim(effect, failure)
	case end == nil:
		return fixResult(effect, failure)
	case readsOffsets(end):
		if fixes := fixRetry(effect, failure); fixes != nil || effect.Function() == end.Function() {
			return fixes
		}
	case end.Call != nil && effect.Function() == end.Function():
		if fixes := fixBatch(effect, end, failure); fixes != nil {
			return fixes
		}
		return fixGiveBack(effect, end, failure)
	}
	return fixResult(effect, failure)
}

// marks: the effect notes that the message was handled. What it is noted of is done by then,
// and would be done again.
func marks(s *fix.Site) bool {
	sel, ok := ast.Unparen(s.Call.Fun).(*ast.SelectorExpr)
	return ok && (strings.HasPrefix(sel.Sel.Name, "Mark") || strings.HasPrefix(sel.Sel.Name, "mark"))
}

// hidden reports whether a function of the package calls that of the effect and only tells of
// its error: nobody would hear of one that it returned.
func hidden(s *fix.Site) bool {
	decl, ok := s.Function().(*ast.FuncDecl)
	if !ok {
		return false
	}
	for id, obj := range s.Info.Uses {
		if obj != s.Info.Defs[decl.Name] {
			continue
		}
		at := s.Package.At(s.Fset.Position(id.Pos()))
		if at == nil {
			continue
		}
		for i, n := range at.Around {
			if call, ok := n.(*ast.CallExpr); ok {
				caller := fix.Site{File: at.File, Call: call, Around: at.Around[i:]}
				if c := caller.Failure(); c != nil && !c.Returns() {
					return true
				}
				break
			}
		}
	}
	return false
}

// maySettle reports whether the effect is given something that acks, a delivery or who
// reads them: a failure that it returns may be settled then. A function of the package
// that reads only fields doesn't ack.
func maySettle(s *fix.Site) bool {
	for i, arg := range s.Call.Args {
		t := s.Info.TypeOf(arg)
		acks := slices.ContainsFunc(ackMethods(), func(name string) bool {
			obj, _, _ := types.LookupFieldOrMethod(t, true, s.Types, name)
			return obj != nil
		})
		if acks && !takesFields(s.Package, s.Call, i, depth) {
			return true
		}
	}
	return false
}

// isClaim: the call stands in a ConsumeClaim of sarama. What that returns ends the
// session, and the next one begins behind the last message that was marked.
func isClaim(s *fix.Site) bool {
	sig := s.Signature()
	if _, literal := s.Function().(*ast.FuncLit); literal || sig == nil || !s.ReturnsError() {
		return false
	}
	return slices.ContainsFunc([]string{"github.com/IBM/sarama", "github.com/Shopify/sarama"}, func(pkg string) bool {
		return takesA(sig, pkg, "ConsumerGroupSession") && takesA(sig, pkg, "ConsumerGroupClaim")
	})
}

func takesA(sig *types.Signature, pkg, name string) bool {
	for v := range sig.Params().Variables() {
		if isNamed(v.Type(), pkg, name) {
			return true
		}
	}
	return false
}

// isNamed: the type, or what it points to, is one of a package.
func isNamed(t types.Type, pkg, name string) bool {
	n := fix.NameOf(t)
	return n != nil && n.Pkg() != nil && n.Pkg().Path() == pkg && n.Name() == name
}

// fixClaim returns the error in the place of going on.
func fixClaim(s *fix.Site, c *fix.Failure) []finding.Fix {
	e := s.Edits()
	if !returnsErr(s, e, c) {
		return nil
	}
	return e.Offer("end the claim with the error, so that the message is read again")
}

// returnsErr ends the check with a return of the error.
func returnsErr(s *fix.Site, e *fix.Edits, c *fix.Failure) bool {
	ret, ok := c.End.(*ast.ReturnStmt)
	switch {
	case c.End == nil && s.ReturnsError():
		e.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], "return "+c.Err.Name)
	case !ok && c.End != nil && s.ReturnsError():
		e.Replace(c.End, "return "+c.Err.Name)
	case ok && len(ret.Results) > 0 && s.Info.Types[ret.Results[len(ret.Results)-1]].IsNil():
		e.Replace(ret.Results[len(ret.Results)-1], c.Err.Name)
	default:
		return false
	}
	return true
}

// fixResult returns the error, which the library takes for a nack. Where the code
// goes on with other work it still does, and returns the error at its end.
func fixResult(s *fix.Site, c *fix.Failure) []finding.Fix {
	if saysSo(s, c) || hidden(s) {
		return nil
	}
	if s.ReturnsBool() {
		return fixAnswer(s, c)
	}
	if !givesError(s) {
		return nil
	}
	e := s.Edits()
	switch c.End.(type) {
	case *ast.ReturnStmt:
		if !returnsErr(s, e, c) {
			return nil
		}
	default:
		if c.Returns() || !s.ReturnsError() {
			return nil
		}
		if s.Innermost() == s.Function() && !goesOn(s, c) {
			returnsErr(s, e, c)
		} else if !joins(s, e, c) {
			return nil
		}
	}
	return e.Offer("return the error, so that the message is delivered again")
}

// saysSo reports whether there are words about what the check does in the end: it is
// meant.
func saysSo(s *fix.Site, c *fix.Failure) bool {
	return commentBetween(s, c.If.Body.List[0].Pos(), c.If.Body.Rbrace)
}

// fixAnswer answers false where true is what has the caller ack.
func fixAnswer(s *fix.Site, c *fix.Failure) []finding.Fix {
	e := s.Edits()
	ret, ok := c.End.(*ast.ReturnStmt)
	switch {
	case ok && isTrue(s, ret):
		e.Replace(ret.Results[0], "false")
	case c.End == nil && s.Innermost() == s.Function():
		body := s.Body().List
		if last, ok := body[len(body)-1].(*ast.ReturnStmt); !ok || !isTrue(s, last) {
			return nil
		}
		e.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], "return false")
	default:
		return nil
	}
	return e.Offer("answer that it failed, so that the message is delivered again")
}

func isTrue(s *fix.Site, ret *ast.ReturnStmt) bool {
	return len(ret.Results) == 1 && s.Source(ret.Results[0]) == "true"
}

func givesError(s *fix.Site) bool {
	r := s.Results()
	return r != nil && r.Len() > 0 && fix.IsError(r.At(r.Len()-1).Type()) && r.At(0).Name() == ""
}

// goesOn reports whether there is more behind the check than a log and the end.
func goesOn(s *fix.Site, c *fix.Failure) bool {
	return slices.ContainsFunc(s.Behind(), func(stmt ast.Stmt) bool {
		_, ret := stmt.(*ast.ReturnStmt)
		return stmt != c.If && !ret && !s.Tells(stmt)
	})
}

// joins collects the error and returns it at the end of the function, which has to be
// the only way from the check to a return of nil.
func joins(s *fix.Site, e *fix.Edits, c *fix.Failure) bool {
	body := s.Body().List
	last, ok := body[len(body)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 || !s.Info.Types[last.Results[0]].IsNil() || s.Object("errs", last.Pos()) != nil || fix.Mentions(s.Body(), "errs") {
		return false
	}
	var outer ast.Stmt
	for _, stmt := range body {
		if stmt.Pos() <= s.Call.Pos() && s.Call.End() <= stmt.End() {
			outer = stmt
		}
	}
	if outer == nil || leavesWithNil(s, outer, body, last) {
		return false
	}
	if c.List[c.At] != outer {
		e.InsertBefore(outer, "var errs error")
	} else {
		e.InsertBefore(c.List[c.At-boolInt(c.If.Init == nil)], "var errs error")
	}
	join := "errs = " + e.Import("errors") + ".Join(errs, " + c.Err.Name + ")"
	if c.End != nil {
		e.InsertBefore(c.End, join)
	} else {
		e.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], join)
	}
	e.Replace(last.Results[0], "errs")
	return true
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// leavesWithNil reports whether from a statement on there is another return without
// an error than the last.
func leavesWithNil(s *fix.Site, from ast.Stmt, body []ast.Stmt, last *ast.ReturnStmt) bool {
	leaves := false
	for _, stmt := range body {
		if stmt.Pos() < from.Pos() {
			continue
		}
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				leaves = leaves || n != last && returnsNil(s, n)
			}
			return !leaves
		})
	}
	return leaves
}
