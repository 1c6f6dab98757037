// This file runs small kernels.

package quick

import (
	"bytes"
	"io"
	"os"

	"ptogo/internal/data"
	"ptogo/internal/notes"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"

	// Register the instructions of small kernels, not all dialects: vector instructions
	// and VMI are left out. A program with another instruction has an error here, so
	// pto-run executes it.
	_ "ptogo/dialect/arith"
	_ "ptogo/dialect/builtin"
	_ "ptogo/dialect/cf"
	_ "ptogo/dialect/fn"
	_ "ptogo/dialect/math"
	_ "ptogo/dialect/memref"
	_ "ptogo/dialect/pto/isa/base"
	_ "ptogo/dialect/pto/isa/cube"
	_ "ptogo/dialect/pto/isa/dma"
	_ "ptogo/dialect/pto/isa/sync"
	_ "ptogo/dialect/pto/isa/tile"
	_ "ptogo/dialect/scf"
)

// The limits of a small launch. pto-run executes larger ones, because it can watch the
// memory and the time of its process.
const (
	// mostText is the maximum size of the program in bytes.
	mostText = 1 << 20
	// mostData is the maximum size of all arguments in bytes.
	mostData = 16 << 20
	// mostSteps is the maximum number of operations that the kernel executes. The kernel
	// runs with checkers, which follow this many operations in less than a second. Like
	// pto-run, Run checks all kernels of this size.
	mostSteps = 20_000
	// mostOutput is the maximum number of bytes that the kernel prints.
	mostOutput = 64 << 10
)

// Run executes the command line words of pto-run and writes the results to out. It
// returns false without any output if pto-run must execute the command line instead. The
// kernel has then changed no file.
func Run(words []string, out io.Writer) bool {
	c, ok := parse(words)
	if !ok {
		return false
	}
	text, ok := readText(c.path)
	if !ok {
		return false
	}
	prog, err := kernel.Load(&ir.Source{Name: c.path, Text: text}, kernel.Options{Kernel: c.kernel, Arguments: len(c.args)})
	if err != nil || len(prog.Warnings) > 0 || notes.Synchronizes(prog.Kernels) {
		return false
	}
	args, ok := arguments(c.args, prog.Params())
	if !ok || len(notes.Arrays(prog, args)) > 0 || len(notes.UnusedTiles(prog)) > 0 {
		return false
	}
	var b bytes.Buffer
	if !launch(prog, args, &b) {
		return false
	}
	for i, a := range args {
		if c.print && a.Array != nil {
			a.Array.Print(&b, data.ParamName(prog.Params(), i))
		}
	}
	out.Write(b.Bytes())
	return true
}

// readText returns the text of a file. It returns false if the file is not a small
// regular file, or if pto-run would skip its first bytes (a byte order mark).
func readText(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostText {
		return "", false
	}
	text, err := os.ReadFile(path)
	return string(text), err == nil && !bytes.HasPrefix(text, []byte("\ufeff"))
}

// arguments creates the arguments of a launch. It returns false if an argument is wrong,
// large, or a file that the launch writes.
func arguments(specs []string, params []kernel.Param) (args []*data.Arg, ok bool) {
	if len(specs) != len(params) {
		return nil, false
	}
	size, at := int64(0), data.Place{Ranks: 1, Read: os.ReadFile}
	for i, spec := range specs {
		size += data.Bytes(at.OfRank(spec), fileSize)
		if size > mostData {
			return nil, false
		}
		a, err := data.Parse(spec, params[i], at)
		if err != nil || a.PerBlock || a.Target != "" {
			return nil, false
		}
		args = append(args, a)
	}
	return args, true
}

// fileSize returns the size of a regular file. For other files it returns a size that is
// too large, because a pipe has no known size and can be read only once.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return mostData + 1
	}
	return info.Size()
}

// launch runs the kernels with the checkers that pto-run applies to small kernels without
// an option. It returns false after a fault, a warning, or a report.
func launch(prog *kernel.Program, args []*data.Arg, out io.Writer) bool {
	checker, err := check.New(check.Options{Kinds: []check.Kind{check.Init, check.Mem}})
	if err != nil {
		return false
	}
	warned := false
	plan, err := prog.Plan(runtime.Options{
		MaxSteps: mostSteps, MaxOutput: mostOutput, Out: out,
		Warn: func(*runtime.Fault) { warned = true }, Listeners: []runtime.Listener{checker},
	})
	if err != nil {
		return false
	}
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	if plan.Run(values...) != nil || warned {
		return false
	}
	for _, r := range checker.Reports() {
		if r.Severity != ir.Remark {
			return false
		}
	}
	return true
}
