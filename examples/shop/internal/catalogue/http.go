package catalogue

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
)

// Routes serves the catalogue.
func (s *Service) Routes(r chi.Router) {
	r.Put("/products/{id}/price", func(w http.ResponseWriter, r *http.Request) {
		cents, err := strconv.ParseInt(r.FormValue("cents"), 10, 64)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer(w, s.SetPrice(r.Context(), chi.URLParam(r, "id"), cents))
	})
	r.Put("/products/{id}/name", func(w http.ResponseWriter, r *http.Request) {
		answer(w, s.Rename(r.Context(), chi.URLParam(r, "id"), r.FormValue("name")))
	})
}

func answer(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
