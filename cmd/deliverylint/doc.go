// Deliverylint reads Go code and finds the places where a message can be lost,
// applied twice, or published for a change that never happened, after a crash, a
// failure or a rollback.
//
// Usage:
//
//	deliverylint [flags] [packages]
//	deliverylint effects PKG|FILE:LINE
//	deliverylint handlers [packages]
//	deliverylint baseline [-o file] [-prune] [packages]
//	deliverylint declare [-w | -check] [packages]
//	deliverylint config init|check|print|schema
//	deliverylint scaffold outbox|inbox [flags]
//	deliverylint explain RULE
//	deliverylint help
//	deliverylint version
//	go vet -vettool=$(which deliverylint) ./...
//
// Packages are named as for the go command; without any, ./... is read. Findings
// are reported in the named packages only, but all of their module is read, so
// that a call through an interface finds what implements it. Where the working
// directory lies in no module, each module below it is read in turn.
//
// # Flags
//
//	-C dir        change to dir first; printed paths are relative to it
//	-changed      the arguments are files that have changed: report the packages that
//	              hold them and those that import these, directly or not
//	-tags list    build tags, separated by commas
//	-test         read test files too; their code is not linted
//	-all          analyse functions too that reach no known library
//	-enable list  run only these rules or rule/category names
//	-disable list leave these out
//	-tier tier    lowest tier shown: error or warning (default warning)
//	-config file  settings (default .deliverylint.yml, see Settings)
//	-new-from rev leave out what touches no line changed since rev
//	-baseline f   leave out what file f lists
//	-fix          apply the fixes that are offered, report what is left
//	-diff         with -fix: print the changes as a diff, change nothing
//	-f format     print the report as text, json, github, gitlab, rdjson, sarif,
//	              checkstyle or junit (default text)
//	-o format=f   write it to file f too, or to - (standard output); repeatable
//	-c n          lines of context around each step; -1 shows no source
//	-stats        print what was read and how long it took
//	-version      print the version
//	-h            print the help text
//
// # Exit codes
//
// The exit code is 0 if nothing was found, 1 if there are findings, and 2 if
// something could not be analysed. What could be is reported all the same, in
// every format. It is 2, too, if a flag, a settings file, a baseline or an output file
// is wrong: one line on standard error tells what, and nothing is reported. What the
// baseline, -new-from and -tier leave out doesn't count. The other commands exit
// with 0 if they did what they are for, and with 2 otherwise.
//
// # Settings
//
// .deliverylint.yml says what functions of your own mean, which rules are off or of
// another tier, and which files are left out. It is looked for from the root of the
// module that is read upward to the root of the repository; outside a repository, at
// the module's root alone. The first one holds, and no other. Patterns of paths are
// relative to its folder or to the root of a file's module. Flags win over it.
//
//	config init    write a file to begin with: examples, all of them comments
//	config check   tell what is wrong, with the line and what is allowed there; that
//	               functions and types exist is looked up in the code
//	config print   print what holds, as a file that means the same
//	config schema  print a JSON Schema for editors, which is docs/schema.json
//
// Every mistake ends a run, too. In a workspace the file of the module that the working
// directory is in holds for all that is read.
//
// # Tiers
//
// The help text lists the tier of each category. A finding of any is a warning
// where it rests by name: on an interface that nothing implements and that has
// the name of a publisher, a store or a transaction helper. Comments that are
// wrong are warnings. The settings can change the tier of a category.
//
// # Text
//
// Each finding begins with a line that editors can jump to. Below it stand the
// steps of the story in the order of execution, under their source lines. A
// line marked with > is where a crash or a failure does the harm.
//
//	pay.go:19:9: bus.Publish runs after tx.Commit (line 16): a crash in between loses the event (publishoutsidetx/after-commit)
//	    16 |     if err := tx.Commit(); err != nil {
//	       |               ^ tx.Commit commits
//	       ...
//	>   19 |     return s.bus.Publish(ctx, event)
//	       |            ^ bus.Publish publishes: a crash before it loses the event
//
// The report goes to standard output, the closing line to standard error.
// Colours are used on a terminal unless NO_COLOR is set or TERM is dumb.
//
// # JSON
//
// With -f json one document is written. Paths are relative to the working
// directory and have forward slashes; lines and columns are 1-based, columns
// and offsets count bytes, offsets are 0-based. Lists are never null. Evidence
// is "proven" or "by name". Most findings have no fix. Fields may be added;
// version changes when one changes its meaning.
//
//	{"version": 1,
//	 "findings": [{
//	   "rule": "publishoutsidetx/after-commit", "tier": "error", "evidence": "proven",
//	   "file": "pay.go", "line": 19, "column": 9, "endLine": 19, "endColumn": 34,
//	   "function": "(*Service).Pay", "message": "...",
//	   "flow": [{"file": "pay.go", "line": 16, "message": "tx.Commit commits"}],
//	   "fixes": [{"message": "...", "edits": [{"file": "pay.go", "start": 1, "end": 2, "newText": "..."}]}],
//	   "fingerprint": "..."}],
//	 "errors": [{"file": "broken.go", "line": 3, "message": "undefined: x"}]}
//
// The fingerprint stays the same when code elsewhere in the file changes.
//
// # Reports for other programs
//
// -o writes one report more, and may be given several times; -f X is -o X=-. Without
// either, text goes to standard output.
//
//	deliverylint -o sarif=out.sarif -o text=- ./...
//
// A file is written whole or not at all: an unknown format, two reports for one
// place or a file that can't be written is an error with exit code 2, before any
// code is read. A pipe or device is written to.
//
//	github      workflow commands: the stories, folded by file, then at most ten
//	            annotations of a level, as GitHub keeps no more of one step, and how
//	            many have none
//	gitlab      Code Quality; errors are major, warnings minor
//	rdjson      for reviewdog; a fix within 60 lines of one file is a suggestion
//	sarif       2.1.0: the page of each category as help, the story as code flow,
//	            fixes, fingerprints, levels; columns count UTF-16 code units
//	checkstyle  for most CI servers
//	junit       findings as failed tests, their stories as text
//
// In github, gitlab and sarif, which a code host reads, paths are relative to the
// repository's root; in the others to the working directory. What could not be
// analysed is in each: as a notification of the run in SARIF, as an error of
// deliverylint/not-analysed in the others.
//
// # New findings only
//
// -new-from REV compares the work tree with a revision of git. A finding is new if its
// site or another step of its story lies on a line that was added or changed, or in
// a new file, or if lines between its steps, or next to them, are gone or changed: an
// outbox row that is written no more is a new loss though the publish below it is
// old. All code is read all the same. REV... compares with the commit at which HEAD
// left REV, merge-base with that at which it left the branch that it goes back to:
// the one that GITHUB_BASE_REF, CI_MERGE_REQUEST_TARGET_BRANCH_NAME or
// CHANGE_TARGET names, else origin's default branch, else main or master.
//
// For that these run, and change nothing: git rev-parse, git symbolic-ref, git
// merge-base, git diff-index and git ls-files, without hooks, external diffs or
// text conversions.
//
// -baseline FILE leaves out what the file lists. deliverylint baseline writes it
// (default .deliverylint-baseline.yml):
//
//	version: 1
//	findings:
//	- rule: publishoutsidetx/after-commit
//	  package: example.com/shop/orders
//	  function: (*Service).Place
//	  fingerprint: 233f7b6d577c395747a583ce37670694
//	  state: accepted
//	  reason: readers poll, the event is a hint
//
// A new entry is todo. One that is accepted needs a reason; without it, and for any
// other mistake, the run ends with the file's line and exit code 2. An entry that
// nothing is found of any more is reported as deliverylint/baseline, a warning, so that
// the file shrinks: baseline -prune takes such entries out and adds none. That
// is done only for packages that were named, rules that ran and runs without
// problems. Writing the file again keeps states and reasons, not comments.
//
// -fix leaves alone what these flags leave out.
//
// # Fixes
//
// A fix is offered where the code has a plain shape: everything that can fail is
// looked at and leaves, and nothing else does. Where that is not certain there is
// none; the rule's page tells then what to do. A file that gofmt would change, that
// is generated or vendored, and a package with errors have no fixes.
//
// -fix analyses the changed code before anything is written: it has to build,
// what is fixed has to be gone, and nothing may be new. Of two fixes that meet the
// later is left out, and standard error tells so; a second run may take it up. All
// files are written or none: a read-only one is an error, with exit code 2. The
// report, and the exit code, are of what is left.
//
// go vet -vettool=... -fix and golangci-lint --fix apply the same fixes; they only
// make sure that each builds by itself.
//
// -fix -diff prints a diff for patch -p1 or git apply in the place of the report;
// the exit code is that of the code as it is.
//
// # Why it did or did not report
//
// effects PKG prints what the functions of a package do, a line a call: what it
// does to a database or a broker, what it goes through, and the file that says
// so; or what the functions that it may run do.
//
//	orders.go:47  (*Service).Place
//	    54  work.Do      calls (*uow.Work).Do: uses transactions, calls its func parameter
//	    60  pub.Publish  calls events.Publisher.Publish, which may be
//	                       (*events.Kafka).Publish: publishes
//
// effects FILE:LINE tells of one line how each call on it was resolved, what each
// rule met there on which path, and why it is silent where it is:
//
//	publishoutsidetx
//	  publish kafka sync, via (*Kafka).Publish
//	    after a stored outbox row (outbox.Add, line 57)
//	      silent: an outbox row was stored before it: this is a wake-up, the relay publishes
//
// handlers lists the functions that take deliveries, the loops that hand them on and
// the functions that are called to handle them, with what acks these, what becomes
// of one whose handler fails, how the function was found and what it does; - is
// what is not known. -f json writes {"version": 1, "handlers": [{"file", "line",
// "function", "package", "broker", "ack", "onError", "found", "cumulative",
// "does"}]}. An ack is by return (of nil, or at all), explicit (a call), offset
// (a commit, which covers all that came before), auto (by the library or broker,
// whatever the handler does), response (a 2xx answer) or none (no position is
// kept). A comment //deliverylint:handler above a function makes it one.
//
// # Declarations
//
// Drivers that go package by package can't see what an interface stands for if that
// is known in another package alone. declare prints comments that tell it:
//
//	//deliverylint:publish
//	Publish(ctx context.Context, e Event) error
//
// publish, outbox (it stores an event that a relay publishes), write, read and tx (it runs
// the function that it is given in a transaction) stand on methods of interfaces,
// fields of func type and functions. handle=N is the argument, counted from 0, that is
// or carries the transaction; autocommit=true says that the write is durable on return.
// What a write does to a table, and what a method hands back, is told too:
//
//	//deliverylint:write table=orders set=status<-2,total<-1.Total add=count where=id=1
//	//deliverylint:read table=orders
//
// op is insert, ignore (a row that is there stays), upsert, update (where it is not
// given) or delete. set are the columns that get a value, add those that are added to,
// where those that the row is found by, behind =, <>, <, <=, >, >= or ~ (like). A value
// is an argument or a field of it, a 'constant', row (read from a store), new (made anew:
// the clock, a random id), const or other, several joined by +. entity=1 says that the
// argument is stored as a whole, cache=true that a cache keeps it. Columns are written
// for methods that are called while a delivery is handled.
//
// handler stands on a function that takes deliveries, with broker, ack and on-error as
// handlers prints them. handling stands on one that handlers in other packages call, with
// the same, and message=1 for the arguments that carry the message, stored=2 for those
// that were read, alone=true if nothing else calls it, and guarded=true if a caller
// dedupes, or asks what is stored. polled says that a poller, or a sweeper, makes up for
// a publish that is lost in the function, with the tables that it reads. notify says that
// nothing is lost with it, whatever its name; mixed that more is done than the name tells.
//
// -w writes them and takes out those that hold no more; -check exits with code 1 if
// there are such, or missing ones, and changes nothing. Comments of your own are left
// alone where linking finds nothing, and where a reason follows the verb.
//
// What was read of the code wins over a comment, unless it stands on the function
// itself, or is notify with a reason.
//
// # Scaffold
//
// scaffold outbox writes a package into the module: a migration, Enqueue, which
// stores a message in a transaction, a relay that publishes what is stored, and
// tests. scaffold inbox writes Once, which tells in the transaction of a handler
// whether a message comes for the first time. The code belongs to the module.
//
//	-db db          postgres, mysql or sqlite (default postgres)
//	-driver driver  sql, pgx, sqlx, gorm or bun (default sql)
//	-broker broker  kafka, nats, amqp or watermill; an outbox needs one
//	-dir dir        the package's folder (default ./outbox or ./inbox)
//	-dry-run        list the files, write nothing
//	-force          replace files that are there
//
// The exit code is 2, and nothing is written, if a file is there already, if the
// folder lies in no module or has another package in it, or if the combination is
// not supported.
//
// # Silencing
//
// A comment on a line, above it, or on a declaration silences a rule there:
//
//	//deliverylint:ignore publishoutsidetx the event is a hint, readers poll
//	//nolint:publishoutsidetx // the event is a hint, readers poll
//	//nolint:deliverylint // this package only demonstrates
//
// On the package clause it silences the file. A comment that gives no reason, that
// is malformed, or that silences nothing is itself reported, as
// deliverylint/directive; so is a declaration with a property that doesn't exist.
package main
