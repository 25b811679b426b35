package load

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// roots asks the go command for the packages that the patterns name and what
// they depend on. With Config.Whole those of the rest of the module come too,
// unless something is wrong with the patterns, about which the go command says
// more if it is asked for nothing else.
func (l *loader) roots(ctx context.Context) ([]*packages.Package, error) {
	if l.cfg.Whole {
		if roots := l.wholeRoots(ctx); roots != nil {
			return roots, nil
		}
		l.targets = nil
	}
	roots, err := packages.Load(l.packagesConfig(ctx), l.cfg.patterns()...)
	if err != nil {
		return nil, oneLine(err)
	}
	return roots, nothingLoaded(l.cfg, roots)
}

// wholeRoots loads the modules around the patterns. It returns nil if the
// patterns name all of them or not everything they name is there.
func (l *loader) wholeRoots(ctx context.Context) []*packages.Package {
	patterns := l.cfg.patterns()
	more := l.cfg.modulePatterns()
	if len(more) == 0 {
		return nil
	}
	named := make(chan map[string]bool, 1)
	go func() { named <- l.named(ctx, patterns) }()
	roots, err := packages.Load(l.packagesConfig(ctx), slices.Concat(patterns, more)...)
	l.targets = <-named
	if err != nil {
		return nil
	}
	missing := len(l.targets)
	files := 0
	for _, p := range roots {
		if l.targets[p.PkgPath] && p.ForTest == "" && !isTestMain(p) {
			missing--
			files += len(sources(p))
		}
	}
	if missing > 0 || files == 0 {
		return nil
	}
	return roots
}

// modulePatterns name all packages of the modules that the patterns lie in,
// none if the patterns do that themselves or name files.
func (cfg Config) modulePatterns() []string {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil
	}
	var more []string
	for _, pattern := range cfg.patterns() {
		if strings.HasSuffix(pattern, ".go") || strings.Contains(pattern, "=") {
			return nil
		}
		folder := dir
		if isLocal(pattern) {
			folder, _, _ = strings.Cut(pattern, "...")
			if !filepath.IsAbs(folder) {
				folder = filepath.Join(dir, folder)
			}
		}
		root := moduleRoot(folder)
		if root == "" {
			continue
		}
		if root == dir && pattern == "./..." {
			return nil
		}
		if all := filepath.ToSlash(root) + "/..."; !slices.Contains(more, all) {
			more = append(more, all)
		}
	}
	return more
}

func isLocal(pattern string) bool {
	return filepath.IsAbs(pattern) || pattern == "." || pattern == ".." ||
		strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../")
}

// moduleRoot is the nearest folder at or above dir with a go.mod, "" if there is
// none.
func moduleRoot(dir string) string {
	for !isFile(filepath.Join(dir, "go.mod")) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
	return dir
}

// named are the import paths that the patterns match.
func (l *loader) named(ctx context.Context, patterns []string) map[string]bool {
	args := []string{"list", "-e", "-find", "-f", "{{.ImportPath}}"}
	if l.cfg.Tags != "" {
		args = append(args, "-tags="+l.cfg.Tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), patterns...)...)
	cmd.Dir, cmd.Env = l.cfg.Dir, l.cfg.environ()
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	paths := map[string]bool{}
	for _, path := range strings.Fields(string(out)) {
		paths[path] = true
	}
	return paths
}

// isTarget reports whether a root is named by the patterns, or a test variant
// of what is.
func (l *loader) isTarget(p *packages.Package) bool {
	return l.targets == nil || l.targets[p.ForTest] || l.targets[p.PkgPath] && p.ForTest == ""
}

// concerned are the packages whose errors are told: the targets, and what they
// depend on.
func (l *loader) concerned() map[*node]bool {
	seen := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, dep := range n.imports {
			visit(dep)
		}
	}
	for _, n := range l.nodes {
		if n.target {
			visit(n)
		}
	}
	return seen
}
