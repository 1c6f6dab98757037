// This file executes tasks of a graph with LLVM.

package run

import (
	"fmt"
	"slices"
	"time"

	"ptogo/codegen/jit"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// mostProcesses is the maximum number of compiled kernels of a graph that run in processes
// at the same time. A kernel that has not run for the longest time loses its process, and
// gets a new one when it runs again.
const mostProcesses = 64

// processes are the compiled kernels that run in processes, least recently used first.
type processes []*compiledKernel

// use moves k to the end, and ends the process of the first kernel if there are too many.
func (p *processes) use(k *compiledKernel) {
	list := slices.DeleteFunc(*p, func(have *compiledKernel) bool { return have == k })
	if len(list) == mostProcesses {
		list[0].code.Close()
		list = slices.Delete(list, 0, 1)
	}
	*p = append(list, k)
}

// end ends all processes.
func (p *processes) end() {
	for _, k := range *p {
		k.code.Close()
	}
	*p = nil
}

// compile compiles the kernels of the tasks for which the graph or the command line selects
// LLVM. The Go engine executes the tasks of other kernels, and of those that LLVM does not
// support; a note names each of these. The Go engine also executes the tasks that times
// records. compile returns the exit code.
func (g *graph) compile(stop *limit.Stopper, times *graphTiming) int {
	deadline := time.Now().Add(g.flags.timeout)
	noted := map[string]bool{}
	note := func(task int, why string) {
		text := fmt.Sprintf("kernel '%s' falls back to --engine=go: %s", ir.Visible(g.tasks[task].Kernel), why)
		if !noted[text] {
			fmt.Fprintf(g.Err, "%s: note: %s\n", g.Tool, text)
		}
		noted[text] = true
	}
	option := g.flags.beside("--engine=llvm")
	if option == "" && g.flags.timing.skip {
		option = "--skip-arithmetic"
	}
	for i := range g.tasks {
		if l := &g.tasks[i]; l.Engine == engineGo || l.Engine == "" && g.flags.engine.name == engineGo {
			continue
		}
		if option != "" {
			fmt.Fprintf(g.Err, "%s: note: --engine=llvm falls back to --engine=go: %s is for the Go engine only\n", g.Tool, option)
			return exit.OK
		}
		if times.records(i) {
			continue
		}
		p := g.planOf(i)
		if why := g.needsGo(i, p); why != "" {
			note(i, why)
			continue
		}
		if !p.tried {
			k, why, err := g.flags.engine.compile(g.host, p.prog, g.tasks[i].Blocks)
			if err != nil {
				return g.fault(err)
			}
			if p.compiled, p.tried = k, true; k == nil {
				note(i, why)
			} else {
				g.flags.engine.noteSteps(g.host)
			}
		}
		if p.compiled != nil {
			g.compiledTask(&g.run.Tasks[i], p.compiled, func(how *jit.Launch) { how.Stop, how.Limit = stop.Asked, max(time.Until(deadline), 1) })
		}
	}
	return exit.OK
}

// needsGo returns the reason for which a process of its own cannot execute the task, whose
// plan is p, or "". Such a process does not see what other tasks write while it runs.
func (g *graph) needsGo(task int, p *graphPlan) string {
	if timing.Communicates(p.prog.Kernels) {
		return "it exchanges signals with other tasks"
	}
	if g.run.Ranks > 1 && slices.ContainsFunc(g.run.Tasks[task].Args, func(a runtime.TaskArg) bool { return slices.Contains(g.run.Contexts, a.Buffer) }) {
		return "it accesses memory of other ranks"
	}
	return ""
}

// compiledTask lets the compiled kernel k execute the task. The function limits sets the
// limits of a launch.
func (g *graph) compiledTask(task *runtime.Task, k *compiledKernel, limits func(how *jit.Launch)) {
	task.Compiled = func() (done bool, err error) {
		var how jit.Launch
		first := map[int]int{}
		for i, a := range task.Args {
			var arg any = a.Bits
			if a.Buffer >= 0 {
				earlier, ok := first[a.Buffer]
				if arg = jit.Same(earlier); !ok {
					first[a.Buffer] = i
					arg = g.args[task.Rank*len(g.params)+a.Buffer].Array.Data
				}
			}
			how.Args = append(how.Args, arg)
			how.Offsets = append(how.Offsets, int(a.Offset))
			how.Parts = append(how.Parts, a.Part)
		}
		limits(&how)
		g.processes.use(k)
		why, err := k.run(g.host, how)
		return why == "", err
	}
}
