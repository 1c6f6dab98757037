package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/lower"
	"ptogo/passes"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

var registry = passes.NewRegistry(
	passes.Table{Passes: lower.List},
	passes.Table{Passes: passes.List, Order: passes.Rules},
)

// way is a sequence of compiler passes with which a program is executed. All ways must
// produce the same bits; the first one provides the expected results.
type way struct {
	name     string
	pipeline string
	// again states that the text after the pipeline is parsed once more.
	again bool
	// other states that tiles are then declared in another syntax.
	other bool
	then  string
	// spoil inserts an error into the program, so that a test can check that the error is
	// found.
	spoil func(*ir.Op)
}

var ways = []way{
	{name: "level 1", pipeline: "builtin.module(pto-bufferize)"},
	{name: "level 2", pipeline: "builtin.module(pto-bufferize)", again: true},
	{name: "planned", pipeline: "builtin.module(pto-bufferize,pto-plan-memory)"},
	{name: "planned in place", pipeline: "builtin.module(pto-bufferize{reuse=true},pto-plan-memory{in-place=true order-by-size=true})"},
	{name: "optimized", pipeline: "builtin.module(canonicalize,cse,pto-bufferize,func.func(pto-tdivs-to-recip,canonicalize,cse))"},
	{name: "other tiles, planned", pipeline: "builtin.module(pto-bufferize)", again: true, other: true, then: "builtin.module(pto-plan-memory)"},
	{name: "planned, other tiles", pipeline: "builtin.module(pto-bufferize,pto-plan-memory)", again: true, other: true},
}

// compiled names one of the executions whose results the test compares: it runs the
// programs as code that LLVM has compiled.
const compiled = "LLVM"

// course selects how a batch of programs is executed. A batch is executed several times,
// with different pass pipelines, and all executions must have the same results. The first
// two pipelines are the same for all batches, and the course selects the third one. LLVM
// compiles the batch as well; the course selects which of the pipelines provides the
// program for LLVM.
type course struct {
	// third is the index of the third way, a pass pipeline, in the list ways.
	third int
	// own, if not nil, is a pass pipeline that replaces the third one.
	own *way
	// source is the index, among the pass pipelines of the batch, of the one whose output
	// LLVM compiles.
	source int
	level  string
}

// newCourse chooses at random, from seed, how a batch of programs is executed. LLVM
// compiles most batches without optimization to save time: its optimization levels 0 to 3
// need time in the ratio of about 1, 9, 50 and 60.
func newCourse(seed uint64) course {
	r := rand.New(rand.NewPCG(seed, 2))
	c := course{third: 2 + r.IntN(len(ways)-2), source: 2 * r.IntN(2), level: "0"}
	switch n := r.IntN(80); {
	case n == 0:
		c.level = "3"
	case n == 1:
		c.level = "2"
	case n < 6:
		c.level = "1"
	}
	return c
}

// ways returns the three pass pipelines with which a batch of test programs is executed.
// The first two pipelines are the same for all batches. The third one is the pipeline in
// the field own or, if this field is nil, the pipeline with the index in the field third.
func (c course) ways() []way {
	if c.own != nil {
		return append(ways[:2:2], *c.own)
	}
	return append(ways[:2:2], ways[c.third])
}

// batch is a list of random programs that are lowered, executed and compiled together.
type batch struct {
	*rules
	course
	progs   []*program
	kernels []*kernel
	// want holds the contents of the buffers of each program after the first way (pass
	// pipeline). All other ways must have the same results. An entry is nil if the
	// program ended with a fault.
	want [][][]byte
	// vague marks the elements of the buffers, by program and parameter, that depend on
	// local memory that was never written. These elements are not compared.
	vague [][][]bool
}

// difference describes the first element in which two executions of a program have
// different results. The test executes each program in several ways, for example with
// different pass pipelines or engines, and compares each way with the first one. The
// field way is the name of the way that differs. The other fields are the index of the
// program, of its parameter, and of the element in the parameter, and a text for
// messages. If an execution faulted, there is no element to name, and the field param is
// negative.
type difference struct {
	prog, param, element int
	way                  string
	text                 string
}

func newBatch(r *rules, progs []*program, c course) *batch {
	b := &batch{rules: r, course: c, progs: progs}
	for _, p := range progs {
		b.kernels = append(b.kernels, p.kernel())
	}
	return b
}

