// This file implements pto-run --graph.

package run

import (
	"cmp"
	"fmt"
	"os"
	goruntime "runtime"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli/exit"
	"ptogo/internal/data"
	"ptogo/internal/serve"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/runtime/timing"
)

// graphMode launches the kernels that a file lists as a graph of tasks (--graph).
type graphMode struct{ file string }

func (m *graphMode) used() bool { return m.file != "" }

// start launches the graph within the memory limit, and returns the exit code.
func (m *graphMode) start(h *host) int {
	if files := h.flags.set.Args(); len(files) > 0 {
		return h.Usage("with --graph, only the graph file names kernel files: unexpected file %s", files[0])
	}
	return h.withMemory(func() int { return m.run(h) })
}

// run reads the task graph, runs its tasks, and returns the exit code.
func (m *graphMode) run(h *host) (code int) {
	if code := h.check(); code != exit.OK {
		return code
	}
	loaded := h.watchAlone()
	if option := h.flags.beside("--graph"); option != "" {
		return h.Usage("%s cannot be used together with --graph", option)
	}
	text, err := h.MaxMemory.Read(m.file)
	if err != nil {
		return h.Fail("%v", err)
	}
	g := &graph{launch: &launch{host: h}, numbers: map[taskID]int{}, places: map[string]place{}, texts: map[string]string{}, shapes: map[string]int64{}, plans: map[graphPlanKey]*graphPlan{}}
	g.src = &ir.Source{Name: m.file, Text: string(text)}
	if err := g.read(g.src); err != nil {
		return h.Fail("%s:%v", m.file, err)
	}
	stop := h.stopper()
	defer stop.End()
	o := h.runOptions(stop.Why)
	o.Blocks, o.Ranks, o.Workers, o.Warn, o.SkipArithmetic = 0, 0, 0, g.warn, h.flags.timing.skip
	if h.flags.check.used() || h.flags.report.used() {
		opts, _ := h.flags.check.options(false) // check has read them
		if !h.flags.check.used() {
			opts.Kinds = check.Usual
		}
		checker, _ := check.New(opts)
		g.checking = &checking{checker: checker}
		o.Warn = g.checking.warnings(o.Warn)
		o.Listeners, o.KeepAccesses = []runtime.Listener{checker}, true
	}
	recorder := &timing.GraphRecorder{}
	if h.flags.timing.used() || h.flags.report.used() {
		o.Listeners = append(o.Listeners, recorder)
	}
	defer g.processes.end()
	defer func() {
		if err := g.release(); err != nil && code == exit.OK {
			code = h.Fail("%s: %v", m.file, err)
		}
	}()
	if code := g.plan(m.file, o); code != exit.OK {
		return code
	}
	if slices.Contains(g.flags.timing.whatIf, "list") {
		return g.flags.timing.list(g.host, g.planOf(0).prog)
	}
	times := g.newGraphTiming(recorder)
	if code := g.compile(stop, times); code != exit.OK {
		return code
	}
	loaded()
	return g.execute(times)
}

// graph is a task graph, and the launch that runs it (--graph). A task is a kernel with
// arguments. It runs on one rank (simulated device) as soon as the tasks that write its
// inputs have ended.
type graph struct {
	*launch
	run runtime.Graph
	// buffers are the declarations of the buffers, the arrays that tasks access. Each
	// rank has its own copy of each buffer.
	buffers []graphLine
	// types are the element types of the buffers.
	types []ir.Type
	// parts are the declarations of parts of buffers, and partTypes their element types.
	parts     []graphLine
	partTypes []ir.Type
	// places has the memory of each buffer and of each part by its name.
	places map[string]place
	// tasks are the declarations of the tasks.
	tasks []graphTask
	// numbers are the numbers of tasks. It is nil after reading.
	numbers map[taskID]int
	// texts are the strings of the file, and shapes the sizes in bytes of its shapes.
	texts  map[string]string
	shapes map[string]int64
	// rings are the limits of the runtime that submits the tasks.
	rings ringLimits
	// shared are the files of other processes that contain buffers.
	shared serve.Files
	// done ends the use of these files.
	done []func() error
	// plans are the kernels that are prepared for execution.
	plans map[graphPlanKey]*graphPlan
	// processes are the kernels that LLVM has compiled and that run in processes.
	processes processes
}

