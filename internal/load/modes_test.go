package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCgo(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
require example.com/kafka v0.0.0
replace example.com/kafka => ./kafka
-- a/a.go --
package a

import "example.com/kafka"

type N [kafka.Size]int

func A(p *kafka.Producer) error {
	switch p.Code() {
	case kafka.ErrA, kafka.ErrB:
		return p.Produce(kafka.PartitionAny)
	}
	return nil
}
-- own/own.go --
package own

// #include <stdio.h>
import "C"

func Uses() int { return int(C.puts(nil)) }

func Plain() int { return 1 }

type Kind C.int

const KindA = Kind(C.A)

type Node C.node

func (n *Node) Next() *Node { return (*Node)(n.next) }

func (k Kind) String() string { return map[Kind]string{KindA: "a"}[k] }
-- own/go.go --
package own

func wrong() int { return "x" }

func name(k Kind) string {
	if k == KindA {
		return "a"
	}
	return k.String()
}
-- kafka/go.mod --
module example.com/kafka
go 1.24
-- kafka/kafka.go --
package kafka

/*
#include <librdkafka/rdkafka.h>
*/
import "C"

import "unsafe"

type Producer struct{ handle *C.rd_kafka_t }

type Code int

const (
	ErrA Code = Code(C.A)
	ErrB Code = C.B
)

const PartitionAny = int32(C.RD_KAFKA_PARTITION_UA)

const Size = C.SIZE + 1

type buffer [C.OTHER]byte

func (p *Producer) Code() Code { return Code(C.code((*C.char)(unsafe.Pointer(p)))) }

func (p *Producer) Produce(partition int32) error { return nil }
-- kafka/static.go --
//go:build !cgo

package kafka

const PartitionAny = "must stay excluded"
`, Config{})
	wantStrings(t, "errors", messages(res),
		`go.go:3: cannot use "x" (untyped string constant) as int value in return statement`)
	wantStrings(t, "broken", brokenNames(find(t, res, "example.com/m/a")))
	wantStrings(t, "broken", brokenNames(find(t, res, "example.com/m/own")), "Next", "Uses", "wrong")
}

func TestTags(t *testing.T) {
	archive := `
-- go.mod --
module example.com/m
go 1.24
-- a.go --
package a
-- tagged.go --
//go:build integration

package a

func Tagged() {}
-- windows.go --
//go:build windows

package a

func Windows() {}
`
	names := func(cfg Config) []string { return mustLoad(t, archive, cfg).Packages[0].Types.Scope().Names() }
	wantStrings(t, "no tags", names(Config{}))
	wantStrings(t, "tags", names(Config{Tags: "x,integration"}), "Tagged")
	wantStrings(t, "environment", names(Config{Env: []string{"GOOS=windows"}}), "Windows")
}

func TestVendor(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
require example.com/lib v1.0.0
-- a.go --
package a

import "example.com/lib"

func A() { lib.F() }
-- vendor/modules.txt --
# example.com/lib v1.0.0
## explicit; go 1.24
example.com/lib
-- vendor/example.com/lib/lib.go --
package lib

func F() {}
`, Config{})
	wantClean(t, res)
	wantStrings(t, "packages", ids(res), "example.com/m")
	if res.Types["example.com/lib"] == nil {
		t.Error("no types of the vendored package")
	}
}

const workspace = `
-- go.work --
go 1.24
use ./one
use ./two
-- one/go.mod --
module example.com/one
go 1.24
-- one/one.go --
package one

import "example.com/two"

func One() { two.Two() }
-- two/go.mod --
module example.com/two
go 1.24
-- two/two.go --
package two

func Two() {}
-- two/vendor/x/go.mod --
module x
-- two/nested/go.mod --
module example.com/nested
-- testdata/go.mod --
module t
-- .hidden/go.mod --
module h
`

func TestWorkspace(t *testing.T) {
	res := mustLoad(t, workspace, Config{Dir: "one"})
	wantClean(t, res)
	wantStrings(t, "packages", ids(res), "example.com/two", "example.com/one")
	if two := res.Packages[0]; !two.Main || two.Target {
		t.Errorf("two: %+v", two)
	}
	res = mustLoad(t, workspace, Config{Patterns: []string{"./one/...", "./two/..."}})
	wantClean(t, res)
	if !res.Packages[0].Target || !res.Packages[1].Target {
		t.Error("not targets")
	}
}

