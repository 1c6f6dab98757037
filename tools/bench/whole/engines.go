package main

import (
	"bytes"
	"time"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// load parses, verifies and lowers the kernel, and returns the program. The result
// parsing is the time for parsing the text. The result checking is the time for
// verification and lowering.
func (in *input) load() (p *kernel.Program, parsing, checking time.Duration, err error) {
	var diags ir.Diags
	start := time.Now()
	m := kernel.Parse(&ir.Source{Name: in.name, Text: in.text}, ir.ParseOptions{}, &diags)
	if m == nil {
		return nil, 0, 0, diags.Err()
	}
	parsed := time.Now()
	p, err = kernel.Build(m, kernel.Options{Arch: in.arch, Kernel: in.kernel, Arguments: len(in.args)})
	return p, parsed.Sub(start), time.Since(parsed), err
}

// buffers returns copies of the arguments, because a launch changes them.
func (in *input) buffers() [][]byte {
	all := make([][]byte, len(in.args))
	for i, a := range in.args {
		all[i] = bytes.Clone(a)
	}
	return all
}

// arguments returns the kernel arguments in the form that the Go engine accepts, with a
// copy of the contents of each buffer.
func (in *input) arguments() []any {
	var all []any
	for _, b := range in.buffers() {
		all = append(all, runtime.Arg{Buf: &runtime.Buffer{Data: b}})
	}
	return all
}

// count executes the kernel of the input once on the Go engine, with the arguments of the
// input. It returns the number of executed instructions.
func count(in *input) (int, error) {
	p, _, _, err := in.load()
	if err != nil {
		return 0, err
	}
	var c counter
	plan, err := p.Plan(runtime.Options{Listeners: []runtime.Listener{&c}})
	if err != nil {
		return 0, err
	}
	err = plan.Run(in.arguments()...)
	return c.n, err
}

func onGo(p *kernel.Program, in *input) (planning, running time.Duration, err error) {
	start := time.Now()
	plan, err := p.Plan(runtime.Options{})
	if err != nil {
		return 0, 0, err
	}
	planned := time.Now()
	if !in.runs {
		return planned.Sub(start), 0, nil
	}
	args := in.arguments()
	started := time.Now()
	err = plan.Run(args...)
	return planned.Sub(start), time.Since(started), err
}

// onLLVM compiles the kernel, or loads it from the cache, and runs it twice. It returns
// the time for compiling and the time of the second launch, because the first one
// includes starting the program.
func onLLVM(p *kernel.Program, in *input) (compiling, running time.Duration, err error) {
	var diags ir.Diags
	compile := jit.Compile
	if len(p.Kernels) > 1 {
		compile = jit.CompileTogether
	}
	start := time.Now()
	code, err := compile(p.Module, p.Kernels, llvm.Options{Target: p.Target}, in.compile, &diags)
	compiling = time.Since(start)
	switch {
	case err != nil:
		return 0, 0, err
	case code == nil:
		return 0, 0, diags.Err()
	}
	defer code.Close()
	if !in.runs {
		return compiling, 0, nil
	}
	for range 2 {
		l := jit.Launch{Kernel: p.Name(), Blocks: 1}
		for _, b := range in.buffers() {
			l.Args = append(l.Args, b)
		}
		if running, err = code.Run(l); err != nil {
			return 0, 0, err
		}
	}
	return compiling, running, nil
}
