package outbox

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// row is a message with its place in the outbox.
type row struct {
	position int64
	msg      Message
}

// outcome is what became of a batch.
type outcome struct {
	published, refused []int64
	// err is one of the errors, if there was any.
	err error
}

// publish hands the rows to the broker: those of a key one after the other, each
// after the one before it was confirmed, and several keys at a time. A key whose
// row is refused goes no further, or its next row would overtake.
func (r *Relay) publish(ctx context.Context, rows []row) outcome {
	lanes := byKey(rows)
	next := make(chan []row)
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		out   outcome
	)
	until := time.Now().Add(r.Hold)
	for range min(r.Workers, len(lanes)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for lane := range next {
				o := r.publishLane(ctx, lane, until)
				mu.Lock()
				out.add(o)
				mu.Unlock()
			}
		}()
	}
	for _, lane := range lanes {
		next <- lane
	}
	close(next)
	group.Wait()
	return out
}

// publishLane publishes the rows of one key.
func (r *Relay) publishLane(ctx context.Context, lane []row, until time.Time) outcome {
	var out outcome
	for _, row := range lane {
		if ctx.Err() != nil || time.Now().After(until) {
			return out
		}
		if err := r.publishOne(ctx, row.msg); err != nil {
			out.refused = append(out.refused, row.position)
			out.err = fmt.Errorf("outbox: publishing %s of %s %s: %w", row.msg.Type, row.msg.AggregateType, row.msg.AggregateID, err)
			r.Log.WarnContext(ctx, "outbox relay", "id", row.msg.ID, "error", out.err)
			return out
		}
		out.published = append(out.published, row.position)
	}
	return out
}

// publishOne publishes a message. Being told to stop doesn't end it: the broker
// may have the message already.
func (r *Relay) publishOne(ctx context.Context, msg Message) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.Timeout)
	defer cancel()
	return r.pub.Publish(ctx, msg)
}

func (o *outcome) add(other outcome) {
	o.published = append(o.published, other.published...)
	o.refused = append(o.refused, other.refused...)
	if o.err == nil {
		o.err = other.err
	}
}

// byKey parts rows by their key and keeps their order.
func byKey(rows []row) [][]row {
	type key struct{ aggregateType, aggregateID string }
	lanes := map[key]int{}
	var list [][]row
	for _, row := range rows {
		k := key{row.msg.AggregateType, row.msg.AggregateID}
		i, ok := lanes[k]
		if !ok {
			i = len(list)
			lanes[k] = i
			list = append(list, nil)
		}
		list[i] = append(list[i], row)
	}
	return list
}
