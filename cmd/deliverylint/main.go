package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/deliverylint/deliverylint/internal/driver"
)

func main() {
	env, err := driver.Process()
	if err != nil {
		fmt.Fprintf(os.Stderr, "deliverylint: %v\n", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := driver.Main(ctx, env, os.Args[1:])
	stop()
	os.Exit(code)
}
