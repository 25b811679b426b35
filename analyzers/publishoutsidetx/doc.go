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
//	if err := repo.With(tx).Save(ctx, order); err != nil {
//		return err
//	}
//	if err := events.Publish(ctx, OrderPlaced{order.ID}); err != nil {
//		return err
//	}
//	return tx.Commit() // if this fails, the event is out
//
// before-write: the message is published first, then the write that it tells of
// fails.
//
//	if err := events.Publish(ctx, OrderShipped{id}); err != nil {
//		return err
//	}
//	return repo.SetShipped(ctx, id)
//
// outbox-outside-tx: there is an outbox, but its row is written in another
// transaction than the change, after the commit or through the pool.
//
//	if err := repo.With(tx).Save(ctx, order); err != nil {
//		return err
//	}
//	return outbox.Add(ctx, db, event) // through db, and not through tx
//
// # Right
//
// Write the event as a row in the transaction of the change and let a relay
// publish it:
//
//	_, err = tx.ExecContext(ctx, `INSERT INTO outbox (id, topic, payload) VALUES ($1, $2, $3)`, id, topic, payload)
//
// A job queue in the same database serves as well, if the job that publishes is
// inserted with the transaction (river's InsertTx, gue's EnqueueTx), and so does a
// publisher bound to it (watermill-sql). A publish to a broker beside such a job is
// a second message, which the job doesn't save. Moving the publish behind the commit, or in front
// of it, mends nothing.
//
// # Fixes
//
// -fix stores the event in the transaction of the change, where the module has
// something to store it with:
//
//   - an outbox of its own: a function, or a method of a value at hand, that stores
//     a row through a transaction that it is given, takes from the context or was
//     made on, does nothing else that lasts, and takes the same values as the
//     publish. The module has to read and mark such rows too, or .deliverylint.yml
//     has to name the outbox: what no relay reads is lost.
//   - a job queue in the database: river (Insert, InsertMany) and gue (Enqueue) have
//     a method that takes a transaction. For gue the file has to import the adapter
//     of its transactions.
//
// The row is stored where the publish stands if the transaction is open there, else
// above the commit or at the end of the function that runs in the transaction, and
// what makes the event goes with it. A write through a pool of database/sql, sqlx,
// pgx or bun that is followed by the publish gets a transaction for both. Where a
// function of the same file, called only here, does nothing but publish, it gets the
// transaction as a parameter. A row that is stored outside the transaction already is
// moved into it; a call of the pool where a transaction is open, as the parameter of the
// function that runs in it or as what the function itself has begun and not yet committed,
// goes through that.
//
//	err := work.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
//		if err := orders.Insert(ctx, tx, o); err != nil {
//			return err
//		}
//		return outbox.Add(ctx, tx, e) // was publisher.Publish(ctx, e) after work.Do
//	})
//
// What was logged and passed by returns the error now: else the change would be
// committed without its event.
//
// No fix is offered where the meaning may not stay: the code can leave between the
// commit and the publish, what is published is read after the commit, nothing rolls
// back on a return above the commit, a value is given to the outbox that the publish
// does not have (a topic, a key), or several functions of the module fit. Then
// deliverylint scaffold outbox writes what is missing. Moving the publish is never
// offered.
//
//	outbox:                                   # in .deliverylint.yml
//	  tables: [messages_out]                  # what stores rows there is the outbox
//	  functions: [example.com/shop/out.Keep]  # or: these store an event
//
// # Not reported
//
// These are right, or no events:
//
//   - A publish after an outbox row was stored: it only wakes the relay up.
//   - A relay: it has read or claimed outbox rows, or marks the rows it has locked.
//   - A mark: a write that only notes that what was read has been published.
//   - A write to a table that a poller works off: a loop that reads its rows,
//     publishes them and marks or deletes them.
//   - A message that is the row just written, where a loop on a timer reads such
//     rows and does with them what the message's handler does: it repairs a lost one.
//   - A flow that only reads, then publishes.
//   - A write that changes no state an event tells of, by the name of its table or
//     type: log, audit, inbox, counter, quota, rate or resource limit, stats,
//     trace, cache, token. An update that sets nothing but the time of a heartbeat
//     changes none either.
//   - A publish before a write of another matter: the two have no data in common,
//     or by its name the write is the log of a run, a cursor, a schedule, a lease,
//     the metadata of an attempt, or deletes what was worked off and the message
//     announces no end. Nor where the caller doesn't learn that the write failed,
//     the row is only inserted where there is none, what is inserted was made
//     after the message, or a failed write has a message of its own.
//   - What stands on the branch of a failed call: it answers the failure.
//   - A publish of a journal, telemetry, a cache invalidation or a dead letter, by
//     the names on its way: audit, log, metric, telemetry, heartbeat, invalidate,
//     dlq, dead letter.
//   - A publish in a message handler whose redelivery repeats it.
//   - A notification to people, by the names on its way, after whose failure the code
//     goes on.
//   - A message to a person (an SMS of SNS), a Redis PUBLISH whose failure nobody
//     is told of, neither where it stands nor in what calls it, a push to a Redis
//     list that the same function lets expire.
//   - What is appended to a log of events, where the tables are made from what the log
//     answers: the log is the state. It is told by the name of its type, which ends in
//     Log, Journal or EventStore, and of the method, Append.
//   - An outbox row beside a change of its own, whatever was committed before. A row in
//     a loop over the events of what is saved counts where there are none, too.
//   - What a goroutine does that waits for work in a loop, and what was done before
//     it was started.
//
// # Message handlers
//
// A handler whose failure makes the broker deliver again may publish after its
// write or its commit: if the publish fails, the next delivery repeats both. It
// may publish before a write for the same reason. The redelivery repairs nothing,
// and the publish is reported, where
//
//   - the error of the publish is dropped, or the publish runs in a goroutine
//   - the failure is hidden: the handler returns nil, acks all the same, or reads
//     on where an ack passes all that was read before (Kafka)
//   - the delivery was acked before
//   - the write is an insert with no ON CONFLICT: the second delivery fails there
//   - the function reads what the first delivery has changed and returns early
//   - the same function also runs outside a handler, or the broker drops what failed
//
// inside-tx and outbox-outside-tx are reported in handlers too. deliverylint
// handlers lists the handlers that are known; others are declared under handlers
// in .deliverylint.yml.
//
// # Silencing
//
// For one place, a comment with the reason:
//
//	//deliverylint:ignore publishoutsidetx the event is a hint, readers poll
//	bus.Publish(ctx, changed)
//
// For a function wherever it is called, an entry in .deliverylint.yml that says
// what it is: notify for a publish whose loss loses nothing, outbox-write for one
// that stores a row, ignore for one that means nothing here.
//
//	functions:
//	  (example.com/shop/events.Hub).Broadcast: {kind: notify}
//	  example.com/shop/queue.Push: {kind: outbox-write, handle: 1}
//
// # Limits
//
// Calls through an interface are resolved to what implements it in the module.
// Where nothing does, names count: a publish verb on what is named like a
// publisher, a write verb on what is named like a store, a transaction helper. A
// finding that rests on a name says "looks like" and is a warning.
//
// A table or a type is an outbox if its name says so: outbox, outgoing message,
// pending event, events or messages to publish.
//
// Which rows a poller looks for is not compared with what was written. What a
// handler does with a delivery whose publish failed is told by the error it
// returns and by its acks; a reject that drops the delivery is not seen.
//
// deliverylint effects FILE:LINE says what was seen at a line and why it is
// silent.
package publishoutsidetx
