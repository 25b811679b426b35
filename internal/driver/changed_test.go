package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChanged: of the files that are named, what they concern is reported.
func TestChanged(t *testing.T) {
	dir := shop(t, 2)
	for _, test := range []struct {
		files string
		code  int
		want  []string
		not   []string
	}{
		{"p0/p.go", exitFindings, []string{"p0/p.go"}, []string{"p1/p.go"}},
		{"p0/gone.go", exitFindings, []string{"p0/p.go"}, []string{"p1/p.go"}},
		{"bus/bus.go", exitFindings, []string{"p0/p.go", "p1/p.go"}, nil},
		{".deliverylint.yml", exitFindings, []string{"p0/p.go", "p1/p.go"}, nil},
		{"p1/p.go p0/p.go", exitFindings, []string{"p0/p.go", "p1/p.go"}, nil},
		{"../README.md", exitClean, nil, []string{"p.go"}},
		{"", exitFailed, nil, []string{"p.go"}},
	} {
		code, out, errs := run(t, Env{Dir: dir}, append([]string{"-changed"}, strings.Fields(test.files)...)...)
		if code != test.code {
			t.Errorf("%s: exit code %d, not %d: %s", test.files, code, test.code, errs)
		}
		for _, name := range test.want {
			if !strings.Contains(out, name+":") {
				t.Errorf("%s: nothing of %s in\n%s", test.files, name, out)
			}
		}
		for _, name := range test.not {
			if strings.Contains(out, name+":") {
				t.Errorf("%s: %s is reported:\n%s", test.files, name, out)
			}
		}
	}
}

// TestChangedElsewhere: a package that doesn't compile is no matter of a change elsewhere.
func TestChangedElsewhere(t *testing.T) {
	dir := shop(t, 2)
	if err := os.WriteFile(filepath.Join(dir, "p1", "broken.go"), []byte("package p1\n\nvar x int = \"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := run(t, Env{Dir: dir}, "-changed", "p0/p.go"); code != exitFindings {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	if code, out, errs := run(t, Env{Dir: dir}, "-changed", "p1/p.go"); code != exitFailed {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
}