func (b *batch) text() string {
	var fns []string
	for _, k := range b.kernels {
		fns = append(fns, k.text)
	}
	return inModule(b.profile, fns...)
}

// lowered returns the module of the batch after running the pass pipeline of w, or the
// reason why the pipeline failed.
func (b *batch) lowered(w way) (*ir.Op, string) { return w.lower(b.text()) }

// lower parses a module and runs the pass pipeline of w. It returns the module, or the
// reason why parsing or a pass failed.
func (w way) lower(text string) (*ir.Op, string) {
	var diags ir.Diags
	m := read(text, &diags)
	if m == nil || !through(m, w.pipeline, &diags) {
		return nil, reason(&diags)
	}
	if w.spoil != nil {
		w.spoil(m)
	}
	if !w.again {
		return m, ""
	}
	var printed strings.Builder
	ir.Print(&printed, m, ir.PrintOptions{})
	text = printed.String()
	if w.other {
		text = otherTiles(text)
	}
	if m = read(text, &diags); m == nil {
		return nil, "is not read again: " + reason(&diags)
	}
	if w.then != "" && !through(m, w.then, &diags) {
		return nil, reason(&diags)
	}
	return m, ""
}

// through runs a pass pipeline on the module m, and reports whether it succeeded.
func through(m *ir.Op, pipeline string, diags *ir.Diags) bool {
	p := passes.ParsePipeline(registry, pipeline, diags)
	return p != nil && p.Run(m, passes.RunOptions{Diags: diags, VerifyEach: true, Clock: clock})
}

// clock returns the timing model of the target t, with which passes predict durations.
func clock(t ir.Target) passes.Clock { return timing.NewStatic(t) }

func read(text string, diags *ir.Diags) *ir.Op {
	m, _ := ir.Parse(&ir.Source{Name: "programs", Text: text}, ir.ParseOptions{}, diags)
	if m == nil || diags.HasErrors() || !ir.Verify(m, ir.VerifyOptions{}, diags) {
		return nil
	}
	return m
}

// split returns a copy of the batch without the programs that the pass pipeline of w
// rejects. The second result holds the reason of each rejection.
func (b *batch) split(w way) (*batch, []string) {
	if _, why := b.lowered(w); why == "" {
		return b, nil
	}
	if len(b.progs) == 1 {
		_, why := b.lowered(w)
		return b.part(0, 0), []string{why}
	}
	half := len(b.progs) / 2
	x, whyX := b.part(0, half).split(w)
	y, whyY := b.part(half, len(b.progs)).split(w)
	return &batch{rules: b.rules, course: b.course, progs: append(x.progs, y.progs...), kernels: append(x.kernels, y.kernels...)}, append(whyX, whyY...)
}

// part returns a batch that contains the programs from:to of b, as in a slice expression.
func (b *batch) part(from, to int) *batch {
	return &batch{rules: b.rules, course: b.course, progs: b.progs[from:to:to], kernels: b.kernels[from:to:to]}
}

// buffers returns copies of the initial contents of the kernel's buffers.
func (k *kernel) buffers() [][]byte {
	var bufs [][]byte
	for _, p := range k.params {
		bufs = append(bufs, bytes.Clone(p.data))
	}
	return bufs
}

// execute runs the kernels of the module m on the Go runtime. Every byte of local memory
// initially has the value fill. The slice reports, for each kernel, whether it is not to
// be run; if it is nil, all kernels run. The results are the buffers of each kernel,
// which are nil after a fault, and the messages of the faults.
func (b *batch) execute(m *ir.Op, fill byte, skip []bool) (out [][][]byte, faults []string) {
	faults = make([]string, len(b.kernels))
	for i, f := range runtime.Kernels(m) {
		if skip != nil && skip[i] {
			out = append(out, nil)
			continue
		}
		var diags ir.Diags
		prog := runtime.Plan(m, []*ir.Op{f}, runtime.Options{Blocks: 1, MaxSteps: 1 << 20, ScratchFill: fill}, &diags)
		if prog == nil {
			faults[i] = "is not planned: " + reason(&diags)
			out = append(out, nil)
			continue
		}
		bufs := b.kernels[i].buffers()
		var args []runtime.Arg
		for n, p := range b.kernels[i].params {
			if p.data == nil {
				args = append(args, runtime.Arg{Bits: p.bits})
			} else {
				args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: bufs[n]}})
			}
		}
		if f := prog.Run(args); f != nil {
			faults[i], bufs = f.Error(), nil
		}
		out = append(out, bufs)
	}
	return out, faults
}

