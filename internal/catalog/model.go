// Package catalog holds what library functions mean for message delivery: which
// call opens a transaction, which one writes, which one hands a message to a
// broker. The knowledge is data, one YAML file a library in libraries/; a user's
// .deliverylint.yml adds entries of the same form.
package catalog

// Kind is the meaning of a function, in the words of the field.
type Kind string

// The kinds of functions. Every other name in a file is an error.
const (
	// Begin returns an open transaction (Result tells which result). Through a
	// handle that is a transaction it sets a savepoint: its commit makes nothing
	// durable.
	Begin Kind = "begin"
	// Commit makes the transaction in Handle durable.
	Commit Kind = "commit"
	// Rollback drops the transaction in Handle; after a commit it does nothing.
	Rollback Kind = "rollback"
	// RunInTx calls its Func argument between a begin and a commit; a non-nil
	// error of the function rolls back. Where the handle, or the context it is
	// called with, is a transaction already, the function joins that.
	RunInTx Kind = "run-in-tx"
	// Bind returns a value that works through Handle: builder chains,
	// WithContext, sqlx.NewDb, boil.WithTx, a bus made of a publisher. With
	// Func it calls that at once, with such a value in TxParam or CtxParam
	// (gorm's Connection, mongo's UseSession), in no transaction of its own.
	Bind Kind = "bind"
	// SQL runs the statement text in argument SQL through Handle; the text
	// decides whether it reads, writes, locks, begins or commits.
	SQL Kind = "sql"
	// Write changes stored state through Handle (Op, Entity).
	Write Kind = "write"
	// Read reads stored state through Handle.
	Read Kind = "read"
	// Publish hands a message to a broker.
	Publish Kind = "publish"
	// PublishChannel returns a channel; what is sent on it is published.
	PublishChannel Kind = "publish-channel"
	// Flush waits until earlier publishes are confirmed.
	Flush Kind = "flush"
	// OutboxWrite stores an event row or job through Handle, in the database.
	OutboxWrite Kind = "outbox-write"
	// OutboxPublisher returns a publisher that writes through Handle (a tx)
	// instead of to a broker.
	OutboxPublisher Kind = "outbox-publisher"
	// AfterCommit registers Func to run once the transaction has committed.
	AfterCommit Kind = "after-commit"
	// Consumer makes a value that receives; its arguments configure how what is
	// received is acked.
	Consumer Kind = "consumer"
	// Receive returns or fills a delivery (or a channel of deliveries).
	Receive Kind = "receive"
	// Handler registers Func as a handler of deliveries.
	Handler Kind = "handler"
	// Ack, Nack, Requeue settle a delivery. Committing an offset is an ack.
	Ack     Kind = "ack"
	Nack    Kind = "nack"
	Requeue Kind = "requeue"
	// Verify checks that a request is a provider's (a webhook's signature) or
	// parses its event: the function that serves the request is a handler.
	Verify Kind = "verify"
	// SideEffect is an outside call that no transaction covers: mail, HTTP.
	SideEffect Kind = "side-effect"
	// Dedupe is a claim in a store that is not the database (Redis SETNX).
	Dedupe Kind = "dedupe"
	// Recall, Remember and Forget look a key up in such a store, set it and
	// delete it: it may be the record of what was handled, or a cache.
	Recall   Kind = "recall"
	Remember Kind = "remember"
	Forget   Kind = "forget"
	// Script runs a script there that may do any of these.
	Script Kind = "script"
	// Notify is a hint whose loss loses nothing: telemetry, wake-ups.
	Notify Kind = "notify"
	// Ignore says that a function is known and means nothing here.
	Ignore Kind = "ignore"
)

// Class says what the values of a type are to a transaction.
type Class string

// The classes of types.
const (
	// Pool writes outside any transaction (*sql.DB, *pgxpool.Pool).
	Pool Class = "pool"
	// Tx is an open transaction (*sql.Tx, pgx.Tx).
	Tx Class = "tx"
	// Either may be one or the other; only the call site tells (*gorm.DB).
	Either Class = "either"
	// Message is a delivery that a handler takes.
	Message Class = "message"
	// Producer is a value that publishes.
	Producer Class = "producer"
)

