// Package earlyack finds deliveries that are acked before their effect is
// durable, or although it has failed.
//
// An ack tells the broker to forget a message. What the process does after it,
// or has not managed to do before it, nobody will ask for again: a crash, a
// deploy or a database that is down for a moment loses the message.
//
// # Categories
//
// before-effect: the ack comes first, and the write or publish that the message
// is for comes next. A crash in between loses it. The same is true where the work
// is only handed on, to a goroutine or a channel, when the ack is sent.
//
//	if err := d.Ack(false); err != nil {
//		return err
//	}
//	return repo.Save(ctx, order) // a crash before this line loses the message
//
// auto-ack: the consumer is made so that the library or the broker acks by
// itself, before the message was handled: autoAck of AMQP, AckNone of JetStream,
// ReadMessage of a kafka-go reader with a GroupID, enable.auto.commit of
// confluent's client.
//
//	msgs, err := ch.Consume(queue, "", true, false, false, false, nil) // autoAck
//	for d := range msgs {
//		if err := repo.Save(ctx, d.Body); err != nil { // too late to ask for it again
//			log.Print(err)
//		}
//	}
//
// on-failure: the effect fails, and the message is acked all the same. The error
// is logged and the code goes on to the ack; a handler whose framework acks on nil
// returns nil; a batch is acked with the failed ones in it; the error of a dead
// letter is dropped. On Kafka an offset acks all that came before it, so leaving
// out the commit and reading on loses the message too.
//
//	if err := repo.Save(ctx, order); err != nil {
//		log.Print(err)
//	}
//	session.MarkMessage(msg, "")
//
// out-of-order: each message of a partition is handled in a goroutine that commits
// its offset. A later message that is done first commits those that are not.
//
//	for msg := range claim.Messages() {
//		go func() {
//			if handle(ctx, msg) == nil {
//				session.MarkMessage(msg, "")
//			}
//		}()
//	}
//
// # Right
//
// Ack last, and only what is durable. What failed is given back, or put where
// somebody finds it, and the ack waits for that too:
//
//	if err := repo.Save(ctx, order); err != nil {
//		return d.Nack(false, true)
//	}
//	return d.Ack(false)
//
// A handler whose framework acks for it returns its error. A Kafka consumer stops
// at a failure, tries again in place, or publishes the message to a retry or dead
// letter topic and commits when that has succeeded. Work on several messages of a
// partition at a time waits for all of them before it commits the last.
//
// The next delivery then repeats what was done: the effect has to be one that can
// be repeated.
//
// # Fixes
//
// -fix makes what failed come again, in the way of the library. It has to be one call
// whose error is looked at in the same or the next statement, by a check that only
// logs, counts and leaves; words at the end of the check say that it is meant.
//
//   - A handler whose framework acks on nil returns the error. Where the code goes on
//     with other work, in a loop too, it still does, and returns all errors at its end
//     (errors.Join). A function that answers with a bool answers false.
//   - A ConsumeClaim of sarama returns the error: the session ends, and the next one
//     begins behind the last message that was marked.
//   - An AMQP delivery, a message of JetStream, Watermill, Pub/Sub or Pulsar is given back
//     (Nack with requeue, Nak, Nack) where the ack follows in the same block; one of SQS
//     is left for its visibility timeout.
//   - What fails in a loop is left out of the list of deliveries that is acked behind it;
//     where one turn is made of several deliveries, none is acked.
//   - With kafka-go the effect is tried again in place, a second apart, until it works or
//     the context ends. Leaving out the commit and reading on is no fix: the next commit
//     passes the message.
//
// ReadMessage of kafka-go becomes FetchMessage, with CommitMessages at the end of the
// loop's round; an effect whose failure doesn't leave the loop is tried again there.
//
// Consume of an AMQP channel with autoAck, whose deliveries are read in a loop of the
// same function, gets false for it; the loop acks at its end, gives a delivery
// back whose effect failed, and gives one up (Nack without requeue) that
// can't be decoded. Whoever is given a delivery on the way may only read its fields.
//
// An ack before the effect in the same block moves to the block's end. In a loop over
// AMQP deliveries what failed is given back, too.
//
// What always fails then comes again and again, or holds its partition up: a queue needs
// a dead letter exchange or a delivery limit, and its channel a prefetch count; on Kafka
// count the attempts and put the message aside.
//
// # Not reported
//
// These are right, or lose nothing:
//
//   - An ack of a duplicate, of what can't be decoded and of what nobody handles.
//   - An ack after a dead letter, a retry message or a status such as FAILED was
//     stored or published, if the failure of that is not hidden.
//   - A failure that the code tells from others, by errors.Is, a code or a text:
//     what to do about it was decided.
//   - A failure after which the delivery may also be given back, by how often it was
//     tried or what kind of failure it was; one that is noted in a list, a map or a
//     field, or left out of the list that is acked.
//   - An ack after the message was stored as a row.
//   - A step that failed after which another effect of the same delivery comes
//     about.
//   - A write or publish of a log, an audit entry, telemetry or a cache, that fails
//     or comes after the ack.
//   - What ends the program, such as log.Fatal().Msg of zerolog: the message comes again.
//   - After the work, at the end, a record that the message was handled, a run, a
//     cursor or a job's state, by the name of the table or of the function: it may fail,
//     or come after the ack.
//   - A nack, a reject or a term: the delivery is dropped, but doesn't pass for
//     done.
//   - A delivery whose goroutine or worker acks it, where each is acked on its own
//     (AMQP, SQS, Pub/Sub and the like).
//   - An ack after a wait for what was handed on.
//   - Brokers that have no ack, such as core NATS.
//
// # Silencing
//
// For one place, a comment with the reason:
//
//	//deliverylint:ignore earlyack positions come every second, one is no loss
//	_ = d.Ack(false)
//
// For a function wherever it is called, an entry in .deliverylint.yml: notify for
// an effect whose loss loses nothing, ignore for one that means nothing here.
//
//	functions:
//	  (example.com/fleet/live.Board).Show: {kind: notify}
//
// # Limits
//
// What acks is told by the library, by options and constants that can be followed
// to where the consumer is made. Where they can't (a variable decides, or the
// consumer comes from outside the module) only acks in the code count.
// deliverylint handlers lists the functions that take deliveries, and what acks
// them; others are declared under handlers in .deliverylint.yml.
//
// A handler that acks what it could not read from the database, or could not send
// to another service, is not reported: only writes and publishes count as effects.
//
// A step that fails after another has succeeded is not reported, nor is a call
// whose error nobody looks at, unless it puts a dead letter aside.
//
// A row that was inserted before the ack is taken for the message itself: that
// something works it off is not looked at.
//
// Workers that read one channel are not told from one another, so what they commit
// out of order is not seen. The answer to a webhook is not judged, and neither is a
// handler's list of the deliveries that failed.
//
// Conditions are not followed: where a failure may be followed by a nack, or is
// written down in a list, a map or a field, the code is trusted to decide by that.
//
// deliverylint effects FILE:LINE says what was seen at a line and why it is
// silent.
package earlyack
