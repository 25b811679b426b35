package sqsredis

import (
	"context"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"
)

type gate struct{ rdb *redis.Client }

func (g *gate) storeNonce(ctx context.Context, id string) bool {
	fresh, err := g.rdb.SetNX(ctx, "nonce:"+id, 1, 5*time.Minute).Result()
	return err == nil && fresh
}

// rightNonce refuses what was signed once and is shown again; nobody delivers again.
func (g *gate) rightNonce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.storeNonce(r.Context(), r.Header.Get("X-Request-Id")) {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
