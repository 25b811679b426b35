package shipping

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// Routes serves the shipments.
func (s *Service) Routes(r chi.Router) {
	r.Post("/shipments/{id}/dispatch", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Dispatch(r.Context(), chi.URLParam(r, "id"), r.FormValue("carrier")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
