package effect

import (
	"go/types"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// classes tells what the values of a type are to a transaction.
type classes struct {
	cat  *catalog.Catalog
	memo map[types.Type]catalog.Class
	// carry tells whether a type can hold a handle or a function.
	carry map[types.Type]bool
	// data tells whether messages and rows are made of values of a type.
	data map[types.Type]bool
	// carriers are the structs that deliveries are handed on in through channels, with
	// the broker's name.
	carriers map[*types.Named]*carrier
}

func newClasses(cat *catalog.Catalog) *classes {
	return &classes{cat: cat, memo: map[types.Type]catalog.Class{}, carry: map[types.Type]bool{}, data: map[types.Type]bool{}, carriers: map[*types.Named]*carrier{}}
}

func (c *classes) of(t types.Type) catalog.Class {
	if t == nil {
		return ""
	}
	if got, ok := c.memo[t]; ok {
		return got
	}
	c.memo[t] = "" // cuts recursion through embedded pointers
	got := c.compute(t)
	c.memo[t] = got
	return got
}

func (c *classes) compute(t types.Type) catalog.Class {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return c.of(p.Elem())
	}
	n, ok := t.(*types.Named)
	if ok && acks(n) {
		return catalog.Message
	}
	if ok && n.Obj().Pkg() != nil {
		if e, ok := c.cat.Type(n.Obj().Pkg().Path(), n.Obj().Name()); ok {
			return e.Class
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if ok {
			return c.ofEmbedded(u)
		}
	case *types.Interface:
		return c.ofInterface(u)
	}
	return ""
}

// acks: a type that has Ack and a way to refuse is a delivery, unless it is where
// deliveries come from.
func acks(n *types.Named) bool {
	ack, refuse, source := false, false, false
	see := func(name string) {
		switch name {
		case "Ack":
			ack = true
		case "Nack", "Nak", "Reject", "Requeue":
			refuse = true
		case "Publish", "Consume", "Subscribe", "Receive", "Fetch":
			source = true
		}
	}
	for m := range n.Methods() {
		see(m.Name())
	}
	if s, ok := n.Underlying().(*types.Struct); ok { // promoted from what it embeds
		for f := range s.Fields() {
			if e := namedOf(f.Type()); f.Embedded() && e != nil && e != n && acks(e) {
				return true
			}
		}
	}
	if i, ok := n.Underlying().(*types.Interface); ok {
		for m := range i.Methods() {
			see(m.Name())
		}
	}
	return ack && refuse && !source
}

// ofEmbedded: a struct that embeds a handle is one (type Txn struct{*sql.Tx}).
func (c *classes) ofEmbedded(s *types.Struct) catalog.Class {
	for f := range s.Fields() {
		if !f.Embedded() {
			continue
		}
		if got := c.of(f.Type()); got == catalog.Tx || got == catalog.Pool || got == catalog.Either {
			return got
		}
	}
	return ""
}

// ofInterface recognises the interfaces that users put before a handle (DBTX,
// Querier, Tx) by the signatures of the drivers they stand for.
func (c *classes) ofInterface(i *types.Interface) catalog.Class {
	if i.NumMethods() == 0 || i.NumMethods() > 80 {
		return ""
	}
	sql, commit, rollback, begin := false, false, false, false
	for m := range i.Methods() {
		switch m.Name() {
		case "Exec", "ExecContext", "Query", "QueryContext", "QueryRow", "QueryRowContext":
			sql = sql || handleByResult(m.Signature()) != ""
		case "Commit":
			commit = true
		case "Rollback":
			rollback = true
		case "Begin", "BeginTx":
			begin = true
		}
	}
	switch {
	case sql && commit && rollback:
		return catalog.Tx
	case sql && begin:
		return catalog.Pool
	case sql:
		return catalog.Either
	}
	return ""
}

// handleByResult is the catalog type that a method with this signature stands
// for, told by the driver's type among its results: "" if there is none.
func handleByResult(sig *types.Signature) string {
	for v := range sig.Results().Variables() {
		n := namedOf(v.Type())
		if n == nil || n.Obj().Pkg() == nil {
			continue
		}
		switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
		case "database/sql.Result", "database/sql.Rows", "database/sql.Row":
			return "database/sql.DB"
		case "github.com/jmoiron/sqlx.Rows", "github.com/jmoiron/sqlx.Row":
			return "github.com/jmoiron/sqlx.DB"
		case "github.com/jackc/pgx/v5/pgconn.CommandTag", "github.com/jackc/pgx/v5.Rows", "github.com/jackc/pgx/v5.Row":
			return "github.com/jackc/pgx/v5/pgxpool.Pool"
		case "github.com/jackc/pgconn.CommandTag", "github.com/jackc/pgx/v4.Rows", "github.com/jackc/pgx/v4.Row":
			return "github.com/jackc/pgx/v4/pgxpool.Pool"
		}
	}
	return ""
}

func isTime(t types.Type) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Time"
}
