package channel

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"github.com/segmentio/kafka-go"
)

// Clocks has a goroutine that looks for rows. What wakes it up tells of no row, and
// a wake-up that is lost costs a tick.
type Clocks struct {
	db   *sql.DB
	out  *kafka.Writer
	wake chan struct{}
	tick chan bool
	at   chan time.Time
	lost chan string
}

func NewClocks(db *sql.DB, out *kafka.Writer) *Clocks {
	c := &Clocks{
		db: db, out: out, wake: make(chan struct{}, 1), tick: make(chan bool, 1), at: make(chan time.Time, 1), lost: make(chan string, 1),
	}
	go c.run(context.Background())
	return c
}

func (c *Clocks) run(ctx context.Context) {
	for {
		select {
		case <-c.wake:
		case <-c.tick:
		case <-c.at:
		case id := <-c.lost:
			c.tell(ctx, id)
		case <-time.After(time.Minute):
		}
		var id string
		if err := c.db.QueryRowContext(ctx, "SELECT id FROM clocks WHERE NOT told LIMIT 1").Scan(&id); err != nil {
			continue
		}
		c.tell(ctx, id)
	}
}

func (c *Clocks) tell(ctx context.Context, id string) {
	if err := c.out.WriteMessages(ctx, kafka.Message{Topic: "clocks", Key: []byte(id)}); err != nil {
		slog.ErrorContext(ctx, "clock", "id", id, "err", err)
	}
}

func (c *Clocks) save(ctx context.Context, id string) error {
	_, err := c.db.ExecContext(ctx, "INSERT INTO clocks (id) VALUES ($1)", id)
	return err
}

// Start wakes the goroutine up, if it isn't awake.
func (c *Clocks) Start(ctx context.Context, id string) error {
	if err := c.save(ctx, id); err != nil {
		return err
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return nil
}

// Stop waits for it.
func (c *Clocks) Stop(ctx context.Context, id string) error {
	if err := c.save(ctx, id); err != nil {
		return err
	}
	c.wake <- struct{}{}
	c.tick <- true
	return nil
}

// Pause sends a time that nobody looks at.
func (c *Clocks) Pause(ctx context.Context, id string) error {
	if err := c.save(ctx, id); err != nil {
		return err
	}
	c.at <- time.Now()
	return nil
}

// Lose sends what is to be published.
func (c *Clocks) Lose(ctx context.Context, id string) error {
	if err := c.save(ctx, id); err != nil {
		return err
	}
	c.lost <- id // want dual-write
	return nil
}
