// Package items has DynamoDB: single items that commit by themselves, transactions of
// items, and a repository that publishes in its own Put.
package items

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	eb "github.com/aws/aws-sdk-go-v2/service/eventbridge/types"
)

type Will struct {
	ID      string
	Version int
}

func (w Will) item() map[string]ddb.AttributeValue {
	return map[string]ddb.AttributeValue{
		"pk":      &ddb.AttributeValueMemberS{Value: w.ID},
		"version": &ddb.AttributeValueMemberN{Value: strconv.Itoa(w.Version)},
	}
}

// client has a method for each event, and sees the entries that were refused.
type client struct{ svc *eventbridge.Client }

func (c *client) SendWillSigned(ctx context.Context, w Will) error {
	return c.put(ctx, "will-signed", w.ID)
}
func (c *client) SendWillBurnt(ctx context.Context, id string) error {
	return c.put(ctx, "will-burnt", id)
}

func (c *client) put(ctx context.Context, kind, id string) error {
	out, err := c.svc.PutEvents(ctx, &eventbridge.PutEventsInput{
		Entries: []eb.PutEventsRequestEntry{{DetailType: &kind, Detail: &id}},
	})
	if err != nil {
		return err
	}
	if out.FailedEntryCount > 0 {
		return fmt.Errorf("%s: %s", kind, aws.ToString(out.Entries[0].ErrorMessage))
	}
	return nil
}

// batch is the table with a word for "all of these or none".
type batch struct {
	db    *dynamodb.Client
	table string
}

func (b *batch) PutAll(ctx context.Context, items ...map[string]ddb.AttributeValue) error {
	var puts []ddb.TransactWriteItem
	for _, item := range items {
		puts = append(puts, ddb.TransactWriteItem{Put: &ddb.Put{TableName: &b.table, Item: item}})
	}
	_, err := b.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: puts})
	return err
}

type Wills struct {
	db     *dynamodb.Client
	all    *batch
	events *client
	table  string
}

// Put publishes before its Put, whose condition may not hold.
func (s *Wills) Put(ctx context.Context, w Will) error {
	if err := s.events.SendWillSigned(ctx, w); err != nil { // want before-write
		return err
	}
	w.Version++
	_, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: w.item(),
		ConditionExpression:       aws.String("version = :v"),
		ExpressionAttributeValues: map[string]ddb.AttributeValue{":v": &ddb.AttributeValueMemberN{Value: strconv.Itoa(w.Version - 1)}},
	})
	return err
}

// Delete does the same.
func (s *Wills) Delete(ctx context.Context, id string) error {
	if err := s.events.SendWillBurnt(ctx, id); err != nil { // want before-write
		return err
	}
	_, err := s.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &s.table, Key: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}},
	})
	return err
}

// Sign stores the will and its witness together, then tells.
func (s *Wills) Sign(ctx context.Context, w Will, witness string) error {
	seen := map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: witness}}
	if err := s.all.PutAll(ctx, w.item(), seen); err != nil {
		return err
	}
	return s.events.SendWillSigned(ctx, w) // want after-commit "runs after"
}

// Seal has the event among the items of the transaction; a stream of the outbox
// table delivers it.
func (s *Wills) Seal(ctx context.Context, w Will) error {
	_, err := s.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []ddb.TransactWriteItem{
		{Put: &ddb.Put{TableName: &s.table, Item: w.item()}},
		{Put: &ddb.Put{TableName: aws.String("wills_outbox"), Item: map[string]ddb.AttributeValue{
			"pk": &ddb.AttributeValueMemberS{Value: w.ID}, "kind": &ddb.AttributeValueMemberS{Value: "sealed"},
		}}},
	}})
	return err
}

// Contest publishes where the condition did not hold, and nothing was stored.
func (s *Wills) Contest(ctx context.Context, w Will) error {
	_, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: w.item(), ConditionExpression: aws.String("attribute_not_exists(pk)"),
	})
	var there *ddb.ConditionalCheckFailedException
	if errors.As(err, &there) {
		return s.events.SendWillSigned(ctx, w)
	}
	return err
}
