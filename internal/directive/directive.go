// Package directive reads the comments that declare what a function, a method of an
// interface or a field of func type means: //deliverylint:publish.
package directive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Prefix opens the comments of deliverylint.
const Prefix = "deliverylint:"

// The verbs that declare something.
const (
	Publish = "publish" // what it is given goes to a broker
	Outbox  = "outbox"  // stores an event that a relay publishes
	Write   = "write"   // changes stored state
	Tx      = "tx"      // runs the function that it is given in a transaction
	Handler = "handler" // takes deliveries
	Dedupe  = "dedupe"  // tells or notes which deliveries were handled
	Notify  = "notify"  // what it tells may be lost
	// Mixed: it stores and publishes, in an order that a caller doesn't know.
	Mixed = "mixed"
	// Handling: what handles deliveries calls it, in a package that this one can't see.
	Handling = "handling"
	// Read: hands back what is stored.
	Read = "read"
	// Polled: what it stores is found by a poller, which makes up for a lost publish.
	Polled = "polled"
)

// Verbs are all verbs that declare something.
func Verbs() []string {
	return []string{Publish, Outbox, Write, Tx, Mixed, Handler, Handling, Read, Dedupe, Notify, Polled}
}

// Directive is one declaration. What is not given is empty, Handle Receiver.
type Directive struct {
	Verb string
	// Handle is the argument that is, or carries, the transaction.
	Handle int
	// Autocommit: the write is durable on return, whatever transaction is open.
	Autocommit bool
	// Broker, Ack and OnError are those of a handler.
	Broker, Ack, OnError string
	// Message are the arguments that carry the delivery or are made of it, Stored those
	// that were read from a store.
	Message, Stored []int
	// Cache: what is written is kept in a cache.
	Cache bool
	// Alone: nothing else calls it. Guarded: a caller asks what is stored, or dedupes.
	Alone, Guarded bool
	// Tables is what is written or read, or those that a poller reads.
	Tables []string
	// Op is what a write does to the row: update where it is not given. Set are the
	// columns that get a value, Add those that are added to, Where those that the row
	// is found by; Entity is the argument that is stored as a whole.
	Op     string
	Set    []Column
	Add    []string
	Where  []Column
	Entity []int
	// Reasoned: prose follows. Such a comment is a person's.
	Reasoned bool
}

// Receiver says that a call goes through what its receiver holds.
const Receiver = -1

// Parse reads a comment; ok is false if it declares nothing. flaw says what is wrong
// with one that is meant to. Words with = are properties; what follows them is prose.
func Parse(comment string) (d Directive, flaw string, ok bool) {
	rest, found := strings.CutPrefix(comment, "//"+Prefix)
	words := strings.Fields(rest)
	if !found || len(words) == 0 || !strings.HasPrefix(rest, words[0]) || !slices.Contains(Verbs(), words[0]) {
		return Directive{}, "", false
	}
	d = Directive{Verb: words[0], Handle: Receiver}
	for _, word := range words[1:] {
		key, value, is := strings.Cut(word, "=")
		if !is {
			d.Reasoned = true
			break
		}
		if flaw := d.set(key, value); flaw != "" {
			return Directive{}, flaw, true
		}
	}
	return d, "", true
}

// set takes over a property and returns what is wrong with it.
func (d *Directive) set(key, value string) (flaw string) {
	known := properties(d.Verb)
	if !slices.Contains(known, key) {
		if len(known) == 0 {
			return fmt.Sprintf("has a property %s, but takes none", key)
		}
		return fmt.Sprintf("has a property %s (known: %s)", key, strings.Join(known, ", "))
	}
	var words []string
	switch key {
	case "handle":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 31 {
			return fmt.Sprintf("has handle=%s: the number of an argument is wanted, from 0", value)
		}
		d.Handle = n
		return ""
	case "autocommit":
		words, d.Autocommit = []string{"true"}, true
	case "cache":
		words, d.Cache = []string{"true"}, true
	case "alone":
		words, d.Alone = []string{"true"}, true
	case "guarded":
		words, d.Guarded = []string{"true"}, true
	case "message":
		return numbers(key, value, &d.Message)
	case "stored":
		return numbers(key, value, &d.Stored)
	case "entity":
		return numbers(key, value, &d.Entity)
	case "set":
		return columns(key, value, &d.Set)
	case "where":
		return columns(key, value, &d.Where)
	case "add":
		d.Add = strings.Split(value, ",")
		return ""
	case "op":
		words, d.Op = ops(), value
	case "table":
		d.Tables = strings.Split(value, ",")
		return ""
	case "broker":
		d.Broker = value
		return ""
	case "ack":
		words, d.Ack = acks(), value
	case "on-error":
		words, d.OnError = onErrors(), value
	}
	if !slices.Contains(words, value) {
		return fmt.Sprintf("has %s=%s (known: %s)", key, value, strings.Join(words, ", "))
	}
	return ""
}

