package orders

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
)

// Routes serves the orders.
func (s *Service) Routes(r chi.Router) {
	r.Post("/orders", s.post)
	r.Post("/gifts", s.postGift)
	r.Delete("/orders/{id}", s.cancel)
	r.Post("/orders/{id}/reject", s.reject)
}

func (s *Service) post(w http.ResponseWriter, r *http.Request) {
	o, ok := decode(w, r)
	if !ok {
		return
	}
	answer(w, r, o, s.Place(r.Context(), o))
}

func (s *Service) postGift(w http.ResponseWriter, r *http.Request) {
	o, ok := decode(w, r)
	if !ok {
		return
	}
	answer(w, r, o, s.PlaceGift(r.Context(), o))
}

func (s *Service) cancel(w http.ResponseWriter, r *http.Request) {
	o, err := s.orders.Get(r.Context(), chi.URLParam(r, "id"))
	if err == nil {
		err = s.Cancel(r.Context(), o)
	}
	answer(w, r, o, err)
}

func (s *Service) reject(w http.ResponseWriter, r *http.Request) {
	o, err := s.orders.Get(r.Context(), chi.URLParam(r, "id"))
	if err == nil {
		err = s.Reject(r.Context(), o, r.FormValue("why"))
	}
	answer(w, r, o, err)
}

func decode(w http.ResponseWriter, r *http.Request) (o Order, ok bool) {
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return o, false
	}
	o.ID = uuid.NewString()
	return o, true
}

func answer(w http.ResponseWriter, r *http.Request, o Order, err error) {
	if err != nil {
		slog.ErrorContext(r.Context(), "order", "id", o.ID, "err", err)
		http.Error(w, "not now", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(o); err != nil {
		slog.ErrorContext(r.Context(), "answer", "err", err)
	}
}
