package proof_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// outcome counts what went wrong.
type outcome struct {
	lost, doubled, misordered int
	// untrue are messages about changes that were not made.
	untrue int
}

func (o outcome) right() bool { return o == outcome{} }

func (o outcome) String() string {
	return fmt.Sprintf("%d lost, %d doubled, %d misordered, %d untrue", o.lost, o.doubled, o.misordered, o.untrue)
}

// runs adds up in how many runs something was wrong.
func (o *outcome) runs(of outcome) {
	o.lost += min(of.lost, 1)
	o.doubled += min(of.doubled, 1)
	o.misordered += min(of.misordered, 1)
	o.untrue += min(of.untrue, 1)
}

func (r *run) check() (outcome, error) {
	switch {
	case r.story.takes == requests:
		return r.checkOrders()
	case r.story.newest != "":
		return r.checkNewest()
	}
	return r.checkApplied()
}

// checkApplied: each message once.
func (r *run) checkApplied() (outcome, error) {
	counts, err := r.counts(r.story.applied)
	if err != nil {
		return outcome{}, err
	}
	var o outcome
	for i := range r.plan.distinct() {
		o.count(counts[entity(i)])
	}
	return o, nil
}

func (o *outcome) count(n int) {
	switch {
	case n == 0:
		o.lost++
	case n > 1:
		o.doubled++
	}
}

// checkNewest: what the newest message says is what is stored.
func (r *run) checkNewest() (outcome, error) {
	var got int
	if err := r.db.QueryRow(r.story.newest).Scan(&got); err != nil {
		return outcome{}, err
	}
	var o outcome
	if got != r.plan.distinct()-1 {
		o.misordered++
	}
	return o, nil
}

// checkOrders: one message for each order that is paid, and none for others.
func (r *run) checkOrders() (outcome, error) {
	published, err := r.published()
	if err != nil {
		return outcome{}, err
	}
	paid, err := r.counts("SELECT id, 1 FROM orders WHERE state = 'paid' UNION SELECT id, 1 FROM payments")
	if err != nil {
		return outcome{}, err
	}
	var o outcome
	for i := range r.plan.distinct() {
		order := entity(i)
		switch {
		case paid[order] == 1:
			o.count(published[order])
		case published[order] > 0:
			o.untrue++
		}
	}
	return o, nil
}

// published counts the messages of each order, on the broker and as jobs.
func (r *run) published() (map[string]int, error) {
	if r.jobs {
		return r.counts("SELECT args->>'order', count(*) FROM river_job GROUP BY 1")
	}
	counts := map[string]int{}
	ctx := context.Background()
	stream, err := r.js.Stream(ctx, "EVENTS")
	if err != nil {
		return nil, err
	}
	for i := uint64(1); i <= stream.CachedInfo().State.LastSeq; i++ {
		msg, err := stream.GetMsg(ctx, i)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		counts[string(msg.Data)]++
	}
	return counts, nil
}

func (r *run) counts(query string) (map[string]int, error) {
	rows, err := r.db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var id string
		var n int
		if err := rows.Scan(&id, &n); err != nil {
			return nil, err
		}
		counts[id] = n
	}
	return counts, rows.Err()
}
