package effect

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// builder makes the graph of one SSA function.
type builder struct {
	p       *packageBuilder
	cat     *catalog.Catalog
	classes *classes
	fn      *ssa.Function
	out     *Func

	values     map[ssa.Value]*Value
	pending    map[ssa.Value]bool
	budget     int
	textBudget int
	// textGiven are the arguments of the calls whose text is being read.
	textGiven   map[*ssa.Parameter]ssa.Value
	stores      map[*ssa.Alloc][]ssa.Value
	fieldStores map[*ssa.Alloc][]fieldStore
	cells       map[*ssa.Alloc]int
	ids         map[ssa.Instruction]int
	phis        map[*ssa.Phi]int
	loops       map[*ssa.BasicBlock][]int
	from        *deriving
	bounds      map[*ssa.MakeClosure]int
	sums        map[ssa.Value]int
	pendingSums []pendingSum
	assigns     map[ssa.Instruction]int
	queries     map[*ssa.Call][]string
}

type fieldStore struct {
	name  string
	value ssa.Value
}

func (p *packageBuilder) function(fn *ssa.Function) *Func {
	endAtFatal(fn)
	b := &builder{
		p: p, cat: p.cat, classes: p.classes, fn: fn,
		values: map[ssa.Value]*Value{}, pending: map[ssa.Value]bool{},
		stores: map[*ssa.Alloc][]ssa.Value{}, fieldStores: map[*ssa.Alloc][]fieldStore{},
		cells: map[*ssa.Alloc]int{}, ids: map[ssa.Instruction]int{}, phis: map[*ssa.Phi]int{},
		textGiven: map[*ssa.Parameter]ssa.Value{}, bounds: map[*ssa.MakeClosure]int{}, sums: map[ssa.Value]int{},
		assigns: map[ssa.Instruction]int{}, queries: map[*ssa.Call][]string{},
	}
	b.from = newDeriving(b)
	b.header()
	b.index()
	b.loops = loopBlocks(fn)
	for _, block := range fn.Blocks {
		b.block(block)
	}
	b.returns()
	b.matches()
	b.flows()
	b.sumsOf()
	return b.out
}

// header fills in the signature.
func (b *builder) header() {
	fn := b.fn
	out := &Func{
		Symbol: symbolOf(fn), Name: displayName(fn), Package: packageOf(fn),
		Pos: b.p.position(fn.Pos()), ErrResult: -1, BoolResult: -1, Message: -1,
		Method: fn.Signature.Recv() != nil, Synthetic: fn.Synthetic != "" && fn.Origin() == nil,
	}
	if fn.Parent() != nil {
		out.Parent = symbolOf(fn.Parent())
	}
	out.Hook = isHook(fn)
	out.Declared = b.declaredHandler(fn.Pos())
	out.Test = strings.HasSuffix(out.Pos.File, "_test.go")
	for i, v := range fn.Params {
		out.Params = append(out.Params, b.param(v.Name(), v.Type()))
		if broker, ok := b.p.holdsDeliveries(v.Type()); ok && !(out.Method && i == 0) && !fn.Signature.Variadic() {
			out.Params[i].Holds, out.MessageBroker = true, broker
		}
		if b.classes.of(v.Type()) == catalog.Message && out.Message < 0 {
			out.Message = i
			out.MessageBroker = b.classes.brokerOf(v.Type())
		}
	}
	for _, v := range fn.FreeVars {
		out.Free = append(out.Free, b.param(v.Name(), v.Type()))
	}
	for i := range fn.Signature.Results().Len() {
		out.Results = append(out.Results, typeName(fn.Signature.Results().At(i).Type()))
		switch t := fn.Signature.Results().At(i).Type(); {
		case isError(t):
			out.ErrResult = i
		case isBool(t):
			out.BoolResult = i
		}
	}
	b.out = out
}

// isHook: gorm's hook methods take the transaction of the write.
func isHook(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil || fn.Signature.Params().Len() != 1 || typeName(fn.Signature.Params().At(0).Type()) != "DB" {
		return false
	}
	switch fn.Name() {
	case "BeforeSave", "BeforeCreate", "BeforeUpdate", "BeforeDelete", "AfterSave", "AfterCreate", "AfterUpdate", "AfterDelete":
		return true
	}
	return false
}

func (b *builder) param(name string, t types.Type) Param {
	return Param{Name: name, Type: typeName(t), Class: b.classes.of(t), Request: isRequest(t), Open: types.IsInterface(t), Record: b.p.isRecord(t)}
}

func isError(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == nil && n.Obj().Name() == "error"
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// index numbers nodes, phis and cells and collects what is stored where.
func (b *builder) index() {
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			switch i := instr.(type) {
			case *ssa.Store:
				b.indexStore(i)
			case *ssa.Phi:
				b.phis[i] = len(b.phis)
			case *ssa.Alloc:
				b.cellIndex(i)
			}
			if b.nodeKindOf(instr) >= 0 {
				b.ids[instr] = len(b.out.Nodes)
				b.out.Nodes = append(b.out.Nodes, nil)
			}
		}
	}
}

func (b *builder) indexStore(i *ssa.Store) {
	if c := b.classes.of(i.Val.Type()); c == catalog.Tx || c == catalog.Either {
		if _, local := i.Addr.(*ssa.Alloc); !local {
			b.out.KeepsTx = true
		}
	}
	switch a := i.Addr.(type) {
	case *ssa.Alloc:
		b.stores[a] = append(b.stores[a], i.Val)
	case *ssa.FieldAddr:
		if base := structOf(a.X); base != nil {
			b.fieldStores[base] = append(b.fieldStores[base], fieldStore{fieldName(a.X.Type(), a.Field), i.Val})
		}
	case *ssa.IndexAddr: // the elements of an array stand for the array
		if base := allocOf(a.X); base != nil {
			b.stores[base] = append(b.stores[base], i.Val)
		}
	}
}