// run is the result of executing a batch in one way (a pass pipeline or an engine): the
// buffers of each program. A program with a fault has no buffers but a message.
type run struct {
	way    string
	out    [][][]byte
	faults []string
}

// fills are byte values with which local memory is initialized in test runs. Another run
// uses the value 0. An element whose bytes all have one of these values is a NaN, a large
// number or a small number.
var fills = []byte{0xFF, 0x5A, 0x01, 0x80, 0x3C, 0xC3}

// executeAll runs the modules that the pass pipelines produced on the Go runtime. Before
// each run, it fills local memory with one byte value: 0 for the first module, and other
// values for the other modules. A program that reads uninitialized memory then has
// different results. The outputs of the first module are stored in b.want, and its faults
// are the result faults. The result runs contains the outputs and faults of the other
// modules.
func (b *batch) executeAll(modules []*ir.Op) (runs []run, faults []string) {
	b.want, faults = b.execute(modules[0], 0, nil)
	for i, w := range b.ways()[1:] {
		out, why := b.execute(modules[1+i], fills[i%len(fills)], nil)
		runs = append(runs, run{w.name, out, why})
	}
	return runs, faults
}

// doubt looks for results that depend on local memory that was never written. It repeats
// those programs whose results differ between the given runs. The repeated runs execute
// the given module with several initial contents of local memory. Elements that change
// depend on the initial contents, and doubt records them in b.vague.
func (b *batch) doubt(first *ir.Op, runs []run) {
	b.vague = make([][][]bool, len(b.progs))
	settled := slices.Repeat([]bool{true}, len(b.progs))
	for _, d := range b.compare(runs) {
		settled[d.prog] = false
	}
	if !slices.Contains(settled, false) {
		return
	}
	for _, fill := range fills {
		out, _ := b.execute(first, fill, settled)
		for i := range b.progs {
			if !settled[i] {
				b.blur(i, out[i])
			}
		}
	}
}

// blur marks the elements of program i that depend on uninitialized memory. A second run
// of the program starts with other contents of local memory, and got contains the buffers
// after this run. An element depends on uninitialized memory if it differs between the
// second run and the expected result. If got is nil, the second run ended with a fault,
// and blur marks all elements.
func (b *batch) blur(i int, got [][]byte) {
	if b.vague[i] == nil {
		b.vague[i] = make([][]bool, len(b.kernels[i].params))
	}
	for n, p := range b.kernels[i].params {
		if p.data == nil {
			continue
		}
		_, size := layoutOf(p.elem)
		for at := range len(p.data) / size {
			if got == nil || unlike(p.elem, got[n][at*size:][:size], b.want[i][n][at*size:][:size], nil) >= 0 {
				if b.vague[i][n] == nil {
					b.vague[i][n] = make([]bool, len(p.data)/size)
				}
				b.vague[i][n][at] = true
			}
		}
	}
}

// isVague returns which elements of a result buffer are undefined, because they depend on
// local memory that was never written. The arguments are the index of a program in the
// batch, and the index of the parameter of this program that is the result buffer.
// isVague returns one bool for each element of the buffer, or nil if all elements are
// defined.
func (b *batch) isVague(i, n int) []bool {
	if b.vague == nil || b.vague[i] == nil {
		return nil
	}
	return b.vague[i][n]
}

// astray searches program i for a result that depends on local memory that was never
// written. It returns the number of the first parameter whose buffer has such a result,
// or -1. It ignores buffers in which the program stores a tile that is known to be
// written only in part.
func (b *batch) astray(i int) int {
	if b.want[i] == nil {
		return -1
	}
	for n, p := range b.kernels[i].params {
		if b.isVague(i, n) != nil && !b.progs[i].looseAt(p.step) {
			return n
		}
	}
	return -1
}

