package catalog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Error is one mistake in a catalog or configuration file.
type Error struct {
	File    string
	Line    int
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// errorAt makes an error of a "file:line" source.
func errorAt(source, format string, args ...any) error {
	colon := max(strings.LastIndexByte(source, ':'), 0)
	line, _ := strconv.Atoi(strings.TrimPrefix(source[colon:], ":"))
	return &Error{File: source[:colon], Line: line, Message: fmt.Sprintf(format, args...)}
}

// problems collects the mistakes of one file, so that all are told at once.
type problems struct {
	file string
	errs []error
	// fields are the keys of functions.
	fields []field[Entry]
}

func (p *problems) add(line int, format string, args ...any) {
	p.errs = append(p.errs, &Error{File: p.file, Line: line, Message: fmt.Sprintf(format, args...)})
}

func (p *problems) source(line int) string {
	return fmt.Sprintf("%s:%d", p.file, line)
}

func (p *problems) err() error {
	return errors.Join(p.errs...)
}
