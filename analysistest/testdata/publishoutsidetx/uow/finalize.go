package uow

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

// Ticket is a unit of work that the caller finalizes in a defer: it commits if the
// function returns nil.
type Ticket struct{ tx pgx.Tx }

type Tickets struct{ pool *pgxpool.Pool }

func (t *Tickets) Open(ctx context.Context) (*Ticket, error) {
	tx, err := t.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return &Ticket{tx: tx}, nil
}

func (t *Ticket) Finalize(ctx context.Context, err *error) {
	if *err != nil {
		_ = t.tx.Rollback(ctx)
		return
	}
	*err = t.tx.Commit(ctx)
}

func (t *Ticket) Sheets() SheetRepo  { return SheetRepo{t.tx} }
func (t *Ticket) Events() SheetQueue { return SheetQueue{t.tx} }

type SheetRepo struct{ tx pgx.Tx }

func (r SheetRepo) Sign(ctx context.Context, sheet string) error {
	_, err := r.tx.Exec(ctx, "UPDATE sheets SET signed = true WHERE id = $1", sheet)
	return err
}

// SheetQueue is the outbox.
type SheetQueue struct{ tx pgx.Tx }

func (q SheetQueue) Add(ctx context.Context, kind, sheet string) error {
	_, err := q.tx.Exec(ctx, "INSERT INTO sheet_outbox (kind, sheet) VALUES ($1, $2)", kind, sheet)
	return err
}

type Office struct {
	tickets *Tickets
	nc      *nats.Conn
}

// Sign publishes before the deferred commit.
func (o *Office) Sign(ctx context.Context, sheet string) (err error) {
	t, err := o.tickets.Open(ctx)
	if err != nil {
		return err
	}
	defer t.Finalize(ctx, &err)
	if err = t.Sheets().Sign(ctx, sheet); err != nil {
		return err
	}
	return o.nc.Publish("sheets.signed", []byte(sheet)) // want inside-tx "transaction"
}

func (o *Office) sign(ctx context.Context, sheet string) (err error) {
	t, err := o.tickets.Open(ctx)
	if err != nil {
		return err
	}
	defer t.Finalize(ctx, &err)
	return t.Sheets().Sign(ctx, sheet)
}

// SignAndTell publishes after it.
func (o *Office) SignAndTell(ctx context.Context, sheet string) error {
	if err := o.sign(ctx, sheet); err != nil {
		return err
	}
	return o.nc.Publish("sheets.signed", []byte(sheet)) // want after-commit "runs after"
}

func (o *Office) SignQueued(ctx context.Context, sheet string) (err error) {
	t, err := o.tickets.Open(ctx)
	if err != nil {
		return err
	}
	defer t.Finalize(ctx, &err)
	if err = t.Sheets().Sign(ctx, sheet); err != nil {
		return err
	}
	return t.Events().Add(ctx, "signed", sheet)
}

// begin hands out a ticket that has been written through and is still open.
func (o *Office) begin(ctx context.Context, sheet string) (*Ticket, error) {
	t, err := o.tickets.Open(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.Sheets().Sign(ctx, sheet); err != nil {
		t.Finalize(ctx, &err)
		return nil, err
	}
	return t, nil
}

// Countersign adds its row to the ticket that begin has opened.
func (o *Office) Countersign(ctx context.Context, sheet string) (err error) {
	t, err := o.begin(ctx, sheet)
	if err != nil {
		return err
	}
	defer t.Finalize(ctx, &err)
	return t.Events().Add(ctx, "countersigned", sheet)
}

// CountersignNow publishes while it is open.
func (o *Office) CountersignNow(ctx context.Context, sheet string) (err error) {
	t, err := o.begin(ctx, sheet)
	if err != nil {
		return err
	}
	defer t.Finalize(ctx, &err)
	return o.nc.Publish("sheets.countersigned", []byte(sheet)) // want inside-tx "transaction"
}
