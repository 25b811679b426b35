package proof_test

import "fmt"

// story is a mistake that deliverylint reports, as a service in services/<name>.
type story struct {
	name string
	// rule is the rule and category under which it is reported.
	rule string
	// also are categories that the same lines are reported under.
	also []string
	// fix says what deliverylint writes to mend it; empty if it has nothing yet.
	fix string
	// jobs is set if what it publishes are jobs in the database.
	jobs bool
	// takes is how the service is told what to do.
	takes source
	// message is what the i-th message says; nil for an order's ID.
	message func(i int) string
	// applied counts how often each message was applied: a query of id and count.
	applied string
	// newest is the query of what is stored last, where the messages are versions
	// of one thing.
	newest string
}

// source is where a service is told what to do.
type source int

const (
	requests source = iota
	jetStream
	rabbitMQ
	kafka
)

func stories() []story {
	return []story{
		{name: "aftercommit", rule: "publishoutsidetx/after-commit", fix: enqueue},
		{name: "aftercommitjob", jobs: true, rule: "publishoutsidetx/after-commit", fix: "-fix: `InsertTx`"},
		{name: "dualwrite", rule: "publishoutsidetx/dual-write", fix: enqueue},
		{name: "insidetx", rule: "publishoutsidetx/inside-tx", fix: enqueue},
		{name: "insidetxjob", jobs: true, rule: "publishoutsidetx/inside-tx", fix: "-fix: `InsertTx`"},
		{name: "beforewrite", rule: "publishoutsidetx/before-write"},
		{name: "outboxoutside", rule: "publishoutsidetx/outbox-outside-tx", fix: rebound},

		{name: "checkoutside", rule: "checkthenact/check-outside-tx", takes: jetStream, message: credit, applied: credited},
		{name: "recordoutside", rule: "checkthenact/record-outside-tx", takes: jetStream, message: credit, applied: credited},
		{name: "markbefore", rule: "checkthenact/mark-before-effect", takes: jetStream, message: credit, applied: credited, fix: "-fix: the claim in the transaction"},
		{name: "volatilestore", rule: "checkthenact/volatile-store", also: []string{"missinginbox/no-dedupe"},
			takes: jetStream, message: credit, applied: credited},
		{name: "claimignored", rule: "checkthenact/claim-ignored", takes: jetStream, message: credit, applied: credited, fix: "-fix: the answer is read"},

		{name: "nodedupe", rule: "missinginbox/no-dedupe", takes: jetStream, message: credit, applied: credited, fix: "-fix and scaffold: `inbox.Once` in the transaction"},
		{name: "unstablekey", rule: "missinginbox/unstable-key", takes: jetStream, message: credit,
			applied: "SELECT account, count(*) FROM payments GROUP BY account"},

		{name: "unguarded", rule: "assignstate/unguarded", takes: jetStream, message: status, newest: "SELECT version FROM shipments", fix: "-fix: an older version returns"},
		{name: "arrivaltime", rule: "assignstate/arrival-time", takes: jetStream, message: reading, newest: "SELECT reading FROM meters"},

		{name: "ackbefore", rule: "earlyack/before-effect", takes: jetStream, message: parcel, applied: kept, fix: "-fix: the ack last"},
		{name: "autoack", rule: "earlyack/auto-ack", takes: rabbitMQ, message: parcel, applied: kept, fix: "-fix: acks and nacks"},
		{name: "onfailure", rule: "earlyack/on-failure", takes: jetStream, message: parcel, applied: kept, fix: "-fix: a nack"},
		{name: "outoforder", rule: "earlyack/out-of-order", takes: kafka, message: parcel, applied: kept},
	}
}

const (
	rebound  = "-fix: the row in the transaction"
	enqueue  = "-fix and scaffold: `outbox.Enqueue` in the transaction"
	credited = "SELECT id, cents FROM accounts"
	kept     = "SELECT id, 1 FROM parcels"
)

// entity is what a message is about, by the message's number.
func entity(i int) string { return fmt.Sprintf("e%d", i) }

func credit(i int) string {
	return fmt.Sprintf(`{"id": "m%d", "account": "%s", "cents": 1}`, i, entity(i))
}

func parcel(i int) string { return entity(i) }

// status and reading tell of one thing, each time later.
func status(i int) string {
	return fmt.Sprintf(`{"order": "e0", "status": "s%d", "version": %d}`, i, i)
}

func reading(i int) string {
	return fmt.Sprintf(`{"meter": "e0", "reading": %d, "at": "2026-01-01T00:00:%02dZ"}`, i, i)
}
