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

// variable names the checkout of pto-isa.
const variable = "PTO_ISA"

// sanitize, if it is set, lets the compiler add checks of addresses and of undefined
// behaviour. A program that fails one ends with a message.
const sanitize = "PTO_SANITIZE"

// errNone says that there is nothing to compare with.
var errNone = errors.New("no simulator: set " + variable + " to a checkout of pto-isa, and install clang++ 19")

// host is the program around kernels, and what the simulator's headers need of
// a C++ library that clang 19 may not find.
//
//go:embed host
var host embed.FS

// Toolchain compiles kernels for the simulator.
type Toolchain struct {
	clang   string
	include []string
	dir     string
}

// NewToolchain looks for a simulator and puts its files into a folder. It
// returns ErrNone if there is none.
func NewToolchain(dir string) (*Toolchain, error) {
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
		return nil, fmt.Errorf("%s names no checkout of pto-isa: %w", variable, err)
	}
	files, err := fs.Sub(host, "host")
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, "host"), files)
	}
	if err != nil {
		return nil, err
	}
	own := filepath.Join(dir, "host")
	c := &Toolchain{clang, []string{own, filepath.Join(own, "include"), filepath.Join(root, "include")}, dir}
	if messages, err := c.clangRun("-x", "c++-header", filepath.Join(own, "before.hpp"), "-o", c.headers()); err != nil {
		return nil, fmt.Errorf("the headers do not compile: %w\n%.3000s", err, messages)
	}
	return c, nil
}

// headers are the headers, compiled: they take as long as some forty kernels.
func (c *Toolchain) headers() string { return filepath.Join(c.dir, "before.pch") }

// flags are those with which the simulator gives the same bits everywhere: no
// optimization, which would reorder sums, no contraction, one thread.
var flags = []string{
	"-std=c++23", "-D__STDCPP_BFLOAT16_T__=1", "-O0", "-ffp-contract=off", "-DNDEBUG", "-DPTO_CPU_MAX_THREADS=1",
	"-D__CPU_SIM", "-D__DAV_VEC__", "-D__DAV_CUBE__", "-w", "-ferror-limit=0", "-ftemplate-backtrace-limit=0",
}

// compileLimit and runLimit are for what hangs.
const (
	compileLimit = 10 * time.Minute
	runLimit     = time.Minute
)

// compile makes a program of a translation unit. If that fails, messages says
// why.
func (c *Toolchain) compile(source, program string) (messages string, err error) {
	return c.clangRun("-include-pch", c.headers(), source, "-o", program, "-rdynamic", "-lpthread", "-ldl")
}

// CheckText compiles C++ with the headers, without code, and returns the messages if the
// compiler refuses it.
func (c *Toolchain) CheckText(text string) (messages string, err error) {
	file := filepath.Join(c.dir, "text.cpp")
	if err := os.WriteFile(file, []byte("#include \"before.hpp\"\n"+text), 0o666); err != nil {
		return "", err
	}
	return c.clangRun("-include-pch", c.headers(), "-fsyntax-only", file)
}

// clangRun calls the compiler.
func (c *Toolchain) clangRun(more ...string) (messages string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
	defer cancel()
	args := slices.Clone(flags)
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
