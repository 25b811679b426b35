package payments

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
)

// Routes serves the payments.
func (s *Service) Routes(r chi.Router) {
	r.Post("/payments/{id}/capture", run(s.Capture))
	r.Post("/payments/{id}/void", run(s.Void))
}

func run(do func(ctx context.Context, id string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(r.Context(), chi.URLParam(r, "id")); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}
