// Package assignstate finds message handlers that let an older message overwrite newer
// state.
//
// A broker keeps the order within a partition or queue, and only until something is
// tried again: a redelivery, a dead letter that is put back, a second consumer or a
// producer without a key brings an older message after a newer one. A handler that
// stores what a message says, whatever the row holds by then, goes back to the older
// state and stays there. An inbox doesn't help: each of the two messages is new.
//
// # Categories
//
// unguarded: a column or field of a row that is there already gets its value from the
// message, and nothing on the way compares the two versions, times or states.
//
//	func (h *Handler) StatusChanged(ctx context.Context, e StatusChanged) error {
//		_, err := h.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, e.Order, e.Status)
//		return err // "paid" that comes after "shipped" wins
//	}
//
// The same goes for an entity that is read, changed and stored:
//
//	order.Status = e.Status
//	return h.orders.Save(ctx, order)
//
// for an upsert:
//
//	_, err := h.db.ExecContext(ctx,
//		`INSERT INTO products (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name`, e.ID, e.Name)
//
// and for handlers that each set a constant of their own, of which the last wins:
//
//	return h.payments.UpdateStatus(ctx, e.Payment, "completed") // and "failed" in another one
//
// arrival-time: the time at which the message came is stored where the time at which
// the thing happened is wanted: another way to the same write stores a time of the
// message, or some code orders by the column. The late message then counts as the
// newest.
//
//	_, err := h.db.ExecContext(ctx, `UPDATE meters SET measured_at = now() WHERE id = $1`, e.Meter)
//	// and elsewhere: SELECT id FROM meters WHERE measured_at > $1
//
// # Right
//
// Compare something of the message with what is stored, in the statement that writes:
//
//	_, err := h.db.ExecContext(ctx,
//		`UPDATE orders SET status = $2, version = $3 WHERE id = $1 AND version < $3`, e.Order, e.Status, e.Version)
//
// Or let only the states be left that the new one may follow:
//
//	_, err := h.db.ExecContext(ctx, `UPDATE orders SET status = 'paid' WHERE id = $1 AND status = 'pending'`, e.Order)
//
// Or refuse before the write, by the version:
//
//	if e.Version <= order.Version {
//		return nil
//	}
//
// or in a method of the entity:
//
//	func (o *Order) MarkPaid() error {
//		if o.Status != Pending {
//			return ErrTransition
//		}
//		o.Status = Paid
//		return nil
//	}
//
// What is refused so is late, not failed: ack it. Where the message only says that
// something has changed, ask the service that owns it what it is now. Store the time
// that the message gives.
//
// These are no guards, and are reported:
//
//   - An optimistic lock (WHERE version = what was loaded) and FOR UPDATE. They keep
//     other writers out; the late message loads the newest version too.
//   - A question for the very value that is set: if order.Status == e.Status, WHERE
//     status <> $2.
//   - An inbox, a check for duplicates, a check that the row is there or isn't deleted.
//   - A check of the message alone: that its status is a known one.
//
// # Fixes
//
// -fix puts the condition where the state is stored.
//
// A statement that stores a version, a sequence or the time of the event from the message,
// and that only handlers run, writes only what is newer:
//
//	UPDATE products SET name = $2, version = $3 WHERE id = $1 AND version < $3
//
// A statement that sets a state leaves rows alone that are in one which nothing that it
// stores may follow:
//
//	UPDATE orders SET status = $2 WHERE id = $1 AND status NOT IN ('cancelled', 'completed')
//
// So do an upsert, an update of gorm's that finds its rows by Where, and a filter of
// MongoDB's without upsert. Which states these are is told by their names, from those that
// the code stores in the column or that the type of the value lists:
//
//   - What is cancelled, rejected or declined, or has been completed, delivered or
//     finished, is followed by nothing but a refund, a return or a deletion. A payment
//     may follow a cancellation: it is money that came, and may be a renewal.
//   - What is paid, captured or settled is not followed by a failure. A failure may well
//     be followed by a further attempt.
//   - What comes and goes (active, online, available, suspended) is followed by anything,
//     and so is a state whose name says that something is under way (cancelling,
//     refund_requested).
//
// A state is left alone only if that holds for every value that the statement stores,
// whoever runs it. There is no fix if code that handles no delivery stores other values
// through it, if the message brings a state of no type that lists them, or if none is left.
// A guard stops the late message, not every wrong order: of two states that may follow
// each other the later one still wins. A row without a state (NULL) is left alone too.
//
// Where the code asks how many rows have changed, the row has to be found all the same,
// for what is late has not failed. An UPDATE of PostgreSQL's that sets no more than the state
// and a time gets
//
//	SET status = CASE WHEN status IN ('cancelled', 'completed') THEN status ELSE $2 END
//
// and others no fix.
//
// Where a field of what was loaded is set, the code returns before that if it is in such a
// state, or has a flag that says so (finalized, completed); or if the message is older, where
// a field that orders changes (UpdatedAt, Version, Sequence and the like) gets the message's
// value. The row has to be read with a lock (FOR UPDATE), or in a transaction of the
// strictest isolation, or be stored only if its version is the one that was loaded: otherwise
// two handlers may both find themselves newer, and the older one writes last. A read by gorm
// in its Transaction gets the lock.
//
//	if event.UpdatedAt.Before(order.UpdatedAt) {
//		return nil
//	}
//	order.Status = event.Status
//	order.UpdatedAt = event.UpdatedAt
//
// A copy of another service's data, where neither the message has a version nor the row a
// column for it, needs both first: no fix can make them up.
//
// # Not reported
//
//   - Writes that no delivery reaches. A handler of requests counts if it is called a
//     webhook or verifies a signature.
//   - Inserts, deletes, sums (x = x + $1), ON CONFLICT DO NOTHING, $setOnInsert, columns
//     that are set once (WHERE x IS NULL).
//   - A write behind a condition on a state, a version, a sequence or a time: in a
//     WHERE, a filter, a ConditionExpression; a branch that leaves before the write, in
//     the handler or in what calls it; a function that fails on a stored state; a read
//     that finds only rows in a certain state.
//   - A constant that is the only one in the program for its column; one of a last
//     state (cancelled, completed, deleted) where no other last state is stored; a flag
//     that no other function contradicts.
//   - Values computed from what is stored, made anew, or asked of another service.
//   - What begins the life of an entity by the names of the functions on the way
//     (created, registered, added, opened); what ends it or happens once (deleted,
//     confirmed, closed), unless it is one of several constants; upserts of anything but
//     a state where no name says that it happens again (updated, changed, renamed,
//     synced).
//   - Texts for people, of several words.
//   - Keys, times, versions and counters of tries; columns of errors and checksums.
//   - Histories, logs, inboxes, outboxes, jobs and deliveries, by the name of the table;
//     caches that are no SQL tables.
//   - Times of arrival where that is what is wanted, by the name of the column: created,
//     updated, received, processed, last seen, heartbeat, lease, expiry.
//
// # Silencing
//
// For one place, a comment with the reason:
//
//	//deliverylint:ignore assignstate one partition, one consumer, and it stops at a failure
//	order.Status = e.Status
//
// # Limits
//
// The rule's findings are warnings. Whether the broker keeps the order for an entity,
// and whether an older message may come again, is not in the code.
//
// Which column holds a state, a version or a time, and what happens once, names tell.
//
// The way from the delivery to the write is a may: a call through an interface has one
// through each type that implements it. If any way to a place is guarded, none is
// reported. So a guard in one of the functions that a shared helper is given counts
// for all of them.
//
// That a condition asks for a state is enough: whether its states are the right ones
// is not looked at.
//
// A finding is at the assignment of the field where an entity was read and is stored
// again, else at the call that leads from the handler to the write; one for each place.
//
// A value is followed through calls, fields and literals; where that ends, the finding
// ends too. Triggers and conditions in stored procedures are not seen.
//
// deliverylint effects FILE:LINE says what was seen at a line and why it is silent.
package assignstate
