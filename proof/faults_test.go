package proof_test

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// fault is what happens to a process.
type fault int

const (
	// kill ends it with SIGKILL.
	kill fault = iota
	// stall holds it while another replica works.
	stall
	// cut closes its connection to the database.
	cut
)

func (f fault) String() string { return [...]string{"kill", "stall", "cut"}[f] }

// blow is a fault and the request before which it comes.
type blow struct {
	fault fault
	at    int
}

func (b blow) String() string { return fmt.Sprintf("%s before %d", b.fault, b.at) }

// schedule is what happens to a service and to the relay beside it.
type schedule struct {
	// messages are numbers of messages or orders, as they come; one may come twice.
	messages []int
	service  []blow
	relay    []blow
	// again tells which of the orders are asked for again when that failed.
	again []bool
	// wait is when JetStream delivers again.
	wait time.Duration
}

func (s schedule) String() string {
	return fmt.Sprintf("messages %v, service %v, relay %v, again %v", s.messages, s.service, s.relay, s.again)
}

// distinct is how many messages there are.
func (s schedule) distinct() int {
	n := 0
	for _, m := range s.messages {
		n = max(n, m+1)
	}
	return n
}

// random makes a schedule: some messages, in any order and some of them twice, and
// some faults anywhere.
func random(r *rand.Rand, st *story, points int) schedule {
	s := schedule{wait: ackWaitRandom}
	n := 1 + r.IntN(4)
	for i := range n {
		s.messages = append(s.messages, i)
		s.again = append(s.again, r.IntN(2) == 0)
		if st.takes != requests && r.IntN(3) == 0 {
			s.messages = append(s.messages, i)
		}
	}
	r.Shuffle(len(s.messages), func(i, j int) { s.messages[i], s.messages[j] = s.messages[j], s.messages[i] })
	for range r.IntN(n + 2) {
		s.service = append(s.service, blow{fault(r.IntN(3)), r.IntN(points + 2)})
	}
	if st.takes == requests {
		for range r.IntN(3) {
			s.relay = append(s.relay, blow{fault(r.IntN(3)), r.IntN(12)})
		}
	}
	return s
}
