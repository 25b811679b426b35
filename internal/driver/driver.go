// Package driver is the command line of deliverylint: it reads the arguments,
// loads the packages, runs the rules and writes what they find.
package driver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// The exit codes. A run that could not analyse everything still reports what it
// found, in every format.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailed   = 2
)

// Env is what a run takes from its process. Tests bring their own.
type Env struct {
	// Dir is the directory that -C and the patterns are relative to.
	Dir            string
	Stdout, Stderr io.Writer
	// Environ is the environment, for the go command and for NO_COLOR and TERM.
	Environ []string
	// StdoutTerminal and StderrTerminal say whether a person reads along.
	StdoutTerminal, StderrTerminal bool
	// Program is how the command was called; -vettool needs no more.
	Program string
	// Now tells the time, for -stats and the progress line.
	Now func() time.Time
}

// Process is the environment of this process.
func Process() (Env, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Env{}, fmt.Errorf("finding the working directory: %w", err)
	}
	return Env{
		Dir: dir, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		StdoutTerminal: isTerminal(os.Stdout), StderrTerminal: isTerminal(os.Stderr),
		Program: os.Args[0], Now: time.Now,
	}, nil
}

// Main runs the command line without the program's name and returns the exit
// code.
func Main(ctx context.Context, env Env, args []string) int {
	code, err := dispatch(ctx, env, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		fmt.Fprintf(env.Stderr, "deliverylint: %s\n", oneLine(err))
		return exitFailed
	}
	return code
}

// command is a subcommand: its name, its one-line help and what it does.
type command struct {
	name, args, help string
	run              func(context.Context, Env, []string) (int, error)
}

func commands() []command {
	return []command{
		{"effects", "PKG|FILE:LINE", "print what was seen in a package or at a line, and why it is silent", runEffects},
		{"handlers", "[packages]", "list the functions that take deliveries, and what acks them", runHandlers},
		{"declare", "[packages]", "print or write comments that tell go vet and golangci-lint what is linked (declare -h)", runDeclare},
		{"scaffold", "outbox|inbox", "write an outbox or an inbox into your module (scaffold -h tells more)", runScaffold},
		{"baseline", "[packages]", "write what is found to a file that -baseline leaves out (baseline -h tells more)", runBaseline},
		{"config", "init|check|print|schema", "write, check or print the settings (config -h tells more)", runConfig},
		{"explain", "RULE", "print a rule's page", runExplain},
		{"help", "", "print this text", runHelp},
		{"version", "", "print the version", runVersion},
	}
}

func dispatch(ctx context.Context, env Env, args []string) (int, error) {
	if isVet(args) {
		return vet(env, args)
	}
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				return c.run(ctx, env, args[1:])
			}
		}
	}
	return runLint(ctx, env, args)
}
