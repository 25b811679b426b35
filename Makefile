# The checks and tools of the project. Nothing is installed outside bin/ and Go's
# own caches.

GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The race detector needs a C compiler; RACE= leaves it out.
RACE ?= -race

# Modules beside the linter's own: they need client libraries that it doesn't.
MODULES := $(patsubst %/go.mod,%,$(sort $(wildcard proof/go.mod test/*/go.mod examples/*/go.mod)))

# Measured by make bench, beside staticcheck.
TREE ?= examples/shop

.PHONY: all build test lint demo bench relay proof docs site release clean

all: build

build:
	$(GO) build -o bin/deliverylint ./cmd/deliverylint

# Lints a small order service that has each mistake once, wrong and right.
# Findings are what it is for, so exit code 1 is the good one.
demo: build
	@bin/deliverylint -C examples/shop ./... || [ $$? -eq 1 ]

# The modules below read files of this one, which the cache of test results doesn't look at.
test:
	$(GO) test $(RACE) ./...
	@set -e; for dir in $(MODULES); do \
		echo "$(GO) test ./... (in $$dir)"; \
		(cd $$dir && $(GO) test -count=1 ./...); \
	done

lint: build
	@files=$$(git ls-files -co --exclude-standard -- '*.go' | xargs gofmt -l); \
	if [ -n "$$files" ]; then echo "not gofmt-clean:"; echo "$$files"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	bin/deliverylint ./...

# CPU time and peak memory beside staticcheck, both with empty caches of their
# own: make bench TREE=path/to/module
bench: build
	cd test/bench && $(GO) run . -tree $(abspath $(TREE)) -deliverylint $(abspath bin/deliverylint) -staticcheck $(STATICCHECK)

# How many rows a second the relay that scaffold writes moves from PostgreSQL to
# JetStream.
relay:
	cd test/scaffold && $(GO) test -count=1 -v -run TestThroughput . -throughput

# Runs each mistake and what -fix makes of it against real servers, kills them at
# every point, and prints what came of it. make test does the same with fewer
# schedules.
SCHEDULES ?= 1000
proof:
	cd proof && $(GO) test -count=1 -timeout 120m -run TestProof -schedules $(SCHEDULES)

# Writes docs/rules from the rules' own documentation, and the schema of the settings.
docs:
	$(GO) test ./internal/docgen -update
	$(GO) test ./internal/settings -run Schema -update

# The README and docs as plain HTML below site/: open site/index.html.
site:
	rm -rf site
	cd test/site && $(GO) run . -root ../.. -out ../../site

# Static binaries for each platform, and their checksums, below dist/. The version in
# them is the tag of the commit, or says that there is none.
release:
	.ci/release dist

clean:
	rm -rf bin dist site
