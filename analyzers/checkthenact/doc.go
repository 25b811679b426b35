// Package checkthenact finds handlers that tell a delivery which they have handled
// from a new one, but not safely.
//
// A broker delivers again what was not acked, and now and then what was. A handler
// that asks a store whether it has handled a message, applies it and tells the store
// does three things. If they are not one transaction, a crash or a second delivery
// finds the gap: the message is applied twice, or never.
//
// # Categories
//
// check-outside-tx: the store is asked outside the transaction of the effect, and
// nothing in it would fail or do nothing for the second of two deliveries.
//
//	if done, err := repo.Done(ctx, evt.ID); err != nil || done {
//		return err
//	}
//	return db.InTx(ctx, func(tx *sql.Tx) error { // two deliveries get here
//		if err := credit(ctx, tx, evt); err != nil {
//			return err
//		}
//		return setDone(ctx, tx, evt.ID)
//	})
//
// record-outside-tx: the effect is durable, and the record comes next. A crash in
// between, and the redelivery applies the message again.
//
//	if err := accounts.Credit(ctx, evt); err != nil {
//		return err
//	}
//	return inbox.Add(ctx, evt.ID) // a crash before this line applies it twice
//
// mark-before-effect: the message is marked as handled, and then comes the effect. A
// crash or a failure in between loses it: the redelivery is taken for a duplicate.
//
//	fresh, err := rdb.SetNX(ctx, evt.ID, 1, 24*time.Hour).Result()
//	if err != nil || !fresh {
//		return err
//	}
//	return accounts.Credit(ctx, evt) // if this fails, nobody tries again
//
// volatile-store: what was handled is kept in the memory of the process, or in a
// cache beside the database that has the effect. A restart, a second replica or a
// lost key, and the message is applied twice.
//
// claim-ignored: INSERT ... ON CONFLICT DO NOTHING succeeds for a duplicate too, and
// nobody reads the row count; or a unique violation is passed over inside a Postgres
// transaction, which is aborted from then on.
//
//	_, err := tx.Exec(ctx, `INSERT INTO inbox (id) VALUES ($1) ON CONFLICT DO NOTHING`, evt.ID)
//	if err != nil {
//		return err
//	}
//	return credit(ctx, tx, evt) // for a duplicate too
//
// # Right
//
// Claim the message in the transaction of the effect, and look at the answer:
//
//	tag, err := tx.Exec(ctx, `INSERT INTO inbox (id) VALUES ($1) ON CONFLICT DO NOTHING`, evt.ID)
//	if err != nil || tag.RowsAffected() == 0 {
//		return err
//	}
//	return credit(ctx, tx, evt)
//
// An effect that no transaction covers, mail or a payment, needs an idempotency key
// at the other side.
//
// # Fixes
//
// -fix changes two shapes:
//
//   - claim-ignored: the claim's row count is read, and none means that the message was
//     handled: the function returns nil. The claim has to be the first that is done in its
//     transaction, for a return from a function that runs in one commits the rest.
//   - mark-before-effect: a claim right above the return of what is run in a
//     transaction (pgx.BeginFunc, a helper of the module) becomes the first that is done
//     in that.
//
// # What counts
//
// A check is a call that asks a store about the message, where the function leaves
// with success and without an effect if something was found: a row, a count, a key
// of Redis, an entry of a map. A claim inserts and tells whether it was first. A
// record is a call that does nothing but tell the same store. The names of the calls
// don't matter.
//
// An effect that is the same a second time needs no record: an update by absolute
// values, an insert with ON CONFLICT, a PUT.
//
// # Not reported
//
//   - A check that only saves work: the record is an insert in the transaction of the
//     effect, and its unique key stops the second delivery.
//   - A check that is made again in the transaction.
//   - A mark that is taken back where the effect fails, or that ends by itself within
//     a quarter of an hour: it is a lock on work that is under way.
//   - A map from which the message is deleted again.
//   - Handlers behind a check that are all known, and do nothing that lasts.
//   - A function that returns what it found: to find it was what it was called for.
//   - A record in a row that is more than a record, unless it is inserted, sets a flag
//     beside a change of the database, or keeps what the effect has made and the check
//     asks whether that is there.
//   - A publish that is followed by its record, where the check is in the database:
//     that is at-least-once by design, and what a relay does.
//   - A handler whose broker never delivers again what failed.
//   - Code that no handler reaches, unless it claims a key of Redis, takes a delivery,
//     or its package, function or table is named after deduplication, idempotency or
//     an inbox.
//
// # Silencing
//
// For one place, a comment with the reason:
//
//	//deliverylint:ignore checkthenact the ledger drops a second entry
//	err = ledger.Add(ctx, entry)
//
// # Limits
//
// Whether a unique key stands behind an insert is not looked up: one in the
// transaction of the effect is taken to have it. A handle that is kept behind an
// interface may be a transaction, so a check or claim through it is silent. Of a store
// behind an interface that is there in memory and elsewhere, the one in memory is taken
// for a stand-in. What a
// Redis script does is not read: it may look up, set and delete.
package checkthenact
