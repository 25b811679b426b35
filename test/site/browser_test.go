package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// TestBrowser opens each page from its file in a browser, wide and narrow, and
// follows the navigation.
func TestBrowser(t *testing.T) {
	ctx, seen := browser(t)
	out := t.TempDir()
	if err := write(root, out); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(built(t))) {
		if strings.HasSuffix(name, ".html") {
			t.Run(name, func(t *testing.T) { open(t, ctx, out, name) })
		}
	}
	t.Run("navigation", func(t *testing.T) { follow(t, ctx, out) })
	seen.check(t, out)
}

// look is what a page tells of itself.
type look struct {
	Title, Heading, Font string
	Entries              int
	// Wide is by how much the page is wider than the window.
	Wide float64
}

const ask = `({
	Title: document.title,
	Heading: document.querySelector("main h1").textContent,
	Font: getComputedStyle(document.querySelector("nav ul")).listStyleType,
	Entries: document.querySelectorAll("nav a").length,
	Wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
})`

func open(t *testing.T, ctx context.Context, out, name string) {
	for _, width := range []int64{1280, 360} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800), chromedp.Navigate(address(out, name))); err != nil {
			t.Fatalf("%d wide: %v", width, err)
		}
		got, err := chromedp.Run(ctx, chromedp.Evaluate[look](ask))
		if err != nil {
			t.Fatalf("%d wide: %v", width, err)
		}
		switch {
		case got.Title == "" || got.Heading == "" || got.Entries == 0:
			t.Errorf("%d wide: %+v", width, got)
		case got.Font != "none":
			t.Errorf("%d wide: the stylesheet doesn't hold", width)
		case got.Wide > 0:
			t.Errorf("%d wide: the page is wider by %v", width, got.Wide)
		}
	}
}

// follow goes from the first page to a rule's and back.
func follow(t *testing.T, ctx context.Context, out string) {
	step := func(click, wait string) string {
		err := chromedp.Do(ctx,
			chromedp.Click(chromedp.CSS(click), chromedp.NodeVisible),
			chromedp.WaitVisible(chromedp.CSS(wait)),
		)
		if err != nil {
			t.Fatalf("%s: %v", click, err)
		}
		at, err := chromedp.Run(ctx, chromedp.Location())
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address(out, "index.html")))
	if err != nil {
		t.Fatal(err)
	}
	rule := step(`nav a[href$="missinginbox.html"]`, `nav a[aria-current][href$="missinginbox.html"]`)
	if rule != address(out, "docs/rules/missinginbox.html") {
		t.Errorf("went to %s", rule)
	}
	if back := step("header a:first-child", `nav a[aria-current][href="index.html"]`); back != address(out, "index.html") {
		t.Errorf("came back to %s", back)
	}
}

func address(out, name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(out, name))}).String()
}

// events are what the browser says while pages load.
type events struct {
	mu       sync.Mutex
	requests []string
	errors   []string
}

// check fails for anything that was asked for outside the site, and for errors.
func (e *events) check(t *testing.T, out string) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.requests) == 0 {
		t.Error("the browser told of no request")
	}
	for _, r := range e.requests {
		if !strings.HasPrefix(r, address(out, "")+"/") {
			t.Errorf("asked for %s", r)
		}
	}
	for _, text := range e.errors {
		t.Error(text)
	}
}

func (e *events) take(event any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		e.requests = append(e.requests, event.Request.URL)
	case *network.EventLoadingFailed:
		if !event.Canceled {
			e.errors = append(e.errors, "not loaded: "+event.ErrorText)
		}
	case *log.EventEntryAdded:
		e.errors = append(e.errors, fmt.Sprintf("%s: %s", event.Entry.URL, event.Entry.Text))
	case *runtime.EventExceptionThrown:
		e.errors = append(e.errors, event.ExceptionDetails.Text)
	}
}

// browser starts one without a window. The test is skipped where there is none.
func browser(t *testing.T) (context.Context, *events) {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("no Chromium is installed (.ci/services installs it)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	seen := &events{}
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithListener(seen.take))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s doesn't start: %v", program, err)
	}
	return ctx, seen
}
