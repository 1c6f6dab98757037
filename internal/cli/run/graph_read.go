// This file reads launch lists, the files of --graph.

package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// graphVersion is the version of the format that --graph reads.
const graphVersion = 1

// graphLine is a line of a graph file in JSON: the first line has the version, and each
// other line declares a buffer or a task.
type graphLine struct {
	Version int `json:"version"`
	Ranks   int `json:"ranks"`
	// Rings are limits of the runtime that submits the tasks.
	Rings *ringLimits `json:"rings"`

	// Buffer is the name of a buffer, Type its element type, and Spec its contents in the
	// syntax of --arg.
	Buffer string `json:"buffer"`
	Type   string `json:"type"`
	Spec   string `json:"spec"`
	// Out is the file that receives the contents after the run.
	Out string `json:"out"`
	// Shared describes memory of another process that holds the contents, in place of
	// Spec. Tasks read and write this memory directly.
	Shared *graphShared `json:"shared"`
	// Window lets all ranks access the buffer. A spec that starts with window= has the
	// same effect.
	Window bool `json:"window"`

	// In makes the buffer a part of the buffer with this name. The part has the shape and the
	// element type of Shape, such as 16x64xf32, and starts at byte Offset.
	In     string `json:"in"`
	Offset int64  `json:"offset"`
	Shape  string `json:"shape"`

	// Task is the name of a task, and Rank the device that runs it. File and Kernel
	// select its kernel, and Blocks is the number of blocks.
	Task   string `json:"task"`
	Rank   int    `json:"rank"`
	File   string `json:"file"`
	Kernel string `json:"kernel"`
	Blocks int    `json:"blocks"`
	// Engine is the engine that executes the task, or "" for that of --engine.
	Engine string `json:"engine"`
	// Args are the arguments of the kernel. After names tasks that must end before this
	// task starts.
	Args  []graphArg `json:"args"`
	After []string   `json:"after"`
	// Scope are the numbers of the open scopes in which the runtime submits the task, the
	// outermost first. Heap is the size in bytes of the outputs that the runtime allocates, each
	// rounded up to a multiple of 1,024.
	Scope []int `json:"scope"`
	Heap  int64 `json:"heap"`
}

// graphArg is an argument of a task: a range of a buffer, or a scalar in the syntax of
// --arg.
type graphArg struct {
	// Buffer is the name of the buffer. The range starts at Offset, and it has the
	// dimensions of Shape, such as 16x64.
	Buffer string `json:"buffer"`
	Offset int64  `json:"offset"`
	Shape  string `json:"shape"`
	// PerBlock divides the range into equal parts, one for each block of the task. It has
	// the effect of the prefix per-block: in the spec of the buffer, for one argument.
	PerBlock bool `json:"per_block"`
	// Access declares what the task does with the range: read, write or update, which is
	// both. --check=race compares the declaration with the accesses of the task.
	Access string `json:"access"`
	// Scalar is the value of a scalar argument.
	Scalar string `json:"scalar"`
}

// graphTask is a task of a graph file, with the fields of its line. Its arguments are
// removed when they are bound to the parameters of the kernel.
type graphTask struct {
	Task, File, Kernel, Engine string
	Rank, Blocks               int
	Args                       []graphArg
	// arguments is the number of arguments.
	arguments int
	scope     []int
	heap      int64
}

// taskID identifies a task by its rank and its name.
type taskID struct {
	rank int
	name string
}

// same returns a string that is equal to text and that equal texts share. The lines of a
// graph file repeat the same names, which would otherwise need most of the memory.
func (g *graph) same(text string) string {
	if known, ok := g.texts[text]; ok {
		return known
	}
	text = strings.Clone(text)
	g.texts[text] = text
	return text
}

// read parses the lines of a graph file. Errors start with the line number.
func (g *graph) read(src *ir.Source) error {
	n, off := 0, 0
	for line := range strings.Lines(src.Text) {
		n++
		loc := ir.LocAt(src, off)
		off += len(line)
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		var l graphLine
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		err := d.Decode(&l)
		if err == nil {
			err = g.line(l, loc)
		}
		if err != nil {
			return fmt.Errorf("%d: error: %w", n, err)
		}
	}
	if len(g.tasks) == 0 {
		return fmt.Errorf(" error: the graph must have at least one task")
	}
	return g.joinShared()
}