// execute runs the tasks of the graph, predicts their time with times, and compares or writes
// the buffers. It returns the exit code.
func (g *graph) execute(times *graphTiming) int {
	if code := g.flags.expect.read(g.launch, "a buffer of the graph"); code != exit.OK {
		return code
	}
	if err := g.checkOutputs(); err != nil {
		return g.Fail("%v", err)
	}
	code := exit.OK
	g.checkRings(g.run.Warn)
	err := g.run.Run()
	if err != nil {
		code = g.fault(err)
	}
	if g.flags.check.used() {
		if err := g.checking.tell(g.launch, g.kernelNames(), graphOrders, graphNotTried, false); err != nil {
			return g.Fail("--check-json: %v", err)
		}
	}
	if code != exit.OK {
		return g.report(nil, err, code)
	}
	fmt.Fprintf(g.Err, "%s: graph: %s on %s, %s\n", g.Tool, ir.Count(len(g.tasks), "task"), ir.Count(g.run.Ranks, "rank"), ir.Count(len(g.plans), "kernel"))
	var s *timing.Schedule
	if times.on {
		if s, code = g.predict(times); code != exit.OK {
			return code
		}
	}
	return g.report(s, nil, g.verdict(g.finish()))
}

// What the checkers report about the order in which a graph ran, and about what it has not
// tried.
const graphOrders = "the order of the text"

var graphNotTried = []string{"other arguments"}

// graphPlanKey identifies tasks that can use the same plan (a kernel prepared for
// execution): they run the same kernel with the same numbers of blocks and arguments.
type graphPlanKey struct {
	file, kernel string
	blocks, args int
}

// graphPlan is a loaded program together with its plan, the form in which a kernel is
// prepared for execution.
type graphPlan struct {
	src  *ir.Source
	prog *kernel.Program
	plan *runtime.Program
	// compiled is the kernel as LLVM has compiled it, or nil. tried means that compile was
	// called for it.
	compiled *compiledKernel
	tried    bool
}

