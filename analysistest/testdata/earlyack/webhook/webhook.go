// Package webhook is called by a provider until it answers with a 2xx.
package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
)

// Hooks keeps what providers say.
type Hooks struct{ db *sql.DB }

func (h *Hooks) keep(ctx context.Context, body []byte) error {
	_, err := h.db.ExecContext(ctx, `INSERT INTO charges (body) VALUES ($1)`, body)
	return err
}

func genuine(body []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte("secret"))
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

// Refused answers with a 500: the provider calls again.
func (h *Hooks) Refused(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !genuine(body, r.Header.Get("X-Signature")) {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	if err := h.keep(r.Context(), body); err != nil {
		slog.Error("keep", "err", err)
		http.Error(w, "later", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// Accepted answers with a 200 to what it could not store.
func (h *Hooks) Accepted(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !genuine(body, r.Header.Get("X-Signature")) {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	if err := h.keep(r.Context(), body); err != nil { // want on-failure
		slog.Error("keep", "err", err)
	}
	w.WriteHeader(http.StatusOK)
}

// Later answers, and stores in a goroutine.
func (h *Hooks) Later(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !genuine(body, r.Header.Get("X-Signature")) {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	go func() { // want before-effect
		if err := h.keep(context.Background(), body); err != nil {
			slog.Error("keep", "err", err)
		}
	}()
	w.WriteHeader(http.StatusOK)
}
