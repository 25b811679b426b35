package wrong

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Clinic struct {
	client   *mongo.Client
	visits   *mongo.Collection
	slots    *mongo.Collection
	sns      *sns.Client
	topicARN string
}

func (c *Clinic) Book(ctx context.Context, patient string, at time.Time) error {
	res, err := c.visits.InsertOne(ctx, bson.M{"patient": patient, "at": at})
	if err != nil {
		return err
	}
	id := res.InsertedID.(bson.ObjectID).Hex()
	_, err = c.sns.Publish(ctx, &sns.PublishInput{TopicArn: &c.topicARN, Message: aws.String(id)}) // want dual-write "follows"
	return err
}

func (c *Clinic) Cancel(ctx context.Context, visit bson.ObjectID) error {
	sess, err := c.client.StartSession()
	if err != nil {
		return err
	}
	defer sess.EndSession(ctx)
	_, err = sess.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		if _, err := c.visits.DeleteOne(ctx, bson.M{"_id": visit}); err != nil {
			return nil, err
		}
		if _, err := c.slots.UpdateOne(ctx, bson.M{"visit": visit}, bson.M{"$unset": bson.M{"visit": ""}}); err != nil {
			return nil, err
		}
		return c.sns.Publish(ctx, &sns.PublishInput{TopicArn: &c.topicARN, Message: aws.String(visit.Hex())}) // want inside-tx "transaction"
	})
	return err
}

func (c *Clinic) Move(ctx context.Context, visit bson.ObjectID, to time.Time) error {
	sess, err := c.client.StartSession(options.Session())
	if err != nil {
		return err
	}
	defer sess.EndSession(ctx)
	if err := sess.StartTransaction(); err != nil {
		return err
	}
	err = mongo.WithSession(ctx, sess, func(ctx context.Context) error {
		if _, err := c.visits.UpdateByID(ctx, visit, bson.M{"$set": bson.M{"at": to}}); err != nil {
			_ = sess.AbortTransaction(ctx)
			return err
		}
		return sess.CommitTransaction(ctx)
	})
	if err != nil {
		return err
	}
	_, err = c.sns.Publish(ctx, &sns.PublishInput{TopicArn: &c.topicARN, Message: aws.String("moved")}) // want after-commit "runs after"
	return err
}

func (c *Clinic) Admit(ctx context.Context, visit bson.ObjectID) error {
	in := &sns.PublishInput{TopicArn: &c.topicARN, Subject: aws.String("admitted"), Message: aws.String(visit.Hex())}
	if _, err := c.sns.Publish(ctx, in); err != nil { // want before-write
		return err
	}
	_, err := c.visits.UpdateOne(ctx, bson.M{"_id": visit}, bson.M{"$set": bson.M{"admitted": true}})
	return err
}
