package main

import (
	"bytes"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const root = "../.."

func built(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := build(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var (
	href = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	id   = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinks: each link leads to a file of the site, and to a place that is in it.
func TestLinks(t *testing.T) {
	files := built(t)
	places := map[string][]string{}
	for name, data := range files {
		for _, m := range id.FindAllSubmatch(data, -1) {
			places[name] = append(places[name], string(m[1]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, m := range href.FindAllSubmatch(files[name], -1) {
			to := string(m[1])
			if strings.HasPrefix(to, "https://") {
				continue
			}
			file, anchor, hasAnchor := strings.Cut(to, "#")
			file = path.Join(path.Dir(name), file)
			if to[0] == '#' {
				file = name
			}
			if _, ok := files[file]; !ok {
				t.Errorf("%s: no page %s", name, to)
			} else if hasAnchor && !slices.Contains(places[file], anchor) {
				t.Errorf("%s: no place %s", name, to)
			}
		}
	}
}

// TestEveryPageIsThere: each rule has a page, and each page of docs is in the
// navigation.
func TestEveryPageIsThere(t *testing.T) {
	files := built(t)
	home := string(files["index.html"])
	sources := glob(t, "docs/*.md", "docs/rules/*.md")
	for _, doc := range glob(t, "analyzers/*/doc.go") {
		sources = append(sources, "docs/rules/"+path.Base(path.Dir(doc))+".md")
	}
	for _, source := range sources {
		name := target(source)
		if _, ok := files[name]; !ok {
			t.Errorf("%s has no page: list it in %s", source, contents)
		} else if source != contents && !strings.Contains(home, `href="`+name+`"`) {
			t.Errorf("%s is not in the navigation: list it in %s", source, contents)
		}
	}
}

func glob(t *testing.T, patterns ...string) []string {
	t.Helper()
	var list []string
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("nothing at %s: %v", pattern, err)
		}
		for _, name := range names {
			rel, err := filepath.Rel(root, name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, filepath.ToSlash(rel))
		}
	}
	return list
}

// TestPlain: no page runs anything or fetches anything, and two builds are the same.
func TestPlain(t *testing.T) {
	files, again := built(t), built(t)
	loads := regexp.MustCompile(`(?i)<(script|iframe|img|object|embed|video|audio)|<link[^>]* href="[a-z]+:|url\(|@import| on[a-z]+="`)
	for name, data := range files {
		if m := loads.Find(data); m != nil {
			t.Errorf("%s has %s", name, m)
		}
		if !bytes.Equal(data, again[name]) {
			t.Errorf("%s is another one the second time", name)
		}
	}
}

const toc = "# All\n\n## Start\n\n- [Home](../README.md): the start\n- [Tool](../tool/doc.go)\n"

func small() fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"README.md":      "# demo\n\nSee [the list](docs/index.md#start), [a folder](eg), [source](eg/a.go), [tool](tool) and <b>no HTML</b>.\n",
		"docs/index.md":  toc,
		"tool/doc.go":    "// Tool does it.\n//\n// # How it goes\n//\n// So.\npackage main\n",
		"eg/README.md":   "# Example\n\n[Home](../README.md), [out](https://example.com/a).\n",
		"eg/a.go":        "package a // <&>\n",
		"docs/unused.md": "# Unused\n",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestBuild(t *testing.T) {
	files, err := build(small())
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(files))
	want := []string{"docs/index.html", "eg/README.html", "eg/a.go.html", "index.html", "style.css", "tool/doc.html", "tool/index.html"}
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	for name, parts := range map[string][]string{
		"index.html":      {`href="docs/index.html#start"`, `href="eg/README.html"`, `<a href="index.html" aria-current="page">Home</a>`, "<title>demo · deliverylint</title>"},
		"eg/README.html":  {`href="../index.html"`, `href="https://example.com/a"`, `href="../style.css"`},
		"eg/a.go.html":    {"package a // &lt;&amp;&gt;"},
		"tool/index.html": {`<a href="../tool/doc.html">doc.go</a>`},
		"tool/doc.html":   {`<h2 id="how-it-goes">`, "<h1>tool</h1>"},
	} {
		for _, part := range parts {
			if !bytes.Contains(files[name], []byte(part)) {
				t.Errorf("%s: no %s in\n%s", name, part, files[name])
			}
		}
	}
}

func TestBuildRejects(t *testing.T) {
	for name, text := range map[string]string{
		"a dead link":              "# demo\n\n[x](docs/none.md)\n",
		"a link out of the source": "# demo\n\n[x](../other.md)\n",
		"an image":                 "# demo\n\n![x](x.png)\n",
		"no title":                 "demo\n",
	} {
		fsys := small()
		fsys["README.md"] = &fstest.MapFile{Data: []byte(text)}
		if _, err := build(fsys); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
