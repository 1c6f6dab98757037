package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// importMap is a page whose scripts find the npm package by its name.
const importMap = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">{"imports": {"ptogo-wasm": "/index.js"}}</script>`

// TestPackage runs the examples of the npm package in a browser.
func TestPackage(t *testing.T) {
	browser, wasm, script := wanted(t)
	var program bytes.Buffer
	w := gzip.NewWriter(&program)
	if _, err := w.Write(wasm); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root, "web/npm")
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(folder)))
	serve := func(path, kind string, data []byte) {
		mux.HandleFunc("/"+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Write(data)
		})
	}
	serve("page.html", "text/html", []byte(importMap))
	serve("dist/pto.wasm.gz", "application/gzip", program.Bytes())
	serve("dist/wasm_exec.js", "text/javascript", script)
	for name, path := range map[string]string{"affine": "tutorial/affine", "missing_flag": "hazards/missing_flag", "softmax": "softmax"} {
		text, err := os.ReadFile(filepath.Join(root, "examples", path+".pto"))
		if err != nil {
			t.Fatal(err)
		}
		serve("dist/kernels/"+name+".pto", "text/plain", text)
	}
	server := httptest.NewServer(mux)
	defer server.Close()

	var want, got map[string]string
	text, err := os.ReadFile(filepath.Join(folder, "test/expected.json"))
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", slices.Concat([]string{"npm.mjs", server.URL + "/"}, slices.Sorted(maps.Keys(want)))...)
	cmd.Env = append(os.Environ(), "CHROMIUM="+browser)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err != nil {
		t.Fatalf("npm.mjs: %v: %s%s", err, out, messages.String())
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("example %s prints\n%s\nin the browser, expected\n%s", name, got[name], text)
		}
	}
}
