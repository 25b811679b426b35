package hints

import (
	"context"
	"database/sql"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sns"
)

type publisher interface {
	Publish(ctx context.Context, in *sns.PublishInput, opts ...func(*sns.Options)) (*sns.PublishOutput, error)
}

// Codes are sent to telephones.
type Codes struct {
	db    *sql.DB
	sms   *sns.Client
	any   publisher
	topic string
}

func NewCodes(db *sql.DB, client *sns.Client, topic string) *Codes {
	return &Codes{db: db, sms: client, any: client, topic: topic}
}

func (c *Codes) store(ctx context.Context, phone, code string) error {
	_, err := c.db.ExecContext(ctx, "UPDATE people SET code = $2 WHERE phone = $1", phone, code)
	return err
}

// Send sends a text to a person, who asks again when none comes.
func (c *Codes) Send(ctx context.Context, phone, code string) error {
	if err := c.store(ctx, phone, code); err != nil {
		return err
	}
	_, err := c.sms.Publish(ctx, &sns.PublishInput{PhoneNumber: aws.String(phone), Message: aws.String(code)})
	return err
}

// Resend does it through an interface that the client implements.
func (c *Codes) Resend(ctx context.Context, phone, code string) error {
	if err := c.store(ctx, phone, code); err != nil {
		return err
	}
	in := &sns.PublishInput{
		PhoneNumber: aws.String(phone),
		Message:     aws.String(code),
	}
	_, err := c.any.Publish(ctx, in)
	return err
}

// Tell publishes to a topic.
func (c *Codes) Tell(ctx context.Context, phone, code string) error {
	if err := c.store(ctx, phone, code); err != nil {
		return err
	}
	_, err := c.any.Publish(ctx, &sns.PublishInput{TopicArn: aws.String(c.topic), Message: aws.String(phone)}) // want dual-write
	return err
}