// kernelNames returns the names of all kernels of the graph, in the order of first use and
// separated by commas.
func (g *graph) kernelNames() string {
	var names []string
	for i := range g.tasks {
		if name := g.tasks[i].Kernel; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// bufferParams returns the buffers of a rank, and then their parts, in the form of kernel
// parameters, for the options that refer to arguments by number or name.
func (g *graph) bufferParams() []kernel.Param {
	var params []kernel.Param
	for i, name := range g.run.Names {
		params = append(params, kernel.Param{Name: name, Type: pto.Ptr(g.types[i], sem.GM)})
	}
	for i := range g.parts {
		params = append(params, kernel.Param{Name: g.parts[i].Buffer, Type: pto.Ptr(g.partTypes[i], sem.GM)})
	}
	return params
}

// plan allocates the buffers of all ranks, and prepares each distinct kernel for
// execution once. The parameter path is the graph file, and o contains the options of the
// runs. It returns the exit code.
func (g *graph) plan(path string, o runtime.Options) int {
	g.params, g.ranks = g.bufferParams(), g.run.Ranks
	left := int64(g.MaxMemory.Bytes)
	for rank := range g.run.Ranks {
		for i, p := range g.params[:len(g.run.Names)] {
			b, at := &g.buffers[i], data.Place{Slack: g.flags.gmSlack, Rank: rank, Ranks: g.run.Ranks, Read: g.MaxMemory.Read}
			if b.Shared == nil {
				left -= data.Bytes(at.OfRank(b.Spec), fileSize)
			}
			if left < 0 {
				return g.Fail("%s: the buffers need more than %s of memory%s", path, &g.MaxMemory, g.MaxMemory.Advice())
			}
			a, err := g.contents(b, p, at)
			if err != nil {
				return g.Fail("%s: buffer %s%s: %v", path, ir.Visible(p.Name), onRank(rank, g.run.Ranks), err)
			}
			if b.Out != "" {
				a.Target = at.OfRank(b.Out)
			}
			a.Value.Buf.Name, a.Value.Buf.Window = g.run.Names[i], a.Value.Buf.Window || b.Window
			g.args = append(g.args, a)
			g.run.Buffers = append(g.run.Buffers, a.Value.Buf)
			if rank == 0 && a.Value.Context {
				g.run.Contexts = append(g.run.Contexts, i)
			}
		}
		if err := g.addParts(rank); err != nil {
			return g.Fail("%s: %v", path, err)
		}
	}
	g.run.Listeners, g.run.Warn, g.run.Workers = o.Listeners, o.Warn, g.workers()
	for i := range g.tasks {
		l, task := &g.tasks[i], &g.run.Tasks[i]
		key := graphPlanKey{l.File, l.Kernel, l.Blocks, l.arguments}
		p := g.plans[key]
		if p == nil {
			var err error
			if p, err = g.load(path, key, o); err != nil {
				return g.Failed(err)
			}
			g.plans[key] = p
		}
		if task.Program = p.plan; i == 0 {
			g.run.Cores = g.cores(p.prog)
		}
		if err := g.bind(task, l, p.prog.Params()); err != nil {
			return g.Fail("%s: task %s of rank %d: %v", path, ir.Visible(l.Task), l.Rank, err)
		}
		l.Args = nil
	}
	g.numbers, g.texts = nil, nil
	return exit.OK
}

// workers returns the number of tasks that may run at the same time.
func (g *graph) workers() int { return cmp.Or(g.flags.workers, goruntime.GOMAXPROCS(0)) }

// load reads the program that key names and plans its kernel. The parameter path is the
// graph file; a relative name of a program refers to the folder of that file.
func (g *graph) load(path string, key graphPlanKey, o runtime.Options) (*graphPlan, error) {
	file := os.ExpandEnv(key.file)
	if !strings.HasPrefix(file, "/") {
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			file = path[:i+1] + file
		}
	}
	src, err := g.ReadSource(file)
	if err != nil {
		return nil, err
	}
	options := g.flags.loading()
	options.Kernel, options.PublicIR, options.Arguments = key.kernel, "", key.args
	prog, err := kernel.Load(src, options)
	if err != nil {
		return nil, err
	}
	if o.SkipArithmetic {
		if d := runtime.DataDependence(prog.Module); d != nil {
			return nil, ir.Errors{d}
		}
	}
	o.Blocks, o.Target, o.Features = key.blocks, prog.Target, prog.Features
	var diags ir.Diags
	plan := runtime.Plan(prog.Module, prog.Kernels, o, &diags)
	if plan == nil {
		return nil, diags.Err()
	}
	return &graphPlan{src: src, prog: prog, plan: plan}, nil
}

// bind converts the arguments of the task in line l of the graph file and appends them to
// task. It returns an error if their number or a type does not match params, the
// parameters of the kernel.
func (g *graph) bind(task *runtime.Task, l *graphTask, params []kernel.Param) error {
	if len(l.Args) != len(params) {
		return fmt.Errorf("kernel '%s' has %s, but %d arguments were given; its signature is (%s)", ir.Visible(l.Kernel), ir.Count(len(params), "parameter"), len(l.Args), signature(params))
	}
	task.Args = make([]runtime.TaskArg, 0, len(l.Args))
	for i, a := range l.Args {
		arg, err := g.argument(a, params[i], l)
		if err != nil {
			return fmt.Errorf("argument %d (%s): %w", i, data.ParamName(params, i), err)
		}
		task.Args = append(task.Args, arg)
	}
	return nil
}

// argument converts the argument a of the task in line l of the graph file for parameter
// p of its kernel: a range of a buffer, or a scalar.
func (g *graph) argument(a graphArg, p kernel.Param, l *graphTask) (runtime.TaskArg, error) {
	if !p.IsPointer() {
		if a.Buffer != "" {
			return runtime.TaskArg{}, fmt.Errorf("the parameter is a scalar of type %s, so its argument requires the field \"scalar\"", p.Type)
		}
		v, err := data.Parse(a.Scalar, p, data.Place{Rank: l.Rank, Ranks: g.run.Ranks, Read: g.MaxMemory.Read})
		if err != nil {
			return runtime.TaskArg{}, err
		}
		return runtime.TaskArg{Buffer: -1, Bits: v.Value.Bits}, nil
	}
	memory, ok := g.places[a.Buffer]
	if !ok {
		return runtime.TaskArg{}, fmt.Errorf("the graph has no buffer '%s'", a.Buffer)
	}
	size, err := g.shapeBytes(a.Shape)
	if err != nil {
		return runtime.TaskArg{}, err
	}
	n, have := memory.buffer, memory.bytes
	if have < 0 {
		have = int64(len(g.args[n].Array.Data)) // without --gm-slack
	}
	if a.Offset < 0 || a.Offset > have || size > have-a.Offset {
		return runtime.TaskArg{}, fmt.Errorf("the part at byte offset %d with shape '%s' is not inside buffer %s, which has %d bytes", a.Offset, a.Shape, a.Buffer, have)
	}
	if size == 0 {
		size = have - a.Offset
	}
	arg := runtime.TaskArg{Buffer: n, Offset: memory.offset + a.Offset, Bytes: size}
	switch a.Access {
	case "":
	case "read", "write", "update":
		arg.Reads, arg.Writes = a.Access != "write", a.Access != "read"
	default:
		return arg, fmt.Errorf(`"access" must be "read", "write" or "update", but is '%s'`, ir.Visible(a.Access))
	}
	if a.PerBlock || g.args[n].PerBlock {
		part, err := data.PartOf(size, l.Blocks, ir.ElementType(p.Type))
		if err != nil {
			return arg, err
		}
		arg.Part = part
	}
	return arg, nil
}
