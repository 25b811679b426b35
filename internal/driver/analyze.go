package driver

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/load"
)

// analyze makes the effect graphs of what was loaded, links them and runs the
// rules. A rule that panics is an error of the run; the others go on. all walks
// the functions too in which no known library is reached.
func analyze(_ context.Context, res *load.Result, cat *catalog.Catalog, list []rule, all bool) ([]finding.Finding, *effect.Program, []load.Error, Stats) {
	program, errs := buildProgram(res, cat)
	if all {
		for symbol := range program.Funcs {
			program.Relevant[symbol] = true
		}
	}
	var found []finding.Finding
	capped := map[string]bool{}
	for _, r := range list {
		fs, err := check(r, program, func(symbol string) { capped[symbol] = true })
		if err != "" {
			errs = append(errs, load.Error{Message: err})
		}
		found = append(found, fs...)
	}
	stats := size(res, program)
	for symbol := range capped {
		stats.Capped = append(stats.Capped, program.Title(program.Funcs[symbol]))
	}
	return found, program, errs, stats
}

// size counts what was analysed and what was left out.
func size(res *load.Result, p *effect.Program) Stats {
	stats := Stats{Read: len(p.Funcs)}
	packages := map[string]bool{}
	for symbol, f := range p.Funcs {
		if p.Relevant[symbol] && !f.Test {
			stats.Functions++
			packages[f.Package] = true
		}
	}
	read := map[string]bool{}
	for _, pkg := range res.Packages {
		read[pkg.Path] = true
	}
	for path := range read {
		if packages[path] {
			stats.Packages++
		} else {
			stats.Skipped++
		}
	}
	return stats
}

func buildProgram(res *load.Result, cat *catalog.Catalog) (*effect.Program, []load.Error) {
	program, failures := effect.Build(res.Fset, units(res), res.Types, cat)
	var errs []load.Error
	for _, f := range failures {
		errs = append(errs, load.Error{Package: f.Package, Message: "analysis failed: " + f.Message})
	}
	return program, errs
}

func units(res *load.Result) []*effect.Unit {
	var out []*effect.Unit
	for _, p := range res.Packages {
		if p.Types == nil || p.Info == nil {
			continue
		}
		out = append(out, &effect.Unit{
			Path: p.Path, Files: p.Files, Types: p.Types, Info: p.Info, Target: p.Target, Own: p.Main, Generated: p.Generated,
		})
	}
	return out
}

func check(r rule, p *effect.Program, capped func(symbol string)) (found []finding.Finding, err string) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Sprintf("%s failed: %v\n%s", r.Name, x, debug.Stack())
		}
	}()
	return r.Check(p, capped), ""
}
