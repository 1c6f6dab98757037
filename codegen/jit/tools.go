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
	"slices"
	"strings"
)

// versions are the suffixes under which LLVM tools are searched, in the order of
// preference.
var versions = []string{"-19", "", "-20", "-21", "-18", "-17", "-16", "-15"}

// ErrNoLLVM is returned if the machine has no usable LLVM.
var ErrNoLLVM = errors.New("no LLVM was found: install clang, or opt, llc and a C compiler, of LLVM 15 or newer, and put them on the path")

// Find returns the path of the LLVM tool with the given name, of LLVM 15 or newer. The
// second result is false if there is none.
func Find(name string) (string, bool) {
	for _, v := range versions {
		if path, err := exec.LookPath(name + v); err == nil && opaquePointers(path, newWatch(DefaultLimit, nil)) {
			return path, true
		}
	}
	return "", false
}

// opaquePointers reports whether the tool at path supports opaque pointers, which LLVM 15
// introduced.
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

// toolchain is a set of tools that compiles kernels: either clang, or opt and llc with a
// C compiler for the driver. On Linux, ld links kernels if it is installed: the C
// compiler would need six times as long, because it also links the C library.
type toolchain struct{ clang, opt, llc, cc, ld string }

// toolchains returns the toolchains of this machine, in the order of preference. It does
// not check their versions, because it would have to run the tools. If the cache of
// compiled kernels contains a kernel, no tool is needed, and running one would last
// longer than the lookup in this cache.
func toolchains() []toolchain {
	var all []toolchain
	cc, err := exec.LookPath("cc")
	var ld string
	if runtime.GOOS == "linux" {
		ld, _ = exec.LookPath("ld")
	}
	for _, v := range versions {
		if clang, err := exec.LookPath("clang" + v); err == nil {
			all = append(all, toolchain{clang: clang, cc: cc, ld: ld})
		}
	}
	if err != nil {
		return all
	}
	for _, v := range versions {
		opt, err1 := exec.LookPath("opt" + v)
		llc, err2 := exec.LookPath("llc" + v)
		if err1 == nil && err2 == nil {
			all = append(all, toolchain{opt: opt, llc: llc, cc: cc, ld: ld})
		}
	}
	return all
}

// Available reports whether this machine has tools that compile kernels. It runs them to ask
// for their versions.
func Available() bool {
	w := newWatch(DefaultLimit, nil)
	return slices.ContainsFunc(toolchains(), func(t toolchain) bool { return t.usable(w) })
}

// usable reports whether the tools are recent enough for the LLVM IR of this package. It
// runs the tools to find out. w limits the time of these runs.
func (t *toolchain) usable(w watch) bool {
	if t.clang != "" {
		return opaquePointers(t.clang, w)
	}
	return opaquePointers(t.opt, w) && opaquePointers(t.llc, w)
}

// identity returns a text that changes when a tool is replaced: the paths, sizes and
// modification times of the tools.
func (t *toolchain) identity() string {
	var b strings.Builder
	for _, path := range []string{t.clang, t.opt, t.llc, t.cc, t.ld} {
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

// native returns the options with which clang and llc generate instructions of this
// machine. They do not allow the fusion of multiplications and additions unless the code
// requests it, because fusing changes results. They do not unroll loops: copies of loop
// bodies would be three quarters of the code, need half of the time of compilation, and
// save no time when the kernel runs.
func native() (clang, llc []string) {
	machine := "-march=native"
	if runtime.GOARCH != "amd64" {
		machine = "-mcpu=native"
	}
	return []string{machine, "-ffp-contract=off", "-fno-unroll-loops", "-fno-addrsig", "-fPIC"}, []string{"-mcpu=native", "-fp-contract=off", "-relocation-model=pic"}
}

// compileDriver compiles dir/driver.c to an executable in dir. Each tool performs a single
// step, so that it runs in one process that can be ended reliably.
func (t *toolchain) compileDriver(dir string, w watch) (path string, err error) {
	path = filepath.Join(dir, "driver")
	object, compiler := filepath.Join(dir, "driver.o"), cmp.Or(t.clang, t.cc)
	if err := w.run(compiler, "-c", "-O1", "-fPIE", "-pthread", "-o", object, filepath.Join(dir, "driver.c")); err != nil {
		return "", err
	}
	link := []string{object, "-o", path, "-pthread", "-rdynamic"}
	if runtime.GOOS == "linux" {
		// Addresses are random, and tables of functions cannot be written. Kernels may need
		// functions of the mathematical library that the driver does not need.
		link = append(link, "-pie", "-Wl,-z,relro,-z,now", "-Wl,--no-as-needed")
	}
	return path, w.run(compiler, append(link, "-lm", "-ldl")...)
}

// build compiles dir/kernels.ll at the optimization level of o to a shared object in dir,
// which the driver loads.
func (t *toolchain) build(dir string, o Options, w watch) (path string, err error) {
	kernels, object := filepath.Join(dir, "kernels.ll"), filepath.Join(dir, "kernels.o")
	err = ErrNoLLVM
	if library := findLibrary(cmp.Or(t.clang, t.llc)); library != "" {
		err = t.compileByLibrary(library, kernels, object, o, w)
	}
	if err != nil && !w.over(err) {
		err = t.compile(dir, kernels, object, o.Level, w)
	}
	if err != nil {
		return "", err
	}
	return t.link(dir, object, w)
}

// compile compiles the LLVM IR in the file kernels to an object file, at the given
// optimization level, by the tools of LLVM. Intermediate files are in dir.
func (t *toolchain) compile(dir, kernels, object, level string, w watch) error {
	forClang, forLLC := native()
	if t.clang != "" {
		args := append([]string{"-c", "-O" + level, "-Wno-override-module", "-o", object, kernels}, forClang...)
		return w.run(t.clang, args...)
	}
	better := filepath.Join(dir, "better.bc")
	if err := w.run(t.opt, "-O"+level, "-disable-loop-unrolling", "-mcpu=native", "-o", better, kernels); err != nil {
		return err
	}
	return w.run(t.llc, append(forLLC, "-O"+level, "-filetype=obj", "-o", object, better)...)
}

// link makes a shared object in dir from an object file. The shared object depends on
// symbols of the driver and of the C library, which are found when the driver loads it. A
// function of the program hides a function of the C library with the same name.
func (t *toolchain) link(dir, object string, w watch) (path string, err error) {
	path = filepath.Join(dir, "kernels.so")
	if t.ld != "" {
		err := w.run(t.ld, "-shared", "-z", "relro", "-z", "now", "-z", "noexecstack", "-Bsymbolic", "-o", path, object)
		if err == nil || w.over(err) {
			return path, err
		}
	}
	args := []string{"-shared", "-o", path, object}
	switch runtime.GOOS {
	case "darwin":
		args = append(args, "-Wl,-undefined,dynamic_lookup")
	case "linux":
		args = append(args, "-Wl,-Bsymbolic")
	}
	return path, w.run(cmp.Or(t.cc, t.clang), args...)
}
