package effect

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// OutboxMark is the operation of a relay that marks or deletes an outbox row.
const OutboxMark catalog.Op = "outbox-mark"

// effects are what a catalogued call does.
func (b *builder) effects(n *Node, c *ssa.CallCommon) []Effect {
	e := n.Entry
	if e.Kind == catalog.Write && c.IsInvoke() && typeName(c.Value.Type()) == "Pipeliner" {
		return nil // it runs with the others of the pipeline, or not at all
	}
	base := Effect{
		Kind: e.Kind, Op: e.Op, Autocommit: e.Autocommit, Broker: e.Broker, Confirm: e.Confirm, Transient: e.Transient,
		Handle: n.arg(e.Handle.Arg), Func: n.arg(e.Func), TxParam: e.TxParam, CtxParam: e.CtxParam, Result: e.Result,
	}
	if base.Handle != nil {
		base.Class = base.Handle.Class
	}
	base.Data = b.data(e, c)
	base.Hints = b.hints(n, c)
	base.Cache = b.inCache() || isJournal(append(base.Hints, strings.TrimSuffix(strings.TrimSuffix(b.recvName(), "Store"), "Repository")))
	base.Atomic = strings.Contains(e.Symbol.Name, "TransactWrite")
	base.Flag = n.Entry.Op == catalog.Update && constantUpdate(c)
	if text := b.preparedText(); text != nil && e.Symbol.Type == "Stmt" && (e.Kind == catalog.Read || e.Kind == catalog.Write) {
		base.Text, base.Statement = text, &sqltext.Statement{Verb: sqltext.VerbUnknown}
		return []Effect{base}
	}
	if e.Kind == catalog.Read || e.Kind == catalog.Write {
		if raw := b.rawEffects(base, e, c); raw != nil {
			return raw
		}
	}
	switch e.Kind {
	case catalog.SQL:
		return b.sqlEffects(base, n, c)
	case catalog.Write:
		base.Entity = b.entityOf(e, c)
		if base.Table = entity(base.Hints); e.Library == modelLibrary {
			base.Table = strings.TrimSuffix(e.Symbol.Type, "Query")
		}
		if isOutboxName(base.Hints) {
			base.Kind = catalog.OutboxWrite
		}
	case catalog.Publish:
		if base.Kind = n.purpose(e, b.out); b.expires(ssaArg(c, e.Topic)) || answers(ssaArg(c, e.Topic), ssaArg(c, e.Key)) {
			base.Kind = catalog.Notify
		}
	case catalog.Ignore, catalog.Consumer, catalog.Recall, catalog.Remember, catalog.Forget, catalog.Script:
		return nil
	}
	return []Effect{base}
}

// sqlEffects reads the text of a statement.
func (b *builder) sqlEffects(base Effect, n *Node, c *ssa.CallCommon) []Effect {
	var statements []sqltext.Statement
	if v := textArg(c, n.Entry.SQL); v != nil {
		statements = sqltext.Parse(b.text(v, textDepth)...)
		base.Text = b.givenText(v)
	}
	if len(statements) == 0 {
		statements = []sqltext.Statement{{Verb: sqltext.VerbUnknown}}
	}
	var out []Effect
	for i := range statements {
		e := base
		if e.fromSQL(&statements[i], n.Entry.Symbol.Name) {
			if e.Kind == catalog.Write && e.Table == "" && isOutboxName([]string{b.recvName(), pathBase(b.out.Package)}) {
				e.outbox(b.ownName())
			}
			out = append(out, e)
		}
	}
	return out
}

// textArg is the text of a statement. A method of the module's that stands for a
// driver's may leave the context out, so that the text is another argument.
func textArg(c *ssa.CallCommon, i int) ssa.Value {
	v := ssaArg(c, i)
	if !c.IsInvoke() || i < 0 || v != nil && isString(v.Type()) {
		return v
	}
	for _, a := range c.Args {
		if isString(a.Type()) {
			return a
		}
	}
	return v
}

