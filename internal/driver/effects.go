package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// fileLine is a place that a user asks about; editors add a column.
var fileLine = regexp.MustCompile(`^(.+\.go):(\d+)(:\d+)?:?$`)

// runEffects prints what was seen in a package or at a line.
func runEffects(ctx context.Context, env Env, args []string) (int, error) {
	opts, err := parseView(env, "deliverylint effects", args, "text")
	switch {
	case err != nil:
		return exitFailed, err
	case len(opts.patterns) != 1:
		return exitFailed, errors.New("effects takes one package or FILE:LINE")
	}
	if m := fileLine.FindStringSubmatch(opts.patterns[0]); m != nil {
		line, err := strconv.Atoi(m[2])
		if err != nil {
			return exitFailed, err
		}
		return effectsAt(ctx, env, opts, m[1], line)
	}
	if strings.HasSuffix(opts.patterns[0], ".go") {
		return exitFailed, fmt.Errorf("%s: effects takes a package or FILE:LINE", opts.patterns[0])
	}
	problems, err := views(ctx, env, opts, opts.dir, func(v *view) { v.printEffects(env.Stdout) })
	if err != nil {
		return exitFailed, err
	}
	return complain(env, opts, problems), nil
}

// effectsAt prints what was seen at a line.
func effectsAt(ctx context.Context, env Env, opts options, file string, line int) (int, error) {
	abs := file
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(opts.dir, file)
	}
	source, err := os.ReadFile(abs)
	if err != nil {
		return exitFailed, fmt.Errorf("no file %s", file)
	}
	lines := strings.Split(string(source), "\n")
	if line < 1 || line > len(lines) {
		return exitFailed, fmt.Errorf("%s has %d lines", file, len(lines))
	}
	opts.tests = opts.tests || strings.HasSuffix(file, "_test.go")
	opts.patterns = []string{"."}
	q := &question{file: filepath.ToSlash(abs), line: line, source: strings.TrimSpace(lines[line-1])}
	problems, err := views(ctx, env, opts, filepath.Dir(abs), func(v *view) { q.answer(env.Stdout, v) })
	if err != nil {
		return exitFailed, err
	}
	return complain(env, opts, problems), nil
}
