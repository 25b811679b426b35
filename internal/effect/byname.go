package effect

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// guess gives the calls through interfaces that nothing implements the meaning
// that their names suggest. It is the last resort; findings that rest on it are
// warnings and say "looks like".
func (p *Program) guess() {
	for _, s := range p.Order {
		for _, n := range p.Funcs[s].Nodes {
			if n == nil || n.Iface == "" || n.Entry != nil || len(n.Effects) > 0 || n.saidMixed() {
				continue
			}
			key := n.Iface + "." + n.Method
			if len(p.Impl[key]) > 0 || p.ImplEntry[key] != nil {
				continue
			}
			if e := p.shaped(n); e != nil {
				n.Effects = []Effect{*e}
				continue
			}
			if p.Foreign[key] {
				continue
			}
			if e := guessed(n); e != nil {
				e.ByName = true
				n.Effects = []Effect{*e}
			}
		}
	}
}

// shaped: Commit and Rollback on an interface that has a driver's Exec or Query
// beside them end a transaction, Begin on one begins it, whatever its name.
func (p *Program) shaped(n *Node) *Effect {
	recv := n.Args[0]
	e := &Effect{Handle: recv, Class: recv.Class}
	switch {
	case recv.Class == catalog.Tx && n.Method == "Commit":
		e.Kind = catalog.Commit
	case recv.Class == catalog.Tx && n.Method == "Rollback":
		e.Kind = catalog.Rollback
	case recv.Class != "" && recv.Class != catalog.Message && recv.Class != catalog.Producer && startsWith(n.Method, "Begin"):
		e.Kind = catalog.Begin
	default:
		return nil
	}
	return e
}

func guessed(n *Node) *Effect {
	iface := n.Iface[strings.LastIndexByte(n.Iface, '.')+1:]
	owner := strings.ToLower(iface + " " + fieldOf(n.Args[0]))
	verb := n.Method
	recv := n.Args[0]
	switch {
	case isTxHelper(verb) && funcArg(n) != nil:
		e := &Effect{Kind: catalog.RunInTx, Handle: recv, Func: funcArg(n), TxParam: catalog.NoArg, CtxParam: catalog.NoArg}
		e.takesTx()
		return e
	case hasAny(owner, "store", "repo", "storage", "dao", "persist", "datastore", "database") && startsWith(verb, "Enqueue", "Outbox"):
		return &Effect{Kind: catalog.OutboxWrite, Handle: recv, Class: recv.Class}
	case hasAny(owner, "publisher", "producer", "bus", "broker", "pubsub", "emitter", "queue", "events", "channel", "pub", "messag", "dispatcher") &&
		startsWith(verb, "Publish", "Produce", "Emit", "Enqueue", "Broadcast", "SendMessage", "SendEvent", "Dispatch"):
		return &Effect{Kind: catalog.Publish, Handle: recv}
	case hasAny(owner, "store", "repo", "storage", "dao", "persist", "datastore", "database") && !hasAny(owner, "cache") &&
		startsWith(verb, "Save", "Create", "Insert", "Update", "Delete", "Set", "Store", "Upsert", "Put", "Add", "Remove", "Persist", "Increment", "Decrement"):
		return &Effect{Kind: catalog.Write, Op: catalog.Save, Handle: recv, Class: recv.Class, Table: iface}
	}
	return nil
}

// takesTx: the function that a helper runs is given the transaction, or a context that
// holds it, as its first argument; behind a context, as its second.
func (e *Effect) takesTx() {
	e.TxParam, e.CtxParam = 0, 0
	if e.Func.Params > 1 {
		e.TxParam = 1
	}
}

func fieldOf(v *Value) string {
	if v != nil && (v.Kind == ValueField || v.Kind == ValueGlobal) {
		return v.Name
	}
	return ""
}

func funcArg(n *Node) *Value {
	for i, a := range n.Args {
		if i == 0 && n.Recv {
			continue
		}
		if a.Kind == ValueClosure || a.Kind == ValueFunc {
			return a
		}
	}
	return nil
}

func isTxHelper(verb string) bool {
	l := strings.ToLower(verb)
	return hasAny(l, "intx", "withtx", "intransaction", "withtransaction", "withintransaction", "runtx", "atomic") || l == "transaction" || l == "transact"
}

func hasAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// startsWith reports whether a name is one of the verbs or goes on with a word.
func startsWith(name string, verbs ...string) bool {
	for _, v := range verbs {
		if rest, ok := strings.CutPrefix(name, v); ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z') {
			return true
		}
	}
	return false
}
