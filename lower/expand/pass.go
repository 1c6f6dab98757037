// This file defines pto-expand-tile-op.

package expand

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/passes"
)

// Pass is the pass pto-expand-tile-op. It replaces tile instructions by loops of vector
// instructions.
var Pass = expansion(passes.Pass{
	Name:  "pto-expand-tile-op",
	Title: "ExpandTileOp",
	Doc:   "Replaces tile instructions on vec memory by loops of vector instructions (a5 only). The pass keeps tile instructions that it cannot expand.",
}, "report each tile instruction that the pass keeps, with the reason", expandAll)

// expansion completes the pass p, which expands the tile instructions of a module. The
// pass calls the function run for each function of the module. remarks is the description
// of the pass option "remarks". stats is added to the statistics that all expansion
// passes have.
func expansion(p passes.Pass, remarks string, run func(*passes.Context, *ir.Op), stats ...passes.Stat) *passes.Pass {
	p.Anchor = "builtin.module"
	p.Options = []passes.Option{{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: remarks}}
	p.Stats = append([]passes.Stat{
		{Name: "num-expanded", Doc: "tile instructions replaced by vector instructions"},
		{Name: "num-kept", Doc: "tile instructions of the vector unit that the pass could not expand"},
	}, stats...)
	p.Run = func(c *passes.Context, module *ir.Op) error {
		for _, f := range fn.Functions(module) {
			if !onA5(c, f) {
				return passes.ErrReported
			}
			run(c, f)
		}
		return nil
	}
	return &p
}

// onA5 reports whether the function f is compiled for the target A5. Only A5 has the
// vector instructions into which tile instructions are expanded. For other targets, onA5
// reports an error.
func onA5(c *passes.Context, f *ir.Op) bool {
	if c.Target(f) == sem.A5 {
		return true
	}
	c.Errorf(f, "cannot be expanded to vector instructions, which only a5 has").
		Note(ir.Loc{}, "add pto.target_arch = \"a5\" to the module, or use --pto-arch=a5")
	return false
}

// expandAll replaces the tile instructions of the function f by vector instructions, and
// counts the replaced and the remaining instructions.
func expandAll(c *passes.Context, f *ir.Op) {
	for _, op := range candidates(f, c.Target(f)) {
		why := expand(op, c.Target(f))
		if why == "" {
			c.Count("num-expanded", 1)
			continue
		}
		c.Count("num-kept", 1)
		if c.Bool("remarks") {
			c.Remarkf(op, "is not expanded to vector instructions: %s", why)
		}
	}
}

// candidates returns the tile instructions of the function f that the vector unit of
// target t executes.
func candidates(f *ir.Op, t ir.Target) []*ir.Op {
	var ops []*ir.Op
	for op := range f.Walk() {
		if info := pto.InfoOf(op.Def()); info != nil && info.Group == "tile" && pto.PipeFor(op, t) == sem.PipeV {
			ops = append(ops, op)
		}
	}
	return ops
}

// kernels maps each kind of elementwise tile instruction to the routine that plans its
// expansion. In an elementwise instruction, each result register depends only on the
// source registers with the same index. A routine returns a plan, or the reason why it
// has none.
var kernels = routine.New(func() []routine.Row[*expander, planned] {
	return []routine.Row[*expander, planned]{
		routine.Makes(asPlanned((*expander).tileMap)),
		routine.Makes(asPlanned((*expander).tileExpand)),
		routine.Makes(asPlanned((*expander).tileConvert)),
	}
})

// reductions contains the routine that plans how to expand a tile instruction that reduces
// each row or column to one element.
var reductions = routine.New(func() []routine.Row[*expander, planned] {
	return []routine.Row[*expander, planned]{routine.Makes(asPlanned((*expander).tileReduction))}
})

