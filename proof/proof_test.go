// Package proof_test runs each mistake that deliverylint reports, as a small service
// against real servers, and what deliverylint makes of it. The services are killed
// before each of their requests to the database and the broker, held there while a
// replica goes on, and cut off. What is wrong then loses, doubles or misorders
// something; what deliverylint has mended never does.
package proof_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deliverylint/deliverylint/proof/internal/wire"
	"github.com/deliverylint/deliverylint/test/servers"
)

var (
	schedules = flag.Int("schedules", 50, "how many random schedules each mended service has to stand")
	seed      = flag.Uint64("seed", 1, "the first random schedule")
)

// workers share the schedules of a service; most of their time they wait.
const workers = 4

// TestMain has more tests run at once than there are processors: they wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "12"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// lab has the servers and the two forms of the services.
type lab struct{ postgres, amqp, wrong, fixed string }

func newLab(t *testing.T) *lab {
	t.Helper()
	// The database is not killed: that it writes nothing through is no loss.
	l := &lab{postgres: servers.Postgres(t, "fsync=off", "max_connections=300"), amqp: servers.RabbitMQ(t)}
	if l.postgres == "" {
		t.Skip("no PostgreSQL")
	}
	dir := t.TempDir()
	l.wrong, l.fixed = filepath.Join(dir, "wrong"), filepath.Join(dir, "fixed")
	succeed(t, ".", "go", "build", "-o", l.wrong, "./services/cmd/service")
	succeed(t, fixed(t, tool(t)), "go", "build", "-o", l.fixed, "./services/cmd/service")
	return l
}

// line is what came of a story.
type line struct {
	story        *story
	points, runs int
	before       outcome
	pointsAfter  int
	runsAfter    int
	// ran counts the schedules that came to an end.
	ran atomic.Int32
	// wrong counts the runs after the fix in which something was wrong.
	wrong atomic.Int32
}

func TestProof(t *testing.T) {
	l := newLab(t)
	all := stories()
	lines := make([]*line, len(all))
	t.Run("stories", func(t *testing.T) {
		for i := range all {
			lines[i] = &line{story: &all[i]}
			t.Run(all[i].name, func(t *testing.T) {
				t.Parallel()
				if all[i].takes == rabbitMQ && l.amqp == "" {
					t.Skip("no RabbitMQ")
				}
				l.prove(t, lines[i])
			})
		}
	})
	fmt.Print(table(lines))
}

// prove fills in a line.
func (l *lab) prove(t *testing.T, to *line) {
	t.Helper()
	st, began := to.story, time.Now()
	t.Cleanup(func() { fmt.Printf("%s: %v\n", st.name, time.Since(began).Round(time.Second)) })
	w := l.world(t, st.name, st)
	to.points, to.runs, to.before = w.everywhere(t, st, l.wrong)
	if to.before.right() {
		t.Errorf("nothing goes wrong")
	}
	if st.fix == "" {
		return
	}
	var after outcome
	to.pointsAfter, to.runsAfter, after = w.everywhere(t, st, l.fixed)
	if !after.right() {
		t.Errorf("mended: %v", after)
		to.wrong.Add(int32(after.lost + after.doubled + after.misordered + after.untrue))
	}
	for i := range workers {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			w := l.world(t, fmt.Sprintf("%s%d", st.name, i), st)
			for n := i; n < *schedules; n += workers {
				if !w.random(t, st, l.fixed, *seed+uint64(n), to.pointsAfter) {
					to.wrong.Add(1)
				}
				to.ran.Add(1)
			}
		})
	}
}

// everywhere strikes a service before each request that it makes if nothing happens,
// and the relay too. It returns how many there are, how many runs it took and in how
// many something was wrong.
func (w *world) everywhere(t *testing.T, st *story, program string) (points, runs int, sum outcome) {
	t.Helper()
	calm := schedule{messages: []int{0, 1}, wait: ackWait}
	faults := []fault{kill, stall, cut}
	switch st.takes {
	case requests:
		calm.messages = []int{0}
	case kafka:
		faults = []fault{kill}
	}
	r, o := w.must(t, st, program, calm)
	if !o.right() {
		t.Errorf("with no fault: %v", o)
	}
	strike := func(f fault, requests []wire.Request, plan func(blows []blow) schedule) {
		for at, q := range requests {
			if f == cut && q.Kind == wire.Broker {
				continue
			}
			_, o := w.must(t, st, program, plan([]blow{{f, at}}))
			sum.runs(o)
			runs++
		}
	}
	for _, f := range faults {
		strike(f, r.counted, func(blows []blow) schedule { plan := calm; plan.service = blows; return plan })
		strike(f, r.relayed, func(blows []blow) schedule { plan := calm; plan.relay = blows; return plan })
	}
	return len(r.counted) + len(r.relayed), runs, sum
}

func (w *world) must(t *testing.T, st *story, program string, plan schedule) (*run, outcome) {
	t.Helper()
	r, o, err := w.do(st, program, plan)
	if err != nil {
		t.Fatalf("%v: %v", plan, err)
	}
	if r.silent != "" {
		t.Logf("%v: no answer: %s", plan, r.silent)
	}
	if testing.Verbose() && !o.right() {
		t.Logf("%v: %v", plan, o)
	}
	return r, o
}

// random runs a schedule that a mended service has to stand.
func (w *world) random(t *testing.T, st *story, program string, seed uint64, points int) (right bool) {
	t.Helper()
	plan := random(rand.New(rand.NewPCG(seed, uint64(len(st.name)))), st, points)
	_, o := w.must(t, st, program, plan)
	if !o.right() {
		t.Errorf("-seed %d, %v: %v", seed, plan, o)
	}
	return o.right()
}

// table says what came of the stories.
func table(lines []*line) string {
	var b strings.Builder
	row := func(cells ...string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row("rule", "service", "points", "runs", "lost", "doubled", "misordered", "untrue", "mended by", "points", "runs", "schedules", "wrong")
	row("---", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---", "---:", "---:", "---:", "---:")
	n := func(i int) string {
		if i == 0 {
			return ""
		}
		return strconv.Itoa(i)
	}
	for _, l := range lines {
		cells := []string{l.story.rule, l.story.name, n(l.points), n(l.runs), n(l.before.lost), n(l.before.doubled), n(l.before.misordered), n(l.before.untrue)}
		if l.story.fix == "" {
			row(append(cells, "–", "", "", "", "")...)
			continue
		}
		row(append(cells, l.story.fix, n(l.pointsAfter), n(l.runsAfter), n(int(l.ran.Load())), strconv.Itoa(int(l.wrong.Load())))...)
	}
	return b.String()
}
