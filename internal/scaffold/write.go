package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Existing are the files that are already there.
func Existing(dir string, files []File) ([]string, error) {
	var list []string
	for _, f := range files {
		info, err := os.Lstat(dir + string(os.PathSeparator) + f.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, fmt.Errorf("%s is a folder", f.Name)
		default:
			list = append(list, f.Name)
		}
	}
	return list, nil
}

// Write writes the files into dir, which it makes. Nothing is replaced before all
// of them lie ready beside their places, and nothing is written outside dir,
// whatever links there are in it.
func Write(dir string, files []File, force bool) (err error) {
	if !force {
		there, err := Existing(dir, files)
		if err != nil {
			return err
		}
		if len(there) > 0 {
			return fmt.Errorf("%s: %s already there (-force replaces)", dir, isAre(there))
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	defer func() {
		for _, f := range files {
			// What was renamed is gone; the rest is of no use.
			_ = root.Remove(ready(f))
		}
	}()
	for _, f := range files {
		if err := root.WriteFile(ready(f), f.Data, 0o666); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := root.Rename(ready(f), f.Name); err != nil {
			return err
		}
	}
	return nil
}

// ready is the name under which a file waits to be renamed; the go command passes
// over it.
func ready(f File) string {
	return "." + f.Name + ".new"
}

func isAre(names []string) string {
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names, ", ") + " are"
}
