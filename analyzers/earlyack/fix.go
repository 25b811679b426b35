package earlyack

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// Fix moves an ack behind what it is for, where the code runs straight to there:
// an ack by the library becomes one by the code, an ack before the effect one
// below it.
func Fix(p *fix.Package, f *finding.Finding) []finding.Fix {
	if len(f.Flow) != 2 {
		return nil
	}
	if f.Category == onFailure {
		return fixFailure(p, f)
	}
	if f.Flow[0].Pos.Filename != f.Flow[1].Pos.Filename {
		return nil
	}
	ack, effect := p.Site(f.Flow[0].Pos), p.Site(f.Flow[1].Pos)
	if ack == nil || effect == nil {
		return nil
	}
	switch {
	case f.Category == beforeEffect:
		return fixBefore(ack, effect)
	case f.Category != autoAck:
		return nil
	case ack.Is(ack.Call, "github.com/segmentio/kafka-go", "Reader", "ReadMessage"):
		return fixRead(ack, effect)
	}
	for _, pkg := range amqpPackages() {
		if ack.Is(ack.Call, pkg, "Channel", "Consume", "ConsumeWithContext") {
			return fixConsume(ack, effect, pkg)
		}
	}
	return nil
}

func amqpPackages() []string {
	return []string{"github.com/rabbitmq/amqp091-go", "github.com/streadway/amqp"}
}

// within is the place of the statement that holds the effect in a list, from some
// place on; -1 if none does.
func within(list []ast.Stmt, from int, effect *fix.Site) int {
	for i := from; i < len(list); i++ {
		if list[i].Pos() <= effect.Call.Pos() && effect.Call.End() <= list[i].End() {
			return i
		}
	}
	return -1
}

// messageOf is the name that a statement "msg, err := call" gives to the message.
func messageOf(s *fix.Site, stmt ast.Stmt) *ast.Ident {
	assign, ok := stmt.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 || ast.Unparen(assign.Rhs[0]) != ast.Expr(s.Call) {
		return nil
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil
	}
	return id
}

// fails reports whether the effect is the call of a check among the statements, so
// that the code leaves where it fails.
func fails(f *fix.Site, list []ast.Stmt, effect *fix.Site) bool {
	found := false
	f.Straight(list, func(c fix.Check) bool {
		found = found || c.Call.Pos() <= effect.Call.Pos() && effect.Call.End() <= c.Call.End()
		return true
	})
	return found
}

// fixConsume acks at the end of the loop over what was consumed without it, and
// gives back what failed.
func fixConsume(consume, effect *fix.Site, pkg string) []finding.Fix {
	at := 2
	if fn, _ := consume.Method(consume.Call); fn.Name() == "ConsumeWithContext" {
		at = 3
	}
	list, i := consume.Block()
	if len(consume.Call.Args) != at+5 || consume.Source(consume.Call.Args[at]) != "true" || list == nil {
		return nil
	}
	msgs := messageOf(consume, list[i])
	loop, d := deliveries(consume, list, i, msgs)
	if loop == nil || !isDelivery(consume.Info.TypeOf(d), pkg) || !onlyFields(consume.Package, loop.Body, consume.Info.ObjectOf(d), depth) || !consume.Keeps(loop.Body.List, d) {
		return nil
	}
	e := consume.Edits()
	e.Replace(consume.Call.Args[at], "false")
	body := loop.Body.List
	if !consume.Straight(body, func(c fix.Check) bool { return giveBack(e, d.Name, c, effect) }) || !fails(consume, body, effect) {
		return nil
	}
	e.InsertAfter(body[len(body)-1], acks(consume, d.Name))
	return e.Offer("ack each delivery when it is handled")
}

// giveBack has a failed delivery redelivered, and one that can't be read given up.
// Of other failures before the effect nobody knows which of the two they need.
func giveBack(e *fix.Edits, d string, c fix.Check, effect *fix.Site) bool {
	nack := fmt.Sprintf("_ = %s.Nack(false, true)", d)
	switch {
	case c.Returns():
	case c.Call.Pos() <= effect.Call.Pos() && effect.Call.End() <= c.Call.End():
	case decodes(c.Call):
		nack = fmt.Sprintf("_ = %s.Nack(false, false)", d)
	default:
		return false
	}
	switch {
	case c.Returns() || c.Continues():
		e.InsertBefore(c.End, nack)
	case c.Last && c.End == nil:
		e.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], nack+"\ncontinue")
	default:
		return false
	}
	return true
}

func decodes(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "Unmarshal" || sel.Sel.Name == "Decode")
}

func acks(s *fix.Site, d string) string {
	if s.ReturnsError() {
		return fmt.Sprintf("if err := %s.Ack(false); err != nil {\n\treturn err\n}", d)
	}
	return fmt.Sprintf("_ = %s.Ack(false)", d)
}

// deliveries finds the one loop over a channel below the statement that made it,
// and the name of the delivery in it.
func deliveries(s *fix.Site, list []ast.Stmt, i int, msgs *ast.Ident) (*ast.RangeStmt, *ast.Ident) {
	if msgs == nil {
		return nil, nil
	}
	obj, uses := s.Info.ObjectOf(msgs), 0
	for id, used := range s.Info.Uses {
		if used == obj && id != msgs {
			uses++
		}
	}
	for _, stmt := range list[i+1:] {
		loop, ok := stmt.(*ast.RangeStmt)
		if !ok {
			continue
		}
		over, ok := loop.X.(*ast.Ident)
		d, named := loop.Key.(*ast.Ident)
		if ok && named && uses == 1 && s.Info.ObjectOf(over) == obj && loop.Value == nil && len(loop.Body.List) > 0 {
			return loop, d
		}
	}
	return nil, nil
}

