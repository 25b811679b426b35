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
)

// Verbs are all verbs that declare something.
func Verbs() []string { return []string{Publish, Outbox, Write, Tx, Handler, Dedupe, Notify} }

// Directive is one declaration. What is not given is empty, Handle Receiver.
type Directive struct {
	Verb string
	// Handle is the argument that is, or carries, the transaction.
	Handle int
	// Autocommit: the write is durable on return, whatever transaction is open.
	Autocommit bool
	// Broker, Ack and OnError are those of a handler.
	Broker, Ack, OnError string
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

func properties(verb string) []string {
	switch verb {
	case Outbox:
		return []string{"handle"}
	case Write:
		return []string{"handle", "autocommit"}
	case Handler:
		return []string{"broker", "ack", "on-error"}
	}
	return nil
}

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
	return out.String()
}