// numbers reads a list of arguments.
func numbers(key, value string, into *[]int) (flaw string) {
	for _, s := range strings.Split(value, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > 31 {
			return fmt.Sprintf("has %s=%s: the numbers of arguments are wanted, from 0", key, value)
		}
		*into = append(*into, n)
	}
	return ""
}

func properties(verb string) []string {
	switch verb {
	case Outbox:
		return []string{"handle"}
	case Write:
		return []string{"handle", "autocommit", "table", "op", "set", "add", "where", "entity", "cache"}
	case Read:
		return []string{"handle", "table", "where"}
	case Handler:
		return []string{"broker", "ack", "on-error", "message"}
	case Handling:
		return []string{"broker", "ack", "on-error", "message", "stored", "alone", "guarded"}
	case Polled:
		return []string{"table"}
	}
	return nil
}

// The ways to write.
const (
	Insert = "insert"
	Ignore = "ignore" // a row that is there stays
	Upsert = "upsert"
	Update = "update"
	Delete = "delete"
)

func ops() []string { return []string{Insert, Ignore, Upsert, Update, Delete} }

func acks() []string {
	return []string{"return", "explicit", "offset", "auto", "response", "none"}
}

func onErrors() []string { return []string{"redeliver", "drop", "skip"} }

// String is the comment without its prose.
func (d Directive) String() string {
	var out strings.Builder
	out.WriteString("//" + Prefix + d.Verb)
	if d.Handle != Receiver {
		fmt.Fprintf(&out, " handle=%d", d.Handle)
	}
	if d.Autocommit {
		out.WriteString(" autocommit=true")
	}
	for _, p := range []struct{ key, value string }{{"broker", d.Broker}, {"ack", d.Ack}, {"on-error", d.OnError}} {
		if p.value != "" {
			out.WriteString(" " + p.key + "=" + p.value)
		}
	}
	d.writeLists(&out)
	return out.String()
}

func (d Directive) writeLists(out *strings.Builder) {
	list := func(key string, items []string) {
		if len(items) > 0 {
			out.WriteString(" " + key + "=" + strings.Join(items, ","))
		}
	}
	list("message", texts(d.Message, strconv.Itoa))
	list("stored", texts(d.Stored, strconv.Itoa))
	list("table", d.Tables)
	if d.Op != "" {
		out.WriteString(" op=" + d.Op)
	}
	list("set", texts(d.Set, Column.String))
	list("add", d.Add)
	list("where", texts(d.Where, Column.String))
	list("entity", texts(d.Entity, strconv.Itoa))
	if d.Cache {
		out.WriteString(" cache=true")
	}
	if d.Alone {
		out.WriteString(" alone=true")
	}
	if d.Guarded {
		out.WriteString(" guarded=true")
	}
}

func texts[T any](list []T, text func(T) string) []string {
	var out []string
	for _, x := range list {
		out = append(out, text(x))
	}
	return out
}

// Detailed: the comment says what is written or read.
func (d Directive) Detailed() bool {
	return d.Verb == Read || d.Verb == Write && (len(d.Tables) > 0 || d.Op != "" || len(d.Set)+len(d.Add)+len(d.Where)+len(d.Entity) > 0)
}

// Table is the one that is written or read, "" where it is not told.
func (d Directive) Table() string {
	if len(d.Tables) == 0 {
		return ""
	}
	return d.Tables[0]
}
