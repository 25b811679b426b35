package proof_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rabbitmq/amqp091-go"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/deliverylint/deliverylint/proof/internal/wire"
)

const (
	// patience ends a run that does not come to its end.
	patience = 30 * time.Second
	// quiet is how long nothing is asked by a replica that has done what it can.
	quiet = 40 * time.Millisecond
	tick  = 3 * time.Millisecond
)

// run is one schedule of a service in a world.
type run struct {
	*world
	story   *story
	program string
	plan    schedule
	end     time.Time
	p       *process
	// coming are messages that are published when those before are done, or held.
	coming []int
	// told is the place in the stream of the last message for the service.
	told uint64
	// silent is what a process has said that didn't answer and was ended for it.
	silent string
	// counted are the requests of a run without faults, and relayed those of its
	// relay.
	counted, relayed []wire.Request
}

// do runs the schedule and returns what came of it.
func (w *world) do(st *story, program string, plan schedule) (*run, outcome, error) {
	r := &run{world: w, story: st, program: program, plan: plan, end: time.Now().Add(patience)}
	err := w.reset(plan.distinct(), plan.wait)
	if err == nil && st.takes == requests {
		err = r.serve()
	} else if err == nil {
		err = r.consume()
	}
	if r.p != nil {
		if err != nil {
			err = fmt.Errorf("%w\n%v\n%s", err, r.p.gate.Requests(), r.p.dump())
		}
		err = errors.Join(err, r.p.kill())
	}
	if err == nil {
		err = r.alone()
	}
	if err != nil {
		return r, outcome{}, err
	}
	out, err := r.check()
	return r, out, err
}

// alone waits until the servers have done what processes that are gone have asked
// for.
func (r *run) alone() error {
	for ; time.Now().Before(r.end); time.Sleep(tick) {
		var n int
		if err := r.db.QueryRow("SELECT count(*) FROM pg_stat_activity WHERE application_name = $1", r.name).Scan(&n); err != nil {
			return err
		}
		if n == 0 && r.nats.NumClients() == 1 {
			return nil
		}
	}
	return fmt.Errorf("connections are left")
}

// running is a process of the service, held before a request.
func (r *run) running(name string, at int) error {
	if r.p != nil && !r.p.gone() {
		r.p.rearm(at)
		return nil
	}
	if r.p != nil {
		if err := r.p.kill(); err != nil {
			return err
		}
	}
	var err error
	r.p, err = r.start(r.program, name, at)
	return err
}

// until waits until something is true; false if the process is held or ends before.
func (r *run) until(p *process, done func() (bool, error)) (bool, *wire.Request, error) {
	for time.Now().Before(r.end) {
		select {
		case q := <-p.held:
			return false, &q, nil
		case <-p.exited:
			return false, nil, nil
		case <-time.After(tick):
		}
		if ok, err := done(); err != nil || ok {
			return ok, nil, err
		}
	}
	return false, nil, fmt.Errorf("no end after %v", patience)
}

// strike does to the process what is held what the fault is.
func (r *run) strike(b blow, q *wire.Request, name string, replica func(*process) error) error {
	switch b.fault {
	case kill:
		if r.kafka != nil {
			if err := r.overtake(); err != nil {
				return err
			}
		}
		return r.p.kill()
	case cut:
		if q.Kind == wire.Database {
			r.p.gate.Cut()
			return nil
		}
	case stall:
		other, err := r.start(r.program, name, -1)
		if err != nil {
			return err
		}
		err = replica(other)
		r.p.gate.Let()
		if err == nil {
			err = r.settle(r.p)
		}
		return errors.Join(err, other.kill())
	}
	r.p.gate.Let()
	return nil
}

// settle waits until a process asks for nothing any more: it is done, or waits for
// a lock.
func (r *run) settle(p *process) error {
	end := time.Now().Add(time.Second)
	_, _, err := r.until(p, func() (bool, error) {
		return p.gate.Idle() > quiet || time.Now().After(end), nil
	})
	return err
}

// consume runs a service that takes messages.
func (r *run) consume() error {
	now := r.plan.messages
	if r.story.takes == kafka { // it takes all that there are at once, in any order
		now, r.coming = now[:1], now[1:]
	}
	if err := r.publish(now); err != nil {
		return err
	}
	for _, b := range r.plan.service {
		if err := r.running(r.story.name, b.at); err != nil {
			return err
		}
		done, q, err := r.until(r.p, r.drained)
		if err != nil || done {
			return err
		}
		if q == nil {
			continue // it has ended
		}
		if err := r.strike(b, q, r.story.name, r.settle); err != nil {
			return err
		}
	}
	for {
		if err := r.running(r.story.name, -1); err != nil {
			return err
		}
		done, _, err := r.until(r.p, r.drained)
		if err != nil || done {
			r.counted = r.p.gate.Requests()
			return err
		}
	}
}

