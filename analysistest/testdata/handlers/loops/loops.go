// Package loops takes deliveries in loops of many shapes.
package loops

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/IBM/sarama"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"
	segment "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Store keeps what was delivered.
type Store struct{ db *sql.DB }

func (s *Store) put(ctx context.Context, body []byte) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO crates (body) VALUES ($1)`, body)
	return err
}

// Callback is the interface of a loop that a library of the company has.
type Callback interface {
	Callback(d amqp.Delivery) error
}

// Func is a function that is one.
type Func struct {
	Delivery func(amqp.Delivery) error
}

// Callback calls it, and is no handler of its own.
func (f Func) Callback(d amqp.Delivery) error { return f.Delivery(d) }

func worker(msgs <-chan amqp.Delivery, c Callback) { // handler amqp explicit redeliver
	for d := range msgs {
		if err := c.Callback(d); err != nil {
			d.Reject(true)
			continue
		}
		d.Ack(false)
	}
}

// Direct hands its deliveries on through a channel of its own.
func Direct(ctx context.Context, ch *amqp.Channel, c Callback) error { // handler amqp explicit redeliver
	msgs := make(chan amqp.Delivery)
	go worker(msgs, c)
	in, err := ch.Consume("crates", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case d := <-in:
			msgs <- d
		}
	}
}

// Indexer is a callback itself.
type Indexer struct{ store *Store }

// Callback stores.
func (i Indexer) Callback(d amqp.Delivery) error { // handler amqp explicit redeliver
	return i.store.put(context.Background(), d.Body)
}

// Wire starts them.
func Wire(ctx context.Context, ch *amqp.Channel, s *Store) {
	go Direct(ctx, ch, Func{Delivery: func(d amqp.Delivery) error { // handler amqp explicit redeliver
		return s.put(ctx, d.Body)
	}})
	go Direct(ctx, ch, Indexer{s})
}

// Message is what the queue's client makes of a delivery.
type Message struct {
	Body    string
	Receipt uint64
}

// Queue is a client with messages of its own.
type Queue interface {
	Messages() (<-chan Message, error)
	Delete(receipt uint64) error
}

// Rabbit is such a client.
type Rabbit struct {
	ch   *amqp.Channel
	stop chan struct{}
}

// Messages passes on what comes.
func (r *Rabbit) Messages() (<-chan Message, error) {
	in, err := r.ch.Consume("crates", "", false, false, false, false, nil)
	if err != nil {
		return nil, err
	}
	out := make(chan Message)
	go func() {
		defer close(out)
		for {
			select {
			case d, ok := <-in:
				if !ok {
					return
				}
				out <- Message{Body: string(d.Body), Receipt: d.DeliveryTag}
			case <-r.stop:
				return
			}
		}
	}()
	return out, nil
}

// Delete acks.
func (r *Rabbit) Delete(receipt uint64) error { return r.ch.Ack(receipt, false) }

type processor func(ctx context.Context, body string) error

func process(q Queue, do processor) error {
	msgs, err := q.Messages()
	if err != nil {
		return err
	}
	go func() { // handler amqp explicit redeliver
		for m := range msgs {
			err := traced(func() error { return do(context.Background(), m.Body) })
			if err != nil {
				log.Print(err)
				continue
			}
			q.Delete(m.Receipt)
		}
	}()
	return nil
}

func traced(f func() error) error { return f() }

// Processes starts the queues.
func Processes(r *Rabbit, s *Store) error {
	for _, x := range []struct {
		q  Queue
		do processor
	}{{r, s.opened}, {r, s.closed}} {
		if err := process(x.q, x.do); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) opened(ctx context.Context, body string) error { // handler amqp explicit redeliver
	return s.put(ctx, []byte(body))
}

func (s *Store) closed(ctx context.Context, body string) error { // handler amqp explicit redeliver
	return s.put(ctx, []byte(strings.ToLower(body)))
}

// Job is what a list of Redis holds.
type Job struct {
	Kind string
	Args json.RawMessage
}

// JobFunc does a job.
type JobFunc func(ctx context.Context, j *Job)

// Jobs work off a list of Redis.
type Jobs struct {
	rdb   *redis.Client
	table map[string]JobFunc
}

// Worker registers.
type Worker interface {
	Register(kind string, f JobFunc, args any)
}

// Register adds a function.
func (w *Jobs) Register(kind string, f JobFunc, _ any) { w.table[kind] = f }

// Loop begins.
func (w *Jobs) Loop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
			w.fetch(ctx)
		}
	}
}

func (w *Jobs) fetch(ctx context.Context) { // handler redis auto drop
	res, err := w.rdb.BLPop(ctx, time.Second, "jobs").Result()
	if err != nil {
		return
	}
	var j Job
	if err := json.NewDecoder(strings.NewReader(res[1])).Decode(&j); err != nil {
		return
	}
	w.process(ctx, &j)
}

func (w *Jobs) process(ctx context.Context, j *Job) { // handler redis auto drop
	if f, ok := w.table[j.Kind]; ok {
		observed(func() { f(ctx, j) })
	}
}

func observed(f func()) { f() }

// Register registers the jobs.
func Register(w Worker, s *Store) {
	w.Register("launch", s.launch, Job{})
	w.Register("stop", s.stop, Job{})
}

// Start makes the worker.
func Start(ctx context.Context, rdb *redis.Client, s *Store) {
	w := &Jobs{rdb: rdb, table: map[string]JobFunc{}}
	Register(w, s)
	w.Loop(ctx)
}

func (s *Store) launch(ctx context.Context, j *Job) { s.put(ctx, j.Args) } // handler redis auto drop

func (s *Store) stop(ctx context.Context, j *Job) { // handler redis auto drop
	s.put(ctx, j.Args)
}

// Poller receives in a helper.
type Poller struct {
	q     *sqs.Client
	url   string
	store *Store
	kinds map[string]func(context.Context, []byte) error
}

func (p *Poller) receive(ctx context.Context) ([]types.Message, error) {
	out, err := p.q.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &p.url})
	if err != nil {
		return nil, err
	}
	return out.Messages, nil
}

// Run polls.
func (p *Poller) Run(ctx context.Context) { // handler sqs explicit redeliver
	for ctx.Err() == nil {
		msgs, err := p.receive(ctx)
		if err != nil {
			continue
		}
		for _, m := range msgs {
			if f := p.kinds[*m.MessageId]; f != nil && f(ctx, []byte(*m.Body)) == nil {
				p.remove(ctx, m)
			}
		}
	}
}

func (p *Poller) remove(ctx context.Context, m types.Message) {
	p.q.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &p.url, ReceiptHandle: m.ReceiptHandle})
}

// NewPoller fills the table.
func NewPoller(q *sqs.Client, s *Store) *Poller {
	p := &Poller{q: q, store: s}
	p.kinds = map[string]func(context.Context, []byte) error{"packed": p.packed}
	return p
}

func (p *Poller) packed(ctx context.Context, body []byte) error { // handler sqs explicit redeliver
	return p.store.put(ctx, body)
}

// Batch takes many at once.
func (s *Store) batch(ctx context.Context, ds []amqp.Delivery) { // handler amqp explicit redeliver
	for _, d := range ds {
		if s.put(ctx, d.Body) != nil {
			d.Nack(false, true)
			continue
		}
		d.Ack(false)
	}
}

// Gather hands on batches.
func Gather(ctx context.Context, s *Store, msgs <-chan amqp.Delivery) { // handler amqp explicit redeliver
	var ds []amqp.Delivery
	for d := range msgs {
		if ds = append(ds, d); len(ds) == 100 {
			s.batch(ctx, ds)
			ds = nil
		}
	}
}

type task struct {
	d    amqp.Delivery
	seen time.Time
}

// Pool has workers behind a channel.
type Pool struct {
	tasks chan task
	store *Store
}

// Feed puts deliveries in the channel.
func (p *Pool) Feed(msgs <-chan amqp.Delivery) {
	for d := range msgs {
		p.tasks <- task{d, time.Now()}
	}
}

// Work takes them out.
func (p *Pool) Work(ctx context.Context) { // handler amqp explicit redeliver
	for t := range p.tasks {
		if p.store.put(ctx, t.d.Body) == nil {
			t.d.Ack(false)
		}
	}
}

// Stream serves a browser, which takes no deliveries.
func Stream(feed <-chan redis.XMessage) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for m := range feed {
			w.Write([]byte(m.ID))
		}
	}
}

// Tail reads a stream without a group: nothing keeps its place.
func Tail(ctx context.Context, rdb *redis.Client, s *Store) { // handler redis none skip
	last := "$"
	for {
		out, err := rdb.XRead(ctx, &redis.XReadArgs{Streams: []string{"crates", last}}).Result()
		if err != nil {
			return
		}
		for _, m := range out[0].Messages {
			s.put(ctx, []byte(m.ID))
			last = m.ID
		}
	}
}

// NoAck has the group forget what it hands out.
func NoAck(ctx context.Context, rdb *redis.Client, s *Store) { // handler redis auto drop
	for {
		out, err := rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "keeper", Streams: []string{"crates", ">"}, NoAck: true}).Result()
		if err != nil {
			return
		}
		for _, m := range out[0].Messages {
			s.put(ctx, []byte(m.ID))
		}
	}
}

// Claims reads on where a message failed, and marks the next.
type Claims struct{ store *Store }

// Setup does nothing.
func (*Claims) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (*Claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim drops the error.
func (c *Claims) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error { // handler kafka offset skip cumulative
	for {
		select {
		case m, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			if err := c.store.put(session.Context(), m.Value); err != nil {
				log.Print(err)
				continue
			}
			session.MarkMessage(m, "")
		case <-session.Context().Done():
			return nil
		}
	}
}

// Fetch reads on after an error, though it may return one.
func Fetch(ctx context.Context, r *segment.Reader, s *Store) error { // handler kafka offset skip cumulative
	for {
		m, err := r.FetchMessage(ctx)
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err := s.put(ctx, m.Value); err != nil {
			log.Print(err)
			continue
		}
		r.CommitMessages(ctx, m)
	}
}

// Each goes over what a poll brings.
func Each(ctx context.Context, c *kgo.Client, s *Store) { // handler kafka - skip
	for {
		fetches := c.PollFetches(ctx)
		fetches.EachRecord(func(r *kgo.Record) {
			s.put(ctx, r.Value)
		})
	}
}

// EachPartition does so by partition.
func EachPartition(ctx context.Context, s *Store) { // handler kafka auto skip cumulative
	c, err := kgo.NewClient(kgo.ConsumerGroup("keeper"))
	if err != nil {
		return
	}
	for {
		c.PollFetches(ctx).EachPartition(func(p kgo.FetchTopicPartition) {
			p.EachRecord(func(r *kgo.Record) { s.put(ctx, r.Value) })
		})
	}
}

// Poll has a switch over events.
func Poll(ctx context.Context, c *kafka.Consumer, s *Store) { // handler kafka offset skip cumulative
	for {
		ev := c.Poll(100)
		switch e := ev.(type) {
		case *kafka.Message:
			if err := s.put(ctx, e.Value); err != nil {
				log.Print(err)
				continue
			}
			c.CommitMessage(e)
		case kafka.Error:
			log.Print(e)
		}
	}
}

// Pull fetches from JetStream.
func Pull(ctx context.Context, sub *nats.Subscription, s *Store) { // handler nats explicit redeliver
	for {
		msgs, err := sub.Fetch(10)
		if err != nil {
			continue
		}
		for _, m := range msgs {
			if s.put(ctx, m.Data) == nil {
				m.Ack()
			}
		}
	}
}

// Batches fetches with the newer client.
func Batches(ctx context.Context, c jetstream.Consumer, s *Store) error { // handler nats explicit redeliver
	for {
		batch, err := c.Fetch(10)
		if err != nil {
			return err
		}
		for m := range batch.Messages() {
			s.message(ctx, m)
		}
	}
}

func (s *Store) message(ctx context.Context, m jetstream.Msg) { // handler nats explicit redeliver
	if s.put(ctx, m.Data()) != nil {
		m.Nak()
		return
	}
	m.Ack()
}

// Iterate asks for one at a time.
func Iterate(ctx context.Context, c jetstream.Consumer, s *Store) error { // handler nats explicit redeliver
	it, err := c.Messages()
	if err != nil {
		return err
	}
	for {
		m, err := it.Next()
		if err != nil {
			return err
		}
		if s.put(ctx, m.Data()) == nil {
			m.Ack()
		}
	}
}

// Config says whether deliveries are acked.
type Config struct {
	Queue   string
	AutoAck bool
}

// Configured consumes as its configuration says.
type Configured struct {
	ch    *amqp.Channel
	cfg   Config
	store *Store
}

// NewConfigured sets the configuration.
func NewConfigured(ch *amqp.Channel, s *Store) *Configured {
	return &Configured{ch, Config{Queue: "crates", AutoAck: true}, s}
}

// Run is acked by the broker.
func (c *Configured) Run(ctx context.Context) error { // handler amqp auto drop
	msgs, err := c.ch.Consume(c.cfg.Queue, "", c.cfg.AutoAck, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		c.store.put(ctx, d.Body)
	}
	return nil
}