func (b *builder) nodeKindOf(instr ssa.Instruction) int {
	switch i := instr.(type) {
	case *ssa.Call:
		return int(NodeCall)
	case *ssa.Go:
		return int(NodeGo)
	case *ssa.Defer:
		return int(NodeDefer)
	case *ssa.RunDefers:
		return int(NodeRunDefers)
	case *ssa.Send:
		return int(NodeSend)
	case *ssa.Return:
		return int(NodeReturn)
	case *ssa.Select:
		return int(NodeSend)
	case *ssa.UnOp:
		if i.Op == token.ARROW {
			return int(NodeReceive)
		}
	case *ssa.Store:
		if isOutcomeType(i.Val.Type()) {
			return int(NodeStore)
		}
		if _, ok := keptIn(i); ok {
			return int(NodeKeep)
		}
	case *ssa.Lookup:
		if b.sharedMap(i.X) != "" {
			return int(NodeMap)
		}
	case *ssa.MapUpdate:
		if b.sharedMap(i.Map) != "" {
			return int(NodeMap)
		}
	}
	return -1
}

func isOutcomeType(t types.Type) bool { return isError(t) || isBool(t) }

func (b *builder) nodeID(i ssa.Instruction) int { return b.ids[i] }

func (b *builder) cellIndex(a *ssa.Alloc) int {
	if n, ok := b.cells[a]; ok {
		return n
	}
	n := len(b.cells)
	b.cells[a] = n
	return n
}

func (b *builder) paramIndex(v *ssa.Parameter) int {
	for i, p := range b.fn.Params {
		if p == v {
			return i
		}
	}
	return -1
}

func (b *builder) freeIndex(v *ssa.FreeVar) int {
	for i, p := range b.fn.FreeVars {
		if p == v {
			return i
		}
	}
	return -1
}

func (b *builder) reach(fn *ssa.Function) { b.p.reach(fn) }

func (b *builder) block(block *ssa.BasicBlock) {
	out := Block{Loops: b.loops[block]}
	for _, s := range block.Succs {
		out.Succs = append(out.Succs, s.Index)
	}
	for _, p := range block.Preds {
		out.Preds = append(out.Preds, p.Index)
	}
	for _, instr := range block.Instrs {
		switch i := instr.(type) {
		case *ssa.Phi:
			if isOutcomeType(i.Type()) {
				out.Phis = append(out.Phis, b.phi(i))
			}
		case *ssa.If:
			out.Cond = b.cond(i.Cond, 6)
			out.Noted = out.Cond != nil && notes(block, out.Cond)
			out.Stops, out.Asks, out.Type = stops(i.Cond), b.asks(i.Cond), b.typeTest(i.Cond)
			if out.Fork = b.fork(i.Cond, 4); out.Fork != nil {
				out.Fork.Pos = b.p.position(i.Cond.Pos())
			}
		}
		out.Appends = out.Appends || appends(instr)
		b.loads(instr)
		if kind := b.nodeKindOf(instr); kind >= 0 {
			id := b.ids[instr]
			n := b.node(instr, NodeKind(kind))
			n.ID, n.Kind, n.InLoop = id, NodeKind(kind), len(b.loops[block]) > 0
			b.out.Nodes[id] = n
			out.Nodes = append(out.Nodes, id)
		}
	}
	b.out.Blocks = append(b.out.Blocks, out)
}

func (b *builder) phi(i *ssa.Phi) Phi {
	out := Phi{Key: Key{Kind: 'p', A: b.phis[i], Bool: isBool(i.Type())}}
	for _, e := range i.Edges {
		out.From = append(out.From, b.source(e, 6))
	}
	return out
}

func (b *builder) node(instr ssa.Instruction, kind NodeKind) *Node {
	switch i := instr.(type) {
	case ssa.CallInstruction:
		return b.call(i)
	case *ssa.Store:
		if kind == NodeKeep {
			return b.keepNode(i)
		}
		return &Node{Key: b.addressKey(i.Addr, isBool(i.Val.Type())), Err: b.source(i.Val, 6)}
	case *ssa.Send:
		return b.sendNode(i)
	case *ssa.Select:
		return b.selectNode(i)
	case *ssa.UnOp:
		return b.receiveNode(i)
	case *ssa.Return:
		return b.returnNode(i)
	case *ssa.Lookup:
		return b.mapNode(i.Pos(), Recalls, i.X, i.Index)
	case *ssa.MapUpdate:
		return b.mapNode(i.Pos(), Remembers, i.Map, i.Key)
	}
	return &Node{}
}

func (b *builder) returnNode(i *ssa.Return) *Node {
	n := &Node{Pos: b.p.position(i.Pos())}
	for r, v := range i.Results {
		n.Results = append(n.Results, b.value(v, valueDepth))
		switch r {
		case b.out.ErrResult:
			n.Err = b.source(v, 6)
		case b.out.BoolResult:
			n.Bool = b.source(v, 6)
		}
	}
	return n
}

// returns joins what the returns return, for callers that need only values.
func (b *builder) returns() {
	var all [][]*Value
	for _, n := range b.out.Nodes {
		if n != nil && n.Kind == NodeReturn {
			all = append(all, n.Results)
		}
	}
	for r := range b.fn.Signature.Results().Len() {
		choice := &Value{Kind: ValueChoice}
		for _, results := range all {
			if r < len(results) && results[r].Kind != ValueNil && results[r].Kind != ValueUnknown {
				choice.Of = append(choice.Of, results[r])
			}
		}
		if len(choice.Of) == 1 {
			choice = choice.Of[0]
		}
		b.out.Returns = append(b.out.Returns, choice)
	}
}
