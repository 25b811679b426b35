package effect

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Schema is what the migrations of a module, and the texts in its code, say of
// tables.
type Schema struct {
	tables map[string]*sqltext.Table
	// cut: there was more than is read.
	cut bool
}

// The bounds of what is read.
const (
	maxSchemaFile    = 1 << 20
	maxSchemaFiles   = 4000
	maxSchemaFolders = 20000
	maxSchemaBytes   = 48 << 20
)

// Schema reads the module's migrations when a rule first asks. They are what lies
// in it as .sql, up and down, of all services, and what its code holds as text;
// a key counts wherever it is said.
func (p *Program) Schema() *Schema { return p.schema() }

func (p *Program) readSchema() *Schema {
	s := &Schema{tables: map[string]*sqltext.Table{}}
	for _, text := range p.DDL {
		s.add(text)
	}
	for _, root := range p.moduleRoots() {
		s.walk(root)
	}
	return s
}

// moduleRoots are the folders of the modules that are linted, or of the working
// trees that they are in: several modules of a repository share migrations.
func (p *Program) moduleRoots() []string {
	seen, roots := map[string]bool{}, map[string]bool{}
	for _, symbol := range p.Order {
		f := p.Funcs[symbol]
		if !p.Own[f.Package] || f.Pos.File == "" {
			continue
		}
		for dir := filepath.Dir(f.Pos.File); !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			if has(dir, "go.mod") {
				roots[workTree(dir)] = true
				break
			}
		}
	}
	return slices.Sorted(maps.Keys(roots))
}

func has(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// workTree is the folder above a module that a version control keeps, the module's
// own if there is none near.
func workTree(dir string) string {
	for up := dir; ; up = filepath.Dir(up) {
		if has(up, ".git") {
			return up
		}
		if up == filepath.Dir(up) {
			return dir
		}
	}
}

func (s *Schema) walk(root string) {
	files, folders, bytes := 0, 0, int64(0)
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules" || name == "testdata") {
				return fs.SkipDir
			}
			if folders++; folders > maxSchemaFolders {
				s.cut = true
				return fs.SkipAll
			}
			return nil
		}
		if !strings.EqualFold(filepath.Ext(path), ".sql") || !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil || info.Size() > maxSchemaFile || files >= maxSchemaFiles || bytes > maxSchemaBytes {
			s.cut = true
			return nil
		}
		files, bytes = files+1, bytes+info.Size()
		if text, err := os.ReadFile(path); err == nil {
			s.add(string(text))
		}
		return nil
	})
}

func (s *Schema) add(text string) {
	for _, t := range sqltext.Schema(text) {
		old := s.tables[t.Name]
		if old == nil {
			s.tables[t.Name] = &t
			continue
		}
		old.Created, old.Open = old.Created || t.Created, old.Open || t.Open
		old.Keys = append(old.Keys, t.Keys...)
		old.Fixed = append(old.Fixed, t.Fixed...)
	}
}

// Table is a table whose keys are all known, nil if it is none.
func (s *Schema) Table(name string) *sqltext.Table {
	t := s.tables[strings.ToLower(name)]
	if t == nil || !t.Created || t.Open || s.cut {
		return nil
	}
	return t
}

// Of is the table that rows of an entity are kept in, by its name: OrderLine is
// order_lines. found says that there is one, though all of its keys may not be known.
func (s *Schema) Of(entity string) (t *sqltext.Table, found bool) {
	plain := func(n string) string {
		n = strings.ReplaceAll(strings.ToLower(n), "_", "")
		return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(n, "model"), "entity"), "es"), "s")
	}
	for _, name := range slices.Sorted(maps.Keys(s.tables)) {
		if plain(name) != plain(entity) {
			continue
		}
		if t, found = s.Table(name), true; t != nil {
			break
		}
	}
	return t, found
}
