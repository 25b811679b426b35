package sqsredis

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/redis/go-redis/v9"
)

// seenStore is there in two kinds: one that lasts, and one for a laptop.
type seenStore interface {
	First(ctx context.Context, key string) (bool, error)
	Forget(ctx context.Context, key string) error
}

type inMemory struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

func (s *inMemory) First(_ context.Context, key string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.seen[key]; ok {
		return false, nil
	}
	s.seen[key] = time.Now()
	return true, nil
}

func (s *inMemory) Forget(_ context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seen, key)
	return nil
}

type inRedis struct{ rdb *redis.Client }

func (s *inRedis) First(ctx context.Context, key string) (bool, error) {
	return s.rdb.SetNX(ctx, key, "1", 24*time.Hour).Result()
}

func (s *inRedis) Forget(ctx context.Context, key string) error { return s.rdb.Del(ctx, key).Err() }

// openStore falls back to memory.
func openStore(rdb *redis.Client) seenStore {
	if rdb == nil {
		return &inMemory{seen: map[string]time.Time{}}
	}
	return &inRedis{rdb}
}

// kinds asks whichever there is.
type kinds struct {
	*worker
	seen seenStore
}

// RunKinds polls with each of the handlers.
func RunKinds(ctx context.Context, w *worker) error {
	k := &kinds{w, openStore(w.rdb)}
	for _, h := range []func(context.Context, types.Message) error{k.wrongKinds, k.rightKinds} {
		if err := w.poll(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

func (k *kinds) wrongKinds(ctx context.Context, m types.Message) error {
	first, err := k.seen.First(ctx, "kinds:"+aws.ToString(m.MessageId)) // want mark-before-effect "marks the message before k.book"
	if err != nil || !first {
		return err
	}
	return k.book(ctx, m)
}

// rightKinds forgets the mark when the effect fails.
func (k *kinds) rightKinds(ctx context.Context, m types.Message) error {
	key := "kinds:" + aws.ToString(m.MessageId)
	first, err := k.seen.First(ctx, key)
	if err != nil || !first {
		return err
	}
	if err := k.book(ctx, m); err != nil {
		_ = k.seen.Forget(ctx, key)
		return err
	}
	return nil
}
