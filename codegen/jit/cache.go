package jit

import (
	"cmp"
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

	"ptogo/codegen"
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
	Places *codegen.Places
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
	lead := driver(fns, cmp.Or(o.Places, new(codegen.Places)).Words())
	failure := ErrNoLLVM
	for _, t := range toolchains() {
		path := filepath.Join(o.Cache, key(o.Level, t.identity(), features(), lead, text))
		if touch(path) {
			return &Program{path: path, fns: fns}, nil
		}
		if !t.usable(w) {
			if w.stopped() {
				return nil, ErrStopped // it was not the tool's fault
			}
			continue
		}
		err := t.buildInto(path, text, lead, o, w)
		if err == nil {
			return &Program{path: path, fns: fns}, nil
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

// buildInto builds a program beside its place in the cache and moves it there
// when it is whole: others may look at the same time.
func (t *toolchain) buildInto(path, text, lead string, o Options, w watch) error {
	if err := os.MkdirAll(o.Cache, 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.Cache, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{"kernels.ll": text, "driver.c": lead} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	built, err := t.build(dir, o.Level, w)
	if err != nil {
		return err
	}
	trim(o.Cache, capacity)
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
