// This file compiles C++ to LLVM IR.

package cpp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/internal/pattern"
	"ptogo/internal/temporary"
	"ptogo/ir"
)

// CompilerVariable is the environment variable that names the C++ compiler.
const CompilerVariable = "PTO_CPP_COMPILER"

// ErrNoClang is returned if the machine has no clang that can compile kernels.
var ErrNoClang = errors.New("no compiler for C++ kernels was found: they need clang++ and opt of LLVM 17 to 20: install the packages clang-19 and llvm-19, or name the compiler with --cpp-compiler or " + CompilerVariable)

// compilerVersions are the suffixes under which clang++ is searched, in the order of
// preference.
var compilerVersions = []string{"-19", "-20", "-18", "-17", ""}

// tools are the programs that compile C++.
type tools struct{ clang, opt string }

// findTools returns clang and the opt of the same installation. named is the compiler
// that the user chose, or "".
func findTools(named string) (tools, error) {
	if named == "" {
		named = os.Getenv(CompilerVariable)
	}
	if named != "" {
		clang, err := exec.LookPath(named)
		if err != nil {
			return tools{}, fmt.Errorf("the C++ compiler '%s' was not found; kernels need clang++ of LLVM 17 to 20", named)
		}
		if t, ok := withOpt(clang); ok {
			return t, nil
		}
		return tools{}, fmt.Errorf("the C++ compiler '%s' is not clang++ of LLVM 17 to 20 with the program opt beside it", named)
	}
	for _, v := range compilerVersions {
		if clang, err := exec.LookPath("clang++" + v); err == nil {
			if t, ok := withOpt(clang); ok {
				return t, nil
			}
		}
	}
	return tools{}, ErrNoClang
}

// findClang returns the path of the compiler without executing it, or "".
func findClang(named string) string {
	if named = cmp.Or(named, os.Getenv(CompilerVariable)); named != "" {
		path, _ := exec.LookPath(named)
		return path
	}
	for _, v := range compilerVersions {
		if path, err := exec.LookPath("clang++" + v); err == nil {
			return path
		}
	}
	return ""
}

// Available reports whether this machine can compile C++ kernels.
func Available() bool {
	_, err := findTools("")
	return err == nil
}

// withOpt returns the compiler with the opt of its installation. The second result is
// false if there is none, or if the compiler has another version.
func withOpt(clang string) (tools, bool) {
	sum := sha256.Sum256([]byte(stamp(clang)))
	key := "tools-" + hex.EncodeToString(sum[:])
	if _, opt, ok := cached(key); ok {
		return tools{clang, opt}, true
	}
	if t, ok := installed(clang); ok {
		return t, true
	}
	t, ok := askedForOpt(clang)
	if ok { // the entry depends on opt, which may be removed
		remember(key, "ptogo\n"+strings.Replace(stamp(t.opt), t.opt+" ", t.opt+"\t", 1), t.opt)
	}
	return t, ok
}

// installation matches the folder of the programs of one version of LLVM, as packages of
// distributions name it.
var installation = pattern.Of(`/llvm-(?:17|18|19|20)/bin$`)

// installed is withOpt for a compiler in the folder of an installation, whose name states
// the version. It executes nothing.
func installed(clang string) (tools, bool) {
	real, err := filepath.EvalSymlinks(clang)
	if err != nil || !installation().MatchString(filepath.ToSlash(filepath.Dir(real))) {
		return tools{}, false
	}
	opt := filepath.Join(filepath.Dir(real), "opt")
	if info, err := os.Stat(opt); err != nil || !info.Mode().IsRegular() {
		return tools{}, false
	}
	return tools{clang, opt}, true
}

// askedForOpt is withOpt without the cache: it executes the compiler.
func askedForOpt(clang string) (tools, bool) {
	version, err := output(clang, "-dumpversion")
	if err != nil {
		return tools{}, false
	}
	major, _, _ := strings.Cut(strings.TrimSpace(version), ".")
	switch major {
	case "17", "18", "19", "20":
	default:
		return tools{}, false
	}
	opt, err := output(clang, "-print-prog-name=opt")
	if opt = strings.TrimSpace(opt); err == nil && filepath.IsAbs(opt) {
		return tools{clang, opt}, true
	}
	if opt, err := exec.LookPath("opt-" + major); err == nil {
		return tools{clang, opt}, true
	}
	return tools{}, false
}

// output runs a program and returns its standard output.
func output(path string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, args...).Output()
	return string(out), err
}

// variant selects one of the ways in which a file is compiled.
type variant struct {
	// core is the type of core, VEC or CUBE, or "" for the code of both in one program.
	core string
	// loops removes break, continue and return from loops.
	loops bool
	// auto marks the declarations of tiles, so that they need no addresses.
	auto bool
}

// macros returns the options that define the macros of the vendor's compiler for a target
// and a type of core.
func macros(t ir.Target, core string) []string {
	d := []string{"-DPTO_NPU_ARCH_A2A3", "-D__CCE_AICORE__=220", "-D__NPU_ARCH__=2201", "-DMEMORY_BASE"}
	chip := "C220"
	if t == sem.A5 {
		d = []string{"-DPTO_NPU_ARCH_A5", "-D__CCE_AICORE__=310", "-D__NPU_ARCH__=3510", "-DMEMORY_BASE"}
		chip = "C310"
	}
	for _, c := range []string{"VEC", "CUBE"} {
		if core == "" || core == c {
			d = append(d, "-D__DAV_"+c+"__", "-D__DAV_"+chip+"_"+c+"__")
		}
	}
	return d
}

