// Package topics handles several kinds of messages in one loop, in branches of which
// only one is taken for a message.
package topics

import (
	"context"
	"database/sql"

	"github.com/IBM/sarama"
)

// Birds handles what is told of birds.
type Birds struct{ db *sql.DB }

// Setup does nothing.
func (*Birds) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (*Birds) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim has an if for each topic.
func (b *Birds) ConsumeClaim(s sarama.ConsumerGroupSession, c sarama.ConsumerGroupClaim) error {
	for m := range c.Messages() {
		if m.Topic == "seen" {
			b.seen(m, s)
		}
		if m.Topic == "heard" {
			b.heard(m, s)
		}
	}
	return nil
}

// seen marks what it has stored.
func (b *Birds) seen(m *sarama.ConsumerMessage, s sarama.ConsumerGroupSession) {
	if _, err := b.db.ExecContext(context.Background(), `UPDATE birds SET seen = true WHERE id = $1`, string(m.Key)); err != nil {
		panic(err)
	}
	s.MarkMessage(m, "")
}

func (b *Birds) heard(m *sarama.ConsumerMessage, s sarama.ConsumerGroupSession) {
	if _, err := b.db.ExecContext(context.Background(), `UPDATE birds SET heard = true WHERE id = $1`, string(m.Key)); err != nil {
		panic(err)
	}
	s.MarkMessage(m, "")
}

// Nests handles what is told of nests.
type Nests struct{ Birds }

// ConsumeClaim may take both branches.
func (n *Nests) ConsumeClaim(s sarama.ConsumerGroupSession, c sarama.ConsumerGroupClaim) error {
	for m := range c.Messages() {
		if m.Topic == "seen" {
			n.seen(m, s) // want before-effect
		}
		if len(m.Key) > 0 {
			n.heard(m, s)
		}
	}
	return nil
}
