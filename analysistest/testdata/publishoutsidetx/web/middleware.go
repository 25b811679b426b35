package web

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"

	amqp "github.com/rabbitmq/amqp091-go"
)

type requestKey struct{}

// inTx has each request in a transaction, which commits if the answer is good.
func inTx(db *sql.DB, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tx, err := db.BeginTx(r.Context(), nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer tx.Rollback()
		rec := &recorder{ResponseWriter: w}
		next.ServeHTTP(rec, r.WithContext(context.WithValue(r.Context(), requestKey{}, tx)))
		if rec.status < 400 {
			if err := tx.Commit(); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		}
	})
}

type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// requestTx is what inTx has begun.
func requestTx(r *http.Request) *sql.Tx { return r.Context().Value(requestKey{}).(*sql.Tx) }

// Jobs is a queue that is a table of the same database.
type Jobs struct {
	on interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	}
}

// WithTransaction is the queue in a transaction.
func (j Jobs) WithTransaction(tx *sql.Tx) Jobs { return Jobs{on: tx} }

func (j Jobs) add(ctx context.Context, kind string, body []byte) error {
	_, err := j.on.ExecContext(ctx, "INSERT INTO job_outbox (kind, body) VALUES ($1, $2)", kind, body)
	return err
}

// enqueue adds a job to the request's transaction.
func enqueue[T any](r *http.Request, jobs Jobs, kind string, job T) error {
	body, err := json.Marshal(job)
	if err != nil {
		return err
	}
	return jobs.WithTransaction(requestTx(r)).add(r.Context(), kind, body)
}

type Docks struct {
	jobs Jobs
	ch   *amqp.Channel
}

type Paint struct{ Dock, Colour string }

// Close leaves a job with the change.
func (d *Docks) Close(w http.ResponseWriter, r *http.Request) {
	if _, err := requestTx(r).ExecContext(r.Context(), "UPDATE docks SET closed = true WHERE id = $1", r.PathValue("id")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if err := enqueue(r, d.jobs, "paint", Paint{r.PathValue("id"), "red"}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// Open publishes while the middleware's transaction is still to be committed.
func (d *Docks) Open(w http.ResponseWriter, r *http.Request) {
	if _, err := requestTx(r).ExecContext(r.Context(), "UPDATE docks SET closed = false WHERE id = $1", r.PathValue("id")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	err := d.ch.PublishWithContext(r.Context(), "docks", "opened", true, false, amqp.Publishing{Body: []byte(r.PathValue("id"))}) // want inside-tx "transaction"
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// DockRoutes puts both under the middleware.
func DockRoutes(mux *http.ServeMux, db *sql.DB, d *Docks) {
	mux.Handle("POST /docks/{id}/close", inTx(db, http.HandlerFunc(d.Close)))
	mux.Handle("POST /docks/{id}/open", inTx(db, http.HandlerFunc(d.Open)))
}