// pipeline are the passes of opt. They inline all functions and remove local variables,
// but keep the loops of the program: no pass unrolls, rotates or vectorizes. licm moves
// what does not change out of loops, so that bounds and steps are known before a loop.
const pipeline = "always-inline,globaldce,function(sroa,early-cse,simplifycfg<no-switch-to-lookup;no-sink-common-insts;no-hoist-common-insts>," +
	"instcombine<no-verify-fixpoint>,sroa,sccp,simplifycfg<no-switch-to-lookup;no-sink-common-insts;no-hoist-common-insts>," +
	"instcombine<no-verify-fixpoint>,adce,mergereturn,lower-switch,simplifycfg<no-switch-to-lookup;no-sink-common-insts;no-hoist-common-insts>,lower-switch,loop-simplify,loop-mssa(licm)),globaldce"

// structured are further passes for functions with break, continue or return in loops.
// They express these by conditions.
const structured = ",function(lower-switch,fix-irreducible,unify-loop-exits,structurizecfg,instcombine<no-verify-fixpoint>,adce,loop-simplify)"

// compileError is an error that clang or opt reported.
type compileError struct{ text string }

func (e *compileError) Error() string { return e.text }

// compile returns the LLVM IR of the C++ text, and the stamps of the files that it
// includes. It comes from the cache if the same text was compiled before and no file that
// it includes has changed.
func compile(src *ir.Source, o Options, way variant) (text, stamps string, err error) {
	t, err := findTools(o.Compiler)
	if err != nil {
		return "", "", err
	}
	dir, remove, err := temporary.Folder("", "ptogo-cpp-")
	if err != nil {
		return "", "", err
	}
	defer remove()
	include, err := keptHeader(dir)
	if err != nil {
		return "", "", err
	}
	file := filepath.Join(dir, "kernel.cpp")
	text = "#line 1 " + cppString(src.Name) + "\n" + rewriteLaunches(src.Text)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", "", err
	}
	base := append([]string{"-std=c++17", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-exceptions", "-fno-rtti", "-gline-tables-only", "-gcolumn-info", "-w",
		"-fno-discard-value-names", "-ffp-contract=off", "-fno-delete-null-pointer-checks", "-fno-color-diagnostics", "-ferror-limit=20"}, macros(o.Target, way.core)...)
	if way.auto {
		base = append(base, "-DPTOGO_AUTO")
	}
	args := append(slices.Clone(base), "-I"+include, "-I"+filepath.Dir(src.Name))
	for _, d := range o.Include {
		args = append(args, "-I"+d)
	}
	for _, d := range o.Define {
		args = append(args, "-D"+d)
	}
	passes := pipeline
	if way.loops {
		passes += structured
	}
	key := cacheKey(t, src, args, passes, include)
	if stamps, text, ok := cached(key); ok {
		return text, stamps, nil
	}
	raw, final, deps := filepath.Join(dir, "kernel.ll"), filepath.Join(dir, "final.ll"), filepath.Join(dir, "deps")
	args = append(args, "-MD", "-MF", deps, "-S", "-emit-llvm", file, "-o", raw)
	var more string
	if includesLibrary().MatchString(src.Text) { // the names of the vendor's compiler precede all macros of the file
		options := []string{"-include", "pto/pto-inst.hpp"}
		if len(o.Define) == 0 {
			if ready, stamps := precompiled(t, base); ready != nil {
				options, more = ready, stamps
			}
		}
		args = append(options, args...)
	}
	if err := runRewriting(t.clang, dir, args); err != nil {
		return "", "", err
	}
	if err := inlineAll(raw); err != nil {
		return "", "", err
	}
	if hasStatics(raw) {
		if err := run(t.opt, "-passes=always-inline,globaldce", "-S", raw, "-o", raw); err != nil {
			return "", "", err
		}
		if err := localStatics(raw); err != nil {
			return "", "", err
		}
	}
	if err := run(t.opt, "-passes="+passes, "-S", raw, "-o", final); err != nil {
		return "", "", err
	}
	out, err := os.ReadFile(final)
	if err == nil {
		if stamps = includedStamps(deps, dir, filepath.Dir(include)); stamps != "" && more != "" {
			stamps += strings.TrimPrefix(more, "ptogo")
		}
		remember(key, stamps, string(out))
	}
	return string(out), stamps, err
}

// inlineAll marks all functions in a file of LLVM IR for inlining, except kernels, which
// the header declares noinline: functions of the host keep their calls of kernels.
func inlineAll(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text = attributeGroup().ReplaceAllFunc(text, func(line []byte) []byte {
		if bytes.Contains(line, []byte("noinline ")) || bytes.Contains(line, []byte("alwaysinline ")) {
			return line
		}
		return bytes.Replace(line, []byte("= { "), []byte("= { alwaysinline "), 1)
	})
	return os.WriteFile(path, text, 0o600)
}

var attributeGroup = pattern.Of(`(?m)^attributes #\d+ = \{ .*$`)

// cppString returns s as a C++ string literal.
func cppString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s) + `"`
}
