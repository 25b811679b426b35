package earlyack

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// fixGiveBack gives the delivery back in the place of acking it.
func fixGiveBack(effect, ack *fix.Site, c *fix.Failure) []finding.Fix {
	nack, ok := nackOf(ack)
	if !ok || c.End != nil || effect.Innermost() != ack.Innermost() || ack.Call.Pos() < c.If.End() {
		return nil
	}
	before, ok := endings(effect, ack, c)
	if !ok {
		return nil
	}
	_, loop := effect.Innermost().(ast.Stmt)
	text := nack + "\ncontinue"
	switch r := effect.Results(); {
	case loop:
	case r == nil || r.Len() == 0:
		text = nack + "\nreturn"
	case effect.ReturnsError() && strings.HasPrefix(nack, "_ = "):
		text = "return " + strings.TrimPrefix(nack, "_ = ")
	case effect.ReturnsError():
		text = nack + "\nreturn nil"
	default:
		return nil
	}
	e := effect.Edits()
	e.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], before+strings.TrimPrefix(text, "\n"))
	return e.Offer("give the message back when it could not be handled")
}

// endings are the calls that have to run in any case and that a failure would leave out:
// what ends a span, releases a lock or stops a timer. It is false where anything else is
// left out but logs: the ack follows in the same block, and none is deferred.
func endings(effect, ack *fix.Site, c *fix.Failure) (text string, ok bool) {
	list, i := ack.Block()
	if list == nil || len(list) != len(c.List) || list[0] != c.List[0] || defersAck(effect) {
		return "", false
	}
	for j := c.At + 1; j < len(list); j++ {
		s := list[j]
		_, ret := s.(*ast.ReturnStmt)
		check := ack.CheckAt(list, j)
		switch {
		case j == i || ret || effect.Tells(s) || check != nil && check.Call == ack.Call:
		case ends(s):
			text += effect.Source(s) + "\n"
		default:
			return "", false
		}
	}
	return text, true
}

// ends: a call that is given nothing and ends something, by its name.
func ends(s ast.Stmt) bool {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name == "cancel"
	case *ast.SelectorExpr:
		return fix.Plain(fun.X) && slices.Contains([]string{"End", "Finish", "Close", "Stop", "Done", "Unlock", "RUnlock"}, fun.Sel.Name)
	}
	return false
}

func defersAck(s *fix.Site) bool {
	deferred := false
	ast.Inspect(s.Body(), func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			sel, ok := d.Call.Fun.(*ast.SelectorExpr)
			deferred = deferred || ok && slices.Contains(ackMethods(), sel.Sel.Name)
		}
		return !deferred
	})
	return deferred
}

// nackOf is the statement that gives back what a call acks, "" where leaving out the
// ack does it; false where neither is known to be right.
func nackOf(ack *fix.Site) (string, bool) {
	fn, sel := ack.Method(ack.Call)
	if fn == nil || fn.Pkg() == nil {
		return "", false
	}
	x := ack.Source(sel.X)
	path, name := fn.Pkg().Path(), fn.Name()
	switch {
	case !fix.Plain(sel.X):
		return "", false
	case slices.Contains(amqpPackages(), path) && name == "Ack" && isDelivery(ack.Info.TypeOf(sel.X), path):
		return "_ = " + x + ".Nack(false, true)", true
	case path == "github.com/nats-io/nats.go" || path == "github.com/nats-io/nats.go/jetstream":
		return "_ = " + x + ".Nak()", slices.Contains([]string{"Ack", "AckSync", "DoubleAck"}, name)
	case path == "github.com/ThreeDotsLabs/watermill/message" || path == "cloud.google.com/go/pubsub" || path == "cloud.google.com/go/pubsub/v2":
		return x + ".Nack()", name == "Ack"
	case strings.HasPrefix(path, "github.com/apache/pulsar-client-go/") && name == "Ack" && len(ack.Call.Args) == 1 && fix.Plain(ack.Call.Args[0]):
		return x + ".Nack(" + ack.Source(ack.Call.Args[0]) + ")", true
	case path == "github.com/aws/aws-sdk-go-v2/service/sqs" || path == "github.com/aws/aws-sdk-go/service/sqs":
		return "", strings.HasPrefix(name, "DeleteMessage")
	}
	return "", false
}
