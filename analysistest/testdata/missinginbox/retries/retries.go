// Package retries tries again by itself.
package retries

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/uuid"
)

type Job struct{ ID, URL string }

var errTaken = errors.New("taken")

type Store struct{ db *sql.DB }

func (s *Store) Add(ctx context.Context, j Job) error {
	id := j.ID
	if id == "" {
		id = uuid.NewString()
	}
	_, err := s.db.ExecContext(ctx, "INSERT INTO jobs (id, url) VALUES ($1, $2)", id, j.URL) // want unstable-key "s.Add"
	return err
}

func wrongDefault(ctx context.Context, s *Store, j Job) (err error) {
	for try := range 3 {
		if err = s.Add(ctx, j); err == nil {
			return nil
		}
		time.Sleep(time.Duration(try) * time.Second)
	}
	return err
}

func (s *Store) wrongLiteral(ctx context.Context, url string) error {
	_, err := backoff.Retry(ctx, func() (bool, error) {
		_, err := s.db.ExecContext(ctx, "INSERT INTO jobs (id, url) VALUES ($1, $2)", uuid.NewString(), url) // want unstable-key "backoff.Retry"
		return true, err
	})
	return err
}

func (s *Store) AddAs(ctx context.Context, id, url string) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO jobs (id, url) VALUES ($1, $2)", id, url)
	return err
}

func rightOnce(ctx context.Context, s *Store, url string) (err error) {
	id := uuid.NewString()
	for range 3 {
		if err = s.AddAs(ctx, id, url); err == nil {
			return nil
		}
	}
	return err
}

func (s *Store) AddGiven(ctx context.Context, j Job) error {
	id := j.ID
	if id == "" {
		id = uuid.NewString()
	}
	_, err := s.db.ExecContext(ctx, "INSERT INTO jobs (id, url) VALUES ($1, $2)", id, j.URL)
	return err
}

func rightGiven(ctx context.Context, s *Store, url string) (err error) {
	j := Job{ID: uuid.NewString(), URL: url}
	for range 3 {
		if err = s.AddGiven(ctx, j); err == nil {
			return nil
		}
	}
	return err
}

func (s *Store) AddNew(ctx context.Context, url string) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO jobs (id, url) VALUES ($1, $2)", uuid.NewString(), url)
	return err
}

// rightTaken tries another key when the one before is taken.
func rightTaken(ctx context.Context, s *Store, url string) (err error) {
	for range 3 {
		err = s.AddNew(ctx, url)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errTaken) {
			return err
		}
	}
	return err
}

func (s *Store) AddByURL(ctx context.Context, url string) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO jobs (id, url) VALUES ($1, $2) ON CONFLICT (url) DO NOTHING", uuid.NewString(), url)
	return err
}

func rightOtherKey(ctx context.Context, s *Store, url string) (err error) {
	for range 3 {
		if err = s.AddByURL(ctx, url); err == nil {
			return nil
		}
	}
	return err
}

// rightEach adds one row for each of a list.
func rightEach(ctx context.Context, s *Store, urls []string) error {
	for _, u := range urls {
		if err := s.AddNew(ctx, u); err != nil {
			return err
		}
	}
	return nil
}
