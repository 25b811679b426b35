package right

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Clinic struct {
	client *mongo.Client
	visits *mongo.Collection
	outbox *mongo.Collection
	sns    *sns.Client
	arn    string
}

func (c *Clinic) Book(ctx context.Context, patient string, at time.Time) error {
	sess, err := c.client.StartSession()
	if err != nil {
		return err
	}
	defer sess.EndSession(ctx)
	_, err = sess.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		res, err := c.visits.InsertOne(ctx, bson.M{"patient": patient, "at": at})
		if err != nil {
			return nil, err
		}
		return c.outbox.InsertOne(ctx, bson.M{"type": "visit.booked", "visit": res.InsertedID})
	})
	return err
}

// Remind reads and publishes; the next run would find the visit again.
func (c *Clinic) Remind(ctx context.Context, day time.Time) error {
	cur, err := c.visits.Find(ctx, bson.M{"at": bson.M{"$gte": day, "$lt": day.AddDate(0, 0, 1)}})
	if err != nil {
		return err
	}
	defer cur.Close(ctx)
	for cur.Next(ctx) {
		id := cur.Current.Lookup("_id").ObjectID().Hex()
		if _, err := c.sns.Publish(ctx, &sns.PublishInput{TopicArn: &c.arn, Message: &id}); err != nil {
			return err
		}
	}
	return cur.Err()
}

type Policies struct {
	db     *dynamodb.Client
	table  string
	outbox string
}

// Underwrite puts the item and its event in one request that is all or nothing.
func (p *Policies) Underwrite(ctx context.Context, id string) error {
	_, err := p.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String("underwrite-" + id),
		TransactItems: []ddb.TransactWriteItem{
			{Put: &ddb.Put{TableName: &p.table, Item: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}}}},
			{Put: &ddb.Put{TableName: &p.outbox, Item: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: "evt-" + id}}}},
		},
	})
	return err
}
