package uow

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// SeatTx is one unit of work of either store.
type SeatTx interface {
	Book(ctx context.Context, seat string) error
	Close() error
}

type SeatStore interface {
	NewTx(ctx context.Context) (SeatTx, error)
}

// docSeats begins a transaction, which Book commits.
type docSeats struct{ client *mongo.Client }

type docSeatTx struct{ sess *mongo.Session }

func (s *docSeats) NewTx(context.Context) (SeatTx, error) {
	sess, err := s.client.StartSession()
	if err != nil {
		return nil, err
	}
	if err := sess.StartTransaction(); err != nil {
		return nil, err
	}
	return &docSeatTx{sess: sess}, nil
}

func (t *docSeatTx) Book(ctx context.Context, seat string) error {
	ctx = mongo.NewSessionContext(ctx, t.sess)
	col := t.sess.Client().Database("hall").Collection("seats")
	if _, err := col.UpdateOne(ctx, bson.M{"_id": seat}, bson.M{"$set": bson.M{"booked": true}}); err != nil {
		return err
	}
	return t.sess.CommitTransaction(ctx)
}

func (t *docSeatTx) Close() error { return nil }

// poolSeats has no transactions.
type poolSeats struct{ pool *pgxpool.Pool }

type poolSeatTx struct{ pool *pgxpool.Pool }

func (s *poolSeats) NewTx(context.Context) (SeatTx, error) { return &poolSeatTx{pool: s.pool}, nil }

func (t *poolSeatTx) Book(ctx context.Context, seat string) error {
	_, err := t.pool.Exec(ctx, "INSERT INTO bookings (seat) VALUES ($1)", seat)
	return err
}

func (t *poolSeatTx) Close() error { return nil }

func OpenSeats(client *mongo.Client, pool *pgxpool.Pool) SeatStore {
	if client != nil {
		return &docSeats{client: client}
	}
	return &poolSeats{pool: pool}
}

type Seats struct {
	store SeatStore
	nc    *nats.Conn
}

// Book publishes when the one store has committed, or the other has written: in
// neither is a transaction open, since what one store has begun is not the
// other's.
func (s *Seats) Book(ctx context.Context, seat string) error {
	tx, err := s.store.NewTx(ctx)
	if err != nil {
		return err
	}
	defer tx.Close()
	if err := tx.Book(ctx, seat); err != nil {
		return err
	}
	return s.nc.Publish("seats.booked", []byte(seat)) // want after-commit "runs after"
}
