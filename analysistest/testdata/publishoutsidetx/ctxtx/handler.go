package ctxtx

import (
	"context"
	"net/http"

	"github.com/redis/go-redis/v9"
	"gorm.io/gorm"
)

type gormKey int

const txInContext gormKey = 0

// Middleware begins a transaction a request and commits it if the answer is not
// an error.
func Middleware(db *gorm.DB, next func(w http.ResponseWriter, r *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := db.WithContext(r.Context()).Transaction(func(tx *gorm.DB) error {
			return next(w, r.WithContext(context.WithValue(r.Context(), txInContext, tx)))
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}

// DB is the transaction of the request.
func DB(ctx context.Context) *gorm.DB { return ctx.Value(txInContext).(*gorm.DB) }

type Locker struct {
	ID   uint
	Open bool
}

type LockerEvent struct {
	ID   uint
	Kind string
}

// TableName names the outbox of the lockers.
func (LockerEvent) TableName() string { return "locker_outbox" }

type Lockers struct{ rdb *redis.Client }

// Open runs under the middleware, and writes both rows there.
func (l *Lockers) Open(w http.ResponseWriter, r *http.Request) error {
	tx := DB(r.Context())
	if err := tx.Create(&Locker{Open: true}).Error; err != nil {
		return err
	}
	return tx.Create(&LockerEvent{Kind: "opened"}).Error
}

// Close runs under it too, and publishes before the middleware has committed.
func (l *Lockers) Close(w http.ResponseWriter, r *http.Request) error {
	if err := DB(r.Context()).Model(&Locker{}).Where("id = ?", r.FormValue("id")).Update("open", false).Error; err != nil {
		return err
	}
	return l.rdb.XAdd(r.Context(), &redis.XAddArgs{Stream: "lockers", Values: []string{"id", r.FormValue("id")}}).Err() // want inside-tx "transaction"
}

// Routes puts the handlers under the middleware.
func Routes(mux *http.ServeMux, db *gorm.DB, l *Lockers) {
	mux.Handle("POST /open", Middleware(db, l.Open))
	mux.Handle("POST /close", Middleware(db, l.Close))
}
