package catalog

import "strings"

// field is a key of a mapping in a file: what its value may be, and where it goes.
// The strict reader and the JSON Schema for editors are both made from such tables.
type field[T any] struct {
	key, about string
	shape      shape
	put        func(p *problems, t *T, v pair)
}

// shape is what a value may be.
type shape struct {
	form form
	// words are those that a value of form word is one of.
	words []string
}

type form int

const (
	formIndex form = iota
	formResult
	formHandle
	formTruth
	formText
	formWord
	formTexts
	formSymbols
)

// find is the field of a key.
func find[T any](table []field[T], key string) (field[T], bool) {
	for _, f := range table {
		if f.key == key {
			return f, true
		}
	}
	return field[T]{}, false
}

// keysIn lists the keys of a table for messages.
func keysIn[T any](table []field[T]) string {
	var keys []string
	for _, f := range table {
		keys = append(keys, f.key)
	}
	return strings.Join(keys, ", ")
}

func indexField[T any](key, about string, at func(*T) *int) field[T] {
	return field[T]{key, about, shape{form: formIndex}, func(p *problems, t *T, v pair) { *at(t) = p.index(v) }}
}

func truthField[T any](key, about string, at func(*T) *bool) field[T] {
	return field[T]{key, about, shape{form: formTruth}, func(p *problems, t *T, v pair) { *at(t) = p.truth(v) }}
}

func textField[T any](key, about string, at func(*T) *string) field[T] {
	return field[T]{key, about, shape{form: formText}, func(p *problems, t *T, v pair) { *at(t) = p.text(v) }}
}

func wordField[T any, S ~string](key, about string, words []string, at func(*T) *S) field[T] {
	return field[T]{key, about, shape{formWord, words}, func(p *problems, t *T, v pair) { *at(t) = S(p.oneOf(v, words...)) }}
}

// entryFields are the keys of a function beside kind, only and except.
func entryFields() []field[Entry] {
	return []field[Entry]{
		{"handle", "The value that the effect goes through: an argument, recv (a method's default) or none.", shape{form: formHandle},
			func(*problems, *Entry, pair) {}}, // set before, since others are compared with it
		{"result", "Which result carries the transaction, channel or bound value; none where the handle itself becomes it.", shape{form: formResult},
			func(p *problems, e *Entry, v pair) { e.Result = p.result(v) }},
		indexField("sql", "Which argument is the statement.", func(e *Entry) *int { return &e.SQL }),
		indexField("entity", "Which argument is the model, table or entity.", func(e *Entry) *int { return &e.Entity }),
		indexField("func", "Which argument is the function that is called or registered.", func(e *Entry) *int { return &e.Func }),
		indexField("topic", "Which argument is the topic, queue, subject or exchange.", func(e *Entry) *int { return &e.Topic }),
		indexField("key", "Which argument is the key.", func(e *Entry) *int { return &e.Key }),
		indexField("payload", "Which argument is the message.", func(e *Entry) *int { return &e.Payload }),
		indexField("text", "Which argument is the fragment of a statement that clause tells of.", func(e *Entry) *int { return &e.Text }),
		indexField("expires", "Which argument is the topic whose messages the function lets expire: a buffer, no queue.", func(e *Entry) *int { return &e.Expires }),
		indexField("tx-param", "Which parameter of the function is the transaction.", func(e *Entry) *int { return &e.TxParam }),
		indexField("ctx-param", "Which parameter of the function is the context that carries the transaction.", func(e *Entry) *int { return &e.CtxParam }),
		wordField("op", "How the write changes state.", ops(), func(e *Entry) *Op { return &e.Op }),
		truthField("autocommit", "The write is durable on return, whatever is open.", func(e *Entry) *bool { return &e.Autocommit }),
		truthField("retries", "The function may run more than once.", func(e *Entry) *bool { return &e.Retries }),
		wordField("confirm", "How a publish tells that the broker has the message: sync (the error does), async, none.", confirms(), func(e *Entry) *string { return &e.Confirm }),
		truthField("transient", "The broker keeps the message for nobody: who isn't listening misses it.", func(e *Entry) *bool { return &e.Transient }),
		textField("recipient", "The field of the payload that makes it a message to a person.", func(e *Entry) *string { return &e.Recipient }),
		textField("broker", "kafka, amqp, nats and so on.", func(e *Entry) *string { return &e.Broker }),
		wordField("clause", "Which part of the statement argument text is.", clauses(), func(e *Entry) *string { return &e.Clause }),
		wordField("ack", "What settles a delivery: return (of a nil error), explicit (a call), auto (before the handler is done), offset, none.", acks(), func(e *Entry) *string { return &e.Ack }),
		wordField("on-error", "What becomes of a delivery whose handler failed.", onErrors(), func(e *Entry) *string { return &e.OnError }),
	}
}

// typeFields are the keys of a type beside only and except.
func typeFields() []field[TypeEntry] {
	return []field[TypeEntry]{
		wordField("class", "What its values are: a pool, a tx, either, a message or a producer.", classes(), func(t *TypeEntry) *Class { return &t.Class }),
		textField("broker", "kafka, amqp, nats and so on.", func(t *TypeEntry) *string { return &t.Broker }),
	}
}

// handlerFields are the keys of a handler type beside only and except.
func handlerFields() []field[HandlerType] {
	return []field[HandlerType]{
		textField("interface", "The interface whose method is called with deliveries, as import/path.Interface.", func(h *HandlerType) *string { return &h.Interface }),
		textField("method", "The method.", func(h *HandlerType) *string { return &h.Method }),
		textField("param", "A type of parameter that marks the method, as import/path.Type.", func(h *HandlerType) *string { return &h.Param }),
		textField("broker", "kafka, amqp, nats and so on.", func(h *HandlerType) *string { return &h.Broker }),
		wordField("ack", "What settles a delivery.", acks(), func(h *HandlerType) *string { return &h.Ack }),
		wordField("on-error", "What becomes of a delivery whose handler failed.", onErrors(), func(h *HandlerType) *string { return &h.OnError }),
	}
}
