package effect

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// modelLibrary marks the entries of methods that sqlboiler generates.
const modelLibrary = "sqlboiler-models"

// modelMethod is what a method does that sqlboiler generates into its user's module. Its
// body hides the columns in a cache of statements, while the call names them; so the call
// stands for the statement. A method is known by the executor that it takes.
func (p *packageBuilder) modelMethod(m *types.Func) *catalog.Entry {
	if e, ok := p.modelMethods[m]; ok {
		return e
	}
	var out *catalog.Entry
	if op, recv := modelOp(m.Name()), m.Signature().Recv(); op != "" && recv != nil {
		if exec := executorParam(m.Signature()); exec >= 0 {
			e := catalog.NewEntry(catalog.Symbol{Package: m.Pkg().Path(), Type: typeName(recv.Type()), Name: m.Name()})
			e.Kind, e.Op, e.Library = catalog.Write, op, modelLibrary
			e.Handle.Arg, e.Result = exec, catalog.NoArg
			out = &e
		}
	}
	p.modelMethods[m] = out
	return out
}

// modelOp is what a generated method does, by its name; "" for others.
func modelOp(name string) catalog.Op {
	switch name {
	case "Insert":
		return catalog.Insert
	case "Update", "UpdateAll":
		return catalog.Update
	case "Upsert":
		return catalog.Upsert
	case "Delete", "DeleteAll":
		return catalog.Delete
	}
	return ""
}

// executorParam is the index of the parameter that a generated method runs its statement
// on, -1 without one.
func executorParam(sig *types.Signature) int {
	for i := range sig.Params().Len() {
		n := namedOf(sig.Params().At(i).Type())
		if n == nil || n.Obj().Pkg() == nil {
			continue
		}
		if path := n.Obj().Pkg().Path(); strings.Contains(path, "sqlboiler") && strings.HasSuffix(path, "/boil") && strings.HasSuffix(n.Obj().Name(), "Executor") {
			return i
		}
	}
	return -1
}

// modelData reads a call of a generated method: the model or map, the columns that are
// listed, and the conditions of the query that it is called on.
func (b *builder) modelData(c *ssa.CallCommon, v *Data) {
	recv, args := receiverAndArgs(c)
	v.Whole = b.lineage(recv)
	method := c.StaticCallee().Name()
	switch {
	case strings.HasSuffix(method, "All"):
		v.Whole = nil
		if method == "UpdateAll" {
			v.Whole = b.lineage(args[len(args)-1])
		}
		if query, ok := recv.(*ssa.Call); ok {
			b.modelConditions(query.Common(), v)
		}
	case method == "Upsert":
		v.Settled, v.Overwrites = true, true
		for i, a := range args {
			if k, ok := a.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool {
				v.Overwrites = constant.BoolVal(k.Value)
			}
			if isColumns(a.Type()) && i < len(args)-1 {
				v.Only = listedColumns(a)
				break
			}
		}
	case method == "Update":
		v.Only = listedColumns(args[len(args)-1])
	}
}

func isColumns(t types.Type) bool { return typeName(t) == "Columns" }

// listedColumns are the names that boil.Whitelist is given, nil for any other choice.
func listedColumns(v ssa.Value) []string {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || call.Call.StaticCallee().Name() != "Whitelist" || len(call.Call.Args) == 0 {
		return nil
	}
	elements, _ := elementsOf(call.Call.Args[0])
	var out []string
	for _, x := range elements {
		if name := columnNamed(x); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// columnNamed is a constant, or the field of a list of columns (VehicleColumns.Make).
func columnNamed(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			return constant.StringVal(x.Value)
		}
	case *ssa.UnOp:
		if f, ok := x.X.(*ssa.FieldAddr); ok {
			return fieldName(f.X.Type(), f.Field)
		}
	case *ssa.Field:
		return fieldName(x.X.Type(), x.Field)
	}
	return ""
}

// modelConditions adds the conditions that a query is made with: those of the generated
// lists (VehicleWhere.Status.EQ(x)) and texts (qm.Where("status = ?", x)).
func (b *builder) modelConditions(query *ssa.CallCommon, v *Data) {
	_, args := receiverAndArgs(query)
	if len(args) == 0 {
		return
	}
	mods, _ := elementsOf(args[len(args)-1])
	for _, m := range mods {
		if i, ok := m.(*ssa.MakeInterface); ok {
			m = i.X
		}
		call, ok := m.(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil {
			continue
		}
		if cl := b.modelCondition(call.Common()); cl.Text != "" {
			v.Clauses = append(v.Clauses, cl)
		}
	}
}

func (b *builder) modelCondition(c *ssa.CallCommon) Clause {
	recv, args := receiverAndArgs(c)
	name := c.StaticCallee().Name()
	ops := []string{"EQ", "=", "NEQ", "<>", "LT", "<", "LTE", "<=", "GT", ">", "GTE", ">="}
	if i := slices.Index(ops, name); i >= 0 && recv != nil && len(args) == 1 {
		return Clause{Kind: "where", Text: columnNamed(recv) + " " + ops[i+1] + " ?", Params: b.lineages(args)}
	}
	if recv != nil && name == "IN" {
		return Clause{Kind: "where", Text: columnNamed(recv) + " IN (?)", Params: b.lineages(args)}
	}
	if recv == nil && (name == "Where" || name == "And") && len(args) == 2 {
		cl := Clause{Kind: "where"}
		for _, part := range b.text(args[0], textDepth) {
			cl.Text += part.Text
		}
		list, _ := elementsOf(args[1])
		cl.Params = b.lineages(list)
		return cl
	}
	return Clause{}
}
