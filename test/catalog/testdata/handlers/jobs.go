// Package handlers gives handlers to the libraries of the catalog.
package handlers

import (
	"context"
	"database/sql"

	"github.com/RichardKnop/machinery/v2"
	"github.com/gocraft/work"
	"github.com/hibiken/asynq"
	"github.com/riverqueue/river"
	"github.com/vgarvardt/gue/v5"
	"github.com/vmihailenco/taskq/v3"
	"go.temporal.io/sdk/worker"
)

// Store keeps what was delivered.
type Store struct{ db *sql.DB }

func (s *Store) put(ctx context.Context, body []byte) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO crates (body) VALUES ($1)`, body)
	return err
}

func asynqs(mux *asynq.ServeMux, s *Store) {
	mux.HandleFunc("a", s.asynq)
	mux.Handle("b", asynq.HandlerFunc(s.asynqFunc))
}

func (s *Store) asynq(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	return s.put(ctx, t.Payload())
}

func (s *Store) asynqFunc(ctx context.Context, t *asynq.Task) error { // handler redis return redeliver
	return s.put(ctx, t.Payload())
}

func machineries(m *machinery.Server, s *Store) error {
	if err := m.RegisterTask("one", s.machinery); err != nil {
		return err
	}
	return m.RegisterTasks(map[string]interface{}{"two": s.machineryOf, "three": func(body string) error { // handler machinery return drop
		return s.put(context.Background(), []byte(body))
	}})
}

func (s *Store) machinery(body string) error { // handler machinery return drop
	return s.put(context.Background(), []byte(body))
}

func (s *Store) machineryOf(body string) error { // handler machinery return drop
	return s.put(context.Background(), []byte(body))
}

// Context is made for each job.
type Context struct{ store *Store }

func gocraft(p *work.WorkerPool) {
	p.Job("one", (*Context).one)
	p.JobWithOptions("two", work.JobOptions{MaxFails: 1}, (*Context).two)
}

func (c *Context) one(j *work.Job) error { // handler redis return redeliver
	return c.store.put(context.Background(), []byte(j.ID))
}

func (c *Context) two(j *work.Job) error { // handler redis return redeliver
	return c.store.put(context.Background(), []byte(j.ID))
}

// Args are a river job's.
type Args struct{ Body []byte }

// Kind names it.
func (Args) Kind() string { return "crate" }

// River works jobs.
type River struct {
	river.WorkerDefaults[Args]
	store *Store
}

// Work is called for each.
func (r *River) Work(ctx context.Context, job *river.Job[Args]) error { // handler river return redeliver
	return r.store.put(ctx, job.Args.Body)
}

func rivers(ws *river.Workers, s *Store) {
	river.AddWorker(ws, &River{store: s})
	river.AddWorker(ws, river.WorkFunc(func(ctx context.Context, job *river.Job[Args]) error { // handler river return redeliver
		return s.put(ctx, job.Args.Body)
	}))
}

func gues(c *gue.Client, s *Store) (*gue.WorkerPool, error) {
	return gue.NewWorkerPool(c, gue.WorkMap{"crate": s.gue}, 2)
}

func (s *Store) gue(ctx context.Context, j *gue.Job) error { // handler gue return redeliver
	return s.put(ctx, j.Args)
}

func taskqs(s *Store) *taskq.Task {
	return taskq.RegisterTask(&taskq.TaskOptions{Name: "crate", Handler: s.taskq})
}

func (s *Store) taskq(ctx context.Context, body string) error { // handler taskq return redeliver
	return s.put(ctx, []byte(body))
}

func temporals(w worker.Worker, s *Store) {
	w.RegisterActivity(s.activity)
}

// activity is no handler of messages, though it is run again.
func (s *Store) activity(ctx context.Context, body []byte) error { return s.put(ctx, body) } // handler temporal return redeliver