// line processes one parsed line of a graph file. The first line has the version of the
// format and the number of ranks, and each other line declares a buffer or a task. The
// parameter loc is the start of the line.
func (g *graph) line(l graphLine, loc ir.Loc) error {
	switch {
	case g.run.Ranks == 0:
		if l.Version != graphVersion || l.Ranks < 1 || l.Ranks > runtime.MostRanks {
			return fmt.Errorf(`the first line must be {"version": %d, "ranks": N}, with N from 1 to %d`, graphVersion, runtime.MostRanks)
		}
		g.run.Ranks = l.Ranks
		return g.rings.set(l.Rings)
	case l.Buffer != "" && l.Task == "":
		return g.buffer(l)
	case l.Task != "":
		return g.task(l, loc)
	}
	return fmt.Errorf("expected the definition of a buffer or of a task")
}

// buffer processes a line of a graph file that declares a buffer. The buffer is allocated
// on each rank (simulated device). It returns an error if the name is already defined, if
// the type is not an element type, or if a task precedes the line.
func (g *graph) buffer(l graphLine) error {
	if len(g.tasks) > 0 {
		return fmt.Errorf("buffer %s must come before the first task", l.Buffer)
	}
	if _, ok := g.places[l.Buffer]; ok {
		return fmt.Errorf("buffer %s is already defined", l.Buffer)
	}
	if l.In != "" {
		return g.part(l)
	}
	elem := ir.I64
	if !data.IsContext(l.Spec) {
		var err error
		if _, elem, err = kernel.ParseShape("1x" + l.Type); err != nil {
			return fmt.Errorf("buffer %s: '%s' is not an element type", l.Buffer, l.Type)
		}
	}
	if err := l.checkShared(g.run.Ranks); err != nil {
		return fmt.Errorf("buffer %s: %w", l.Buffer, err)
	}
	if l.Out != "" && g.run.Ranks > 1 && !strings.Contains(l.Out, data.RankText) {
		return fmt.Errorf("buffer %s: '%s' names one file for %d ranks: use {rank} in its name, such as y{rank}.npy", l.Buffer, l.Out, g.run.Ranks)
	}
	g.places[l.Buffer] = place{len(g.run.Names), 0, -1}
	g.run.Names, g.types, g.buffers = append(g.run.Names, l.Buffer), append(g.types, elem), append(g.buffers, l)
	return nil
}

// task adds a task to the graph. It returns an error if the line refers to buffers or
// tasks that earlier lines do not declare.
func (g *graph) task(l graphLine, loc ir.Loc) error {
	l.Blocks = max(l.Blocks, 1)
	id := taskID{l.Rank, l.Task}
	_, twice := g.numbers[id]
	switch {
	case l.Rank < 0 || l.Rank >= g.run.Ranks:
		return fmt.Errorf("task %s has rank %d, but the graph has %s, numbered from 0", l.Task, l.Rank, ir.Count(g.run.Ranks, "rank"))
	case twice:
		return fmt.Errorf("task %s of rank %d is already defined", l.Task, l.Rank)
	case l.Engine != "" && !slices.Contains(engines, l.Engine):
		return fmt.Errorf(`task %s: "engine" must be %s, but is '%s'`, l.Task, strings.Join(engines, " or "), ir.Visible(l.Engine))
	case l.Heap < 0 || l.Heap > 1<<48:
		return fmt.Errorf(`task %s: "heap" must be a number of bytes, but is %d`, l.Task, l.Heap)
	case l.Blocks > 1<<16:
		return fmt.Errorf("task %s must have at most %d blocks", l.Task, 1<<16)
	}
	t := runtime.Task{Name: l.Task, Rank: l.Rank, Loc: loc}
	for _, name := range l.After {
		n, ok := g.numbers[taskID{l.Rank, name}]
		if !ok {
			return fmt.Errorf("task %s comes after '%s', which is not an earlier task of rank %d", l.Task, name, l.Rank)
		}
		t.After = append(t.After, n)
	}
	slices.Sort(t.After)
	t.After = slices.Compact(t.After)
	g.numbers[id] = len(g.tasks)
	for i := range l.Args {
		a := &l.Args[i]
		a.Buffer, a.Shape, a.Access, a.Scalar = g.same(a.Buffer), g.same(a.Shape), g.same(a.Access), g.same(a.Scalar)
	}
	g.tasks = append(g.tasks, graphTask{
		Task: l.Task, File: g.same(l.File), Kernel: g.same(l.Kernel), Engine: g.same(l.Engine), Rank: l.Rank, Blocks: l.Blocks,
		Args: slices.Clip(l.Args), arguments: len(l.Args), scope: l.Scope, heap: l.Heap,
	})
	g.run.Tasks = append(g.run.Tasks, t)
	return nil
}
