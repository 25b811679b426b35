package handlers

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azeventhubs"
	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
	"github.com/adjust/rmq/v5"
	"github.com/apache/pulsar-client-go/pulsar"
	cloudevents "github.com/cloudevents/sdk-go/v2/client"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/dapr/go-sdk/service/common"
	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/lovoo/goka"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nsqio/go-nsq"
	amqp "github.com/rabbitmq/amqp091-go"
	rabbit "github.com/wagslane/go-rabbitmq"
	"github.com/zeromicro/go-queue/kq"
	"go-micro.dev/v4/broker"
	"gocloud.dev/pubsub"
)

func micro(b broker.Broker, s *Store) {
	b.Subscribe("crates", s.micro)
}

func (s *Store) micro(e broker.Event) error { // handler go-micro return redeliver
	return s.put(context.Background(), e.Message().Body)
}

// Kq is go-zero's consumer.
type Kq struct{ store *Store }

// Consume is called for each message.
func (k *Kq) Consume(ctx context.Context, key, value string) error { // handler kafka return skip
	return k.store.put(ctx, []byte(value))
}

func kqs(c kq.KqConf, s *Store) {
	kq.MustNewQueue(c, &Kq{s})
	kq.MustNewQueue(c, kq.WithHandle(func(ctx context.Context, key, value string) error { // handler kafka return skip
		return s.put(ctx, []byte(value))
	}))
}

func gokas(s *Store) *goka.GroupGraph {
	return goka.DefineGroup("keeper", goka.Input("crates", nil, s.goka))
}

func (s *Store) goka(ctx goka.Context, msg interface{}) { // handler kafka return redeliver
	s.put(ctx.Context(), msg.([]byte))
}

func pulsars(ctx context.Context, c pulsar.Consumer, s *Store) error { // handler pulsar explicit redeliver
	for {
		m, err := c.Receive(ctx)
		if err != nil {
			return err
		}
		if s.put(ctx, m.Payload()) != nil {
			c.Nack(m)
			continue
		}
		c.Ack(m)
	}
}

func pulsarChan(ctx context.Context, c pulsar.Consumer, s *Store) { // handler pulsar explicit redeliver
	for m := range c.Chan() {
		if s.put(ctx, m.Payload()) == nil {
			c.Ack(m)
		}
	}
}

func daprs(svc common.Service, s *Store) error {
	return svc.AddTopicEventHandler(&common.Subscription{Topic: "crates"}, s.dapr)
}

func (s *Store) dapr(ctx context.Context, e *common.TopicEvent) (retry bool, err error) { // handler dapr return redeliver
	return true, s.put(ctx, e.RawData)
}

func events(ctx context.Context, c cloudevents.Client, s *Store) error {
	return c.StartReceiver(ctx, s.event)
}

func (s *Store) event(ctx context.Context, e event.Event) error { // handler cloudevents return redeliver
	return s.put(ctx, e.Data())
}

func rabbits(c *rabbit.Consumer, s *Store) error {
	return c.Run(func(d rabbit.Delivery) rabbit.Action { // handler amqp return redeliver
		if s.put(context.Background(), d.Body) != nil {
			return rabbit.NackRequeue
		}
		return rabbit.Ack
	})
}

func hubs(ctx context.Context, c *azeventhubs.ProcessorPartitionClient, s *Store) error { // handler eventhubs offset skip cumulative
	for {
		events, err := c.ReceiveEvents(ctx, 10, nil)
		if err != nil {
			return err
		}
		for _, e := range events {
			s.put(ctx, e.Body)
		}
		if err := c.UpdateCheckpoint(ctx, events[len(events)-1]); err != nil {
			return err
		}
	}
}

func bus(ctx context.Context, c *azservicebus.Client, s *Store) error { // handler servicebus explicit redeliver
	r, err := c.NewReceiverForQueue("crates", nil)
	if err != nil {
		return err
	}
	for {
		msgs, err := r.ReceiveMessages(ctx, 10, nil)
		if err != nil {
			return err
		}
		for _, m := range msgs {
			if s.put(ctx, m.Body) == nil {
				r.CompleteMessage(ctx, m, nil)
			}
		}
	}
}

func rmqs(q rmq.Queue, s *Store) {
	q.AddConsumerFunc("keeper", func(d rmq.Delivery) { // handler redis explicit redeliver
		if s.put(context.Background(), []byte(d.Payload())) == nil {
			d.Ack()
		}
	})
}

func mqtts(c mqtt.Client, s *Store) {
	c.Subscribe("crates", 1, func(_ mqtt.Client, m mqtt.Message) { // handler mqtt return drop
		s.put(context.Background(), m.Payload())
	})
	c.SubscribeMultiple(map[string]byte{"crates": 1}, s.mqtt)
}

func (s *Store) mqtt(_ mqtt.Client, m mqtt.Message) { // handler mqtt return drop
	s.put(context.Background(), m.Payload())
}

func mqttOptions(s *Store) *mqtt.ClientOptions {
	return mqtt.NewClientOptions().SetDefaultPublishHandler(func(_ mqtt.Client, m mqtt.Message) { // handler mqtt return drop
		s.put(context.Background(), m.Payload())
	})
}

func cloud(ctx context.Context, sub *pubsub.Subscription, s *Store) error { // handler gocloud explicit redeliver
	for {
		m, err := sub.Receive(ctx)
		if err != nil {
			return err
		}
		go func() {
			if s.put(ctx, m.Body) == nil {
				m.Ack()
			}
		}()
	}
}

// Nsq is a handler.
type Nsq struct{ store *Store }

// HandleMessage is called for each message.
func (n *Nsq) HandleMessage(m *nsq.Message) error { // handler nsq return redeliver
	return n.store.put(context.Background(), m.Body)
}

func nsqs(c *nsq.Consumer, s *Store) {
	c.AddHandler(&Nsq{s})
	c.AddConcurrentHandlers(nsq.HandlerFunc(func(m *nsq.Message) error { // handler nsq return redeliver
		return s.put(context.Background(), m.Body)
	}), 4)
}

func natses(nc *nats.Conn, js jetstream.Consumer, s *Store) error {
	if _, err := nc.QueueSubscribe("crates", "keepers", s.nats); err != nil {
		return err
	}
	_, err := js.Consume(func(m jetstream.Msg) { // handler nats explicit redeliver
		if s.put(context.Background(), m.Data()) == nil {
			m.Ack()
		}
	})
	return err
}

func (s *Store) nats(m *nats.Msg) { // handler nats auto drop
	s.put(context.Background(), m.Data)
}

func gets(ctx context.Context, ch *amqp.Channel, s *Store) error { // handler amqp explicit redeliver
	for {
		d, ok, err := ch.Get("crates", false)
		if err != nil || !ok {
			return err
		}
		if s.put(ctx, d.Body) == nil {
			d.Ack(false)
		}
	}
}
