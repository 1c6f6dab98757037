// This file implements the cache of compiled kernels.

package jit

import (
	"bytes"
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
	"ptogo/internal/temporary"
)

// Options selects how kernels are compiled and run.
type Options struct {
	// Level is the LLVM optimization level, "0" to "3". Empty means "2": "3" needs a sixth
	// more time to compile, and its code is not faster.
	Level string
	// Cache is the folder for compiled programs. Empty means a folder in the user's cache
	// folder. It must belong to the user and must not be writable for others.
	Cache string
	// Note receives messages for the user, such as that a cache entry was corrupt. It may
	// be nil.
	Note func(text string)
	// Limit is the processor time that all LLVM tools together may use; 0 means
	// DefaultLimit. If they exceed it, or ten times the limit of wall-clock time, Build
	// returns a *TimeoutError.
	Limit time.Duration
	// Stop ends the tools when it is closed; the error is then ErrStopped. It may be nil.
	Stop <-chan struct{}
	// Places decodes the positions that the compiled code records. It is nil if the code
	// records none.
	Places *llvm.Places
	// Sandbox selects whether the process that runs kernels is confined.
	Sandbox Sandbox
}

// DefaultLimit is the default of Options.Limit, the limit of the processor time of the
// LLVM tools.
const DefaultLimit = time.Minute

// cacheDir returns the default cache folder. If the user has no cache folder, it returns
// an error instead of a shared folder: in a shared folder others could place programs
// that this process would execute.
func cacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrCache, err)
	}
	return filepath.Join(base, "ptogo", "llvm"), nil
}

// ErrCache is the error for a system on which no folder for compiled kernels is
// available.
var ErrCache = errors.New("no folder for compiled kernels")

// secure creates the cache folder with access for its owner only. It returns an error if
// programs in the folder cannot be trusted.
func secure(cache string) error {
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	info, err := os.Stat(cache)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrCache, err)
	case !ownedByUser(info):
		return fmt.Errorf("%w: the cache folder %s belongs to another user, who could replace the compiled kernels", ErrCache, cache)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("%w: other users can write to the cache folder %s and replace the compiled kernels; run chmod go-w on the folder", ErrCache, cache)
	}
	for dir := filepath.Dir(cache); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0 {
			return fmt.Errorf("%w: every user can write to the folder %s and replace its subfolder %s, the cache", ErrCache, dir, cache)
		}
	}
	return nil
}

// features identifies the instruction set of this machine. It is part of the cache key,
// because machines with different instructions may share a cache.
func features() string { return fmt.Sprintf("%s %+v %+v", runtime.GOARCH, cpu.X86, cpu.ARM64) }

// Build compiles LLVM IR to a program, or finds the program in the cache. fns describes
// the functions in the text that Program.Run can launch.
func Build(text string, fns []Func, o Options) (*Program, error) {
	if o.Level == "" {
		o.Level = "2"
	}
	if o.Cache == "" {
		var err error
		if o.Cache, err = cacheDir(); err != nil {
			return nil, err
		}
	}
	if err := secure(o.Cache); err != nil {
		return nil, err
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	w := newWatch(o.Limit, o.Stop)
	text += table(fns)
	failure := ErrNoLLVM
	for _, t := range toolchains() {
		driver, kernels, err := t.program(text, o, w)
		if err == nil {
			return &Program{driver: driver, kernels: kernels, fns: fns, sandbox: o.Sandbox}, nil
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

// program returns the path of the driver and the path of the shared object with the
// compiled kernels of the LLVM IR text. It builds them if the cache does not contain them.
// The error is ErrNoLLVM if the tools are too old.
func (t *toolchain) program(text string, o Options, w watch) (executable, kernels string, err error) {
	lead, identity := driver(), t.identity()
	executable, err = t.driver(o, key(identity, runtime.GOARCH, lead), lead, w)
	if err != nil {
		return "", "", err
	}
	kernels = filepath.Join(o.Cache, key(o.Level, identity, features(), lead, text))
	defer alone(kernels)()
	if o.touch(kernels) {
		return executable, kernels, nil
	}
	return executable, kernels, inFolder(kernels, "kernels.ll", text, func(dir string) (string, error) { return t.build(dir, o, w) })
}

// driver returns the path of the compiled C driver in the cache. name is the name of the
// file in the cache, and text is the C source. If the file exists, driver does not check
// the versions of the tools: an earlier run checked them when it built the file, and
// asking again would take as long as compiling a short kernel.
func (t *toolchain) driver(o Options, name, text string, w watch) (string, error) {
	path := filepath.Join(o.Cache, name)
	defer alone(path)()
	switch {
	case o.touch(path):
		return path, nil
	case !t.usable(w):
		if w.stopped() {
			return "", ErrStopped // it was not the tool's fault
		}
		return "", ErrNoLLVM
	}
	return path, inFolder(path, "driver.c", text, func(dir string) (string, error) { return t.compileDriver(dir, w) })
}

// cacheFormat is the version of the format of cached files. It is part of their names.
const cacheFormat = 3 // 2 ends in a checksum, 3 has shared objects

// key returns the name of a program in the cache. It is a hash of parts, the texts that
// together determine the contents of the program.
func key(parts ...string) string {
	h := sha256.New()
	fmt.Fprintf(h, "format %d ", cacheFormat)
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// touch reports whether the cache contains an undamaged program at path, and updates its
// time of last use. It removes a damaged program, so that the caller builds the program
// once more.
func (o Options) touch(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	if !info.Mode().IsRegular() || !sealed(path) {
		if o.Note != nil {
			o.Note(fmt.Sprintf("%s in the cache of compiled kernels is broken and is built again", filepath.Base(path)))
		}
		_ = os.RemoveAll(path) // if it stays, renaming the new one to it fails
		return false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // if not, it leaves the cache earlier
	return true
}

// seal appends the hash of a file to it. The loader and linkers ignore data after the
// last section. The hash is not in a separate file, because the two could then belong to
// different versions.
func seal(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	_, err = f.Write(sum[:])
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// sealed reports whether the file at path ends with the hash of its other bytes, as seal
// writes it. A file without this hash is damaged.
func sealed(path string) bool {
	data, err := os.ReadFile(path)
	if err != nil || len(data) < sha256.Size {
		return false
	}
	body, end := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	sum := sha256.Sum256(body)
	return bytes.Equal(sum[:], end)
}

// inFolder builds a file in a temporary folder in the cache, and moves it to path when it
// is complete. Other processes that search the cache at the same time therefore never
// find an incomplete file. The function build builds the file from a source file with the
// given name and text.
func inFolder(path, name, text string, build func(dir string) (string, error)) error {
	cache := filepath.Dir(path)
	dir, remove, err := temporary.Folder(cache, "build-")
	if err != nil {
		return err
	}
	defer remove()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		return err
	}
	built, err := build(dir)
	if err != nil {
		return err
	}
	if err := seal(built); err != nil {
		return err
	}
	trim(cache, capacity)
	return os.Rename(built, path)
}

const (
	// keep is how long an unused program stays in the cache. capacity is the maximum size
	// of all programs in bytes.
	keep     = 30 * 24 * time.Hour
	capacity = 1 << 30
)

// trim removes cache files that were not used for a long time, and then the least
// recently used ones until the rest has at most capacity bytes. It skips entries that are
// not files, because these are still being built.
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
