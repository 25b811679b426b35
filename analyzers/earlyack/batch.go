package earlyack

import (
	"go/ast"
	"go/token"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// fixBatch keeps what has failed out of the deliveries that are acked at once: the one
// whose turn it is, or all of them where several make up what was done.
func fixBatch(effect, ack *fix.Site, c *fix.Failure) []finding.Fix {
	list, at := ack.Block()
	turns, ok := effect.Innermost().(*ast.RangeStmt)
	if !ok || list == nil || c.End != nil {
		return nil
	}
	i := within(list, 0, effect)
	if i < 0 || i >= at || list[i] != ast.Stmt(turns) {
		return nil
	}
	e := effect.Edits()
	switch {
	case listed(effect, ack, c):
		e.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], "continue")
	case nothingBehind(turns, c) && onlyAck(ack, list, at) && !fix.Mentions(effect.Body(), "failed"):
		e.InsertBefore(turns, "failed := false")
		e.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], "failed = true")
		e.InsertBefore(list[at], "if failed {\n\tcontinue\n}")
	default:
		return nil
	}
	return e.Offer("leave what could not be handled to be delivered again")
}

// listed: what is done in a turn once the effect has succeeded is to add the delivery to
// those that are acked.
func listed(effect, ack *fix.Site, c *fix.Failure) bool {
	if c.At+1 >= len(c.List) {
		return false
	}
	for _, stmt := range c.List[c.At+1:] {
		assign, ok := stmt.(*ast.AssignStmt)
		if ok && len(assign.Lhs) == 1 && len(assign.Rhs) == 1 && assign.Tok == token.ASSIGN {
			to, name := assign.Lhs[0].(*ast.Ident)
			call, isCall := assign.Rhs[0].(*ast.CallExpr)
			if name && isCall && effect.Source(call.Fun) == "append" && fix.Mentions(ack.Call, to.Name) {
				continue
			}
		}
		if !effect.Tells(stmt) {
			return false
		}
	}
	return true
}

// nothingBehind: the check is the last thing in a turn.
func nothingBehind(turns *ast.RangeStmt, c *fix.Failure) bool {
	body := turns.Body.List
	return body[len(body)-1] == ast.Stmt(c.If)
}

// onlyAck: after the ack, and a look at its error, the loop around it goes into its next
// round.
func onlyAck(ack *fix.Site, list []ast.Stmt, at int) bool {
	loop, _ := ack.Round()
	if loop == nil {
		return false
	}
	for j := at + 1; j < len(list); j++ {
		check := ack.CheckAt(list, j)
		if (check == nil || check.Call != ack.Call) && !ack.Tells(list[j]) {
			return false
		}
	}
	return true
}
