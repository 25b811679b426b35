package services

import (
	"context"
	"encoding/json"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	eb "github.com/aws/aws-sdk-go-v2/service/eventbridge/types"
)

// putter has the verb of the table for an event.
type putter interface {
	Put(ctx context.Context, kind string, detail *Stay) error
}

type bus struct{ client *eventbridge.Client }

func (b *bus) Put(ctx context.Context, kind string, detail *Stay) error {
	raw, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	_, err = b.client.PutEvents(ctx, &eventbridge.PutEventsInput{
		Entries: []eb.PutEventsRequestEntry{{DetailType: &kind, Detail: aws.String(string(raw))}},
	})
	return err
}

type flow struct {
	events putter
	nights int
}

func (f *flow) CheckIn(ctx context.Context, s Stay) (*Stay, error) {
	in := s
	in.Until = time.Now().AddDate(0, 0, f.nights)
	if err := f.events.Put(ctx, "checked-in", &in); err != nil {
		return nil, err
	}
	return &in, nil
}

func (f *flow) CheckOut(ctx context.Context, s *Stay) error {
	return f.events.Put(ctx, "checked-out", s)
}

func (f *flow) Estimate(_ context.Context, s Stay) (*Stay, error) {
	s.Until = time.Now().AddDate(0, 0, f.nights)
	return &s, nil
}

type news struct{ events putter }

func (n news) Lengthened(ctx context.Context, s *Stay) error {
	return n.events.Put(ctx, "lengthened", s)
}
func (n news) Moved(ctx context.Context, s *Stay) { _ = n.events.Put(ctx, "moved", s) }

type table struct {
	client *dynamodb.Client
	name   string
}

func (t *table) item(s *Stay) map[string]ddb.AttributeValue {
	return map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: s.ID}, "room": &ddb.AttributeValueMemberS{Value: s.Room}}
}

func (t *table) PutStay(ctx context.Context, s *Stay) error {
	_, err := t.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &t.name, Item: t.item(s)})
	return err
}

func (t *table) PutStays(ctx context.Context, stays ...*Stay) error {
	var writes []ddb.WriteRequest
	for _, s := range stays {
		writes = append(writes, ddb.WriteRequest{PutRequest: &ddb.PutRequest{Item: t.item(s)}})
	}
	_, err := t.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]ddb.WriteRequest{t.name: writes}})
	return err
}

func (t *table) Stay(ctx context.Context, id string) (*Stay, error) {
	key := map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}}
	if _, err := t.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &t.name, Key: key}); err != nil {
		return nil, err
	}
	return &Stay{ID: id}, nil
}

// Wire puts the services together.
func Wire(db *dynamodb.Client, client *eventbridge.Client) *Reception {
	b := &bus{client}
	return NewReception(&flow{events: b, nights: 1}, &table{client: db, name: "stays"}, news{events: b})
}
