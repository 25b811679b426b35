// Service runs one of the services until it is killed. Those that are asked for
// something read an order's ID a line, and answer each with a line.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/deliverylint/deliverylint/proof/services/ackbefore"
	"github.com/deliverylint/deliverylint/proof/services/aftercommit"
	"github.com/deliverylint/deliverylint/proof/services/aftercommitjob"
	"github.com/deliverylint/deliverylint/proof/services/arrivaltime"
	"github.com/deliverylint/deliverylint/proof/services/autoack"
	"github.com/deliverylint/deliverylint/proof/services/beforewrite"
	"github.com/deliverylint/deliverylint/proof/services/checkoutside"
	"github.com/deliverylint/deliverylint/proof/services/claimignored"
	"github.com/deliverylint/deliverylint/proof/services/dualwrite"
	"github.com/deliverylint/deliverylint/proof/services/env"
	"github.com/deliverylint/deliverylint/proof/services/insidetx"
	"github.com/deliverylint/deliverylint/proof/services/insidetxjob"
	"github.com/deliverylint/deliverylint/proof/services/markbefore"
	"github.com/deliverylint/deliverylint/proof/services/nodedupe"
	"github.com/deliverylint/deliverylint/proof/services/onfailure"
	"github.com/deliverylint/deliverylint/proof/services/outbox"
	"github.com/deliverylint/deliverylint/proof/services/outboxoutside"
	"github.com/deliverylint/deliverylint/proof/services/outoforder"
	"github.com/deliverylint/deliverylint/proof/services/recordoutside"
	"github.com/deliverylint/deliverylint/proof/services/unguarded"
	"github.com/deliverylint/deliverylint/proof/services/unstablekey"
	"github.com/deliverylint/deliverylint/proof/services/volatilestore"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, name string) error {
	db, err := env.DB()
	if err != nil {
		return err
	}
	switch name {
	case "relay":
		return relay(ctx, db)
	case "outboxoutside":
		return serve(ctx, outboxoutside.New(db))
	case "autoack":
		return deliveries(ctx, autoack.New(db))
	case "outoforder":
		client, err := env.Kafka()
		if err != nil {
			return err
		}
		return outoforder.New(db).Run(ctx, client)
	case "aftercommitjob", "insidetxjob":
		return jobs(ctx, name)
	}
	js, err := env.JetStream()
	if err != nil {
		return err
	}
	if s := asked(name, db, outbox.NewNATS(js)); s != nil {
		return serve(ctx, s)
	}
	consumer, err := js.Consumer(ctx, "EVENTS", "service")
	if err != nil {
		return err
	}
	if s := told(name, db); s != nil {
		return s.Run(ctx, consumer)
	}
	return fmt.Errorf("no service is called %s", name)
}

type payer interface {
	Pay(ctx context.Context, id string) error
}

func asked(name string, db *sql.DB, pub outbox.Publisher) payer {
	switch name {
	case "aftercommit":
		return aftercommit.New(db, pub)
	case "dualwrite":
		return dualwrite.New(db, pub)
	case "insidetx":
		return insidetx.New(db, pub)
	case "beforewrite":
		return beforewrite.New(db, pub)
	}
	return nil
}

type consumer interface {
	Run(ctx context.Context, consumer jetstream.Consumer) error
}

func told(name string, db *sql.DB) consumer {
	switch name {
	case "checkoutside":
		return checkoutside.New(db)
	case "recordoutside":
		return recordoutside.New(db)
	case "markbefore":
		return markbefore.New(db)
	case "volatilestore":
		return volatilestore.New(db)
	case "claimignored":
		return claimignored.New(db)
	case "nodedupe":
		return nodedupe.New(db)
	case "unstablekey":
		return unstablekey.New(db)
	case "unguarded":
		return unguarded.New(db)
	case "arrivaltime":
		return arrivaltime.New(db)
	case "ackbefore":
		return ackbefore.New(db)
	case "onfailure":
		return onfailure.New(db)
	}
	return nil
}

func serve(ctx context.Context, s payer) error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		answer := "done"
		if err := s.Pay(ctx, lines.Text()); err != nil {
			log.Print(err)
			answer = "failed"
		}
		fmt.Println(answer)
	}
	return lines.Err()
}

func jobs(ctx context.Context, name string) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	if err != nil {
		return err
	}
	if name == "insidetxjob" {
		return serve(ctx, insidetxjob.New(pool, client))
	}
	return serve(ctx, aftercommitjob.New(pool, client))
}

func deliveries(ctx context.Context, s *autoack.Parcels) error {
	ch, err := env.AMQP()
	if err != nil {
		return err
	}
	return s.Run(ctx, ch, os.Getenv("AMQP_QUEUE"))
}

func relay(ctx context.Context, db *sql.DB) error {
	js, err := env.JetStream()
	if err != nil {
		return err
	}
	return outbox.NewRelay(db, outbox.NewNATS(js)).Run(ctx)
}
