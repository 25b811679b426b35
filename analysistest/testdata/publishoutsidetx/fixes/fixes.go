// Package fixes has code that -fix changes, and code beside it that it leaves
// alone.
package fixes

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
)

type PackArgs struct{ Order string }

func (PackArgs) Kind() string { return "pack" }

type Orders struct {
	pool *pgxpool.Pool
	jobs *river.Client[pgx.Tx]
}

const update = "UPDATE orders SET state = 'paid' WHERE id = $1"

// Checked looks at the error in the statement of the call.
func (o *Orders) Checked(ctx context.Context, id string) (string, error) {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return "", err
	}
	if err := tx.Commit(ctx); err != nil {
		return "", err
	}
	if _, err := o.jobs.Insert(ctx, PackArgs{Order: id}, &river.InsertOpts{ // want after-commit
		Queue: "pack",
	}); err != nil {
		return "", fmt.Errorf("pack %s: %w", id, err)
	}
	return id, nil
}

// Many inserts in the last statement but one.
func (o *Orders) Many(ctx context.Context, id string) error {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	_, err = o.jobs.InsertMany(ctx, []river.InsertManyParams{ // want after-commit
		{Args: PackArgs{Order: id}},
	})
	return err
}

// Inside inserts before the commit, through the pool.
func (o *Orders) Inside(ctx context.Context, id string) error {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return err
	}
	if _, err := o.jobs.Insert(ctx, PackArgs{Order: id}, nil); err != nil { // want inside-tx
		return err
	}
	return tx.Commit(ctx)
}

// Between makes something after the commit that the job needs.
func (o *Orders) Between(ctx context.Context, id string) error {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	order := "order " + id
	_, err = o.jobs.Insert(ctx, PackArgs{Order: order}, nil) // want after-commit
	return err
}

// Unlocked has no rollback: what returns above the commit would keep the
// connection.
func (o *Orders) Unlocked(ctx context.Context, id string) error {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return tx.Rollback(ctx)
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	_, err = o.jobs.Insert(ctx, PackArgs{Order: id}, nil) // want after-commit
	return err
}

// Commented says why, so where the comment belongs is not certain.
func (o *Orders) Commented(ctx context.Context, id string) error {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return err
	}
	// From here on the order is paid.
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	_, err = o.jobs.Insert(ctx, PackArgs{Order: id}, nil) // want after-commit
	return err
}

// Shadowed has another tx in reach where it inserts.
func (o *Orders) Shadowed(ctx context.Context, id string) error {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return err
	}
	{
		tx := "tx " + id
		if _, err := o.jobs.Insert(ctx, PackArgs{Order: tx}, nil); err != nil { // want inside-tx
			return err
		}
	}
	return tx.Commit(ctx)
}

// Logged goes on when the job could not be stored, which can't be where the change is stored with it.
func (o *Orders) Logged(ctx context.Context, id string) error {
	tx, err := o.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, update, id); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	if _, err := o.jobs.Insert(ctx, PackArgs{Order: id}, nil); err != nil { // want after-commit
		fmt.Println("pack", id, err)
	}
	return nil
}
