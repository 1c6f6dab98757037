// Package web tests the page of the playground in a browser.
package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
	"ptogo/internal/playground"
	"ptogo/internal/site"
)

const root = "../.."

// chromium returns the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		t.Skip("playwright-core is missing: run npm ci in test/web")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is missing")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is missing")
	}
	return path
}

// wanted returns the browser, and the tools as WebAssembly with the script that starts
// them. It skips the test unless tests in the browser are wanted, because they last
// minutes.
func wanted(t *testing.T) (browser string, wasm, script []byte) {
	t.Helper()
	if os.Getenv("PTO_WEB") == "" {
		t.Skip("it lasts minutes: set PTO_WEB=1")
	}
	browser = chromium(t)
	source, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	wasm, script, err = site.Wasm(source, func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	return browser, wasm, script
}

// scenario is the result of a scenario of page.mjs.
type scenario struct {
	Error  string
	Values json.RawMessage
}

// ran is what an example computed in the browser.
type ran struct {
	Arrays      map[string]string // SHA-256 of the files of arrays
	Fault       string
	Comparisons []string
	Error       string
}

// TestPage uses the page as a person would; page.mjs lists the scenarios. It prints what
// they measure.
func TestPage(t *testing.T) {
	browser, wasm, script := wanted(t)
	s, err := site.New(wasm, script, os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	t.Logf("%d bytes of WebAssembly, %d compressed; a browser loads %d bytes", len(wasm), len(s["pto.wasm.gz"]), s.Size())

	cmd := exec.Command("node", "page.mjs", server.URL+"/", report(t))
	cmd.Env = append(os.Environ(), "CHROMIUM="+browser)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	var results map[string]scenario
	if err == nil {
		err = json.Unmarshal(out, &results)
	}
	if err != nil {
		t.Fatalf("page.mjs: %v: %s%s", err, out, messages.String())
	}
	for name, r := range results {
		t.Run(name, func(t *testing.T) {
			if r.Error != "" {
				t.Fatal(r.Error)
			}
			if name == "examples" {
				compareExamples(t, r.Values, s)
			} else if string(r.Values) != "{}" {
				t.Logf("%s", r.Values)
			}
		})
	}
}

// report writes a report of pto-run on a program whose names look like markup.
func report(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "examples/softmax.pto"))
	if err != nil {
		t.Fatal(err)
	}
	mark := "// <img src=x onerror='window.hacked=1'></script><script>window.hacked=1</script>\n"
	program, file := filepath.Join(t.TempDir(), "<b>softmax.pto"), filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(program, append([]byte(mark), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer
	code := cli.Run([]string{program, "--blocks=2", "--arg=rand=32x64xf32", "--arg=zeros=32x64xf32", "--report", file}, strings.NewReader(""), io.Discard, &messages)
	if code != 0 {
		t.Fatalf("pto-run: code %d: %s", code, messages.String())
	}
	return file
}

// compareExamples compares what the examples computed in the browser with what they compute
// natively, byte by byte.
func compareExamples(t *testing.T, values json.RawMessage, s site.Site) {
	var inBrowser map[string]ran
	if err := json.Unmarshal(values, &inBrowser); err != nil || len(inBrowser) < 30 {
		t.Fatalf("%d examples, %v", len(inBrowser), err)
	}
	files := playground.Files{}
	for name, content := range s {
		if strings.HasPrefix(name, "examples/expected/") {
			files[name] = content
		}
	}
	for file, got := range inBrowser {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		want := natively(t, file, string(text), files)
		if got.Error != want.Error || got.Fault != want.Fault || strings.Join(got.Comparisons, " ") != strings.Join(want.Comparisons, " ") {
			t.Errorf("%s: in the browser %+v, natively %+v", file, got, want)
		}
		if len(got.Arrays) != len(want.Arrays) || len(got.Arrays) == 0 {
			t.Errorf("%s: %d arrays in the browser, %d natively", file, len(got.Arrays), len(want.Arrays))
		}
		for name, digest := range want.Arrays {
			if got.Arrays[name] != digest {
				t.Errorf("%s: array %s has other bytes in the browser", file, name)
			}
		}
	}
}

// natively runs an example with the same requests as the page.
func natively(t *testing.T, file, text string, files playground.Files) (r ran) {
	t.Helper()
	call := func(name string, request map[string]any, answer any) playground.Files {
		encoded, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		got, out := playground.Call(name, encoded, files)
		if err := json.Unmarshal(got, answer); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		return out
	}
	var analysis struct{ Launch json.RawMessage }
	call("analyse", map[string]any{"name": file, "text": text}, &analysis)
	var answer struct {
		Error       string
		Fault       *struct{ Message string }
		Arrays      []struct{ File string }
		Comparisons []struct{ Outcome string }
	}
	out := call("run", map[string]any{"name": file, "text": text, "launch": analysis.Launch}, &answer)
	r = ran{Arrays: map[string]string{}, Error: answer.Error}
	if answer.Fault != nil {
		r.Fault = answer.Fault.Message
	}
	for _, a := range answer.Arrays {
		sum := sha256.Sum256(out[a.File])
		r.Arrays[a.File] = hex.EncodeToString(sum[:])
	}
	for _, c := range answer.Comparisons {
		r.Comparisons = append(r.Comparisons, c.Outcome)
	}
	return r
}

// TestBundle checks that the committed bundle is that of the sources.
func TestBundle(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root, "web/node_modules")); err != nil {
		t.Skip("the packages of the page are missing: run npm ci in web")
	}
	fresh := t.TempDir()
	cmd := exec.Command("go", "run", ".", "-o", fresh)
	cmd.Dir = filepath.Join(root, "web/build")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	entries, err := os.ReadDir(filepath.Join(root, "web/dist"))
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		want, err := os.ReadFile(filepath.Join(fresh, e.Name()))
		if err != nil {
			t.Errorf("%s is committed, but the build does not write it", e.Name())
			continue
		}
		got, err := os.ReadFile(filepath.Join(root, "web/dist", e.Name()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not that of the sources (%v): run go run . in web/build", e.Name(), err)
		}
	}
}
