// Package missinginbox finds message handlers that apply an effect once more when a
// message comes a second time.
//
// A broker delivers at least once: a crash before the ack, a rebalance or a lost
// answer to a webhook brings the same message again. A handler that adds, appends or
// inserts a row with a key of its own then does so twice, unless something in its
// transaction notes which messages were applied.
//
// # Categories
//
// no-dedupe: the handler adds to a column, appends, counts or inserts with a
// generated id, and nothing makes a second delivery harmless.
//
//	func (h *Handler) Deposited(ctx context.Context, e Deposited) error {
//		_, err := h.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`, e.Cents, e.Account)
//		return err // a second delivery adds it again
//	}
//
// The same goes for a row that is read, changed and stored:
//
//	account.Balance += e.Cents
//	return h.accounts.Save(ctx, account)
//
// unstable-key: there is a key that a second insert would meet, but every attempt
// makes it anew, so it never collides.
//
//	_, err := h.db.ExecContext(ctx,
//		`INSERT INTO payments (order_id, paid_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, e.Order, time.Now())
//
// No handler is needed where the code itself tries again. A try whose answer is lost
// has stored its row:
//
//	for range 3 {
//		if err = s.Enqueue(ctx, job); err == nil { // inserts by uuid.NewString()
//			return nil
//		}
//	}
//
// # Right
//
// Record the message in the transaction of the effect; the second delivery fails
// there and is acked:
//
//	if _, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, e.ID); err != nil {
//		return err
//	}
//	_, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`, e.Cents, e.Account)
//
// Or make the effect the same twice: store an absolute value, insert with a unique
// key that comes from the message, change only a row that is in the state before
// (WHERE status = 'pending'), compute a total from its rows. Make a key before the
// first try, not in each.
//
// # Fixes
//
// Where the module has an inbox, -fix asks it before the effect, in its transaction, and
// returns nil for a message that was handled. An inbox is what deliverylint scaffold inbox
// writes, or any one function like it; where there are several, .deliverylint.yml names
// the one:
//
//	inbox:
//	  functions: [example.com/ledger/inbox.Once]
//
//	func Once(ctx context.Context, tx pgx.Tx, consumer, messageID string) (first bool, err error)
//
// The transaction has to be begun in the function of the effect, and rolled back by a
// defer, or that has to be a literal that is run in one. And it has to be plain what the
// message's own ID is: one string at hand is called EventID, MessageID, MsgID or
// DeliveryID, or is the ID of a type whose name ends in Event, Message, Msg, Envelope or
// Notification. The consumer is called as the package is.
//
// # Not reported
//
//   - Absolute values, deletes, upserts, conditional updates.
//   - An insert that meets a unique key made from the message, whether the failure is
//     handled or not: nothing is applied twice. Keys are read from the .sql files of
//     the repository, from texts in the code, from the tags of gorm, bun and xorm, and
//     from _id. An insert into a table whose keys are not known is not reported.
//   - What stands behind a branch on stored state that leaves, if the handler writes
//     any of the tables that it reads; behind a look into a map or a call by what the
//     message tells; behind a function that refuses.
//   - What stands beside a claim, a record or an insert that fails the second time.
//     Whether that is in the transaction of the effect is another matter.
//   - Logs, histories, metrics and dead letters, by the name of the table; audits and
//     logs by that of a function, too; counters of tries, versions, views and of what was sent, by
//     the name of the column.
//   - Outbox rows, other than those that a webhook stores: an event more of a change
//     that was not made twice.
//   - Handlers that nothing delivers to again: core NATS, Redis channels, what is acked
//     before the handler runs. Where a login sends a browser back to is no handler.
//   - Tries that go on for some errors only: of these it is known that nothing was stored.
//
// # Silencing
//
// For one place, a comment with the reason:
//
//	//deliverylint:ignore missinginbox the counter is a hint
//	hits.Add(ctx, page, 1)
//
// # Limits
//
// The way from the delivery to the effect is a may: a call through an interface has
// one through each type that implements it. If any way to a place is guarded, another is
// reported only where each call on it runs one function for sure. A value is followed through calls, fields and literals; where that ends,
// the finding ends too.
//
// Keys that were dropped count. Keys that only the database knows are not seen, nor
// is a trigger that fills them in. Of a document store no index is known but _id; if
// the code makes a unique one, no insert is reported.
//
// An item of DynamoDB is looked at where its type tells its key.
//
// Files, Redis counters and calls to other services are not looked at. Of code that
// tries again by itself only inserts are, a call below the loop (or below backoff.Retry
// and retry.Do), with a key that its name tells: id, uuid, event_id, idempotency_key. The
// id of a message that a relay makes anew in each try is not seen.
//
// deliverylint effects FILE:LINE says what was seen at a line and why it is silent.
package missinginbox
