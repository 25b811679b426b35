// Package webhooks serves a provider's requests, which come again and in any order.
package webhooks

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Event struct {
	Subscription string
	Status       string
	Created      int64
}

type Subscriptions struct{ pool *pgxpool.Pool }

type Server struct {
	pool          *pgxpool.Pool
	subscriptions *Subscriptions
	secret        []byte
}

func (s *Subscriptions) SetStatus(ctx context.Context, id, status string) error {
	_, err := s.pool.Exec(ctx, "UPDATE subscriptions SET status = $2 WHERE id = $1", id, status)
	return err
}

// wrongWebhook is known for one by its name.
func (s *Server) wrongWebhook(w http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := s.subscriptions.SetStatus(r.Context(), e.Subscription, e.Status); err != nil { // want unguarded "subscriptions.status"
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// wrongSigned is known for one by the signature that it verifies.
func (s *Server) wrongSigned(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	mac := hmac.New(sha256.New, s.secret)
	mac.Write(body)
	if !hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(r.Header.Get("X-Signature"))) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e Event
	if err := json.Unmarshal(body, &e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := s.subscriptions.SetStatus(r.Context(), e.Subscription, e.Status); err != nil { // want unguarded "subscriptions.status"
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func (s *Server) rightWebhook(w http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	_, err := s.pool.Exec(r.Context(), "UPDATE subscriptions SET status = $2, event_time = $3 WHERE id = $1 AND event_time < $3", e.Subscription, e.Status, e.Created)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// rightPut is no webhook: who calls it wants the last word.
func (s *Server) rightPut(w http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := s.subscriptions.SetStatus(r.Context(), e.Subscription, e.Status); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// UpdateWebhookSettings is for those who manage webhooks.
func (s *Server) UpdateWebhookSettings(w http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if _, err := s.pool.Exec(r.Context(), "UPDATE hooks SET status = $2 WHERE id = $1", e.Subscription, e.Status); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func (s *Server) Routes(m *http.ServeMux) {
	m.HandleFunc("POST /webhook", s.wrongWebhook)
	m.HandleFunc("POST /provider", s.wrongSigned)
	m.HandleFunc("POST /webhook/v2", s.rightWebhook)
	m.HandleFunc("PUT /subscriptions", s.rightPut)
	m.HandleFunc("PUT /settings", s.UpdateWebhookSettings)
}
