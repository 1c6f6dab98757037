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

// Variable returns the name of the induction variable in the program, such as "%i", or
// "" if the loop has none.
func (r Round) Variable() string {
	if r.Loop.Is(scf.For) && r.Loop.Region(0).Entry().Arg(0).Name() != "" {
		return "%" + r.Loop.Region(0).Entry().Arg(0).Name()
	}
	return ""
}

// String returns an iteration by its induction variable, such as "%i = 3", or by the
// line of the loop.
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

// Place identifies a block of a launch: its rank and block numbers, and how many of each
// exist.
type Place struct {
	Rank, Ranks, Block, Blocks int
	Task                       string // of a graph
}

// Place returns the block that a core belongs to.
func (l *Launch) Place(c *CoreInfo) Place {
	at := Place{Rank: c.Rank, Ranks: l.Ranks, Block: c.Block, Blocks: l.Blocks}
	if c.Task >= 0 {
		at.Task = l.Tasks[c.Task].Name
	}
	return at
}

// where describes the rank and block, the core, the work item and the loop iterations
// of a position in the run, as far as there are several of them.
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

// Where returns a description of where the core was, such as "block 1, vector core 0,
// %i = 3". It is empty if the launch has a single block and core and the operation is
// not in a loop.
func (f *Fault) Where() string {
	return where(Place{f.Rank, f.ranks, f.Block, f.blocks, f.task}, f.core, f.item, f.Rounds)
}

// inLoop adds the current iteration of a loop to the fault. It is called for inner loops
// before outer ones.
func (f *Fault) inLoop(loop *ir.Op, round int, index int64) *Fault {
	f.Rounds = append([]Round{{loop, round, index}}, f.Rounds...)
	return f
}

// inItem records the SIMT work item in which the fault occurred, if none is recorded yet.
func (f *Fault) inItem(w *workItem) *Fault {
	if f.item == "" {
		f.item = fmt.Sprintf("work item (%d, %d, %d)", w.id[0], w.id[1], w.id[2])
	}
	return f
}

// onCore records the core on which the fault occurred.
func (f *Fault) onCore(c *core) *Fault {
	at := c.place()
	f.Rank, f.ranks, f.Block, f.blocks, f.task, f.core = at.Rank, at.Ranks, at.Block, at.Blocks, at.Task, ""
	if len(c.cluster.cores) > 1 {
		f.core = c.String()
	}
	return f
}

// place returns the block that the core works on.
func (c *core) place() Place {
	cl := c.cluster
	return Place{cl.rank.number, len(cl.launch.ranks), cl.block, cl.launch.each, cl.launch.task}
}

// inLaunch names the core uniquely in its launch, for example "the cube core of block 1".
func (c *core) inLaunch() string {
	text := fmt.Sprintf("%s of block %d", c, c.cluster.block)
	if len(c.cluster.launch.ranks) > 1 {
		text += fmt.Sprintf(" of rank %d", c.cluster.rank.number)
	}
	if t := c.cluster.launch.task; t != "" {
		text += " of task " + ir.Visible(t)
	}
	return text
}

// Elsewhere identifies a core of another engine, such as compiled code.
type Elsewhere struct {
	Block, Blocks int
	Unit          sem.Unit // AnyUnit if one core stands for all
	Sub           int      // the number of the vector core
	Rounds        []Round  // only Loop and Index count
}

// FaultElsewhere returns the fault of an operation that another engine was executing.
// text continues a sentence that starts with the operation's name.
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

// Where returns a description of where an event happened, in the form of Fault.Where.
func (e *Event) Where() string {
	core, l := "", &e.r.stream.launch
	if len(e.r.block) > 1 {
		core = e.Core.String()
	}
	return where(l.Place(e.Core), core, "", e.Rounds)
}
