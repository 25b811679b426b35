package fix

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// staged is a file whose new bytes lie beside it.
type staged struct {
	target, temp string
	old          []byte
	mode         fs.FileMode
}

// Write writes the files of the plan: all of them or, where it fails, none. A
// file keeps its mode and is replaced in one step.
func (p *Plan) Write() error {
	var list []staged
	defer func() {
		for _, s := range list {
			os.Remove(s.temp) // it is gone if all went well
		}
	}()
	for _, name := range slices.Sorted(maps.Keys(p.New)) {
		s, err := stage(name, p.Old[name], p.New[name])
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	for i, s := range list {
		if err := os.Rename(s.temp, s.target); err != nil {
			return errors.Join(err, restore(list[:i]))
		}
	}
	return nil
}

// restore gives files back what they had.
func restore(list []staged) error {
	var errs []error
	for _, s := range list {
		errs = append(errs, os.WriteFile(s.target, s.old, s.mode))
	}
	return errors.Join(errs...)
}

// stage writes a file's new bytes beside it, if it is as it was read and may be
// written.
func stage(name string, old, text []byte) (staged, error) {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return staged{}, err
	}
	info, err := os.Stat(target)
	if err != nil {
		return staged{}, err
	}
	if info.Mode()&0o200 == 0 {
		return staged{}, fmt.Errorf("%s is read-only: nothing was fixed", name)
	}
	now, err := os.ReadFile(target)
	if err != nil {
		return staged{}, err
	}
	if !bytes.Equal(now, old) {
		return staged{}, fmt.Errorf("%s has changed since it was read: nothing was fixed", name)
	}
	temp, err := os.CreateTemp(filepath.Dir(target), ".deliverylint-*")
	if err != nil {
		return staged{}, err
	}
	s := staged{target, temp.Name(), old, info.Mode().Perm()}
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Chmod(s.mode), temp.Close())
	if err != nil {
		os.Remove(s.temp)
	}
	return s, err
}
