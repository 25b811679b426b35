package handler

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	eb "github.com/aws/aws-sdk-go-v2/service/eventbridge/types"
)

// Claimants is a function that a queue invokes: its error brings the batch back.
type Claimants struct {
	db    *dynamodb.Client
	bus   *eventbridge.Client
	table string
}

func (c *Claimants) key(id string) map[string]ddb.AttributeValue {
	return map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}}
}

func (c *Claimants) send(ctx context.Context, kind, id string) error {
	_, err := c.bus.PutEvents(ctx, &eventbridge.PutEventsInput{
		Entries: []eb.PutEventsRequestEntry{{DetailType: &kind, Detail: &id}},
	})
	return err
}

// Start hands the functions to the runtime.
func (c *Claimants) Start(which string) {
	switch which {
	case "put":
		lambda.Start(c.Put)
	case "once":
		lambda.Start(c.PutOnce)
	default:
		lambda.Start(c.Look)
	}
}

// Put stores the same item each time and publishes.
func (c *Claimants) Put(ctx context.Context, e events.SQSEvent) error {
	for _, m := range e.Records {
		if _, err := c.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: &c.table, Item: c.key(m.Body)}); err != nil {
			return err
		}
		if err := c.send(ctx, "claimant-stored", m.Body); err != nil {
			return err
		}
	}
	return nil
}

// PutOnce looks whether the item is there: then it returns before it publishes.
func (c *Claimants) PutOnce(ctx context.Context, e events.SQSEvent) error {
	for _, m := range e.Records {
		got, err := c.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &c.table, Key: c.key(m.Body)})
		if err != nil {
			return err
		}
		if got.Item != nil {
			continue
		}
		if _, err := c.db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: &c.table, Item: c.key(m.Body), ConditionExpression: aws.String("attribute_not_exists(pk)"),
		}); err != nil {
			return err
		}
		if err := c.send(ctx, "claimant-stored", m.Body); err != nil { // want dual-write "follows"
			return err
		}
	}
	return nil
}

// Look only reads.
func (c *Claimants) Look(ctx context.Context, e events.SQSEvent) error {
	for _, m := range e.Records {
		if _, err := c.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &c.table, Key: c.key(m.Body)}); err != nil {
			return err
		}
		if err := c.send(ctx, "claimant-seen", m.Body); err != nil {
			return err
		}
	}
	return nil
}
