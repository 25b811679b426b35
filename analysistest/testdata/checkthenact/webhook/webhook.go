// Package webhook takes a payment provider's events.
package webhook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

type paid struct {
	ID, Order string
	Cents     int64
}

type server struct {
	db     *sql.DB
	secret []byte
}

func (s *server) verified(signature string, body []byte) (paid, error) {
	var p paid
	mac := hmac.New(sha256.New, s.secret)
	mac.Write(body)
	sum, err := hex.DecodeString(signature)
	if err != nil || !hmac.Equal(sum, mac.Sum(nil)) {
		return p, errors.New("bad signature")
	}
	return p, json.Unmarshal(body, &p)
}

func (s *server) wrong(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p, err := s.verified(r.Header.Get("X-Signature"), body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var id string
	err = s.db.QueryRowContext(r.Context(), `SELECT id FROM webhook_events WHERE id = ?`, p.ID).Scan(&id)
	if err == nil {
		w.WriteHeader(http.StatusOK)
		return
	}
	resp, err := http.Post("https://shipping.example.org/orders", "text/plain", bytes.NewBufferString(p.Order))
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	resp.Body.Close()
	if _, err := s.db.ExecContext(r.Context(), `INSERT INTO webhook_events (id) VALUES (?)`, p.ID); err != nil { // want record-outside-tx "records the message after http.Post"
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusOK)
}

func (s *server) right(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p, err := s.verified(r.Header.Get("X-Signature"), body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	tx, err := s.db.BeginTx(r.Context(), nil)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(r.Context(), `INSERT IGNORE INTO webhook_events (id) VALUES (?)`, p.ID)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if n, _ := res.RowsAffected(); n == 0 {
		w.WriteHeader(http.StatusOK)
		return
	}
	if _, err := tx.ExecContext(r.Context(), `UPDATE orders SET paid_cents = paid_cents + ? WHERE id = ?`, p.Cents, p.Order); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if tx.Commit() != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// Routes serves both.
func Routes(s *server, m *http.ServeMux) {
	m.HandleFunc("/wrong", s.wrong)
	m.HandleFunc("/right", s.right)
}
