// Package effect turns Go functions into effect graphs: what each call does to
// a transaction, a table or a broker, through which handle, on which branch.
// The graphs hold no SSA and no types; they are what package facts carry and
// what the rules walk (package flow).
package effect

import (
	"go/token"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/directive"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Position is a place in a source file; lines and columns are 1-based, columns
// count bytes.
type Position struct {
	File                       string
	Line, Col, EndLine, EndCol int
}

// Start is the place as drivers and reports want it.
func (p Position) Start() token.Position {
	return token.Position{Filename: p.File, Line: p.Line, Column: p.Col}
}

// End is the place behind it.
func (p Position) End() token.Position {
	return token.Position{Filename: p.File, Line: p.EndLine, Column: p.EndCol}
}

// Func is the effect graph of one function, method or closure.
type Func struct {
	// Symbol is unique in the program: pkg.(*T).M, closures pkg.F$1.
	Symbol string
	// Package is the import path; Name is for people: (*T).M.
	Package, Name string
	// Parent is the symbol of the enclosing function of a closure.
	Parent string
	Pos    Position
	// Params are the parameters, the receiver first; Free the captured
	// variables of a closure.
	Params, Free []Param
	Method       bool
	// Results are the short names of the results' types.
	Results []string
	// Declared is what comments say of how the function is run.
	Declared []directive.Directive
	// ErrResult and BoolResult are indices of the results whose value tells
	// the outcome, -1 where there is none.
	ErrResult, BoolResult int
	// Loads are the lists (fields, variables) that the function looks at.
	Loads  []string
	Blocks []Block
	// Nodes are the calls and stores of all blocks by their id.
	Nodes []*Node
	// Returns holds for each result what it may be, on any path.
	Returns []*Value
	// ReturnFrom are the origins of the results; Outs, of what is stored through
	// each parameter, FreeOuts through each captured variable; Bound, of what the
	// function's literals capture. The lists end at the last that is known.
	ReturnFrom, Outs, FreeOuts []*Lineage
	Bound                      []Bound
	// Sums are the values that are made from the old one of a field.
	Sums []Sum
	// Assigns are the assignments to fields that lineages refer to.
	Assigns []Assign
	// Test marks code of _test.go files and test doubles.
	Test bool
	// Synthetic marks wrappers that the compiler makes.
	Synthetic bool
	// KeepsTx says that the function stores a transaction where it outlives it.
	KeepsTx bool
	// Hook: an ORM calls the method within the transaction of a write.
	Hook bool
	// Message is the index of the parameter that is a delivery, -1 if none;
	// MessageBroker is its broker, where the type tells.
	Message       int
	MessageBroker string
}

// Param is a parameter or a captured variable.
type Param struct {
	Name  string
	Type  string
	Class catalog.Class
	// Request: a request to a server.
	Request bool
	// Open: an interface.
	Open bool
	// Record: a struct of the program's own, or a pointer to one.
	Record bool
	// Holds: a list of deliveries, or a struct with one in a field.
	Holds bool
}

// BlockOf is the index of the block that a node is in, -1 for a node of another
// function.
func (f *Func) BlockOf(n *Node) int {
	if n == nil || n.ID >= len(f.Nodes) || f.Nodes[n.ID] != n {
		return -1
	}
	return slices.IndexFunc(f.Blocks, func(b Block) bool { return slices.Contains(b.Nodes, n.ID) })
}

// Block is a run of nodes without a branch.
type Block struct {
	// Noted: what stands on the branch on which Cond says that a call failed keeps
	// that in a variable that outlives it.
	Noted bool
	// Stops: on the branch to Succs[0] a context has ended.
	Stops bool
	// Appends: something is added to a list or a map.
	Appends bool
	Nodes   []int
	// Cond decides between Succs[0] (true) and Succs[1]; nil without a branch
	// or where nothing is known of the condition.
	Cond *Cond
	// Asks are the calls that the condition asks about.
	Asks  []Ask
	Succs []int
	// Fork is what the branch depends on, nil where that is no data; Match is what it compares.
	Fork  *Fork
	Match *Match
	// Type is the type of a parameter that the branch asks for, nil where it asks for none.
	Type *TypeTest
	// Phis are the assignments made on entry, one for each predecessor that
	// is listed in Preds.
	Phis  []Phi
	Preds []int
	// Loops are the heads of the loops that the block is in, outermost first.
	Loops []int
}

// Key names a value whose outcome a path knows: nil or not, true or false.
type Key struct {
	// Kind is 'c' (result of node A), 'p' (phi), 'm' (local variable), 'f'
	// (captured variable), 'a' (parameter); 0 is no key.
	Kind byte
	A    int
	// Bool tells the truth of a bool result from the nilness of an error.
	Bool bool
}

// Outcome is what is known of a keyed value.
type Outcome byte

// The outcomes. No is a nil error or false, Yes a non-nil error or true.
const (
	Unknown Outcome = iota
	No
	Yes
)

// Cond says what the two branches tell of a value.
type Cond struct {
	Key             Key
	OnTrue, OnFalse Outcome
	// Kind: an error is told from others by its code, or with Text by its text.
	Kind, Text bool
	// Value is a handle that is compared with nil, or asserted to be there:
	// Yes says that it is.
	Value *Value
}

// Source is where an outcome comes from: a constant or another key.
type Source struct {
	Const Outcome
	Key   Key
}

// Phi assigns to Key the source that stands for the predecessor taken.
type Phi struct {
	Key  Key
	From []Source
}

// NodeKind is the kind of a node.
type NodeKind byte

// The kinds of nodes.
const (
	NodeCall NodeKind = iota
	NodeGo
	NodeDefer
	NodeRunDefers
	NodeStore
	NodeSend
	NodeReceive
	NodeReturn
	// NodeMap is a lookup in, or a change of, a map that outlives the call.
	NodeMap
	// NodeKeep adds something to a list that outlives the call.
	NodeKeep
)

// Node is one thing that a block does.
type Node struct {
	ID   int
	Kind NodeKind
	Pos  Position
	// Text is the callee as the source writes it, shortened: tx.Commit.
	Text string
	// Entry is the catalog's word on the callee, nil without one.
	Entry *catalog.Entry
	// Static is the symbol of the called function, "" if it is not known.
	Static string
	// Iface and Method name the interface method called.
	Iface, Method string
	// Mediated is the type of the request that the call hands to a mediator.
	Mediated string
	// Dynamic is the called value where it is a func value.
	Dynamic *Value
	// Args are receiver and arguments (or the sent value).
	Args []*Value
	// Origins are what the data in Args derives from.
	Origins []Origin
	// Subjects are the things that Args are, or are fields of.
	Subjects []Origin
	// From are the origins of Args, nil where none has any.
	From []*Lineage
	// Holder is where a struct comes from that is given, and whose list is added to.
	Holder *Lineage
	// List are the origins of the values of a statement that the call is given beside its
	// text, in a list; nil where they can't be told apart.
	List []*Lineage
	// Recv says that Args[0] is the receiver.
	Recv bool
	// ErrResult and BoolResult say that the call returns an error or a bool.
	ErrResult, BoolResult bool
	// Declared is what comments on the callee say.
	Declared []directive.Directive
	// Effects are what the catalog and the SQL text make of the call.
	Effects []Effect
	// Keyed is what the call does to a store that is not the database.
	Keyed *Keyed
	// Types are the concrete types of the arguments that are given as interfaces, "" for
	// others; nil where there are none, or the callee was not read.
	Types []string
	// Settings are what the call tells of a consumer's configuration, sorted.
	Settings []Setting
	// Delivery says that a channel receive takes a delivery; Broker is its broker,
	// where the type tells.
	Delivery bool
	Broker   string
	// Carrier is the type that the delivery is handed on in.
	Carrier string
	// Pushed says that an argument takes what Pub/Sub pushes to an endpoint.
	Pushed bool
	// Streams says that the call returns a channel.
	Streams bool
	// Ticks says that the node waits for a time to pass.
	Ticks bool
	// Dropped says that the error of the call is not looked at.
	Dropped bool
	// Unread says that the call has results beside an error, and that nobody looks at
	// them.
	Unread bool
	// Request is the method of the HTTP request that is an argument, where the function
	// makes it, or a method's name among the arguments.
	Request string
	// InLoop says that the node can run more than once in a call.
	InLoop bool
	// Received are the channels that a select receives from.
	Received []*Value
	// Sent are the values that are sent on the channels in Args, of a select too.
	Sent []*Value
	// Taken are the channels whose received values are looked at.
	Taken []*Value
	// Stored is what a store writes to Key, Err the outcome it carries.
	Key Key
	Err Source
	// Results are what a return returns; Err and Bool its outcomes.
	Results []*Value
	Bool    Source
}

// Effect is one delivery-relevant thing that a call does.
type Effect struct {
	Kind catalog.Kind
	Op   catalog.Op
	// Table is the table, collection or entity, "" if it is not known.
	Table string
	// Hints are names seen near the effect: entity types, collection names.
	Hints []string
	// Handle is the value that the effect goes through, Class what its type
	// says of it.
	Handle *Value
	Class  catalog.Class
	// Atomic: several writes that commit together (TransactWriteItems).
	Atomic bool
	// Autocommit: durable on return whatever is open.
	Autocommit bool
	// Lock and SkipLocked: the read locks its rows.
	Lock, SkipLocked bool
	// Outbox: the user's file names the table as one of events to be sent.
	Outbox bool
	// Cache: the write is to a cache. Flag: it sets columns to constants only.
	Cache, Flag bool
	// Conditional: a WHERE beyond the key, ON CONFLICT or the like.
	Conditional bool
	// Func is the function that the call runs (run-in-tx, after-commit).
	Func *Value
	// TxParam and CtxParam are parameters of Func.
	TxParam, CtxParam int
	// Result is the index of the result that carries a handle.
	Result  int
	Broker  string
	Confirm string
	// Transient: the broker keeps the message for nobody.
	Transient bool
	ByName    bool
	// Declared: a comment says so, and no more.
	Declared  bool
	Statement *sqltext.Statement
	// Data is what the call is given.
	Data Data
	// Entity is what the type of the written struct tells of its table.
	Entity *Entity
	// Text is the parameter that the text of the statement is, where only the
	// caller knows it.
	Text *Value
}

// ValueKind is the kind of a Value.
type ValueKind byte

// The kinds of values.
const (
	ValueUnknown ValueKind = iota
	ValueNil
	ValueConst
	ValueParam
	ValueFree
	ValueCall
	ValueField
	ValueGlobal
	ValueFunc
	ValueClosure
	ValueChoice
	ValueStruct
	ValueCell
	ValueCtxValue
	ValueWithValue
	// ValueText is a SQL text that is handed to a function; a zero byte in it
	// is a piece that isn't known.
	ValueText
)

// Value says where a value comes from, as far as handles and functions need.
type Value struct {
	Kind ValueKind
	// Index is a parameter, captured variable, node or cell; Result a result.
	Index, Result int
	// Name is a field, global, function or constant.
	Name string
	// Owner is the type that a field belongs to, or that a struct is of: pkg.Type.
	Owner string
	// Names are the fields of a struct, in the order of Of.
	Names []string
	Of    []*Value
	Class catalog.Class
	// Type is the short name of the value's type.
	Type string
	// Params counts the parameters of a function value.
	Params int
}
