package wrong

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	eb "github.com/aws/aws-sdk-go-v2/service/eventbridge/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

type Policies struct {
	db    *dynamodb.Client
	bus   *eventbridge.Client
	queue *sqs.Client
	table string
	url   string
}

func (p *Policies) Underwrite(ctx context.Context, id string) error {
	_, err := p.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &p.table,
		Item:      map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}},
	})
	if err != nil {
		return fmt.Errorf("put policy: %w", err)
	}
	_, err = p.bus.PutEvents(ctx, &eventbridge.PutEventsInput{ // want dual-write "follows"
		Entries: []eb.PutEventsRequestEntry{{DetailType: aws.String("policy-underwritten"), Detail: aws.String(id)}},
	})
	return err
}

func (p *Policies) Transfer(ctx context.Context, from, to string) error {
	put := func(pk string) ddb.TransactWriteItem {
		return ddb.TransactWriteItem{Put: &ddb.Put{
			TableName: &p.table,
			Item:      map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: pk}},
		}}
	}
	if _, err := p.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []ddb.TransactWriteItem{put(from), put(to)},
	}); err != nil {
		return err
	}
	_, err := p.queue.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &p.url, MessageBody: aws.String(from + to)}) // want after-commit "runs after"
	return err
}

// Lapse publishes, and a failed condition then leaves an event for a policy that
// is still in force.
func (p *Policies) Lapse(ctx context.Context, id string) error {
	if _, err := p.queue.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &p.url, MessageBody: &id}); err != nil { // want before-write
		return err
	}
	_, err := p.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:           &p.table,
		Key:                 map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}},
		UpdateExpression:    aws.String("SET lapsed = :t"),
		ConditionExpression: aws.String("attribute_not_exists(lapsed)"),
	})
	return err
}
