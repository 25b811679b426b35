package catalog

import "slices"

// kinds lists every kind, in the order of the manual.
func kinds() []string {
	return []string{
		string(Begin), string(Commit), string(Rollback), string(RunInTx), string(Bind), string(SQL),
		string(Write), string(Read), string(Publish), string(PublishChannel), string(Flush),
		string(OutboxWrite), string(OutboxPublisher), string(AfterCommit), string(Consumer), string(Receive), string(Handler),
		string(Ack), string(Nack), string(Requeue), string(Verify), string(SideEffect), string(Dedupe), string(Recall), string(Remember), string(Forget), string(Script), string(Notify), string(Ignore),
	}
}

// keysOf lists the keys that make sense for a kind, beside kind, only and
// except.
func keysOf(k Kind) []string {
	switch k {
	case Begin:
		return []string{"handle", "result"}
	case Commit, Rollback:
		return []string{"handle"}
	case RunInTx:
		return []string{"handle", "func", "tx-param", "ctx-param", "retries"}
	case Bind:
		return []string{"handle", "result", "sql", "entity", "op", "clause", "text", "func", "tx-param", "ctx-param",
			"topic", "key", "payload", "broker"}
	case SQL:
		return []string{"handle", "sql", "op", "autocommit"}
	case Write:
		return []string{"handle", "entity", "key", "op", "autocommit", "clause", "text"}
	case Read:
		return []string{"handle", "entity", "key", "clause", "text"}
	case AfterCommit:
		return []string{"handle", "func"}
	case Dedupe:
		return []string{"handle", "key", "result", "op"}
	case SideEffect:
		return []string{"handle", "key", "payload"}
	case Recall, Remember, Forget, Script:
		return []string{"handle", "key"}
	case Ignore:
		return []string{"expires"}
	}
	return brokerKeysOf(k)
}

func brokerKeysOf(k Kind) []string {
	switch k {
	case Publish:
		return []string{"handle", "topic", "key", "payload", "confirm", "transient", "recipient", "result", "func", "broker"}
	case PublishChannel:
		return []string{"handle", "result", "topic", "confirm", "broker"}
	case Flush:
		return []string{"handle", "broker"}
	case OutboxWrite:
		return []string{"handle", "topic", "key", "payload", "entity", "broker"}
	case OutboxPublisher:
		return []string{"handle", "result", "topic", "broker"}
	case Consumer:
		return []string{"broker"}
	case Receive:
		return []string{"handle", "result", "payload", "topic", "ack", "on-error", "broker"}
	case Handler:
		return []string{"handle", "func", "topic", "ack", "on-error", "broker"}
	case Ack:
		return []string{"handle", "broker"}
	case Nack, Requeue:
		return []string{"handle", "on-error", "broker"}
	case Verify:
		return []string{"handle", "result", "payload", "broker"}
	case Notify:
		return []string{"handle", "topic", "key", "payload", "broker"}
	}
	return nil
}

// neededBy lists the keys without which an entry of a kind says nothing.
func neededBy(k Kind) []string {
	switch k {
	case SQL:
		return []string{"sql"}
	case RunInTx, AfterCommit, Handler:
		return []string{"func"}
	}
	return nil
}

// throughHandle tells whether a plain function of a kind goes through its first
// argument when the entry doesn't say.
func throughHandle(k Kind) bool {
	return slices.Contains([]Kind{
		Begin, Commit, Rollback, RunInTx, Bind, SQL, Write, Read, OutboxWrite, OutboxPublisher, AfterCommit,
		Flush, Ack, Nack, Requeue,
	}, k)
}

func ops() []string {
	return []string{string(Insert), string(Upsert), string(Update), string(Delete), string(Save), string(Conditional)}
}

func classes() []string {
	return []string{string(Pool), string(Tx), string(Either), string(Message), string(Producer)}
}

func confirms() []string { return []string{"sync", "async", "none"} }

func acks() []string { return []string{"return", "explicit", "auto", "offset", "none"} }

func onErrors() []string { return []string{"redeliver", "drop", "skip"} }

func clauses() []string { return []string{"where", "set", "conflict", "lock", "suffix"} }
