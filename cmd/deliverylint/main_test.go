package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"deliverylint": main})
}

// TestScripts runs the command as a user would, in a folder that holds the
// files of the script. The go command in it works offline on the caches of the
// machine.
func TestScripts(t *testing.T) {
	caches := goEnv(t, "GOCACHE", "GOMODCACHE", "GOTOOLCHAIN")
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, caches...)
			env.Setenv("GOFLAGS", "")
			env.Setenv("GOWORK", "")
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOSUMDB", "off")
			env.Setenv("TERM", "dumb")
			tool, err := exec.LookPath("deliverylint")
			env.Setenv("VETTOOL", tool)
			return err
		},
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"slashes": slashes,
		},
	})
}

// exits runs a program and checks its exit code: exits 2 deliverylint ./...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		code = strings.TrimPrefix(exit.ProcessState.String(), "exit status ")
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// slashes fails if one of the files holds the script's folder as a path.
func slashes(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		if strings.Contains(ts.ReadFile(name), filepath.ToSlash(ts.Getenv("WORK"))) != neg {
			ts.Fatalf("%s holds absolute paths", name)
		}
	}
}

func goEnv(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	var vars []string
	for i, value := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		vars = append(vars, names[i]+"="+value)
	}
	return vars
}
