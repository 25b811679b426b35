package proof_test

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// drainedAMQP looks for ready messages. Those that are with a process are ready again
// when it ends.
func (r *run) drainedAMQP() (bool, error) {
	q, err := r.amqp.QueueDeclarePassive(r.name, false, false, false, false, nil)
	if err != nil || q.Messages > 0 {
		return false, err
	}
	if q.Consumers == 0 {
		return false, nil
	}
	if r.p.listening.IsZero() {
		r.p.listening = time.Now()
	}
	if r.p.gate.Idle() < 4*quiet && time.Since(r.p.listening) < 20*quiet {
		return false, nil
	}
	if err := r.p.kill(); err != nil {
		return false, err
	}
	for q.Consumers > 0 && err == nil {
		time.Sleep(tick)
		q, err = r.amqp.QueueDeclarePassive(r.name, false, false, false, false, nil)
	}
	return err == nil && q.Messages == 0, err
}

// drainedKafka compares the group's offset with the number of messages, and publishes
// those to come once the ones before are done.
func (r *run) drainedKafka() (bool, error) {
	at, err := r.committed()
	if err != nil || at != r.kafkaEnd {
		return false, err
	}
	return len(r.coming) == 0, r.publishComing()
}

func (r *run) publishComing() error {
	messages := r.coming
	r.coming = nil
	return r.publish(messages)
}

// committed is the group's offset, -1 if there is none.
func (r *run) committed() (int64, error) {
	offsets, err := kadm.NewClient(r.kafka).FetchOffsets(context.Background(), "service")
	if errors.Is(err, kerr.GroupIDNotFound) {
		return -1, nil
	}
	if err != nil {
		return -1, err
	}
	at, ok := offsets.Lookup("parcels", 0)
	if !ok {
		return -1, nil
	}
	return at.At, at.Err
}

// overtake lets the goroutines beside the one that is held go on with the messages to
// come, until the offset of the last is committed or it is clear that it won't be.
func (r *run) overtake() error {
	if err := r.publishComing(); err != nil {
		return err
	}
	for end := time.Now().Add(50 * quiet); time.Now().Before(end); time.Sleep(tick) {
		if at, err := r.committed(); err != nil || at == r.kafkaEnd {
			return err
		}
	}
	return nil
}

// resetKafka takes a new broker: members of a group that were killed are missed for
// some time.
func (w *world) resetKafka() error {
	w.stopKafka()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "parcels"), kfake.GroupMinSessionTimeout(100*time.Millisecond))
	if err != nil {
		return err
	}
	w.kafkaCluster, w.kafkaEnd = cluster, 0
	w.kafka, err = kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.DefaultProduceTopic("parcels"))
	return err
}

func (w *world) stopKafka() {
	if w.kafka != nil {
		w.kafka.Close()
	}
	if w.kafkaCluster != nil {
		w.kafkaCluster.Close()
	}
}
