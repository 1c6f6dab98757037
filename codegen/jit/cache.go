package jit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/cpu"

	"ptogo/codegen/llvm"
)

// Options say how code is built.
type Options struct {
	// Level is the optimization level, "0" to "3"; empty means the highest that
	// is worth its time.
	Level string
	// Cache is the folder of programs that were built before. Empty means one
	// in the user's cache folder.
	Cache string
	// Limit is how much time of a processor the tools may take in all; 0 means
	// DefaultLimit. What takes more, or ten times as long by the clock, is a
	// *TimeoutError.
	Limit time.Duration
	// Stop ends the tools when it closes; the error then is ErrStopped. It may
	// be nil.
	Stop <-chan struct{}
	// Places is what the code was written with; nil if it does not keep where it
	// is.
	Places *llvm.Places
	// Sandbox says whether the process of the kernels is confined.
	Sandbox Sandbox
}

// DefaultLimit is how long tools may take if nobody says.
const DefaultLimit = time.Minute

// cacheDir is the folder in the user's cache, or a temporary one where there
// is no such thing.
func cacheDir() string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "ptogo", "llvm")
}

// features tells machines apart that share a cache but not their instructions.
func features() string { return fmt.Sprintf("%s %+v %+v", runtime.GOARCH, cpu.X86, cpu.ARM64) }

// Build makes a program of LLVM IR whose functions fns describes, unless the
// cache has it.
func Build(text string, fns []Func, o Options) (*Program, error) {
	if o.Level == "" {
		o.Level = levelFor(text)
	}
	if o.Cache == "" {
		o.Cache = cacheDir()
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	w := newWatch(o.Limit, o.Stop)
	text += table(fns)
	failure := ErrNoLLVM
	for _, t := range toolchains() {
		path, err := t.program(text, o, w)
		if err == nil {
			return &Program{path: path, fns: fns, sandbox: o.Sandbox}, nil
		}
		if w.over(err) {
			return nil, err
		}
		if errors.Is(failure, ErrNoLLVM) {
			failure = err // the first is of the best tools
		}
	}
	return nil, failure
}

// program returns the path of the program of kernels, which is built if the cache
// does not have it. The error is ErrNoLLVM if the tools are too old.
func (t *toolchain) program(text string, o Options, w watch) (string, error) {
	lead, identity := driver(), t.identity()
	path := filepath.Join(o.Cache, key(o.Level, identity, features(), lead, text))
	defer alone(path)()
	if touch(path) {
		return path, nil
	}
	object, err := t.driver(o.Cache, key(identity, runtime.GOARCH, lead)+".o", lead, w)
	if err != nil {
		return "", err
	}
	return path, inFolder(path, "kernels.ll", text, func(dir string) (string, error) { return t.build(dir, object, o.Level, w) })
}

// driver returns the path of the compiled driver. That there is one says that
// the tools are new enough, which takes as long to ask as a short kernel to
// compile.
func (t *toolchain) driver(cache, name, text string, w watch) (string, error) {
	path := filepath.Join(cache, name)
	defer alone(path)()
	switch {
	case touch(path):
		return path, nil
	case !t.usable(w):
		if w.stopped() {
			return "", ErrStopped // it was not the tool's fault
		}
		return "", ErrNoLLVM
	}
	return path, inFolder(path, "driver.c", text, func(dir string) (string, error) { return t.compileDriver(dir, w) })
}

// levelFor returns the level for a program that nobody chose one for. Loops over
// elements become vectors at 2 as at 3, which takes twice as long: seconds for
// the long kernels of frontends.
func levelFor(text string) string {
	if len(text) > 64<<10 {
		return "2"
	}
	return "3"
}

// key is the name of a program in the cache.
func key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// touch reports whether the cache has a program, and notes its use.
func touch(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // if not, it leaves the cache earlier
	return true
}

// inFolder builds something of a text in a folder beside its place in the cache
// and moves it there when it is whole: other processes may look at the same time.
func inFolder(path, name, text string, build func(dir string) (string, error)) error {
	cache := filepath.Dir(path)
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(cache, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		return err
	}
	built, err := build(dir)
	if err != nil {
		return err
	}
	trim(cache, capacity)
	return os.Rename(built, path)
}

// keep is how long a program stays in the cache without use, and capacity how
// many bytes of programs there may be.
const (
	keep     = 30 * 24 * time.Hour
	capacity = 1 << 30
)

// trim removes what was not used for long, and then what was used longest ago
// until the rest fits. What is no file is being built.
func trim(cache string, capacity int64) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	var infos []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else another process was faster
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range infos {
		if info.Mode().IsRegular() {
			capacity -= info.Size()
		}
		if time.Since(info.ModTime()) > keep || capacity < 0 && info.Mode().IsRegular() {
			_ = os.RemoveAll(filepath.Join(cache, info.Name()))
		}
	}
}
