package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole writes a file whole or not at all: beside it first, then over it.
// What is no plain file, such as a pipe, is written to.
func writeWhole(name string, text []byte) error {
	target, mode, err := wholeTarget(name)
	if err != nil {
		return err
	}
	if !mode.IsRegular() {
		return reason(os.WriteFile(target, text, 0))
	}
	temp, err := besides(target)
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if mode.Perm() != 0 {
		err = errors.Join(err, temp.Chmod(mode.Perm()))
	}
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return reason(err)
}

// tryWhole says why a file can't be written, without touching it.
func tryWhole(name string) error {
	target, mode, err := wholeTarget(name)
	if err != nil || !mode.IsRegular() {
		return err
	}
	temp, err := besides(target)
	if err != nil {
		return err
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}

// wholeTarget is the file behind a name that may be a link, with its mode; one
// that isn't there yet has none.
func wholeTarget(name string) (string, fs.FileMode, error) {
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, 0, nil
	}
	if err != nil {
		return "", 0, reason(err)
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return "", 0, reason(err)
	case info.IsDir():
		return "", 0, errors.New("it is a folder")
	case info.Mode().Perm()&0o200 == 0:
		return "", 0, errors.New("it is read-only")
	}
	return target, info.Mode(), nil
}

// besides makes a file next to another, with the mode that new files have.
func besides(target string) (*os.File, error) {
	dir, base := filepath.Split(target)
	if info, err := os.Stat(filepath.Clean(dir)); err != nil || !info.IsDir() {
		return nil, errors.New("its folder doesn't exist")
	}
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d", base, os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, reason(err)
		}
	}
}

// reason is an error of the file system without the file's name, which callers
// have as it was given.
func reason(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
