// This file implements pto-run --graph.

package run

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/internal/jsonform"
	"ptogo/internal/serve"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/runtime/timing"
)

// graph is a task graph and the state of running it with --graph. A task is a kernel with
// arguments. It runs on one rank (simulated device) as soon as the tasks that write its
// inputs have ended.
type graph struct {
	t   *runTool
	run runtime.Graph
	// buffers are the declarations of the buffers, the arrays that tasks access. Each
	// rank has its own copy of each buffer.
	buffers []graphLine
	// types are the element types of the buffers.
	types []ir.Type
	// args are the buffers of all ranks.
	args []*data.Arg
	// tasks are the declarations of the tasks.
	tasks []graphLine
	// numbers are the numbers of tasks, by rank and name.
	numbers map[string]int
	// shared are the files of other processes that contain buffers.
	shared serve.Files
	// done ends the use of these files.
	done []func() error
	// plans are the kernels that are prepared for execution.
	plans map[graphPlanKey]*graphPlan
}

// graphPlanKey identifies tasks that can use the same plan (a kernel prepared for
// execution): they run the same kernel with the same numbers of blocks and arguments.
type graphPlanKey struct {
	file, kernel string
	blocks, args int
}

// graphPlan is a loaded program together with its plan, the form in which a kernel is
// prepared for execution.
type graphPlan struct {
	prog *kernel.Program
	plan *runtime.Program
}

// graph implements pto-run --graph: it reads the task graph, runs its tasks, and returns
// the exit code.
func (t *runTool) graph() (code int) {
	expect, code := t.checkFlags()
	if code != exit.OK {
		return code
	}
	loaded := t.watchAlone()
	if option := t.besideGraph(); option != "" {
		return t.Usage("%s cannot be used together with --graph", option)
	}
	path := t.flags.graph
	data, err := limit.ReadFile(path, t.MaxMemory)
	if err != nil {
		return t.Fail("%v", err)
	}
	g := &graph{t: t, numbers: map[string]int{}, plans: map[graphPlanKey]*graphPlan{}}
	if err := g.read(&ir.Source{Name: path, Text: string(data)}); err != nil {
		return t.Fail("%s:%v", path, err)
	}
	stop := limit.NewStopper(t.flags.timeout, t.Cancelled)
	defer stop.End()
	o := runtime.Options{
		MaxSteps: t.flags.maxSteps, MaxMemory: int64(t.MaxMemory.Bytes), Stop: stop.Why, FlushDenormals: t.flags.flush, ScratchFill: t.flags.fill,
		Out: t.Out, MaxOutput: int64(t.flags.maxOutput), Warn: t.warn, SkipArithmetic: t.flags.timing.skip,
	}
	var checker *check.Checker
	if len(t.flags.check.kinds) > 0 {
		opts, _ := t.checkOptions() // checkFlags has read them
		checker, _ = check.New(opts)
		t.checker = checker
		o.Listeners, o.KeepAccesses = []runtime.Listener{checker}, true
	}
	recorder := timing.NewGraphRecorder()
	if t.flags.timing.on {
		o.Listeners = append(o.Listeners, recorder)
	}
	defer func() {
		if err := g.release(); err != nil && code == exit.OK {
			code = t.Fail("%s: %v", path, err)
		}
	}()
	if code := g.plan(path, o); code != exit.OK {
		return code
	}
	loaded()
	times := g.newGraphTiming(recorder)
	if expect, err = ofRanks(expect, g.params(), g.run.Ranks); err != nil {
		return t.Usage("%v", err)
	}
	for i := range expect {
		if expect[i].n >= len(g.args) {
			return t.Usage("--expect %s must name a buffer of the graph", expect[i].arg)
		}
		each := len(g.run.Names)
		expect[i].name = "buffer " + ir.Visible(g.run.Names[expect[i].n%each]) + onRank(expect[i].n/each, g.run.Ranks)
		if err := expect[i].read(g.args[expect[i].n].Array, t.MaxMemory); err != nil {
			return t.Fail("%v", err)
		}
	}
	t.flags.ranks, t.launched = g.run.Ranks, g.args
	if err := t.checkOutputs(g.params(), g.args); err != nil {
		return t.Fail("%v", err)
	}
	code = exit.OK
	if err := g.run.Run(); err != nil {
		code = t.fault(err)
	}
	if checker != nil {
		if err := g.tellGraph(checker); err != nil {
			return t.Fail("--check-json: %v", err)
		}
	}
	if code != exit.OK {
		return code
	}
	fmt.Fprintf(t.Err, "%s: graph: %s on %s, %s\n", t.Tool, ir.Count(len(g.tasks), "task"), ir.Count(g.run.Ranks, "rank"), ir.Count(len(g.plans), "kernel"))
	if t.flags.timing.on {
		if code := g.predict(times); code != exit.OK {
			return code
		}
	}
	t.again = nil // who wrote an element is not searched for in graphs
	code = t.finish(g.params(), g.args, expect)
	if t.found && (code == exit.OK || code == exit.Compare) {
		return exit.Check
	}
	return code
}

