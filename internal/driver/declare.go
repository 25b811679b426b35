package driver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/deliverylint/deliverylint/internal/directive"
	"github.com/deliverylint/deliverylint/internal/effect"
)

const declareHelp = `Usage: deliverylint declare [flags] [packages]

Prints the comments that tell package-by-package drivers (go vet, golangci-lint) what
the whole module tells: what the methods of interfaces and the fields of func type do,
and which functions handle deliveries.

    //deliverylint:publish
    Publish(ctx context.Context, e Event) error

Flags:
  -w        write them, and take out those that hold no more
  -check    exit with code 1 if something is missing or stale; change nothing
  -C dir, -tags list, -test, -config file   as in deliverylint -h

publish, outbox, write, read and tx are what linking found. handle=N is the argument that
carries the transaction. What a delivery may change has its columns, arguments counted
from 0:

    //deliverylint:write table=orders set=status<-2,total<-1.Total add=count where=id=1
    //deliverylint:read table=orders

handler has what acks. handling stands on a function that handlers of other packages
call, with the arguments that carry the message; polled where a poller makes up for a
lost publish. notify says that a name is misleading: nothing is published or stored;
mixed that more is done than the name tells. A comment holds where no code that was
read says more. Yours are left alone where nothing was found, and where a reason
follows; notify with a reason wins over what was read:

    //deliverylint:notify the page reloads anyway
`

// declareOptions are the flags of declare.
type declareOptions struct {
	options
	write, check bool
}

func runDeclare(ctx context.Context, env Env, args []string) (int, error) {
	var o declareOptions
	set := flag.NewFlagSet("deliverylint declare", flag.ContinueOnError)
	o.registerReading(set)
	set.BoolVar(&o.write, "w", false, "")
	set.BoolVar(&o.check, "check", false, "")
	if err := o.parse(env, set, args, func(w io.Writer) { fmt.Fprint(w, declareHelp) }); err != nil {
		return exitFailed, err
	}
	if o.write && o.check {
		return exitFailed, errors.New("declare: -check changes nothing, -w does: give one")
	}
	var list []declaration
	problems, err := views(ctx, env, o.options, o.dir, func(v *view) { list = append(list, v.declarations()...) })
	if err != nil {
		return exitFailed, err
	}
	if code := complain(env, o.options, problems); code != exitClean && (o.write || o.check) {
		fmt.Fprintln(env.Stderr, "deliverylint: not everything was read, so nothing can be said of what is missing or stale")
		return code, nil
	}
	list = differing(list)
	if o.write {
		return exitClean, writeDeclarations(env, list)
	}
	for _, d := range list {
		d.print(env.Stdout, o.options)
	}
	if o.check && len(list) > 0 {
		fmt.Fprintf(env.Stderr, "deliverylint: %s; deliverylint declare -w writes them\n", count(len(list), "missing or stale declaration"))
		return exitFindings, nil
	}
	return exitClean, nil
}

// declaration is what comments at one place have to become.
type declaration struct {
	pos         effect.Position
	name        string
	says, wants []string
}

// overrides reports whether comments are the user's: they give a reason, or say what
// linking doesn't find out.
func overrides(says []directive.Directive) bool {
	return slices.ContainsFunc(says, func(d directive.Directive) bool { return d.Reasoned || d.Verb == directive.Dedupe })
}

func comments(list []directive.Directive) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.String())
	}
	slices.Sort(out)
	return out
}

// differing are the declarations that differ from what stands there, in the order of
// the source.
func differing(list []declaration) []declaration {
	list = slices.DeleteFunc(list, func(d declaration) bool { return slices.Equal(d.says, d.wants) })
	slices.SortFunc(list, func(a, b declaration) int {
		return cmp.Or(cmp.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.name, b.name))
	})
	return slices.CompactFunc(list, func(a, b declaration) bool { return a.pos == b.pos })
}

// print tells what is missing and what is stale.
func (d declaration) print(w io.Writer, opts options) {
	at := fmt.Sprintf("%s:%d", opts.paths().Show(filepath.FromSlash(d.pos.File)), d.pos.Line)
	for _, want := range d.wants {
		if !slices.Contains(d.says, want) {
			fmt.Fprintf(w, "%s: %s  %s\n", at, want, d.name)
		}
	}
	for _, stale := range d.says {
		if !slices.Contains(d.wants, stale) {
			fmt.Fprintf(w, "%s: %s is stale  %s\n", at, stale, d.name)
		}
	}
}

// writeDeclarations changes the files; all are made before one is written.
func writeDeclarations(env Env, list []declaration) error {
	texts, clean := map[string][]byte{}, map[string]bool{}
	var files []string
	for i := len(list) - 1; i >= 0; i-- { // from below, so that lines stay where they are
		name := filepath.FromSlash(list[i].pos.File)
		if texts[name] == nil {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if err := tryWhole(name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			texts[name] = data
			text, err := format.Source(data)
			clean[name] = err == nil && bytes.Equal(text, data)
			files = append(files, name)
		}
		text, err := list[i].apply(texts[name])
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, list[i].pos.Line, err)
		}
		texts[name] = text
	}
	for _, name := range files {
		if text, err := format.Source(texts[name]); err == nil && clean[name] {
			texts[name] = text // what is aligned may be so no more
		}
		if err := writeWhole(name, texts[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	fmt.Fprintf(env.Stderr, "%s changed in %s\n", count(len(list), "declaration"), count(len(files), "file"))
	return nil
}

// apply writes the comments above the line that they speak of and takes out those
// that stand there.
func (d declaration) apply(text []byte) ([]byte, error) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	at := d.pos.Line - 1
	if at < 0 || at >= len(lines) {
		return nil, errors.New("the file has changed")
	}
	line := lines[at]
	indent := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	end := "\n"
	if bytes.HasSuffix(line, []byte("\r\n")) {
		end = "\r\n"
	}
	first := at
	for first > 0 && bytes.HasPrefix(bytes.TrimLeft(lines[first-1], " \t"), []byte("//")) {
		first--
	}
	above := slices.DeleteFunc(slices.Clone(lines[first:at]), func(l []byte) bool { return slices.Contains(d.says, declared(l)) })
	if c := bytes.Index(line, []byte("//"+directive.Prefix)); c > 0 && slices.Contains(d.says, declared(line[c:])) {
		lines[at] = append(bytes.TrimRight(slices.Clone(line[:c]), " \t"), end...)
	}
	if prose(above) && first < at && len(above) > 0 && !bytes.Contains(above[len(above)-1], []byte("//"+directive.Prefix)) {
		above = append(above, []byte(indent+"//"+end)) // as gofmt sets directives off
	}
	for _, want := range d.wants {
		above = append(above, []byte(indent+want+end))
	}
	return bytes.Join(slices.Concat(lines[:first], trimmed(above), lines[at:]), nil), nil
}

// declared is the comment in a line as it is written anew, "" if it declares nothing.
func declared(line []byte) string {
	d, flaw, ok := directive.Parse(string(bytes.TrimSpace(line)))
	if !ok || flaw != "" {
		return ""
	}
	return d.String()
}

// prose reports whether one of the comment's lines is for people.
func prose(above [][]byte) bool {
	return slices.ContainsFunc(above, func(l []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(l), []byte("// ")) })
}

// trimmed is a comment without the empty lines at its end.
func trimmed(above [][]byte) [][]byte {
	for len(above) > 0 && string(bytes.TrimSpace(above[len(above)-1])) == "//" {
		above = above[:len(above)-1]
	}
	return above
}
