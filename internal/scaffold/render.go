package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

//go:embed templates
var templates embed.FS

// File is a file to write.
type File struct {
	Name string
	Data []byte
}

// Render makes the files of a spec, by name.
func Render(s Spec) ([]File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	set, err := template.ParseFS(templates, "templates/*/*.tmpl")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, source := range sources(s) {
		var buf bytes.Buffer
		// Templates are known by their base name.
		if err := set.ExecuteTemplate(&buf, source.template, view{s}); err != nil {
			return nil, err
		}
		data := bytes.TrimLeft(buf.Bytes(), "\n")
		if path.Ext(source.name) == ".go" {
			if data, err = format.Source(data); err != nil {
				return nil, fmt.Errorf("%s: %w", source.name, err)
			}
		}
		files = append(files, File{Name: source.name, Data: data})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// source is a file and the template it is made from.
type source struct{ name, template string }

func sources(s Spec) []source {
	names := []string{s.Kind + ".up.sql", s.Kind + ".down.sql", s.Kind + ".go", s.Kind + "_test.go", "db_test.go"}
	if s.Kind == "outbox" {
		names = append(names, "relay.go", "lanes.go", "relay_test.go", "publisher_"+s.Broker+".go", "publisher_"+s.Broker+"_test.go")
	}
	var all []source
	for _, name := range names {
		all = append(all, source{name, name + ".tmpl"})
	}
	if s.Kind == "outbox" {
		all = append(all, source{"store.go", "store_" + s.DB + ".go.tmpl"})
	}
	return all
}

// view is what templates ask about a spec.
type view struct{ Spec }

func (v view) Postgres() bool { return v.DB == "postgres" }
func (v view) MySQL() bool    { return v.DB == "mysql" }
func (v view) SQLite() bool   { return v.DB == "sqlite" }

// Server tells whether the tests need a database server.
func (v view) Server() bool { return v.DB != "sqlite" }

// TestEnv is the variable that names the tests' database.
func (s Spec) TestEnv() string {
	if s.DB == "mysql" {
		return "TEST_MYSQL_DSN"
	}
	return "TEST_DATABASE_URL"
}

func (v view) SQL() bool  { return v.Driver == "sql" }
func (v view) PGX() bool  { return v.Driver == "pgx" }
func (v view) Sqlx() bool { return v.Driver == "sqlx" }
func (v view) Gorm() bool { return v.Driver == "gorm" }
func (v view) Bun() bool  { return v.Driver == "bun" }

// Tx is the type of a transaction. It is a type that a pool isn't, where the driver
// has one: nobody can store a message outside a transaction then.
func (v view) Tx() string {
	return map[string]string{
		"sql": "*sql.Tx", "pgx": "pgx.Tx", "sqlx": "*sqlx.Tx", "gorm": "*gorm.DB", "bun": "bun.Tx",
	}[v.Driver]
}

// Pool is the type of what the relay works on. Drivers above database/sql have the
// *sql.DB in reach.
func (v view) Pool() string {
	if v.PGX() {
		return "*pgxpool.Pool"
	}
	return "*sql.DB"
}

// Params are the parameters of a statement: PostgreSQL numbers them, but gorm does
// so itself.
func (v view) Params(n int) string {
	params := make([]string, n)
	for i := range params {
		params[i] = "?"
		if v.Postgres() && !v.Gorm() {
			params[i] = "$" + strconv.Itoa(i+1)
		}
	}
	return strings.Join(params, ", ")
}

// TestImports are the lines that db_test.go imports other modules by.
func (v view) TestImports() []string {
	var paths []string
	switch {
	case v.PGX():
		paths = []string{`"github.com/jackc/pgx/v5"`, `"github.com/jackc/pgx/v5/pgxpool"`}
	case v.Postgres():
		paths = []string{`"github.com/jackc/pgx/v5"`, `"github.com/jackc/pgx/v5/stdlib"`}
	case v.MySQL():
		paths = []string{`"github.com/go-sql-driver/mysql"`}
	case !v.Gorm():
		paths = []string{`_ "modernc.org/sqlite"`}
	}
	switch {
	case v.Sqlx():
		paths = append(paths, `"github.com/jmoiron/sqlx"`)
	case v.Bun():
		dialect := map[string]string{"postgres": "pgdialect", "sqlite": "sqlitedialect"}[v.DB]
		paths = append(paths, `"github.com/uptrace/bun"`, `"github.com/uptrace/bun/dialect/`+dialect+`"`)
	case v.Gorm():
		dialect := map[string]string{
			"postgres": `"gorm.io/driver/postgres"`, "mysql": `gormmysql "gorm.io/driver/mysql"`, "sqlite": `"github.com/glebarez/sqlite"`,
		}[v.DB]
		paths = append(paths, dialect, `"gorm.io/gorm"`, `"gorm.io/gorm/logger"`)
	}
	return paths
}
