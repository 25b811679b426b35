// Package publishoutsidetx finds messages that are published after, inside or
// beside a database transaction with no outbox between them.
//
// A database and a broker can't commit together. Whatever the order, there is a
// point at which a crash or a failure leaves one without the other: a change
// that nobody hears of, or an event for a change that never happened.
//
// # Categories
//
// after-commit: the transaction has committed and the publish comes next. A
// crash in between, or a broker that is down, loses the event for good.
//
//	if err := tx.Commit(); err != nil {
//		return err
//	}
//	return producer.Publish(ctx, event) // a crash before this line loses it
//
// dual-write: the same with a write outside any transaction.
//
//	if err := repo.Save(ctx, order); err != nil {
//		return err
//	}
//	return events.Publish(ctx, OrderPlaced{order.ID})
//
// inside-tx: the message is on the broker while the transaction is open. If it
// rolls back, consumers act on a change that never happened; if it commits, they
// may look before the row can be seen.
//
// before-write: the message is published first, then the write that it tells of
// fails.
//
// outbox-outside-tx: there is an outbox, but its row is written in another
// transaction than the change, after the commit or through the pool.
//
// # Right
//
// Write the event as a row in the transaction of the change and let a relay
// publish it:
//
//	_, err = tx.ExecContext(ctx, `INSERT INTO outbox (id, topic, payload) VALUES ($1, $2, $3)`, id, topic, payload)
//
// A job queue in the same database serves as well (river's InsertTx, gue's
// EnqueueTx), and so does a publisher bound to the transaction (watermill-sql).
//
// Not reported: relays, flows that only read, a wake-up after an outbox row was
// written, a message handler whose redelivery repeats the publish, and publishes
// on a path on which the write failed.
//
// # Limits
//
// Calls through an interface are resolved to what implements it in the module.
// Where nothing does, a method named like a publish on a receiver named like a
// publisher counts, and the message says so.
package publishoutsidetx
