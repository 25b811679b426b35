package right

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/ThreeDotsLabs/watermill"
	wsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/components/forwarder"
	"github.com/ThreeDotsLabs/watermill/message"
)

type MemberJoined struct{ Club, Member string }

type Clubs struct {
	db  *sql.DB
	log watermill.LoggerAdapter
}

// publisher writes to the messages table through the transaction it is given.
func (c *Clubs) publisher(tx *sql.Tx) (message.Publisher, error) {
	pub, err := wsql.NewPublisher(wsql.TxFromStdSQL(tx), wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}, c.log)
	if err != nil {
		return nil, fmt.Errorf("publisher on tx: %w", err)
	}
	return forwarder.NewPublisher(pub, forwarder.PublisherConfig{ForwarderTopic: "clubs_to_forward"}), nil
}

func (c *Clubs) Join(ctx context.Context, club, member string) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "INSERT INTO members (club_id, member_id) VALUES ($1, $2)", club, member); err != nil {
		return err
	}
	pub, err := c.publisher(tx)
	if err != nil {
		return err
	}
	bus, err := cqrs.NewEventBusWithConfig(pub, cqrs.EventBusConfig{
		GeneratePublishTopic: func(p cqrs.GenerateEventPublishTopicParams) (string, error) { return p.EventName, nil },
		Marshaler:            cqrs.JSONMarshaler{},
	})
	if err != nil {
		return err
	}
	if err := bus.Publish(ctx, MemberJoined{club, member}); err != nil {
		return err
	}
	return tx.Commit()
}

func (c *Clubs) Leave(ctx context.Context, club, member string) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "DELETE FROM members WHERE club_id = $1 AND member_id = $2", club, member); err != nil {
		return err
	}
	pub, err := wsql.NewPublisher(wsql.TxFromStdSQL(tx), wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}, c.log)
	if err != nil {
		return err
	}
	if err := pub.Publish("clubs.left", message.NewMessage(watermill.NewUUID(), []byte(member))); err != nil {
		return err
	}
	return tx.Commit()
}