// besideGraph returns the name of an option that the command line contains and that
// cannot be combined with --graph, or "".
func (t *runTool) besideGraph() string {
	f := &t.flags
	for _, o := range []struct {
		name string
		used bool
	}{
		{"--arg", len(f.args) > 0}, {"--kernel", f.kernel != ""}, {"--blocks", f.blocks != 1}, {"--ranks", f.ranks != 1},
		{"--schedule", f.schedule != ""}, {"--trace without --timing", f.trace != "" && !f.timing.on}, {"--report", f.report != ""}, {"--check=redundant", slices.Contains(f.check.kinds, string(check.Redundant))},
		{"--engine=llvm", f.engine != engineGo}, {f.observe.option(), f.observe.option() != ""}, {"--step", f.observe.step || f.observe.script != ""},
		{"--timing-json", f.timing.json != ""}, {"--timing-csv", f.timing.csv != ""}, {"--timing-compare", f.timing.compare != ""}, {"--what-if", len(f.timing.whatIf) > 0},
	} {
		if o.used {
			return o.name
		}
	}
	return ""
}

// tellGraph prints the findings of the checker c about the run of the graph, and writes
// them to the file of --check-json. It returns an error if the file cannot be written.
func (g *graph) tellGraph(c *check.Checker) error {
	t := g.t
	rs := c.Reports()
	for _, r := range rs {
		t.TellFinding(report.Finding{Diag: r.Diag(), Report: r})
	}
	if t.faultReport != nil {
		rs = append(rs, t.faultReport)
	}
	t.tellChecks(rs)
	coverage := c.Coverage("the order of the text", "other arguments")
	fmt.Fprintf(t.Err, "%s: check: %s\n", t.Tool, check.Summary(rs))
	fmt.Fprintf(t.Err, "%s: check: %s\n", t.Tool, coverage)
	t.found = check.Fails(rs)
	if t.flags.check.json == "" {
		return nil
	}
	return files.WriteFile(t.flags.check.json, jsonform.Reports(rs, coverage, g.kernelNames(), sem.ProfileName(c.Target())), t.Out)
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

// params returns the buffers of a rank in the form of kernel parameters, for the options
// that refer to arguments by number or name.
func (g *graph) params() []kernel.Param {
	params := make([]kernel.Param, len(g.run.Names))
	for i, name := range g.run.Names {
		params[i] = kernel.Param{Name: name, Type: pto.Ptr(g.types[i], sem.GM)}
	}
	return params
}

// plan allocates the buffers of all ranks, and prepares each distinct kernel for
// execution once. The parameter path is the graph file, and o contains the options of the
// runs. It returns the exit code.
func (g *graph) plan(path string, o runtime.Options) int {
	t, params := g.t, g.params()
	left := int64(t.MaxMemory.Bytes)
	for rank := range g.run.Ranks {
		for i, p := range params {
			b, at := &g.buffers[i], data.Place{Slack: t.flags.gmSlack, Rank: rank, Ranks: g.run.Ranks, Read: t.MaxMemory.Read}
			if b.Shared == nil {
				left -= data.Bytes(at.OfRank(b.Spec), fileSize)
			}
			if left < 0 {
				return t.Fail("%s: the buffers need more than %s of memory%s", path, &t.MaxMemory, t.MaxMemory.Advice())
			}
			a, err := g.contents(b, p, at)
			if err != nil {
				return t.Fail("%s: buffer %s%s: %v", path, ir.Visible(p.Name), onRank(rank, g.run.Ranks), err)
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
	}
	g.run.Listeners = o.Listeners
	for i := range g.tasks {
		l, task := &g.tasks[i], &g.run.Tasks[i]
		key := graphPlanKey{l.File, l.Kernel, l.Blocks, len(l.Args)}
		p := g.plans[key]
		if p == nil {
			var err error
			if p, err = g.load(path, key, o); err != nil {
				return t.Failed(err)
			}
			g.plans[key] = p
		}
		task.Program = p.plan
		if err := g.bind(task, l, p.prog.Params()); err != nil {
			return t.Fail("%s: task %s of rank %d: %v", path, ir.Visible(l.Task), l.Rank, err)
		}
	}
	return exit.OK
}

// load reads the program that key names and plans its kernel. The parameter path is the
// graph file; a relative name of a program refers to the folder of that file.
func (g *graph) load(path string, key graphPlanKey, o runtime.Options) (*graphPlan, error) {
	file := os.ExpandEnv(key.file)
	if !strings.HasPrefix(file, "/") {
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			file = path[:i+1] + file
		}
	}
	src, err := g.t.ReadSource(file)
	if err != nil {
		return nil, err
	}
	options := g.t.flags.loading()
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
	return &graphPlan{prog, plan}, nil
}

// bind converts the arguments of the task in line l of the graph file and appends them to
// task. It returns an error if their number or a type does not match params, the
// parameters of the kernel.
func (g *graph) bind(task *runtime.Task, l *graphLine, params []kernel.Param) error {
	if len(l.Args) != len(params) {
		return fmt.Errorf("kernel '%s' has %s, but %d arguments were given; its signature is (%s)", ir.Visible(l.Kernel), ir.Count(len(params), "parameter"), len(l.Args), signature(params))
	}
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
func (g *graph) argument(a graphArg, p kernel.Param, l *graphLine) (runtime.TaskArg, error) {
	if !p.IsPointer() {
		if a.Buffer != "" {
			return runtime.TaskArg{}, fmt.Errorf("the parameter is a scalar of type %s, so its argument requires the field \"scalar\"", p.Type)
		}
		v, err := data.Parse(a.Scalar, p, data.Place{Rank: l.Rank, Ranks: g.run.Ranks, Read: g.t.MaxMemory.Read})
		if err != nil {
			return runtime.TaskArg{}, err
		}
		return runtime.TaskArg{Buffer: -1, Bits: v.Value.Bits}, nil
	}
	n := slices.Index(g.run.Names, a.Buffer)
	if n < 0 {
		return runtime.TaskArg{}, fmt.Errorf("the graph has no buffer '%s'", a.Buffer)
	}
	size := int64(0)
	if a.Shape != "" {
		shape, elem, err := kernel.ParseShape(a.Shape)
		if err != nil {
			return runtime.TaskArg{}, err
		}
		size = data.Elements(shape) * int64(pto.ByteSize(elem))
	}
	have := int64(len(g.args[n].Array.Data)) // without --gm-slack
	if a.Offset < 0 || a.Offset > have || size > have-a.Offset {
		return runtime.TaskArg{}, fmt.Errorf("the part at byte offset %d with shape '%s' is not inside buffer %s, which has %d bytes", a.Offset, a.Shape, a.Buffer, have)
	}
	if size == 0 {
		size = have - a.Offset
	}
	arg := runtime.TaskArg{Buffer: n, Offset: a.Offset, Bytes: size}
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
