// This file describes where a fault or an event occurred: rank, block, core, work item
// and loop iterations.

package runtime

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// Variable returns the name of the loop's induction variable in the program, such as
// "%i". It returns "" if the loop or its variable has no name.
func (r Round) Variable() string {
	if r.Loop.Is(scf.For) && r.Loop.Region(0).Entry().Arg(0).Name() != "" {
		return "%" + r.Loop.Region(0).Entry().Arg(0).Name()
	}
	return ""
}

// String describes an iteration by the induction variable, for example "%i = 3". For a
// loop without a named variable, it uses the source line of the loop.
func (r Round) String() string {
	if name := r.Variable(); name != "" {
		return fmt.Sprintf("%s = %d", name, r.Index)
	}
	if src, off := r.Loop.Loc().Source(); src != nil {
		line, _ := src.Position(off)
		return fmt.Sprintf("round %d of the loop in line %d", r.Round, line)
	}
	return fmt.Sprintf("round %d of a loop", r.Round)
}

// Place identifies a block of a launch by its rank and block numbers. Ranks and Blocks
// are the total numbers.
type Place struct {
	Rank, Ranks, Block, Blocks int
	// Task is the name of the task of a graph, or "".
	Task string
}

// Place returns the rank, block and task that core c belongs to.
func (l *Launch) Place(c *CoreInfo) Place {
	at := Place{Rank: c.Rank, Ranks: l.Ranks, Block: c.Block, Blocks: l.Blocks}
	if c.Task >= 0 {
		at.Task = l.Tasks[c.Task].Name
	}
	return at
}

// where returns a text that describes the task, rank, block, core, work item and loop
// iterations of an execution. at identifies the block. The strings core and item are the
// texts for the core and the work item, and rounds are the iterations. The text omits the
// rank if the launch has only one rank, and omits the block if the launch has only one
// block.
func where(at Place, core, item string, rounds []Round) string {
	var parts []string
	if at.Task != "" {
		parts = append(parts, "task "+ir.Visible(at.Task))
	}
	if at.Ranks > 1 {
		parts = append(parts, fmt.Sprintf("rank %d", at.Rank))
	}
	if at.Blocks > 1 {
		parts = append(parts, fmt.Sprintf("block %d", at.Block))
	}
	if core != "" {
		parts = append(parts, core)
	}
	if item != "" {
		parts = append(parts, item)
	}
	for _, r := range rounds {
		parts = append(parts, r.String())
	}
	return strings.Join(parts, ", ")
}

// Where describes the block, core and loop iterations in which the fault occurred, for
// example "block 1, vector core 0, %i = 3". It returns "" if the launch has a single
// block and core and the operation is not in a loop.
func (f *Fault) Where() string {
	return where(Place{f.Rank, f.ranks, f.Block, f.blocks, f.task}, f.core, f.item, f.Rounds)
}

// inLoop adds an iteration of a loop to the fault and returns the fault. round is the
// number of the iteration, and index is the value of the induction variable. The caller
// processes inner loops before outer loops.
func (f *Fault) inLoop(loop *ir.Op, round int, index int64) *Fault {
	f.Rounds = append([]Round{{loop, round, index}}, f.Rounds...)
	return f
}

// inItem records the SIMT work item in which the fault occurred, and returns the fault.
// It does not replace a work item that is already recorded.
func (f *Fault) inItem(w *workItem) *Fault {
	if f.item == "" {
		f.item = fmt.Sprintf("work item (%d, %d, %d)", w.id[0], w.id[1], w.id[2])
	}
	return f
}

// onCore records the rank, block and core on which the fault occurred, and returns the
// fault.
func (f *Fault) onCore(c *core) *Fault {
	at := c.place()
	f.Rank, f.ranks, f.Block, f.blocks, f.task, f.core = at.Rank, at.Ranks, at.Block, at.Blocks, at.Task, ""
	if len(c.cluster.cores) > 1 {
		f.core = c.String()
	}
	return f
}

// place returns the rank and the block that core c is executing now, and the task if the
// launch belongs to a graph.
func (c *core) place() Place {
	cl := c.cluster
	return Place{cl.rank.number, len(cl.launch.ranks), cl.block, cl.launch.each, cl.launch.task}
}

// Elsewhere identifies a core of another execution engine, such as compiled code, that
// shares the fault messages of this package.
type Elsewhere struct {
	Block, Blocks int
	// Unit is the type of the core. It is AnyUnit if one core represents all cores of the
	// block.
	Unit sem.Unit
	// Sub is the number of a vector core in its block.
	Sub int
	// Rounds are the iterations of the enclosing loops. Only the fields Loop and Index
	// are used.
	Rounds []Round
}

// FaultElsewhere returns the fault of an operation that another engine, such as compiled
// code, has executed. The parameter text continues a sentence that starts with the
// operation's name. at identifies the core of the other engine.
func FaultElsewhere(op *ir.Op, text string, at Elsewhere) *Fault {
	f := faultAt(op, "%s", text)
	f.Block, f.blocks = at.Block, at.Blocks
	if at.Unit != sem.AnyUnit {
		f.core = coreName(at.Unit, at.Sub)
	}
	for _, r := range at.Rounds {
		if r.Variable() != "" {
			f.Rounds = append(f.Rounds, r)
		}
	}
	return f
}

// Where describes the block, core and loop iterations of the event, for example "block 1,
// vector core 0, %i = 3". The format is the same as for the method Where of Fault.
func (e *Event) Where() string {
	core, l := "", &e.r.stream.launch
	if len(e.r.block) > 1 {
		core = e.Core.String()
	}
	return where(l.Place(e.Core), core, "", e.Rounds)
}
