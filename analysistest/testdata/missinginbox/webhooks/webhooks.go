// Package webhooks serves a provider's requests.
package webhooks

import (
	"encoding/json"
	"net/http"

	"gorm.io/gorm"
)

type Event struct {
	ID, Type, Org string
	Cents         int64
}

type Org struct {
	ID    string `gorm:"primaryKey"`
	Cents int64
}

type Seen struct {
	ID string `gorm:"primaryKey"`
}

type Server struct {
	db     *gorm.DB
	verify func(*http.Request) bool
}

func (s *Server) webhook(w http.ResponseWriter, r *http.Request) {
	var e Event
	if !s.verify(r) || json.NewDecoder(r.Body).Decode(&e) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	err := s.db.Model(&Org{}).Where("id = ?", e.Org).Update("cents", gorm.Expr("cents + ?", e.Cents)).Error // want no-dedupe "cents"
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func (s *Server) webhookOnce(w http.ResponseWriter, r *http.Request) {
	var e Event
	if !s.verify(r) || json.NewDecoder(r.Body).Decode(&e) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	err := s.db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&Seen{ID: e.ID}).Error; err != nil {
			return err
		}
		return tx.Model(&Org{}).Where("id = ?", e.Org).Updates(map[string]any{"cents": gorm.Expr("cents + ?", e.Cents)}).Error
	})
	if err != nil {
		w.WriteHeader(http.StatusConflict)
	}
}

func (s *Server) Routes(m *http.ServeMux) {
	m.HandleFunc("/webhook", s.webhook)
	m.HandleFunc("/webhook/v2", s.webhookOnce)
}

// callback is where a login elsewhere sends the browser back to.
func (s *Server) callback(w http.ResponseWriter, r *http.Request) {
	if !s.verify(r) {
		http.Redirect(w, r, "/?error=login", http.StatusFound)
		return
	}
	org := r.URL.Query().Get("org")
	err := s.db.Model(&Org{}).Where("id = ?", org).Update("cents", gorm.Expr("cents + ?", 1)).Error
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	http.Redirect(w, r, "/", http.StatusFound)
}

func (s *Server) Logins(m *http.ServeMux) { m.HandleFunc("/callback", s.callback) }
