package wrong

import (
	"context"
	"database/sql"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
)

type MemberJoined struct{ Club, Member string }

type Clubs struct {
	db  *sql.DB
	pub message.Publisher
	bus *cqrs.EventBus
}

func (c *Clubs) Join(ctx context.Context, club, member string) error {
	tx, err := c.db.Begin()
	if err != nil {
		return err
	}
	if _, err = tx.Exec("INSERT INTO members (club_id, member_id) VALUES (?, ?)", club, member); err != nil {
		tx.Rollback()
		return err
	}
	if err = tx.Commit(); err != nil {
		return err
	}
	return c.bus.Publish(ctx, MemberJoined{club, member}) // want after-commit "runs after tx.Commit"
}

func (c *Clubs) Leave(ctx context.Context, club, member string) error {
	stmt, err := c.db.PrepareContext(ctx, "DELETE FROM members WHERE club_id = ? AND member_id = ?")
	if err != nil {
		return err
	}
	defer stmt.Close()
	if _, err := stmt.ExecContext(ctx, club, member); err != nil {
		return err
	}
	msg := message.NewMessage(watermill.NewUUID(), []byte(member))
	return c.pub.Publish("clubs.left", msg) // want dual-write "follows"
}

func (c *Clubs) Rename(ctx context.Context, club, name string) error {
	tx, err := c.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	stmt, err := tx.PrepareContext(ctx, "UPDATE clubs SET name = ? WHERE id = ?")
	if err != nil {
		return err
	}
	if _, err := stmt.ExecContext(ctx, name, club); err != nil {
		return err
	}
	if err := c.pub.Publish("clubs.renamed", message.NewMessage(watermill.NewUUID(), []byte(name))); err != nil { // want inside-tx "transaction"
		return err
	}
	return tx.Commit()
}