// fromSQL turns a statement into an effect; false for one of no interest.
func (e *Effect) fromSQL(s *sqltext.Statement, method string) bool {
	e.Statement, e.Table = s, s.Table
	e.Cache = e.Cache || isJournal([]string{s.Table})
	e.Hints = append([]string{s.Table}, e.Hints...)
	e.Lock, e.SkipLocked = s.Lock != "" && s.Lock != sqltext.LockAdvisory, s.SkipLocked
	switch s.Verb {
	case sqltext.VerbInsert, sqltext.VerbUpdate, sqltext.VerbDelete, sqltext.VerbMerge, sqltext.VerbTruncate:
		e.write(s)
	case sqltext.VerbSelect:
		e.Kind = catalog.Read
		if s.Writes {
			e.write(s)
		}
	case sqltext.VerbBegin:
		e.Kind = catalog.Begin
		e.Result = -1
	case sqltext.VerbCommit:
		e.Kind = catalog.Commit
	case sqltext.VerbRollback:
		e.Kind = catalog.Rollback
	case sqltext.VerbNotify:
		e.Kind = catalog.Notify
	case sqltext.VerbUnknown, sqltext.VerbOther:
		return e.byMethod(method, s.Verb)
	default:
		return false
	}
	if s.NotifyCall && e.Kind == catalog.Read {
		e.Kind = catalog.Notify
	}
	if s.LogicalMessage {
		e.Kind = catalog.OutboxWrite
	}
	return true
}

func (e *Effect) write(s *sqltext.Statement) {
	e.Kind = catalog.Write
	switch s.Verb {
	case sqltext.VerbInsert:
		e.Op = catalog.Insert
		if s.Conflict != "" {
			e.Op = catalog.Upsert
		}
	case sqltext.VerbUpdate:
		e.Op = catalog.Update
	case sqltext.VerbDelete, sqltext.VerbTruncate:
		e.Op = catalog.Delete
	case sqltext.VerbMerge:
		e.Op = catalog.Upsert
	}
	e.Conditional = s.Conflict == sqltext.ConflictNothing || len(s.Compared) > 1 || len(s.ConflictCompared) > 0
	e.Flag = s.Verb == sqltext.VerbUpdate && len(s.Set) > 0 && len(s.Set) <= 4
	for _, c := range s.Set {
		if c.From == sqltext.FromParam || c.From == sqltext.FromUnknown {
			e.Flag = false
		}
	}
	e.Cache = e.Cache || s.Verb == sqltext.VerbUpdate && signsOfLife(s.Set)
	if isOutboxName([]string{s.Table}) {
		e.outbox("")
	}
}

// IgnoresDuplicates: a row that is there already stays as it is (ON CONFLICT DO
// NOTHING).
func (e *Effect) IgnoresDuplicates() bool {
	return e.Statement != nil && e.Statement.Conflict == sqltext.ConflictNothing ||
		slices.ContainsFunc(e.Data.Clauses, func(c Clause) bool {
			return c.Kind == "conflict" && strings.Contains(strings.ToLower(c.Text), "nothing")
		})
}

// outbox: an insert stores an event row, any other write is a relay's mark. Where
// the statement is not known the name of the method that runs it tells.
func (e *Effect) outbox(method string) {
	if e.Op == catalog.Insert || e.Op == catalog.Upsert || e.Op == "" && !startsWith(method, "Mark", "Update", "Set", "Delete", "Remove", "Clean", "Prune", "Claim", "Lock") {
		e.Kind = catalog.OutboxWrite
	} else {
		e.Op = OutboxMark
	}
}

func pathBase(pkg string) string { return pkg[strings.LastIndexByte(pkg, '/')+1:] }

// ownName is the name of the declared function that is being read.
func (b *builder) ownName() string {
	fn := b.fn
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Name()
}

// recvName is the name of the type whose method, or whose method's literal, is
// being read.
func (b *builder) recvName() string {
	fn := b.fn
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if r := fn.Signature.Recv(); r != nil {
		return typeName(r.Type())
	}
	return ""
}

// inCache: what a cache writes is no change of state, and neither is what brings a schema
// up to date: nobody is told of that.
func (b *builder) inCache() bool {
	return strings.Contains(strings.ToLower(b.recvName()), "cache") || strings.Contains(strings.ToLower(b.ownName()), "migrat")
}

