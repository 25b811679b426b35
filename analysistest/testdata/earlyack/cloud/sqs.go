// Package cloud takes messages from the queues of cloud providers.
package cloud

import (
	"context"
	"log/slog"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Tickets keeps what was sold.
type Tickets struct {
	db    *dynamodb.Client
	queue *sqs.Client
	url   *string
}

func (t *Tickets) keep(ctx context.Context, body *string) error {
	_, err := t.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("tickets"), Item: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: *body}},
	})
	return err
}

func (t *Tickets) receive(ctx context.Context) ([]types.Message, error) {
	out, err := t.queue.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: t.url, MaxNumberOfMessages: 10})
	if err != nil {
		return nil, err
	}
	return out.Messages, nil
}

func (t *Tickets) remove(ctx context.Context, m types.Message) error {
	_, err := t.queue.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: t.url, ReceiptHandle: m.ReceiptHandle})
	return err
}

// DeleteFirst deletes before the ticket is stored.
func (t *Tickets) DeleteFirst(ctx context.Context) error {
	out, err := t.queue.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: t.url})
	if err != nil {
		return err
	}
	for _, m := range out.Messages {
		in := &sqs.DeleteMessageInput{QueueUrl: t.url, ReceiptHandle: m.ReceiptHandle}
		if _, err := t.queue.DeleteMessage(ctx, in); err != nil { // want before-effect "queue.DeleteMessage runs before t.keep"
			return err
		}
		if err := t.keep(ctx, m.Body); err != nil {
			slog.Error("keep", "err", err)
		}
	}
	return nil
}

// DeleteFirstIn does the same through helpers.
func (t *Tickets) DeleteFirstIn(ctx context.Context) error {
	msgs, err := t.receive(ctx)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := t.remove(ctx, m); err != nil { // want before-effect "t.remove runs before t.keep"
			return err
		}
		if err := t.keep(ctx, m.Body); err != nil {
			return err
		}
	}
	return nil
}

// DeleteLast leaves what failed to the visibility timeout.
func (t *Tickets) DeleteLast(ctx context.Context) error {
	msgs, err := t.receive(ctx)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := t.keep(ctx, m.Body); err != nil {
			slog.Error("keep", "err", err)
			continue
		}
		if err := t.remove(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// DeleteAnyway deletes what failed.
func (t *Tickets) DeleteAnyway(ctx context.Context) error {
	msgs, err := t.receive(ctx)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := t.keep(ctx, m.Body); err != nil { // want on-failure "t.keep may fail, and t.remove"
			slog.Error("keep", "err", err)
		}
		if err := t.remove(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// BatchAnyway deletes a batch with failed ones in it.
func (t *Tickets) BatchAnyway(ctx context.Context) error {
	msgs, err := t.receive(ctx)
	if err != nil {
		return err
	}
	var done []types.DeleteMessageBatchRequestEntry
	for _, m := range msgs {
		if err := t.keep(ctx, m.Body); err != nil { // want on-failure "t.keep may fail, and queue.DeleteMessageBatch"
			slog.Error("keep", "err", err)
		}
		done = append(done, types.DeleteMessageBatchRequestEntry{Id: m.MessageId, ReceiptHandle: m.ReceiptHandle})
	}
	_, err = t.queue.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: t.url, Entries: done})
	return err
}

// BatchWhole makes one list of what several messages say, and deletes them whatever comes of it.
func (t *Tickets) BatchWhole(ctx context.Context) error {
	for {
		msgs, err := t.receive(ctx)
		if err != nil {
			return err
		}
		entries := make([]types.DeleteMessageBatchRequestEntry, len(msgs))
		bodies := map[string]*string{}
		for i, m := range msgs {
			bodies[*m.Body] = m.Body
			entries[i] = types.DeleteMessageBatchRequestEntry{Id: m.MessageId, ReceiptHandle: m.ReceiptHandle}
		}
		for _, body := range bodies {
			if err := t.keep(ctx, body); err != nil { // want on-failure "t.keep may fail, and queue.DeleteMessageBatch"
				slog.Error("keep", "err", err)
			}
		}

		_, err = t.queue.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: t.url, Entries: entries})
		if err != nil {
			slog.Error("delete", "err", err)
		}
	}
}

// BatchDone deletes only those of a batch that are stored.
func (t *Tickets) BatchDone(ctx context.Context) error {
	msgs, err := t.receive(ctx)
	if err != nil {
		return err
	}
	var done []types.DeleteMessageBatchRequestEntry
	for _, m := range msgs {
		if err := t.keep(ctx, m.Body); err != nil {
			slog.Error("keep", "err", err)
			continue
		}
		done = append(done, types.DeleteMessageBatchRequestEntry{Id: m.MessageId, ReceiptHandle: m.ReceiptHandle})
	}
	_, err = t.queue.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: t.url, Entries: done})
	return err
}

// BatchFirst deletes the batch before it stores one of it.
func (t *Tickets) BatchFirst(ctx context.Context) error {
	msgs, err := t.receive(ctx)
	if err != nil {
		return err
	}
	var all []types.DeleteMessageBatchRequestEntry
	for _, m := range msgs {
		all = append(all, types.DeleteMessageBatchRequestEntry{Id: m.MessageId, ReceiptHandle: m.ReceiptHandle})
	}
	in := &sqs.DeleteMessageBatchInput{QueueUrl: t.url, Entries: all}
	if _, err := t.queue.DeleteMessageBatch(ctx, in); err != nil { // want before-effect "runs before t.keep"
		return err
	}
	for _, m := range msgs {
		if err := t.keep(ctx, m.Body); err != nil {
			return err
		}
	}
	return nil
}

// Delayed hides what failed for a while longer.
func (t *Tickets) Delayed(ctx context.Context, m types.Message) error {
	if err := t.keep(ctx, m.Body); err != nil {
		_, err := t.queue.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{
			QueueUrl: t.url, ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: 60,
		})
		return err
	}
	return t.remove(ctx, m)
}
