// Command shop serves orders, payments, shipping and a catalogue.
package main

import (
	"context"
	"database/sql"
	"log"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/segmentio/kafka-go"
	"golang.org/x/sync/errgroup"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"example.org/shop/internal/catalogue"
	"example.org/shop/internal/consumer"
	"example.org/shop/internal/events"
	"example.org/shop/internal/orders"
	"example.org/shop/internal/outbox"
	"example.org/shop/internal/payments"
	"example.org/shop/internal/shipping"
	"example.org/shop/internal/uow"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	orm, err := gorm.Open(postgres.New(postgres.Config{Conn: db}))
	if err != nil {
		return err
	}

	broker := events.NewKafka("shop", os.Getenv("KAFKA_BROKER"))
	defer broker.Close()
	nc, err := nats.Connect(os.Getenv("NATS_URL"))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}

	products := catalogue.New(orm, broker)
	order := orders.New(db, orders.NewPostgres(db), broker)
	payment := payments.New(pool, broker)
	parcels := shipping.New(db, events.NewNATS(js))

	if err := returns(ctx, js, payment); err != nil {
		return err
	}
	router := chi.NewRouter()
	products.Routes(router)
	order.Routes(router)
	payment.Routes(router)
	parcels.Routes(router)
	server := &http.Server{Addr: ":8080", Handler: router, ReadHeaderTimeout: 5 * time.Second}

	g, ctx := errgroup.WithContext(ctx)
	g.Go(server.ListenAndServe)
	g.Go(func() error {
		<-ctx.Done()
		return server.Shutdown(context.WithoutCancel(ctx))
	})
	g.Go(func() error { return outbox.NewRelay(uow.New(db), broker).Run(ctx, time.Second) })
	g.Go(func() error { return chase(ctx, parcels) })
	g.Go(func() error { return consume(ctx, db, order, parcels) })
	return g.Wait()
}

// consume reads what the shop tells itself.
func consume(ctx context.Context, db *sql.DB, order *orders.Service, parcels *shipping.Service) error {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{os.Getenv("KAFKA_BROKER")}, GroupID: "shop", Topic: "shop"})
	defer r.Close()
	stock := catalogue.NewStock(db)
	return consumer.Run(ctx, r, map[string]consumer.Handler{
		"order.placed":     stock.OnOrderPlaced,
		"order.cancelled":  stock.OnOrderCancelled,
		"order.paid":       parcels.OnOrderPaid,
		"gift.paid":        parcels.OnGiftPaid,
		"shipment.changed": order.OnShipmentChanged,
		"shipment.tracked": order.OnShipmentTracked,
	})
}

func returns(ctx context.Context, js jetstream.JetStream, payment *payments.Service) error {
	for name, start := range map[string]func(jetstream.Consumer) (jetstream.ConsumeContext, error){
		"returns":    payment.ConsumeReturns,
		"complaints": payment.ConsumeComplaints,
	} {
		c, err := js.Consumer(ctx, "SHOP", name)
		if err != nil {
			return err
		}
		if _, err := start(c); err != nil {
			return err
		}
	}
	return nil
}

func chase(ctx context.Context, parcels *shipping.Service) error {
	t := time.NewTicker(time.Hour)
	defer t.Stop()
	for {
		if err := parcels.ChaseLate(ctx); err != nil {
			slog.ErrorContext(ctx, "chase", "err", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}
