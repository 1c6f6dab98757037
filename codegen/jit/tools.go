// This file finds a usable LLVM installation.

package jit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"
)

// versions are the suffixes that tools are looked for with, the best first.
var versions = []string{"-19", "", "-20", "-21", "-18", "-17", "-16", "-15"}

// ErrNoLLVM is returned if the machine has no usable LLVM.
var ErrNoLLVM = errors.New("no LLVM was found: install clang, or opt, llc and a C compiler, of LLVM 15 or newer, and put them on the path")

// Find returns the path of a tool of LLVM 15 or newer.
func Find(name string) (string, bool) {
	for _, v := range versions {
		if path, err := exec.LookPath(name + v); err == nil && opaquePointers(path, newWatch(DefaultLimit, nil)) {
			return path, true
		}
	}
	return "", false
}

// opaquePointers reports whether a tool is new enough to know opaque pointers.
func opaquePointers(path string, w watch) bool {
	out, err := w.output(path, "--version")
	if err != nil {
		return false
	}
	for _, old := range []string{" 10.", " 11.", " 12.", " 13.", " 14."} {
		if bytes.Contains(out, []byte("version"+old)) {
			return false
		}
	}
	return true
}

// toolchain compiles: clang, or opt and llc with a C compiler for the driver. The
// C compiler of the machine links, if there is one: clang takes three times as long to start.
type toolchain struct{ clang, opt, llc, cc string }

// toolchains returns what might compile on this machine, the best first. Their
// versions are not known yet: asking takes longer than using the cache.
func toolchains() []toolchain {
	var all []toolchain
	cc, err := exec.LookPath("cc")
	for _, v := range versions {
		if clang, err := exec.LookPath("clang" + v); err == nil {
			all = append(all, toolchain{clang: clang, cc: cc})
		}
	}
	if err != nil {
		return all
	}
	for _, v := range versions {
		opt, err1 := exec.LookPath("opt" + v)
		llc, err2 := exec.LookPath("llc" + v)
		if err1 == nil && err2 == nil {
			all = append(all, toolchain{opt: opt, llc: llc, cc: cc})
		}
	}
	return all
}

// usable reports whether the tools know the LLVM IR that is written here.
func (t *toolchain) usable(w watch) bool {
	if t.clang != "" {
		return opaquePointers(t.clang, w)
	}
	return opaquePointers(t.opt, w) && opaquePointers(t.llc, w)
}

// identity changes when the tools do.
func (t *toolchain) identity() string {
	var b strings.Builder
	for _, path := range []string{t.clang, t.opt, t.llc, t.cc} {
		if path == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// native asks for the instructions of this machine, in the way that each tool
// is asked. Nothing may be fused that the code does not fuse.
func native() (clang, llc []string) {
	machine := "-march=native"
	if runtime.GOARCH != "amd64" {
		machine = "-mcpu=native"
	}
	return []string{machine, "-ffp-contract=off", "-fPIE"}, []string{"-mcpu=native", "-fp-contract=off", "-relocation-model=pic"}
}

// convertsHalf reports whether code that native asks for converts f16 by
// instructions.
func convertsHalf() bool { return runtime.GOARCH == "arm64" || cpu.X86.HasF16C }

// compileDriver makes an object in dir of driver.c there.
func (t *toolchain) compileDriver(dir string, w watch) (path string, err error) {
	path = filepath.Join(dir, "driver.o")
	return path, w.run(cmp.Or(t.clang, t.cc), "-c", "-O1", "-fPIE", "-pthread", "-o", path, filepath.Join(dir, "driver.c"))
}

// build makes an executable in dir of kernels.ll there and of the driver. Each
// tool has one thing to do: then it does it in its own process, which ends when
// it must.
func (t *toolchain) build(dir, driver, level string, w watch) (path string, err error) {
	path = filepath.Join(dir, "program")
	kernels, object := filepath.Join(dir, "kernels.ll"), filepath.Join(dir, "kernels.o")
	link := []string{object, driver, "-o", path, "-lm", "-pthread"}
	if runtime.GOOS == "linux" { // its addresses are random, and its tables of functions cannot be written
		link = append(link, "-pie", "-Wl,-z,relro,-z,now")
	}
	forClang, forLLC := native()
	if t.clang != "" {
		args := append([]string{"-c", "-O" + level, "-Wno-override-module", "-o", object, kernels}, forClang...)
		if err := w.run(t.clang, args...); err != nil {
			return "", err
		}
		if t.cc != "" {
			if err := w.run(t.cc, link...); err == nil || w.over(err) {
				return path, err
			}
		}
		return path, w.run(t.clang, link...)
	}
	better := filepath.Join(dir, "better.bc")
	if err := w.run(t.opt, "-O"+level, "-mcpu=native", "-o", better, kernels); err != nil {
		return "", err
	}
	if err := w.run(t.llc, append(forLLC, "-O"+level, "-filetype=obj", "-o", object, better)...); err != nil {
		return "", err
	}
	return path, w.run(t.cc, link...)
}