// Place names a value of a call: its receiver, an argument or none.
type Place struct {
	// Arg is the zero-based index of an argument, the receiver not counted;
	// -1 is the receiver and None is no place at all.
	Arg int
}

// Receiver and None are the places that are no arguments.
const (
	ReceiverArg = -1
	NoArg       = -2
)

// Op is how a write changes state.
type Op string

// The operations of a write.
const (
	Insert      Op = "insert"
	Upsert      Op = "upsert"
	Update      Op = "update"
	Delete      Op = "delete"
	Save        Op = "save"
	Conditional Op = "conditional"
)

// Symbol names a function or method: import path, receiver type ("" for a
// function) and name. Pointer and value receivers are one. In a library file
// the name "*" stands for the methods of a type that have no entry of their own:
// the links of a builder's chain.
type Symbol struct {
	Package, Type, Name string
}

func (s Symbol) String() string {
	if s.Type == "" {
		return s.Package + "." + s.Name
	}
	return s.Package + "." + s.Type + "." + s.Name
}

// Entry is the meaning of one function.
type Entry struct {
	Symbol Symbol
	Kind   Kind
	// Handle is the value that the effect goes through. A context stands for the
	// transaction that it carries, or for the pool where it carries none.
	Handle Place
	// Result is the index of the result that carries the transaction, channel
	// or bound value; NoArg ("none" in a file) where the handle itself becomes
	// that (session.Begin() error).
	Result int
	// SQL, Entity, Func, Topic, Key, Payload are argument indices, NoArg where
	// there is none.
	SQL, Entity, Func, Topic, Key, Payload int
	// TxParam and CtxParam are the parameters of Func that are, or carry as a
	// context, the transaction; NoArg where there is none.
	TxParam, CtxParam int
	Op                Op
	// Clause says that argument Text (NoArg: no text) is a fragment of the
	// statement that is being built, and which: "where" (a condition), "set"
	// (an assignment or a column's name), "conflict" (what to do about a
	// duplicate), "lock" (FOR UPDATE), "suffix" (anything at the end).
	Clause string
	Text   int
	// Autocommit says that the write is durable on return whatever is open.
	Autocommit bool
	// Retries says that RunInTx may call Func again.
	Retries bool
	// Confirm is how a publish tells that the broker has it: "sync" (the
	// returned error does), "async" (a callback, channel or future does),
	// "none" (nothing does).
	Confirm string
	// Transient says that the broker keeps the message for nobody: who isn't
	// listening misses it (Redis PUBLISH).
	Transient bool
	// Recipient is the field of the payload that makes the message one to a person
	// (the phone number of an SMS); "" where there is none.
	Recipient string
	// Expires is the argument that names the topic that an ignored function lets
	// expire, NoArg without one: what is kept for a while is a buffer and no queue.
	Expires int
	// Broker is kafka, amqp, nats, ...; the library's unless the entry says.
	Broker string
	// Ack is what settles a delivery of a Handler or Receive: "return" (a nil
	// error acks, an error does not), "explicit" (a call), "auto" (the
	// library, before the handler is done), "offset" (a later offset commit).
	Ack string
	// OnError is what the library does with a delivery whose handler failed:
	// "redeliver", "drop", "skip" (reads on; the next offset passes it).
	OnError string
	Library string
	// Source is the file and line of the entry.
	Source string
}

// TypeEntry is what the catalog says of a type.
type TypeEntry struct {
	Package, Name string
	Class         Class
	Broker        string
	Library       string
	Source        string
}

// HandlerType is an interface or method set whose method the library calls
// with deliveries.
type HandlerType struct {
	// Package and Interface name an interface of the library ("" where the
	// method is found by the types of its parameters alone).
	Package, Interface string
	Method             string
	// Param is the import path and name of a parameter's type that marks the
	// method as a handler ("" where the interface decides).
	Param                        string
	Broker, Ack, OnError, Source string
}
