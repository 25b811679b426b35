// Package outbox keeps events from being lost: Enqueue stores an event in the
// transaction of the change it tells of, and a Relay publishes what is stored.
//
// A database and a broker can't commit together. With the event in a row beside
// the change there is nothing between them: both are there, or neither. The relay
// may publish a row twice (it is killed after the broker has the message and
// before the row is marked), so consumers have to know a Message.ID again.
//
// Messages with one AggregateType and AggregateID are published in the order in
// which their rows were inserted. Transactions that change the same aggregate row
// before they call Enqueue insert in the order in which they commit; those that
// call Enqueue first do not.
package outbox

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
)

// Message is an event on its way to the broker.
type Message struct {
	// ID tells a message from every other; a message that is published twice has
	// the same one. Enqueue makes one if it is empty. It is a UUID.
	ID string
	// AggregateType names what the event is about ("order"); the topic is made
	// of it.
	AggregateType string
	// AggregateID is the key: the messages of a key stay in order.
	AggregateID string
	// Type names what happened ("OrderPaid").
	Type    string
	Payload []byte
}

const insertMessage = `INSERT INTO outbox (id, aggregatetype, aggregateid, type, payload) VALUES ($1, $2, $3, $4, $5)`

// Enqueue stores a message in tx. It is published after tx has committed, and never
// if tx rolls back.
func Enqueue(ctx context.Context, tx *sql.Tx, msg Message) error {
	if msg.AggregateType == "" || msg.AggregateID == "" || msg.Type == "" {
		return errors.New("outbox: a message needs an AggregateType, an AggregateID and a Type")
	}
	if msg.ID == "" {
		id, err := newID()
		if err != nil {
			return err
		}
		msg.ID = id
	}
	if msg.Payload == nil {
		msg.Payload = []byte{}
	}
	_, err := tx.ExecContext(ctx, insertMessage, msg.ID, msg.AggregateType, msg.AggregateID, msg.Type, msg.Payload)
	if err != nil {
		return fmt.Errorf("outbox: storing %s of %s %s: %w", msg.Type, msg.AggregateType, msg.AggregateID, err)
	}
	return nil
}

// newID makes a random UUID.
func newID() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("outbox: making an ID: %w", err)
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}
