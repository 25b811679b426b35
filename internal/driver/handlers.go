package driver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/report"
)

// handler is a function that takes deliveries, as it is printed.
type handler struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Package  string `json:"package"`
	Broker   string `json:"broker"`
	Ack      string `json:"ack"`
	OnError  string `json:"onError"`
	// Found says how: registration, interface, loop, webhook, directive, or
	// dispatch by another handler.
	Found string `json:"found"`
	// Cumulative: an ack covers all earlier deliveries.
	Cumulative bool `json:"cumulative"`
	// Does is what the handler can do, itself or through what it calls.
	Does string `json:"does"`
}

func runHandlers(ctx context.Context, env Env, args []string) (int, error) {
	opts, err := parseView(env, "deliverylint handlers", args, "text", "json")
	if err != nil {
		return exitFailed, err
	}
	list := []handler{}
	problems, err := views(ctx, env, opts, opts.dir, func(v *view) { list = append(list, v.handlers()...) })
	if err != nil {
		return exitFailed, err
	}
	slices.SortFunc(list, func(a, b handler) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function),
			cmp.Compare(b.Does, a.Does), cmp.Compare(a.Found, b.Found), cmp.Compare(a.OnError, b.OnError))
	})
	// A generic function stands for all that it is made to.
	list = slices.CompactFunc(list, func(a, b handler) bool { return a.File == b.File && a.Line == b.Line && a.Function == b.Function })
	if opts.format == "json" {
		err = writeHandlers(env.Stdout, list)
	} else {
		printHandlers(env, list)
	}
	if err != nil {
		return exitFailed, err
	}
	return complain(env, opts, problems), nil
}

// handlers are the functions of the target packages that take deliveries.
func (v *view) handlers() []handler {
	var list []handler
	for symbol, h := range v.program.Handlers {
		if one, ok := v.handler(symbol, h, string(h.Way)); ok {
			list = append(list, one)
		}
	}
	for _, called := range []map[string]effect.Handler{v.program.Dispatched, v.program.Passed} {
		for symbol, h := range called {
			found := "dispatch"
			if h.Receive != nil || h.Way == effect.ByWebhook {
				found = string(h.Way)
			}
			if one, ok := v.handler(symbol, h, found); ok {
				list = append(list, one)
			}
		}
	}
	return list
}

func (v *view) handler(symbol string, h effect.Handler, found string) (handler, bool) {
	f := v.program.Funcs[symbol]
	if f == nil || f.Synthetic || !v.targets[f.Package] || h.Broker == "temporal" || h.Broker == "cadence" {
		return handler{}, false // an activity takes no message, though it is run again
	}
	ack := h.Ack
	if h.Partial {
		ack += ", by item"
	}
	return handler{
		File: v.opts.paths().Show(filepath.FromSlash(f.Pos.File)), Line: f.Pos.Line,
		Function: v.program.Title(f), Package: f.Package, Broker: h.Broker, Ack: ack, OnError: h.OnError,
		Found: found, Cumulative: h.Cumulative, Does: v.program.Does(symbol).Words(),
	}, true
}

func printHandlers(env Env, list []handler) {
	if len(list) == 0 {
		fmt.Fprintln(env.Stderr, "no handlers")
		return
	}
	tab := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "place\thandler\tbroker\tacked by\tafter an error\tfound by\tdoes")
	for _, h := range list {
		fmt.Fprintf(tab, "%s:%d\t%s\t%s\t%s\t%s\t%s\t%s\n",
			h.File, h.Line, h.Function, dash(h.Broker), dash(h.Ack), dash(h.OnError), h.Found, dash(h.Does))
	}
	tab.Flush()
}

func dash(text string) string { return cmp.Or(text, "-") }

func writeHandlers(w io.Writer, list []handler) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(struct {
		Version  int       `json:"version"`
		Handlers []handler `json:"handlers"`
	}{1, list})
}

// complain prints what kept code from being read, and returns the exit code.
func complain(env Env, opts options, problems []report.Problem) int {
	paths := opts.paths()
	for _, p := range problems {
		text := p.Message
		if p.File != "" {
			place := paths.Show(p.File)
			if p.Line > 0 {
				place += fmt.Sprintf(":%d", p.Line)
			}
			text = place + ": " + text
		}
		fmt.Fprintf(env.Stderr, "%s (not analysed)\n", text)
	}
	if len(problems) > 0 {
		return exitFailed
	}
	return exitClean
}