func (r *run) publish(messages []int) error {
	for _, m := range messages {
		if err := r.publishOne(r.story.message(m)); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) publishOne(text string) error {
	ctx := context.Background()
	switch r.story.takes {
	case rabbitMQ:
		return r.amqp.PublishWithContext(ctx, "", r.name, false, false, amqp091.Publishing{Body: []byte(text)})
	case kafka:
		r.kafkaEnd++
		return r.kafka.ProduceSync(ctx, kgo.StringRecord(text)).FirstErr()
	}
	ack, err := r.js.Publish(ctx, "told.all", []byte(text))
	if err != nil {
		return err
	}
	r.told = ack.Sequence
	return nil
}

// drained reports whether the broker has nothing more to deliver, and the process
// nothing to do.
func (r *run) drained() (bool, error) {
	if idle := r.p.gate.Idle(); idle > 0 && idle < quiet/2 {
		return false, nil
	}
	switch r.story.takes {
	case rabbitMQ:
		return r.drainedAMQP()
	case kafka:
		return r.drainedKafka()
	}
	consumer, err := r.js.Consumer(context.Background(), "EVENTS", "service")
	if err != nil {
		return false, err
	}
	// What it says is pending comes late.
	return consumer.CachedInfo().AckFloor.Stream >= r.told, nil
}

// serve runs a service that is asked for something, and the relay beside it.
func (r *run) serve() error {
	blows := r.plan.service
	for i, m := range r.plan.messages {
		b := blow{at: -1}
		if len(blows) > 0 {
			b, blows = blows[0], blows[1:]
		}
		if err := r.pay(entity(m), b); err != nil {
			return err
		}
		if i < len(r.plan.again) && r.plan.again[i] {
			if err := r.pay(entity(m), blow{at: -1}); err != nil {
				return err
			}
		}
	}
	r.counted = r.p.gate.Requests()
	if err := r.p.kill(); err != nil {
		return err
	}
	return r.relay()
}

func (r *run) pay(order string, b blow) error {
	if err := r.running(r.story.name, b.at); err != nil {
		return err
	}
	if err := r.p.ask(order); err != nil && !r.p.gone() {
		return err
	}
	done, q, err := r.until(r.p, r.answered())
	if err != nil || q == nil && !done {
		return err
	}
	if q != nil {
		err = r.strike(b, q, r.story.name, func(other *process) error {
			return errors.Join(other.ask(order), r.settle(other))
		})
		if err != nil || r.p.gone() {
			return err
		}
		if done, _, err = r.until(r.p, r.answered()); err != nil || !done {
			return err
		}
	}
	if len(r.p.answers) == 0 {
		r.silent = fmt.Sprintf("%v\n%s", r.p.gate.Requests(), r.p.dump())
		return r.p.kill()
	}
	<-r.p.answers
	return nil
}

// answered waits for an answer, as long as one who asks does.
func (r *run) answered() func() (bool, error) {
	end := time.Now().Add(10 * time.Second)
	return func() (bool, error) { return len(r.p.answers) > 0 || time.Now().After(end), nil }
}

// relay publishes what is in the outbox.
func (r *run) relay() error {
	if empty, err := r.relayDone(); err != nil || empty {
		return err
	}
	for _, b := range r.plan.relay {
		if err := r.running("relay", b.at); err != nil {
			return err
		}
		done, q, err := r.until(r.p, r.relayDone)
		if err != nil || done {
			return err
		}
		if q == nil {
			continue
		}
		if err := r.strike(b, q, "relay", r.settle); err != nil {
			return err
		}
	}
	for {
		if err := r.running("relay", -1); err != nil {
			return err
		}
		done, _, err := r.until(r.p, r.relayDone)
		if err != nil || done {
			r.relayed = r.p.gate.Requests()
			return err
		}
	}
}

func (r *run) relayDone() (bool, error) {
	var n int
	err := r.db.QueryRow("SELECT count(*) FROM outbox WHERE published_at IS NULL").Scan(&n)
	return n == 0, err
}
