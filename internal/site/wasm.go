package site

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Wasm returns the tools as a WebAssembly program, and the script of the Go distribution
// that starts it. source is the folder of this module. The program is cached in the
// user's cache folder. If the sources have changed, Wasm calls the function progress with
// a message and builds the program.
func Wasm(source string, progress func(text string)) (wasm, script []byte, err error) {
	goroot, err := output(source, "go", "env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	script, err = os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, nil, fmt.Errorf("failed to find wasm_exec.js in the Go installation: %w", err)
	}
	cached, err := cacheFile(source, script)
	if err != nil {
		return nil, nil, err
	}
	if wasm, err := os.ReadFile(cached); err == nil {
		return wasm, script, nil
	}
	progress("building the tools as WebAssembly; this happens once and may last a minute")
	dir, err := os.MkdirTemp(filepath.Dir(cached), "build")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	built := filepath.Join(dir, "pto.wasm")
	cmd := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", built}, smaller, []string{"./cmd/pto-wasm"})...)
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("go build for WebAssembly: %w\n%s", err, text)
	}
	if wasm, err = os.ReadFile(built); err != nil {
		return nil, nil, err
	}
	removeOld(cached)
	return wasm, script, os.Rename(built, cached)
}

// smaller lists compiler options that turn off inlining in packages whose code runs
// rarely. They make the compressed program one seventh smaller and do not slow it down
// noticeably. Inlining remains enabled in the packages runtime and ir; without inlining
// in these two packages, runs would take twice as long.
var smaller = []string{
	"-gcflags=ptogo/codegen/...=-l", "-gcflags=ptogo/dialect/...=-l", "-gcflags=ptogo/lower/...=-l",
	"-gcflags=ptogo/passes/...=-l", "-gcflags=ptogo/internal/...=-l", "-gcflags=ptogo/kernel/...=-l",
}

// removeOld removes the cached programs of earlier versions, and retains the file in the
// parameter keep.
func removeOld(keep string) {
	old, _ := filepath.Glob(filepath.Join(filepath.Dir(keep), "*.wasm"))
	for _, file := range old {
		os.Remove(file)
	}
}

// cacheFile returns the path of the compiled program in the cache. The name depends on
// the sources and on the parameter script, the JavaScript file that starts the program,
// which differs between versions of Go.
func cacheFile(source string, script []byte) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, "ptogo", "wasm")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	list, err := output(source, "go", "list", "-deps", "-f", `{{if not .Standard}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`, "./cmd/pto-wasm")
	if err != nil {
		return "", err
	}
	version, err := output(source, "go", "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n%s\n", version, script, smaller)
	for file := range strings.FieldsSeq(list) {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", filepath.Base(file), len(text))
		sum.Write(text)
	}
	return filepath.Join(dir, hex.EncodeToString(sum.Sum(nil)[:12])+".wasm"), nil
}

// output runs a command in the folder dir with the environment for WebAssembly, and
// returns its output.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	var messages strings.Builder
	cmd.Stderr = &messages
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, args[0], err, messages.String())
	}
	return string(text), nil
}
