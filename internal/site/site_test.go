package site

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func newSite(t *testing.T, wasm string) Site {
	t.Helper()
	s, err := New([]byte(wasm), []byte("// starts it"), os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPages follows all links of the documentation: each leads to a file of the site or to
// another site.
func TestPages(t *testing.T) {
	s := newSite(t, "program")
	link := regexp.MustCompile(`(?:src|href)="([^":#]*)(?:#[^"]*)?"`)
	pages := 0
	for name, text := range s {
		if path.Ext(name) != ".html" || !strings.HasPrefix(name, "docs/") {
			continue
		}
		pages++
		for _, m := range link.FindAllSubmatch(text, -1) {
			to := path.Join(path.Dir(name), string(m[1]))
			if len(m[1]) > 0 && to != "." && s[to] == nil {
				t.Errorf("%s leads to %s, which is missing", name, to)
			}
		}
		if bytes.Contains(text, []byte(`.md"`)) {
			t.Errorf("%s leads to Markdown", name)
		}
	}
	if pages < 50 || !bytes.Contains(s["docs/isa/README.html"], []byte("<table>")) {
		t.Errorf("%d pages", pages)
	}
}

// TestSite checks that the site is complete. It contains every file that the page names,
// and the menu has all examples. The program can be decompressed, and every change of a
// file changes the version of the service worker.
func TestSite(t *testing.T) {
	s := newSite(t, "program")
	named := regexp.MustCompile(`(?:src|href)="([^"]+)"`)
	for _, m := range named.FindAllSubmatch(s["index.html"], -1) {
		if s[string(m[1])] == nil {
			t.Errorf("index.html names %s, which is missing", m[1])
		}
	}
	for _, name := range []string{"worker.js", "wasm_exec.js", "pto.wasm.gz", "examples.json", "sw.js", "licenses.txt", "examples/expected/softmax.npy"} {
		if len(s[name]) == 0 {
			t.Errorf("%s is missing", name)
		}
	}
	r, err := gzip.NewReader(bytes.NewReader(s["pto.wasm.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); string(got) != "program" {
		t.Errorf("program %q, %v", got, err)
	}
	var menu []group
	if err := json.Unmarshal(s["examples.json"], &menu); err != nil || len(menu) != len(folders) {
		t.Fatalf("menu %v, %v", menu, err)
	}
	for _, g := range menu {
		files, _ := filepath.Glob(filepath.Join("../../examples", filepath.FromSlash(strings.TrimPrefix(filepath.Dir(g.Items[0].File), "examples")), "*.pto"))
		if len(files) != len(g.Items) {
			t.Errorf("%s has %d programs, but the folder has %d", g.Title, len(g.Items), len(files))
		}
	}
	if bytes.Contains(s["sw.js"], []byte("__")) || !bytes.Contains(s["sw.js"], []byte("pto.wasm.gz")) {
		t.Errorf("service worker %s", s["sw.js"])
	}
	if other := newSite(t, "another program"); bytes.Equal(s["sw.js"], other["sw.js"]) {
		t.Error("the service worker has the version of another program")
	}
}

// TestWrite checks that an export contains all files of the site.
func TestWrite(t *testing.T) {
	s, dir := newSite(t, "program"), t.TempDir()
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range s {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHandler checks that the server accepts only requests from this machine, and only
// for files of the site.
func TestHandler(t *testing.T) {
	h := newSite(t, "program").Handler()
	for _, c := range []struct {
		method, host, path string
		code               int
		contentType        string
	}{
		{"GET", "127.0.0.1:8437", "/", 200, "text/html"},
		{"GET", "localhost:8437", "/app.js", 200, "text/javascript"},
		{"HEAD", "localhost", "/examples/expected/softmax.npy", 200, "application/octet-stream"},
		{"GET", "evil.example:8437", "/", 403, ""},
		{"GET", "127.0.0.1.evil.example", "/", 403, ""},
		{"GET", "127.0.0.1:8437", "/../site.go", 404, ""},
		{"GET", "127.0.0.1:8437", "/none", 404, ""},
		{"POST", "127.0.0.1:8437", "/", 404, ""},
	} {
		r := httptest.NewRequest(c.method, "http://"+c.host+"/", nil)
		r.URL.Path = c.path
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.code || !strings.HasPrefix(w.Header().Get("Content-Type"), c.contentType) {
			t.Errorf("%s %s of %s: code %d, type %s", c.method, c.path, c.host, w.Code, w.Header().Get("Content-Type"))
		}
		if w.Code == http.StatusOK && w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: a browser may guess the type", c.path)
		}
	}
}

// TestCommandLine checks the exit codes and messages for several command lines.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--help"}, 0, "Usage: pto-playground"},
		{[]string{"file"}, 2, "unexpected argument 'file'"},
		{[]string{"--port", "70000"}, 2, "between 0 and 65535"},
		{[]string{"--dance"}, 2, "dance"},
	} {
		var out, errs strings.Builder
		if code := Main(c.args, &out, &errs); code != c.code || !strings.Contains(out.String()+errs.String(), c.want) {
			t.Errorf("%v: code %d: %s%s", c.args, code, out.String(), errs.String())
		}
	}
}
