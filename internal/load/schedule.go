package load

import (
	"context"
	"runtime"
	"sync"
)

// queue runs work items on a bounded number of goroutines. An item may add
// more items.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	items   []*node
	open    int // added and not yet done
}

func newQueue() *queue {
	q := &queue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *queue) add(nodes ...*node) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, nodes...)
	q.open += len(nodes)
	q.changed.Broadcast()
}

// next returns an item, or nil once all items are done.
func (q *queue) next() *node {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && q.open > 0 {
		q.changed.Wait()
	}
	if len(q.items) == 0 {
		return nil
	}
	last := len(q.items) - 1
	n := q.items[last]
	q.items = q.items[:last]
	return n
}

func (q *queue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open--
	if q.open == 0 {
		q.changed.Broadcast()
	}
}

// run works the queue off. After ctx is done, items are dropped undone.
func (q *queue) run(ctx context.Context, work func(*node)) error {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := q.next(); n != nil; n = q.next() {
				if ctx.Err() == nil {
					work(n)
				}
				q.done()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