func isDelivery(t types.Type, pkg string) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg && named.Obj().Name() == "Delivery"
}

// depth bounds how far a delivery is followed that is handed on.
const depth = 4

// onlyFields reports whether of a delivery only fields are read, here and in the
// package's functions that are called with it, so that nobody else can ack it.
// Such a function decodes nothing: of its error nobody knows then whether it goes
// away.
func onlyFields(p *fix.Package, body *ast.BlockStmt, obj types.Object, depth int) bool {
	known := map[*ast.Ident]bool{}
	only := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				v, isVar := p.Info.Uses[n.Sel].(*types.Var)
				known[x] = isVar && v.Name() != "Acknowledger"
			}
		case *ast.CallExpr:
			for i, arg := range n.Args {
				if x, ok := arg.(*ast.Ident); ok && p.Info.Uses[x] == obj {
					known[x] = depth > 0 && takesFields(p, n, i, depth-1)
				}
			}
		case *ast.Ident:
			if p.Info.Uses[n] == obj && !known[n] {
				only = false
			}
		}
		return only
	})
	return only
}

// takesFields reports whether a call is one of a function that only reads the fields
// of an argument.
func takesFields(p *fix.Package, call *ast.CallExpr, i, depth int) bool {
	fn := p.Decl(call)
	if fn == nil {
		return false
	}
	params := p.Info.Defs[fn.Name].(*types.Func).Signature().Params()
	if i >= params.Len() || params.Len() != len(call.Args) {
		return false
	}
	plain := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		inner, ok := n.(*ast.CallExpr)
		plain = plain && !(ok && decodes(inner))
		return plain
	})
	return plain && onlyFields(p, fn.Body, params.At(i), depth)
}

// fixBefore moves an ack to the end of the block that it has in common with the
// effect.
func fixBefore(ack, effect *fix.Site) []finding.Fix {
	fn, sel := ack.Method(ack.Call)
	list, i := ack.Block()
	if fn == nil || list == nil || !slices.Contains(ackMethods(), fn.Name()) {
		return nil
	}
	if !alone(ack, list[i]) || !movable(ack, sel, list[i:]) {
		return nil
	}
	last := len(list)
	if ret, ok := list[last-1].(*ast.ReturnStmt); ok && returnsNil(ack, ret) {
		last--
	}
	between := list[i+1 : last]
	e := ack.Edits()
	if len(between) == 0 || within(between, 0, effect) < 0 || !ack.Straight(between, leaves(e, ack, sel, effect)) || !fails(ack, between, effect) {
		return nil
	}
	e.Move(list[i], between[len(between)-1])
	return e.Offer("ack the message when it is handled")
}

// leaves agrees to a failure that leaves before the ack: with a return, of which the
// caller makes what it makes of others, or, for an AMQP delivery of a loop, with the
// next round, when it is given back.
func leaves(e *fix.Edits, ack *fix.Site, sel *ast.SelectorExpr, effect *fix.Site) func(fix.Check) bool {
	d, named := sel.X.(*ast.Ident)
	ours := named && ack.InLoop() && slices.ContainsFunc(amqpPackages(), func(pkg string) bool { return isDelivery(ack.Info.TypeOf(d), pkg) })
	return func(c fix.Check) bool {
		return c.Returns() || ours && giveBack(e, d.Name, c, effect)
	}
}

func ackMethods() []string {
	return []string{"Ack", "AckSync", "DoubleAck", "CommitMessages", "CommitMessage", "CommitRecords", "MarkMessage"}
}

// alone reports whether a statement is an ack and nothing else: what it says below
// means the same.
func alone(ack *fix.Site, s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return s.X == ast.Expr(ack.Call)
	case *ast.AssignStmt:
		id, ok := s.Lhs[0].(*ast.Ident)
		return ok && len(s.Lhs) == 1 && id.Name == "_" && s.Rhs[0] == ast.Expr(ack.Call)
	case *ast.IfStmt:
		check := ack.CheckAt([]ast.Stmt{s}, 0)
		return check != nil && check.Call == ack.Call && check.Returns()
	}
	return false
}

// movable reports whether the names in an ack mean the same at the end of the block.
func movable(ack *fix.Site, sel *ast.SelectorExpr, below []ast.Stmt) bool {
	if !fix.Plain(sel.X) || !ack.Keeps(below[1:], fix.Root(sel.X)) {
		return false
	}
	for _, arg := range ack.Call.Args {
		_, literal := arg.(*ast.BasicLit)
		if !literal && (!fix.Plain(arg) || !ack.Keeps(below[1:], fix.Root(arg))) {
			return false
		}
	}
	return true
}

func returnsNil(s *fix.Site, ret *ast.ReturnStmt) bool {
	for _, r := range ret.Results {
		if !s.Info.Types[r].IsNil() {
			return false
		}
	}
	return true
}