func TestModules(t *testing.T) {
	dir := write(t, workspace)
	roots := func(dir string) []string {
		list, errs := Modules(dir)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		for i := range list {
			list[i], _ = filepath.Rel(dir, list[i])
		}
		return list
	}
	wantStrings(t, "workspace", roots(dir), ".", filepath.Join("two", "nested"))
	wantStrings(t, "module", roots(filepath.Join(dir, "two")), ".", "nested")
	plain := write(t, "-- b/go.mod --\nmodule b\n-- a/go.mod --\nmodule a\n-- a/x/x.go --\npackage x\n")
	wantStrings(t, "many", roots(plain), "a", "b")
	wantStrings(t, "none", roots(filepath.Join(plain, "a", "x")))
}

func TestStandardLibrary(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a.go --
package a

import (
	"crypto/tls"
	"net/http"
	"os/user"
	"unsafe"
)

func A(s *http.Server, c *tls.Config) (uintptr, error) {
	u, err := user.Current()
	s.HTTP2 = &http.HTTP2Config{}
	return unsafe.Sizeof(u.Uid), err
}
`, Config{})
	wantClean(t, res)
}

// A dependency's declarations come in many shapes; all that main uses must have
// its type.
func TestDependencyShapes(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
require example.com/near v0.0.0
replace example.com/near => ./near
-- a.go --
package a

import "example.com/near"

type local interface{ near.Sealed }

var (
	_ near.Iface    = near.New()
	_ near.Sealed   = near.Impl{}
	_ int           = near.New().Deep().Field.Count
	_ [near.C]int   = [6]int{}
	_ [3]string     = near.Array
	_ func() string = near.Fn
	_ string        = near.Fn()
	_ []int         = near.Generic[int]{}.List()
	_ string        = near.Alias{}.OnAlias()
	_ int           = near.Dotted
	_ near.Chan     = make(chan int)
	_ [near.Len]int = [4]int{}
)

func use() { near.New().Embedded() }
-- near/go.mod --
module example.com/near
go 1.24
-- near/near.go --
package near

import (
	deep "example.com/near/deep"
	. "example.com/near/dot"
)

type Iface interface{ Deep() *deep.T }

type Sealed interface{ sealed() marker }

type marker struct{}

type Impl struct{ inner }

type inner struct{}

func (inner) sealed() marker { return marker{} }

func (inner) Embedded() {}

func (*Impl) Deep() *deep.T { return nil }

func New() *Impl { return &Impl{} }

const (
	_ = iota
	x
	C = x * 3 * y
	y = 2
)

var Array = [...]string{2: "c"}

var Fn = func() string { return undefined }

type Generic[T any] struct{ items []T }

func (g Generic[T]) List() []T { return g.items }

type base struct{}

type Alias = base

func (Alias) OnAlias() string { return "" }

var Dotted = FromDot()

type (
	Chan = <-chan int
)

const Len = len(sized)

var sized [4]byte = [4]byte{}
-- near/deep/deep.go --
package deep

import "example.com/near/deeper"

type T struct{ Field deeper.D }
-- near/deeper/deeper.go --
package deeper

type D struct{ counter }

type counter struct{ Count int }
-- near/dot/dot.go --
package dot

func FromDot() int { return 1 }
`, Config{})
	wantClean(t, res)
}

// TestModulesUnreadable: folders that can't be read keep no module from being
// found.
func TestModulesUnreadable(t *testing.T) {
	dir := write(t, "-- a/go.mod --\nmodule a\n-- b/go.work --\nuse (\n-- b/go.mod --\nmodule b\n-- closed/go.mod --\nmodule c\n-- z/go.mod --\nmodule z\n")
	want := []string{"b/go.work: cannot be read: "}
	modules := []string{"a", "b", "closed", "z"}
	if os.Geteuid() > 0 {
		if err := os.Chmod(filepath.Join(dir, "closed"), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "closed"), 0o700) })
		want = append(want, "closed: cannot be read: permission denied")
		modules = []string{"a", "b", "z"}
	}
	roots, errs := Modules(dir)
	for i := range roots {
		roots[i], _ = filepath.Rel(dir, roots[i])
	}
	wantStrings(t, "modules", roots, modules...)
	if len(errs) != len(want) {
		t.Fatalf("errors: %v", errs)
	}
	for i, e := range errs {
		name, _ := filepath.Rel(dir, e.Pos.Filename)
		if got := filepath.ToSlash(name) + ": " + e.Message; !strings.HasPrefix(got, want[i]) {
			t.Errorf("got %q, want %q", got, want[i])
		}
	}
}