// routines maps kinds of tile instructions to the routines that expand them. It contains
// the kinds that are not elementwise (see kernels); the expansion of a reduction alone is
// not that in a shared loop (see reductions). A routine returns "", or the reason why it
// cannot expand an instruction.
var routines = routine.New(func() []routine.Row[*expander, string] {
	return []routine.Row[*expander, string]{
		routine.Makes((*expander).tileReduce),
		routine.Makes((*expander).tilePart),
		routine.Makes((*expander).tileCompare),
		routine.Makes((*expander).tileSelect),
		routine.Makes((*expander).tileMove),
		routine.Makes((*expander).tilePad),
		routine.Makes((*expander).tileTri),
		routine.Makes((*expander).tileGather),
		routine.Makes((*expander).tileTranspose),
		routine.Makes((*expander).tileMerge),
	}
})

// Expands reports whether the package can expand instructions with definition d: it has a
// routine for their kind (ir.Def.Sem).
func Expands(d *ir.Def) bool {
	return d.Sem != nil && (kernels.Has(d.Sem) || routines.Has(d.Sem))
}

// Shares reports whether some instructions with definition d can be fused with other
// instructions into one loop.
func Shares(d *ir.Def) bool {
	return d.Sem != nil && (kernels.Has(d.Sem) || reductions.Has(d.Sem))
}

// expander holds the state of the expansion of one tile instruction into vector
// instructions.
type expander struct {
	op     *ir.Op
	target ir.Target
	// before inserts operations before the vector function, top at the start of the
	// function, and at into the innermost loop that is being built.
	before, top, at *ir.Builder
	// scoped is the body of the vector function, and block is the body of the innermost
	// loop.
	scoped, block *ir.Block
	consts        map[constant]*ir.Value
	masks         map[tail]*ir.Value
	fills         map[filled]*ir.Value
	// registers holds the register with the current elements of each tile.
	registers map[place]*ir.Value
	// kept holds registers by the index of their first element within the line.
	kept map[int64]map[place]*ir.Value
	// firsts holds, for tiles with one element per line, the register whose first lane is
	// the element of the current line.
	firsts map[place]*ir.Value
	// columns holds the results so far of reductions of columns.
	columns []*column
	// omitted is the set of instructions whose results are not stored to memory.
	omitted map[*ir.Op]bool
}

// expand replaces the tile instruction op by a vector function for the given target. It
// returns "", or the reason why it leaves op unchanged.
func expand(op *ir.Op, target ir.Target) string {
	if op.Form().Level != ir.DPS {
		return "its tiles have no buffers yet; run pto-bufferize first"
	}
	x := &expander{op: op, target: target}
	why, ok := routines.Run(x, op)
	if p, isKernel := kernels.Run(x, op); isKernel {
		why, ok = p.why, true
		if why == "" {
			x.emit(p.kernel.n, p.kernel)
		}
	}
	switch {
	case !ok:
		return "instructions of its kind are not expanded"
	case why != "":
		return why
	}
	op.Erase()
	return ""
}

// scope creates the empty vector function that replaces the tile instruction. Routines
// call scope only once the expansion is certain to succeed.
func (x *expander) scope() {
	x.scoped = ir.NewBlock()
	ir.Before(x.op).Create(ir.State{Def: isabase.VecScope, Regions: []*ir.Region{ir.NewRegion(x.scoped)}})
	x.before = ir.Before(x.op.Prev())
	x.enter(x.scoped)
	x.consts, x.masks, x.fills = map[constant]*ir.Value{}, map[tail]*ir.Value{}, map[filled]*ir.Value{}
}

// alone moves the insertion points of the expander to a position directly before the tile
// instruction. It is for instructions that must execute outside of vector functions.
func (x *expander) alone() {
	x.before = ir.Before(x.op)
	x.top, x.at = x.before, x.before
	x.consts = map[constant]*ir.Value{}
}

// enter makes the end of block the insertion point for the following instructions. These
// instructions receive the source location of the current tile instruction.
func (x *expander) enter(block *ir.Block) {
	x.block = block
	x.top, x.at = ir.AtEnd(x.scoped, x.op.Loc()), ir.AtEnd(block, x.op.Loc())
}
