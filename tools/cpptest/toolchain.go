package cpptest

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// variable is the environment variable that names the checkout of pto-isa.
const variable = "PTO_ISA"

// sanitize is an environment variable. If it is set, the compiler adds checks for invalid
// addresses and undefined behaviour; a failed check ends the program with a message.
const sanitize = "PTO_SANITIZE"

// errNone reports that no simulator or no compiler is available.
var errNone = errors.New("no simulator: set " + variable + " to a checkout of pto-isa, and install clang++ 19")

// host contains the main program for the kernels, and the parts of a C++ library that the
// simulator's headers need and clang 19 may lack.
//
//go:embed host
var host embed.FS

// shared contains the parts of a main program that do not depend on the host.
//
//go:embed shared
var shared embed.FS

// Host is the C++ that surrounds kernels: a header before them (before.hpp), a main
// program after them (after.hpp), and the compiler options for both.
type Host struct {
	Files fs.FS
	// Include are folders of Files that the compiler searches for headers.
	Include []string
	Flags   []string
	// More, unless it is nil, returns further compiler options for a program, given its C++.
	More func(cpp string) []string
	// Suspect, unless it is nil, reports whether the compiler may reject the program of a
	// case. If a program of a C++ file is rejected, the others are compiled again, so
	// suspects have files of their own.
	Suspect func(c *Case) bool
}

// Toolchain compiles and runs generated C++ kernels, for example on the CPU simulator.
type Toolchain struct {
	clang   string
	include []string
	dir     string
	host    Host
}

// NewToolchain locates the simulator and the compiler, and writes the files they need to
// the folder dir. It returns errNone if the simulator or the compiler is missing.
func NewToolchain(dir string) (*Toolchain, error) {
	files, err := fs.Sub(host, "host")
	if err != nil {
		return nil, err
	}
	return NewToolchainFor(dir, Host{Files: files, Include: []string{".", "include"}, Flags: flags})
}

// NewToolchainFor locates the checkout of pto-isa and the compiler, and writes the files
// of h to the folder dir. It returns an error for which Missing is true if the checkout or
// the compiler is missing.
func NewToolchainFor(dir string, h Host) (*Toolchain, error) {
	root := os.Getenv(variable)
	clang := ""
	for _, name := range []string{"clang++-19", "clang++-20", "clang++-21", "clang++"} {
		if path, err := exec.LookPath(name); err == nil && clang == "" {
			clang = path
		}
	}
	if root == "" || clang == "" {
		return nil, errNone
	}
	if _, err := os.Stat(filepath.Join(root, "include/pto/pto-inst.hpp")); err != nil {
		return nil, fmt.Errorf("the environment variable %s must name a checkout of pto-isa: %w", variable, err)
	}
	if err := os.CopyFS(filepath.Join(dir, "host"), h.Files); err != nil {
		return nil, err
	}
	own := filepath.Join(dir, "host")
	if err := os.CopyFS(own, shared); err != nil {
		return nil, err
	}
	c := &Toolchain{clang: clang, dir: dir, host: h}
	for _, folder := range h.Include {
		c.include = append(c.include, filepath.Join(own, folder))
	}
	c.include = append(c.include, filepath.Join(root, "include"))
	if messages, err := c.clangRun("-x", "c++-header", filepath.Join(own, "before.hpp"), "-o", c.headers()); err != nil {
		return nil, fmt.Errorf("the headers do not compile: %w\n%.3000s", err, messages)
	}
	return c, nil
}

// Missing reports whether err, an error of NewToolchain or NewToolchainFor, means that the
// checkout of pto-isa or the compiler is missing. Tests are then skipped.
func Missing(err error) bool { return err == errNone }

// headers returns the path of the precompiled headers. Tests precompile the headers once,
// because this lasts as long as compiling about forty kernels.
func (c *Toolchain) headers() string { return filepath.Join(c.dir, "before.pch") }

// flags are compiler options with which the simulator produces the same bits on every
// machine: no optimization, which would reorder sums, no contraction, and one thread.
var flags = []string{
	"-std=c++23", "-D__STDCPP_BFLOAT16_T__=1", "-O0", "-ffp-contract=off", "-DNDEBUG", "-DPTO_CPU_MAX_THREADS=1",
	"-D__CPU_SIM", "-D__DAV_VEC__", "-D__DAV_CUBE__", "-w", "-ferror-limit=0", "-ftemplate-backtrace-limit=0",
}

// compileLimit limits the time for compiling a test. Without a limit, an endless loop in
// the compiler would block the test suite. shared/process.hpp limits the time of kernels.
const compileLimit = 10 * time.Minute

// compile compiles a C++ file to an executable program. source is the path of the C++
// file, program is the path of the result, and more are further options. If the
// compilation fails, the result messages holds the compiler's messages.
func (c *Toolchain) compile(source, program string, more []string) (messages string, err error) {
	return c.clangRun(append([]string{"-include-pch", c.headers(), source, "-o", program, "-rdynamic", "-lpthread", "-ldl"}, more...)...)
}

// CheckText checks the syntax and types of C++ text for the CPU simulator of pto-isa,
// together with the precompiled headers of the simulator. It returns the compiler's
// messages if the text is not valid.
func (c *Toolchain) CheckText(text string) (messages string, err error) {
	file := filepath.Join(c.dir, "text.cpp")
	if err := os.WriteFile(file, []byte("#include \"before.hpp\"\n"+text), 0o666); err != nil {
		return "", err
	}
	return c.clangRun("-include-pch", c.headers(), "-fsyntax-only", file)
}

// clangRun runs the compiler with the usual flags, followed by the arguments in the slice
// more. It returns the messages of the compiler.
func (c *Toolchain) clangRun(more ...string) (messages string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
	defer cancel()
	args := slices.Clone(c.host.Flags)
	if os.Getenv(sanitize) != "" {
		args = append(args, "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
	}
	for _, dir := range c.include {
		args = append(args, "-I"+dir)
	}
	cmd := exec.CommandContext(ctx, c.clang, append(args, more...)...)
	var out bytes.Buffer
	cmd.Stderr = &out
	err = cmd.Run()
	return out.String(), err
}
