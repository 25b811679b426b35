package batching

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/IBM/sarama"
	"github.com/uptrace/bun"
)

type Seed struct {
	bun.BaseModel `bun:"table:seeds"`

	ID   string `bun:",pk"`
	Sown bool
}

// Beds has a goroutine that collects from a channel and sends what has come in.
type Beds struct {
	db       *bun.DB
	producer sarama.SyncProducer
	sown     chan string
	count    chan int
}

func NewBeds(ctx context.Context, db *bun.DB, producer sarama.SyncProducer, stats net.Conn) *Beds {
	b := &Beds{db: db, producer: producer, sown: make(chan string, 100), count: make(chan int, 100)}
	go b.collect(ctx)
	go b.measure(stats)
	return b
}

func (b *Beds) collect(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	var batch []*sarama.ProducerMessage
	for {
		select {
		case <-ctx.Done():
			return
		case id := <-b.sown:
			batch = append(batch, &sarama.ProducerMessage{Topic: "seeds-sown", Key: sarama.StringEncoder(id)})
			if len(batch) < 50 {
				continue
			}
		case <-t.C:
		}
		if err := b.producer.SendMessages(batch); err != nil {
			slog.ErrorContext(ctx, "batch dropped", "n", len(batch), "err", err)
		}
		batch = batch[:0]
	}
}

// measure batches too, for a graph.
func (b *Beds) measure(stats net.Conn) {
	sum := 0
	for n := range b.count {
		if sum += n; sum > 1000 {
			fmt.Fprintf(stats, "seeds:%d|c", sum)
			sum = 0
		}
	}
}

func (b *Beds) Sow(ctx context.Context, ids ...string) error {
	err := b.db.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*Seed)(nil)).Set("sown = TRUE").Where("id IN (?)", bun.In(ids)).Exec(ctx)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		b.sown <- id // want after-commit
	}
	return nil
}

func (b *Beds) Weed(ctx context.Context, ids ...string) error {
	if _, err := b.db.NewDelete().Model((*Seed)(nil)).Where("id IN (?)", bun.In(ids)).Exec(ctx); err != nil {
		return err
	}
	b.count <- len(ids)
	return nil
}
