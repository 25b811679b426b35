package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
)

func runEffects(ctx context.Context, env Env, args []string) (int, error) {
	opts, err := parseOptions(env, "deliverylint effects", args, usage)
	if err != nil {
		return exitFailed, err
	}
	if len(opts.patterns) != 1 {
		return exitFailed, errors.New("effects takes one package or FILE:LINE")
	}
	if err := effects(ctx, opts, opts.patterns, env.Stdout); err != nil {
		return exitFailed, err
	}
	return exitClean, nil
}

func runHandlers(ctx context.Context, env Env, args []string) (int, error) {
	opts, err := parseOptions(env, "deliverylint handlers", args, usage)
	if err != nil {
		return exitFailed, err
	}
	if err := handlers(ctx, opts, opts.patterns, env.Stdout); err != nil {
		return exitFailed, err
	}
	return exitClean, nil
}

// effects prints what was seen in a package or at a line.
func effects(_ context.Context, _ options, args []string, _ io.Writer) error {
	return fmt.Errorf("effects of %s: not built in", args[0])
}

// handlers prints the functions that take deliveries.
func handlers(context.Context, options, []string, io.Writer) error {
	return errors.New("handlers: not built in")
}
