// Package items stores items by keys that they make themselves.
package items

import (
	"context"
	"errors"
	"net/http"
	"time"

	"encoding/json"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/common-fate/ddb"
	"github.com/google/uuid"
)

type Grant struct{ ID, Request string }

type Step struct {
	ID, Request string
	At          time.Time
}

func (s *Step) DDBKeys() (ddb.Keys, error) {
	return ddb.Keys{PK: "STEP#", SK: s.Request + "#" + s.ID}, nil
}

type Latest struct{ Request, Grant string }

func (l *Latest) DDBKeys() (ddb.Keys, error) {
	k := ddb.Keys{PK: "LATEST#", SK: l.Request}
	return k, nil
}

func newStep(request string, at time.Time) Step {
	return Step{ID: uuid.NewString(), Request: request, At: at}
}

type Handler struct{ db ddb.Storage }

func (h *Handler) handle(ctx context.Context, e events.CloudWatchEvent) error {
	var g Grant
	if err := json.Unmarshal(e.Detail, &g); err != nil {
		return err
	}
	if err := h.db.Put(ctx, &Latest{Request: g.Request, Grant: g.ID}); err != nil {
		return err
	}
	same := Step{ID: e.ID, Request: g.Request, At: e.Time}
	if err := h.db.Put(ctx, &same); err != nil {
		return err
	}
	step := newStep(g.Request, e.Time)
	return h.db.Put(ctx, &step) // want no-dedupe "Step"
}

type Token struct {
	ID, Request string
	End         time.Time
}

func (t *Token) DDBKeys() (ddb.Keys, error) { return ddb.Keys{PK: "TOKEN#", SK: t.ID}, nil }

func (t *Token) valid(now time.Time) error {
	if now.After(t.End) {
		return errors.New("expired")
	}
	return nil
}

type Server struct{ db *ddb.Client }

// webhook is called by who has a token, which expires.
func (s *Server) webhook(w http.ResponseWriter, r *http.Request) {
	var t Token
	if _, err := s.db.Get(r.Context(), ddb.GetKey{PK: "TOKEN#", SK: r.Header.Get("X-Recorder-Token")}, &t); err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if t.valid(time.Now()) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var g Grant
	if json.NewDecoder(r.Body).Decode(&g) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	step := newStep(g.Request, time.Now())
	if s.db.Put(r.Context(), &step) != nil { // want no-dedupe "Step"
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func main() {
	db, err := ddb.New(context.Background(), "grants")
	if err != nil {
		return
	}
	s := &Server{db}
	http.HandleFunc("/webhook", s.webhook)
	lambda.Start((&Handler{db}).handle)
}
