package deliverylint_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// action is what the tests read of action.yml.
type action struct {
	Inputs map[string]struct{ Description, Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Shell, Run string
			Env        map[string]string
		}
	}
}

func readAction(t *testing.T) action {
	t.Helper()
	data, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

var input = regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+) \}\}`)

// TestActionInputs: each input is described and used, and reaches the scripts as a
// variable only, so that its text is never run.
func TestActionInputs(t *testing.T) {
	a := readAction(t)
	used := map[string]bool{}
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") || step.Shell != "bash" {
			t.Errorf("a step with an expression in its script, or without bash:\n%s", step.Run)
		}
		for _, value := range step.Env {
			for _, m := range input.FindAllStringSubmatch(value, -1) {
				used[m[1]] = true
			}
		}
	}
	for name, in := range a.Inputs {
		if in.Description == "" || !used[name] {
			t.Errorf("input %s is not described or not used", name)
		}
		delete(used, name)
	}
	if len(used) > 0 {
		t.Errorf("used, but no inputs: %v", used)
	}
}

// step runs a step of the action as the runner does.
func (a action) step(t *testing.T, i int, temp string, with map[string]string) (string, int) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	env := append(os.Environ(), "RUNNER_TEMP="+temp)
	for name, value := range a.Runs.Steps[i].Env {
		value = input.ReplaceAllStringFunc(value, func(ref string) string {
			key := input.FindStringSubmatch(ref)[1]
			if text, ok := with[key]; ok {
				return text
			}
			return a.Inputs[key].Default
		})
		env = append(env, name+"="+strings.ReplaceAll(value, "${{ github.action_path }}", "."))
	}
	cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", a.Runs.Steps[i].Run)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return string(out), code
}

// TestActionLints builds the command and lints the example as a workflow would.
func TestActionLints(t *testing.T) {
	a, temp := readAction(t), t.TempDir()
	if out, code := a.step(t, 0, temp, nil); code != 0 {
		t.Fatalf("building: %s", out)
	}
	sarif := filepath.Join(temp, "out.sarif")
	with := map[string]string{"working-directory": "examples/shop", "sarif": sarif}
	out, code := a.step(t, 1, temp, with)
	if code != 1 || !strings.Contains(out, "\n::error file=examples/shop/") {
		t.Errorf("code %d: %s", code, out)
	}
	if _, err := os.Stat(sarif); err != nil {
		t.Error(err)
	}
	with["fail"] = "false"
	if _, code := a.step(t, 1, temp, with); code != 0 {
		t.Errorf("code %d though findings don't fail", code)
	}
}

// TestActionFlags: what a workflow sets arrives as it is.
func TestActionFlags(t *testing.T) {
	a, temp := readAction(t), t.TempDir()
	script := "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 2\n"
	if err := os.WriteFile(filepath.Join(temp, "deliverylint"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		with map[string]string
		want []string
	}{
		{nil, []string{"-C", ".", "-o", "github=-", "./..."}},
		{map[string]string{"packages": "./a ./b/...", "new-from": "merge-base", "baseline": "b c.yml", "fail": "false"},
			[]string{"-C", ".", "-o", "github=-", "-new-from", "merge-base", "-baseline", "b c.yml", "./a", "./b/..."}},
		{map[string]string{"working-directory": "a b", "args": "-tier\nerror\n-tags\n$(touch x) *\n", "sarif": "o.sarif"},
			[]string{"-C", "a b", "-o", "github=-", "-o", "sarif=o.sarif", "-tier", "error", "-tags", "$(touch x) *", "./..."}},
	} {
		out, code := a.step(t, 1, temp, test.with)
		if got := strings.Split(strings.TrimSuffix(out, "|"), "|"); !slices.Equal(got, test.want) || code != 2 {
			t.Errorf("%v: code %d, %q, want %q", test.with, code, got, test.want)
		}
	}
}