// compare compares the outputs of each run with the expected outputs of the batch. A run
// is the execution of all programs of the batch by one pass pipeline and engine. For each
// run and each program, the result contains the first output that differs, or the fault
// of the program.
func (b *batch) compare(runs []run) (ds []difference) {
	for _, r := range runs {
		for i, want := range b.want {
			switch {
			case want == nil:
			case r.out[i] == nil:
				if r.faults[i] != "" {
					ds = append(ds, difference{prog: i, way: r.way, param: -1, text: r.faults[i]})
				}
			default:
				if d := b.first(i, r.out[i], r.way); d != nil {
					ds = append(ds, *d)
				}
			}
		}
	}
	return ds
}

// first compares the buffers of program i after an execution with the expected results.
// got contains these buffers. It returns the first difference, in the order of the steps
// that store the buffers, or nil. name is the name of the pass pipeline or engine of the
// execution, for the message.
func (b *batch) first(i int, got [][]byte, name string) (found *difference) {
	k := b.kernels[i]
	for n, p := range k.params {
		if p.data == nil || found != nil && k.params[found.param].step < p.step {
			continue
		}
		if at := unlike(p.elem, got[n], b.want[i][n], b.isVague(i, n)); at >= 0 {
			f, size := layoutOf(p.elem)
			text := fmt.Sprintf("%s: %s, element %d is %#x, not %#x", name, p.decl, at, num.Load(f, got[n][at*size:]), num.Load(f, b.want[i][n][at*size:]))
			found = &difference{prog: i, way: name, param: n, element: at, text: text}
		}
	}
	return found
}

// looseAt reports whether the step with the given index stores a tile that may contain
// elements which no instruction has written. The contents of such elements are undefined.
func (p *program) looseAt(step int) bool {
	s := &p.steps[step]
	return s.src == nil && p.vals[s.in[0]].loose
}

// layoutOf returns the number format and the size in bytes of the elements in which the
// test prints a buffer of type t. If the elements have no number format, it returns the
// format of single bytes.
func layoutOf(t ir.Type) (num.Format, int) {
	f, ok := elementFormat(t)
	if !ok {
		return num.U8, 1
	}
	return f, f.Bytes()
}

// unlike compares the buffers got and want, which contain elements of type elem. It
// returns the index of the first element in which they differ, or -1 if they do not
// differ. Element i is ignored if vague[i] is true, and all NaNs of f32 count as equal.
func unlike(elem ir.Type, got, want []byte, vague []bool) int {
	if bytes.Equal(got, want) {
		return -1
	}
	f, size := layoutOf(elem)
	for i := 0; i+size <= len(want); i += size {
		g, w := num.Load(f, got[i:]), num.Load(f, want[i:])
		if !alike(f, g, w) && (vague == nil || !vague[i/size]) {
			return i / size
		}
	}
	return -1
}

// compile compiles those kernels of module m with LLVM that LLVM IR can represent. These
// are the kernels whose index i has able[i] set, as the caller has determined. compile
// returns the compiled program and a function that releases it.
func (b *batch) compile(m *ir.Op, able []bool) (*jit.Program, func(), error) {
	var kernels []*ir.Op
	for i, f := range runtime.Kernels(m) {
		if able[i] {
			kernels = append(kernels, f)
		}
	}
	var diags ir.Diags
	how := jit.Options{Level: b.level, Cache: llvmtest.Cache(), Limit: 10 * time.Minute}
	prog, err := jit.Compile(m, kernels, llvm.Options{}, how, &diags)
	if err == nil && prog == nil {
		err = fmt.Errorf("cannot be written as LLVM IR: %s", reason(&diags))
	}
	if err != nil {
		return nil, nil, err
	}
	return prog, prog.Close, nil
}

// launch runs kernels of a compiled program and returns their results. It runs kernel i
// only if able[i] is true, because a kernel that faults would end the process.
func (b *batch) launch(prog *jit.Program, able []bool) run {
	out, faults := make([][][]byte, len(b.kernels)), make([]string, len(b.kernels))
	for i, k := range b.kernels {
		if !able[i] || b.want[i] == nil {
			continue // what faults would end the process
		}
		bufs := k.buffers()
		var args []any
		for n, p := range k.params {
			if p.data == nil {
				args = append(args, p.bits)
			} else {
				args = append(args, bufs[n])
			}
		}
		if _, err := prog.Run(jit.Launch{Kernel: b.progs[i].name, Blocks: 1, Args: args}); err != nil {
			faults[i], bufs = err.Error(), nil
		}
		out[i] = bufs
	}
	return run{compiled, out, faults}
}
