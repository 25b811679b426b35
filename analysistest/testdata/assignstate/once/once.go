// Package once has writes that no older message can overwrite anything with.
package once

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"
)

type Customer struct {
	ID, Name, Status string
	Visits           int
}

type Event struct {
	ID, Name, Status string
	Visits           int
}

// Directory is the generated client of the service that owns customers.
type Directory interface {
	GetCustomer(ctx context.Context, in *Event, opts ...grpc.CallOption) (*Customer, error)
}

type Worker struct {
	db        *sql.DB
	pool      *pgxpool.Pool
	directory Directory
	http      *http.Client
}

func parse(t *asynq.Task) (e Event, err error) {
	err = json.Unmarshal(t.Payload(), &e)
	return e, err
}

// rightAsked: the message only says that something changed; what, the owner is asked.
func (w *Worker) rightAsked(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	c, err := w.directory.GetCustomer(ctx, &Event{ID: e.ID})
	if err != nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, "UPDATE customers SET status = $2, name = $3 WHERE id = $1", c.ID, c.Status, c.Name)
	return err
}

func (w *Worker) fetch(ctx context.Context, id string) (c Customer, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://customers/"+id, nil)
	if err != nil {
		return c, err
	}
	res, err := w.http.Do(req)
	if err != nil {
		return c, err
	}
	defer res.Body.Close()
	err = json.NewDecoder(res.Body).Decode(&c)
	return c, err
}

func (w *Worker) rightFetched(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	c, err := w.fetch(ctx, e.ID)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "UPDATE customers SET status = $2, name = $3 WHERE id = $1", e.ID, c.Status, c.Name)
	return err
}

func (w *Worker) rightDelta(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "UPDATE customers SET visits = visits + $2 WHERE id = $1", e.ID, e.Visits)
	return err
}

func (w *Worker) rightInsert(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "INSERT INTO customers (id, name, status) VALUES ($1, $2, $3)", e.ID, e.Name, e.Status)
	return err
}

func (w *Worker) rightHistory(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "INSERT INTO customer_events (customer, status) VALUES ($1, $2)", e.ID, e.Status)
	return err
}

func (w *Worker) rightDeleted(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "DELETE FROM customers WHERE id = $1", e.ID)
	return err
}

// RegisteredRight: it happens once, so that no newer message sets a name.
func (w *Worker) RegisteredRight(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "UPDATE leads SET name = $2 WHERE id = $1", e.ID, e.Name)
	return err
}

// Apply is in memory only: what is stored are the events.
func (c *Customer) Apply(e Event) {
	c.Status, c.Name = e.Status, e.Name
}

func (w *Worker) rightApplied(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	var c Customer
	c.Apply(e)
	if c.Status == "" {
		return nil
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "INSERT INTO customer_stream (id, data) VALUES ($1, $2)", e.ID, data)
	return err
}

// rightSum is made from all the rows, whatever came last.
func (w *Worker) rightSum(ctx context.Context, t *asynq.Task) error {
	e, err := parse(t)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "UPDATE customers SET visits = (SELECT count(*) FROM visits WHERE customer = $1) WHERE id = $1", e.ID)
	return err
}

func Mux(w *Worker) *asynq.ServeMux {
	m := asynq.NewServeMux()
	m.HandleFunc("asked", w.rightAsked)
	m.HandleFunc("fetched", w.rightFetched)
	m.HandleFunc("delta", w.rightDelta)
	m.HandleFunc("insert", w.rightInsert)
	m.HandleFunc("history", w.rightHistory)
	m.HandleFunc("deleted", w.rightDeleted)
	m.HandleFunc("registered", w.RegisteredRight)
	m.HandleFunc("applied", w.rightApplied)
	m.HandleFunc("sum", w.rightSum)
	return m
}

// ServeHTTP takes what a person wants now: the last one wins.
func (w *Worker) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	if _, err := w.pool.Exec(r.Context(), "UPDATE customers SET status = $2 WHERE id = $1", e.ID, e.Status); err != nil {
		rw.WriteHeader(http.StatusInternalServerError)
	}
}
