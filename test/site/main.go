// Site writes the README and the pages of docs as plain HTML: no scripts, nothing
// from the network, links that work where no server is.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", "../..", "the repository")
	out := flag.String("out", "../../site", "the folder to write to")
	flag.Parse()
	if err := write(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write builds the site and stores it below out.
func write(root, out string) error {
	files, err := build(os.DirFS(root))
	if err != nil {
		return err
	}
	for name, data := range files {
		file := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