// constantUpdate: gorm's Update("state", "sent") sets a constant.
func constantUpdate(c *ssa.CallCommon) bool {
	_, args := receiverAndArgs(c)
	if len(args) != 2 {
		return false
	}
	for _, a := range args {
		if m, ok := a.(*ssa.MakeInterface); ok {
			a = m.X
		}
		if _, ok := a.(*ssa.Const); !ok {
			return false
		}
	}
	return true
}

// byMethod: the text is not known; an Exec that is not a read writes.
func (e *Effect) byMethod(method string, verb sqltext.Verb) bool {
	if verb == sqltext.VerbOther {
		return false
	}
	name := strings.ToLower(method)
	switch {
	case strings.Contains(name, "exec"):
		e.Kind = catalog.Write
	case strings.Contains(name, "batch"):
		e.Kind = catalog.Write
	default:
		e.Kind = catalog.Read
	}
	return true
}

// hints are names seen at a write: the types of its arguments and, along the
// builder chain, of theirs; constant strings such as a collection's name.
func (b *builder) hints(n *Node, c *ssa.CallCommon) []string {
	var out []string
	add := func(s string) {
		if len(s) > 1 && len(s) < 60 && len(out) < 12 && !isItemRequest(s) { // bson.M and D name nothing
			out = append(out, s)
		}
	}
	b.chainHints(c, 8, add)
	return out
}

// isItemRequest: the type of a request to DynamoDB names no entity.
func isItemRequest(name string) bool {
	return strings.HasSuffix(name, "ItemInput") || strings.HasSuffix(name, "ItemsInput")
}

func (b *builder) chainHints(c *ssa.CallCommon, depth int, add func(string)) {
	if depth == 0 {
		return
	}
	recv, args := receiverAndArgs(c)
	if e := b.entryOf(c); e == nil || e.Clause != "set" { // a column and its value name no table
		for _, a := range args {
			b.argHint(a, add)
		}
	}
	if recv == nil {
		return
	}
	for range 3 {
		if x, ok := recv.(*ssa.Call); ok {
			if b.hasEntry(x) {
				b.chainHints(x.Common(), depth-1, add)
			}
			return
		}
		if f, ok := recv.(*ssa.UnOp); ok {
			if a, ok := f.X.(*ssa.FieldAddr); ok {
				if name := fieldName(a.X.Type(), a.Field); isOutboxName([]string{name}) {
					add(name)
				}
			}
			return
		}
		if e, ok := recv.(*ssa.Extract); ok {
			recv = e.Tuple
			continue
		}
		return
	}
}

func (b *builder) argHint(a ssa.Value, add func(string)) {
	for range 4 {
		switch x := a.(type) {
		case *ssa.MakeInterface:
			a = x.X
			continue
		case *ssa.Const:
			if v := constValue(x); v.Kind == ValueConst && x.Type().String() == "string" {
				add(v.Name)
			}
			return
		case *ssa.UnOp:
			if !isContext(x.Type()) {
				add(typeName(x.Type()))
			}
			return
		case *ssa.Slice: // variadic arguments
			if al, ok := x.X.(*ssa.Alloc); ok && al.Comment == "varargs" {
				return
			}
		}
		break
	}
	if isContext(a.Type()) {
		return
	}
	add(typeName(a.Type()))
}

// entity is the best name for what is written.
func entity(hints []string) string {
	for _, h := range hints {
		if !strings.ContainsAny(h, " ?=") {
			return h
		}
	}
	return ""
}

// isOutboxName says that one of the names is an outbox's.
func isOutboxName(names []string) bool {
	for _, n := range names {
		l := strings.ToLower(strings.ReplaceAll(n, "_", ""))
		if strings.Contains(l, "outbox") || strings.Contains(l, "outgoingmessage") || strings.Contains(l, "pendingevent") ||
			strings.Contains(l, "eventstopublish") || strings.Contains(l, "messagestopublish") {
			return true
		}
	}
	return false
}

// NamesOutbox reports whether the table or entity of the effect is an outbox's.
func (e *Effect) NamesOutbox() bool {
	return e.Outbox || isOutboxName(append([]string{e.Table}, e.Hints...))
}
