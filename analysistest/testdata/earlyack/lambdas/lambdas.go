// Package lambdas is invoked by a queue: nil acks the whole batch.
package lambdas

import (
	"context"
	"errors"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Visits keeps visits.
type Visits struct{ db *dynamodb.Client }

func (v *Visits) keep(ctx context.Context, id string) error {
	_, err := v.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("visits"), Item: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}},
	})
	return err
}

// Start hands the functions to the runtime.
func (v *Visits) Start(which string) {
	switch which {
	case "logged":
		lambda.Start(v.Logged)
	case "joined":
		lambda.Start(v.Joined)
	case "partial":
		lambda.Start(v.Partial)
	case "partial-none":
		lambda.Start(v.PartialNone)
	case "stream":
		lambda.Start(v.Stream)
	default:
		lambda.Start(v.Returned)
	}
}

// Logged returns nil after an error that it only logs.
func (v *Visits) Logged(ctx context.Context, e events.SQSEvent) error {
	for _, r := range e.Records {
		if err := v.keep(ctx, r.Body); err != nil { // want on-failure "v.keep may fail, and the handler returns no error"
			slog.Error("keep", "err", err)
			continue
		}
	}
	return nil
}

// Returned fails with the first failure.
func (v *Visits) Returned(ctx context.Context, e events.SQSEvent) error {
	for _, r := range e.Records {
		if err := v.keep(ctx, r.Body); err != nil {
			return err
		}
	}
	return nil
}

// Joined goes on, and fails at the end.
func (v *Visits) Joined(ctx context.Context, e events.SNSEvent) error {
	var errs []error
	for _, r := range e.Records {
		if err := v.keep(ctx, r.SNS.Message); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Partial says which of the records have failed.
func (v *Visits) Partial(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
	var out events.SQSEventResponse
	for _, r := range e.Records {
		if err := v.keep(ctx, r.Body); err != nil {
			slog.Error("keep", "err", err)
			out.BatchItemFailures = append(out.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: r.MessageId})
		}
	}
	return out, nil
}

// PartialNone could say so, and doesn't.
func (v *Visits) PartialNone(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
	for _, r := range e.Records {
		if err := v.keep(ctx, r.Body); err != nil { // want on-failure "v.keep may fail"
			slog.Error("keep", "err", err)
		}
	}
	return events.SQSEventResponse{}, nil
}

// Stream reads past a record that failed.
func (v *Visits) Stream(ctx context.Context, e events.KinesisEvent) error {
	for _, r := range e.Records {
		if err := v.keep(ctx, r.EventID); err != nil { // want on-failure "the handler returns no error"
			slog.Error("keep", "err", err)
		}
	}
	return nil
}
