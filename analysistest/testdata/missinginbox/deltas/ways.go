package deltas

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Catalogue is told of products, and of prices, which may come before their product.
type Catalogue struct{ db *sql.DB }

type product struct{ ID, Name string }

const products = `CREATE TABLE products (id bigserial PRIMARY KEY, ref text, name text);`

func (c *Catalogue) create(ctx context.Context, p product) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO products (ref, name) VALUES ($1, $2)`, p.ID, p.Name) // want no-dedupe "inserts into products"
	return err
}

// price looks first whether the product is there.
func (c *Catalogue) price(ctx context.Context, p product) error {
	var id int64
	err := c.db.QueryRowContext(ctx, `SELECT id FROM products WHERE ref = $1`, p.ID).Scan(&id)
	if err == nil {
		return nil
	}
	return c.create(ctx, p)
}

// Run takes both kinds.
func (c *Catalogue) Run(ctx context.Context, ds <-chan amqp.Delivery) error {
	if _, err := c.db.ExecContext(ctx, products); err != nil {
		return err
	}
	for d := range ds {
		if err := c.handle(ctx, d); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
	return nil
}

func (c *Catalogue) handle(ctx context.Context, d amqp.Delivery) error {
	p, err := decoded(d.Body)
	if err != nil {
		return err
	}
	if d.Type == "price" {
		return c.price(ctx, p)
	}
	return c.create(ctx, p)
}

// decoded refuses what is not well-formed, and not what came before.
func decoded(body []byte) (product, error) {
	var p product
	if err := json.Unmarshal(body, &p); err != nil {
		return p, fmt.Errorf("decode: %w", err)
	}
	seen := map[string]bool{}
	for _, part := range strings.Split(p.ID, "-") {
		if seen[part] {
			return p, errors.New("the same part twice")
		}
		seen[part] = true
	}
	return p, nil
}
