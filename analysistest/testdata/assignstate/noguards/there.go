package noguards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Leases says in several ways whether a row is there.
type Leases struct {
	db   *sql.DB
	docs *mongo.Collection
}

type Lease struct {
	ID     string `bson:"_id"`
	Tenant string
	Status string
}

func (l *Leases) find(ctx context.Context, id string) (*Lease, error) {
	var x Lease
	err := l.db.QueryRowContext(ctx, "SELECT id, tenant, status FROM leases WHERE id = $1", id).Scan(&x.ID, &x.Tenant, &x.Status)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lease %s: %w", id, err)
	}
	return &x, nil
}

func (l *Leases) save(ctx context.Context, x *Lease) error {
	_, err := l.db.ExecContext(ctx, "UPDATE leases SET tenant = $2, status = $3 WHERE id = $1", x.ID, x.Tenant, x.Status)
	return err
}

func (l *Leases) wrongNil(ctx context.Context, e Changed) error {
	x, err := l.find(ctx, e.ID)
	if err != nil {
		return err
	}
	if x == nil {
		return errors.New("no such lease")
	}
	x.Status = e.Status // want unguarded "Lease.Status is set from e.Status"
	return l.save(ctx, x)
}

func (l *Leases) lookup(ctx context.Context, id string) (Lease, bool, error) {
	x, err := l.find(ctx, id)
	if err != nil || x == nil {
		return Lease{}, false, err
	}
	return *x, true, nil
}

func (l *Leases) wrongFound(ctx context.Context, e Changed) error {
	x, ok, err := l.lookup(ctx, e.ID)
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("no such lease")
	}
	x.Status = e.Status // want unguarded "Lease.Status is set from e.Status"
	return l.save(ctx, &x)
}

func (l *Leases) count(ctx context.Context, id string) (n int, err error) {
	err = l.db.QueryRowContext(ctx, "SELECT count(*) FROM leases WHERE id = $1", id).Scan(&n)
	return n, err
}

func (l *Leases) wrongCounted(ctx context.Context, e Changed) error {
	n, err := l.count(ctx, e.ID)
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("no such lease")
	}
	_, err = l.db.ExecContext(ctx, "UPDATE leases SET status = $2 WHERE id = $1", e.ID, e.Status) // want unguarded "leases.status"
	return err
}

func (l *Leases) exists(ctx context.Context, id string) (ok bool, err error) {
	err = l.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM leases WHERE id = $1)", id).Scan(&ok)
	return ok, err
}

func (l *Leases) wrongExists(ctx context.Context, e Changed) error {
	ok, err := l.exists(ctx, e.ID)
	if err != nil || !ok {
		return err
	}
	_, err = l.db.ExecContext(ctx, "UPDATE leases SET status = $2 WHERE id = $1", e.ID, e.Status) // want unguarded "leases.status"
	return err
}

func (l *Leases) wrongDocument(ctx context.Context, e Changed) error {
	var x Lease
	err := l.docs.FindOne(ctx, bson.M{"_id": e.ID}).Decode(&x)
	if err != nil && !errors.Is(err, mongo.ErrNoDocuments) {
		return err
	}
	if err == mongo.ErrNoDocuments {
		return nil
	}
	_, err = l.docs.UpdateOne(ctx, bson.M{"_id": e.ID}, bson.M{"$set": bson.M{"status": e.Status}}) // want unguarded "status"
	return err
}

func (l *Leases) wrongOwner(ctx context.Context, e Changed) error {
	x, err := l.find(ctx, e.ID)
	if err != nil {
		return err
	}
	if x == nil || x.ID != e.ID {
		return errors.New("no such lease")
	}
	x.Status = e.Status // want unguarded "Lease.Status is set from e.Status"
	return l.save(ctx, x)
}

// rightOpen: the read finds only what may still change.
func (l *Leases) open(ctx context.Context, id string) (ok bool, err error) {
	err = l.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM leases WHERE id = $1 AND status <> 'ended')", id).Scan(&ok)
	return ok, err
}

func (l *Leases) rightOpen(ctx context.Context, e Changed) error {
	ok, err := l.open(ctx, e.ID)
	if err != nil || !ok {
		return err
	}
	_, err = l.db.ExecContext(ctx, "UPDATE leases SET status = $2 WHERE id = $1", e.ID, e.Status)
	return err
}

func runLeases(l *Leases) []*Claims {
	return []*Claims{{l.wrongNil}, {l.wrongFound}, {l.wrongCounted}, {l.wrongExists}, {l.wrongDocument}, {l.wrongOwner}, {l.rightOpen}}
}
