// Package web has HTTP handlers that are function literals, made by functions that
// take what they need.
package web

import (
	"context"
	"encoding/json"
	"net/http"

	"cloud.google.com/go/pubsub/v2"
	"github.com/jmoiron/sqlx"
)

type Tow struct {
	ID    string `json:"id" db:"id"`
	Truck string `json:"truck" db:"truck"`
}

// TowRepo has its transaction inside.
type TowRepo interface {
	Begun(ctx context.Context, t Tow) error
	Drop(ctx context.Context, id string) error
	Tow(ctx context.Context, id string) (Tow, error)
}

// Yard is who hears of it. None of its methods is called Publish.
type Yard interface {
	Upload(t Tow) error
	Cancel(id string) error
}

type sqlTows struct{ db *sqlx.DB }

func (r sqlTows) Begun(ctx context.Context, t Tow) error {
	tx, err := r.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.NamedExecContext(ctx, "INSERT INTO tows (id, truck) VALUES (:id, :truck)", t); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE trucks SET busy = 1 WHERE id = ?", t.Truck); err != nil {
		return err
	}
	return tx.Commit()
}

func (r sqlTows) Drop(ctx context.Context, id string) error {
	_, err := r.db.ExecContext(ctx, "UPDATE tows SET deleted_at = now() WHERE id = ?", id)
	return err
}

func (r sqlTows) Tow(ctx context.Context, id string) (t Tow, err error) {
	return t, r.db.GetContext(ctx, &t, "SELECT id, truck FROM tows WHERE id = ?", id)
}

type yard struct{ topic *pubsub.Publisher }

func (y yard) Upload(t Tow) error     { return y.send(t) }
func (y yard) Cancel(id string) error { return y.send(Tow{ID: id}) }

func (y yard) send(t Tow) error {
	raw, err := json.Marshal(t)
	if err != nil {
		return err
	}
	ctx := context.Background()
	_, err = y.topic.Publish(ctx, &pubsub.Message{Data: raw}).Get(ctx)
	return err
}

// uploadAll is a helper beside the handlers.
func uploadAll(y Yard, tows ...Tow) error {
	for _, t := range tows {
		if err := y.Upload(t); err != nil {
			return err
		}
	}
	return nil
}

func createTow(repo TowRepo, y Yard) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var t Tow
		if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := repo.Begun(r.Context(), t); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if err := uploadAll(y, t); err != nil { // want after-commit "runs after"
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusCreated)
	}
}

func dropTow(repo TowRepo, y Yard) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		if err := repo.Drop(r.Context(), id); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if err := y.Cancel(id); err != nil { // want dual-write "follows"
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}

// hookTow takes what another system says and hands it on: whoever called tries again.
func hookTow(y Yard) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := uploadAll(y, Tow{ID: r.FormValue("id")}, Tow{ID: r.FormValue("next")}); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}
}

// Routes has a handler in its own body as well.
func Routes(mux *http.ServeMux, db *sqlx.DB, topic *pubsub.Publisher) {
	repo, y := sqlTows{db}, yard{topic}
	mux.Handle("POST /tows", createTow(repo, y))
	mux.Handle("DELETE /tows/{id}", dropTow(repo, y))
	mux.Handle("POST /hooks/tows", hookTow(y))
	mux.HandleFunc("POST /trucks/{id}", func(w http.ResponseWriter, r *http.Request) {
		if _, err := db.ExecContext(r.Context(), "INSERT INTO trucks (id) VALUES (?)", r.PathValue("id")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		topic.Publish(r.Context(), &pubsub.Message{Data: []byte(r.PathValue("id"))}) // want dual-write "follows"
	})
	mux.HandleFunc("POST /tows/{id}/call", func(w http.ResponseWriter, r *http.Request) {
		t, err := repo.Tow(r.Context(), r.PathValue("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		topic.Publish(r.Context(), &pubsub.Message{Data: []byte(t.Truck)})
	})
}
