// Lint is golangci-lint with the plugin built in, as golangci-lint custom makes it.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/deliverylint/deliverylint/plugin"
)

func main() {
	if err := commands.Execute(commands.BuildInfo{Version: "test"}); err != nil {
		fmt.Fprintf(os.Stderr, "The command is terminated due to an error: %v\n", err)
		os.Exit(exitcodes.Failure)
	}
}
