package main

import (
	"context"
	"fmt"
	"os"

	"github.com/deliverylint/deliverylint/internal/driver"
)

func main() {
	env, err := driver.Process()
	if err != nil {
		fmt.Fprintf(os.Stderr, "deliverylint: %v\n", err)
		os.Exit(2)
	}
	os.Exit(driver.Main(context.Background(), env, os.Args[1:]))
}
