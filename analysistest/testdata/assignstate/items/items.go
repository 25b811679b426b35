// Package items stores what messages say in items of DynamoDB.
package items

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// API is what the store needs of the client.
type API interface {
	GetItem(ctx context.Context, in *dynamodb.GetItemInput, optFns ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(ctx context.Context, in *dynamodb.PutItemInput, optFns ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, optFns ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

type Device struct {
	ID, Status string
	Version    int64
}

type Store struct {
	api    API
	client *dynamodb.Client
	table  string
}

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func num(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func (d Device) item() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": str(d.ID), "status": str(d.Status), "version": num(d.Version)}
}

func (s *Store) load(ctx context.Context, id string) (d Device, err error) {
	out, err := s.api.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.table, Key: map[string]types.AttributeValue{"id": str(id)}})
	if err != nil {
		return d, err
	}
	d.ID = id
	if v, ok := out.Item["version"].(*types.AttributeValueMemberN); ok {
		d.Version, err = strconv.ParseInt(v.Value, 10, 64)
	}
	return d, err
}

func (s *Store) wrongPut(ctx context.Context, e Device) error {
	_, err := s.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.table, Item: e.item()}) // want unguarded "status"
	return err
}

func (s *Store) wrongUpdate(ctx context.Context, e Device) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want unguarded "status"
		TableName:                 &s.table,
		Key:                       map[string]types.AttributeValue{"id": str(e.ID)},
		UpdateExpression:          aws.String("SET status = :s"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":s": str(e.Status)},
	})
	return err
}

func (s *Store) wrongNamed(ctx context.Context, e Device) error {
	_, err := s.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want unguarded "status"
		TableName:                 &s.table,
		Key:                       map[string]types.AttributeValue{"id": str(e.ID)},
		UpdateExpression:          aws.String("SET #status = :s"),
		ExpressionAttributeNames:  map[string]string{"#status": "status"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":s": str(e.Status)},
	})
	return err
}

// wrongOptimistic keeps other writers out; a late message loads the newest version too.
func (s *Store) wrongOptimistic(ctx context.Context, e Device) error {
	old, err := s.load(ctx, e.ID)
	if err != nil {
		return err
	}
	_, err = s.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want unguarded "status"
		TableName:                 &s.table,
		Key:                       map[string]types.AttributeValue{"id": str(e.ID)},
		UpdateExpression:          aws.String("SET status = :s, version = :next"),
		ConditionExpression:       aws.String("version = :loaded"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":s": str(e.Status), ":loaded": num(old.Version), ":next": num(old.Version + 1)},
	})
	return err
}

func (s *Store) rightPut(ctx context.Context, e Device) error {
	_, err := s.api.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: e.item(),
		ConditionExpression:       aws.String("attribute_not_exists(id) OR version < :v"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":v": num(e.Version)},
	})
	return err
}

func (s *Store) rightOnce(ctx context.Context, e Device) error {
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: e.item(), ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	return err
}

func (s *Store) rightUpdate(ctx context.Context, e Device) error {
	_, err := s.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 &s.table,
		Key:                       map[string]types.AttributeValue{"id": str(e.ID)},
		UpdateExpression:          aws.String("SET status = :s, version = :v"),
		ConditionExpression:       aws.String("version < :v"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":s": str(e.Status), ":v": num(e.Version)},
	})
	return err
}

func (s *Store) rightAdd(ctx context.Context, e Device) error {
	_, err := s.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 &s.table,
		Key:                       map[string]types.AttributeValue{"id": str(e.ID)},
		UpdateExpression:          aws.String("ADD changes :n"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": num(e.Version)},
	})
	return err
}

func each(handle func(context.Context, Device) error) func(context.Context, events.SQSEvent) error {
	return func(ctx context.Context, batch events.SQSEvent) error {
		for _, m := range batch.Records {
			var e Device
			if err := json.Unmarshal([]byte(m.Body), &e); err != nil {
				return err
			}
			if err := handle(ctx, e); err != nil {
				return err
			}
		}
		return nil
	}
}

func Start(s *Store, name string) {
	switch name {
	case "put":
		lambda.Start(each(s.wrongPut))
	case "update":
		lambda.Start(each(s.wrongUpdate))
	case "named":
		lambda.Start(each(s.wrongNamed))
	case "optimistic":
		lambda.Start(each(s.wrongOptimistic))
	case "newer":
		lambda.Start(each(s.rightPut))
	case "once":
		lambda.Start(each(s.rightOnce))
	case "condition":
		lambda.Start(each(s.rightUpdate))
	case "add":
		lambda.Start(each(s.rightAdd))
	}
}
