// This file defines the pass pto-plan-memory.

package plan

import (
	"fmt"
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// PlanMemory lowers a program from Level 2 to Level 3 with respect to memory: it assigns
// an address to every allocation without one.
//
// Two allocations share bytes only if no point of the program needs both. If the tiles do
// not fit with this rule, the result of an elementwise instruction may also reuse the
// bytes of an operand. The instruction must be the last use of this operand.
var PlanMemory = &passes.Pass{
	Name:   "pto-plan-memory",
	Title:  "PTOPlanMemory",
	Doc:    "Assigns an address to every tile without an address. Tiles with overlapping live ranges never share bytes.",
	Anchor: "builtin.module",
	Options: []passes.Option{
		{Name: "mem-mode", Kind: passes.Word, Default: "local", Choices: []string{"local"}, Doc: "which memories to plan; local (the memories of a core) is the only choice"},
		{Name: "order-by-size", Kind: passes.Flag, Default: "false",
			Doc: "place large tiles first; if false, place tiles in the order in which their live ranges start, and by size only if they do not fit otherwise"},
		{Name: "in-place", Kind: passes.Flag, Default: "false",
			Doc: "let results reuse the bytes of operands that are not used later; if false, results do so only if the tiles do not fit otherwise"},
		{Name: "whole-vec", Kind: passes.Flag, Default: "false",
			Doc: "also use the last 8 KiB of vec memory, which some devices overwrite; if false, plans use at most 184 KiB on a2 and a3, and 240 KiB on a5"},
	},
	Stats: []passes.Stat{
		{Name: "num-planned", Doc: "allocations to which the pass assigned an address"},
		{Name: "num-in-place", Doc: "results that reuse the bytes of an operand whose live range ends"},
		{Name: "peak-bytes", Doc: "bytes used, summed over all local memories"},
	},
	Run: planMemory,
}

// planMemory plans the functions of a module, callers first. The tiles of a callee
// start after the highest tile of all of its callers.
func planMemory(c *passes.Context, module *ir.Op) error {
	if op := analysis.Unbuffered(module); op != nil {
		c.Errorf(op, "has a tile without a buffer, so pto-plan-memory cannot assign an address to it").Note(ir.Loc{}, "run pto-bufferize first")
		return passes.ErrReported
	}
	order, cycle := callersFirst(module)
	if cycle != nil {
		c.Errorf(cycle, "is recursive, so its tiles cannot have fixed addresses").
			Note(ir.Loc{}, "give its tiles addresses, or write the recursion as a loop")
		return passes.ErrReported
	}
	failed := false
	base := map[*ir.Op]*[numSpaces]int64{}
	for _, f := range order {
		p := &memoryPlan{c: c, f: f.op, target: c.Target(f.op), called: f.called}
		if b := base[f.op]; b != nil {
			p.base = *b
		}
		if !p.run() || !checkApart(f.op, c.Diags) {
			failed = true
			continue
		}
		// A callee can have several callers; its tiles must be after those of each
		// of them.
		for _, g := range f.calls {
			if base[g] == nil {
				base[g] = &[numSpaces]int64{}
			}
			for s, top := range p.top {
				base[g][s] = max(base[g][s], top)
			}
		}
	}
	if failed {
		return passes.ErrReported
	}
	return nil
}

// numSpaces is the number of memory spaces.
const numSpaces = int(sem.FB) + 1

// memoryPlan is the plan of one function. Its tiles are placed above those of the
// functions that call it, as on a stack.
type memoryPlan struct {
	c      *passes.Context
	f      *ir.Op
	target ir.Target
	// called reports that another function calls this one.
	called bool
	// base and top are the first byte and the end of the planned tiles, for each space.
	base [numSpaces]int64
	top  [numSpaces]int64

	allocations []*allocation
	// allocated is the allocation of each tile that the function allocates.
	allocated map[*ir.Value]*allocation
	// storages are the sets of allocations in which values may be stored, each after its
	// parts; held is the set of each value.
	storages []*storage
	held     map[*ir.Value]*storage
	points   []flowPoint
	failed   bool
}

// allocation is memory of one space that a function needs during a live range.
type allocation struct {
	op    *ir.Op
	space sem.Space
	size  int64
	// at is the address. fixed reports that the program has assigned it.
	at    int64
	fixed bool
	// always reports that the memory is needed as long as the function runs.
	always bool
	// passed reports that control flow carries the tile, for example as a loop-carried
	// value. The tile may then be read after its allocation has been executed again.
	passed bool
	// in is the smallest set of allocations that contains this one.
	in *storage
	// from and to are the first and the last point at which the memory is needed.
	// to < from for an allocation that is never used.
	from, to int
	events   []event
	// host is the allocation whose bytes this one reuses, or nil.
	host *allocation
}

// unused reports whether the live range of the allocation is empty.
func (r *allocation) unused() bool { return r.to < r.from }

// run assigns addresses to the tiles of the function and returns true if that succeeded.
// It skips the analysis if the program has assigned all addresses.
func (p *memoryPlan) run() bool {
	p.top = p.base
	if fn.Body(p.f) == nil {
		return true
	}
	p.collect()
	if p.failed {
		return false
	}
	own := p.allocations
	plans := slices.ContainsFunc(own, func(r *allocation) bool { return !r.fixed })
	if plans {
		p.placedByCallees()
		p.flow()
		p.check()
		p.lifetimes()
		if p.failed || !p.place() {
			return false
		}
		p.write()
	}
	for _, r := range own {
		p.top[r.space] = max(p.top[r.space], r.at+r.size)
	}
	if plans { // otherwise the pass has no effect to report
		for s := range p.top {
			p.c.Count("peak-bytes", int(p.top[s]-p.base[s]))
		}
	}
	return true
}

// check reports an error for each tile that a function both allocates and returns. A
// caller could not use such a tile, because its memory is only valid inside the function.
func (p *memoryPlan) check() {
	if !p.called {
		return
	}
	for op := range p.f.Walk() {
		if !op.Is(fn.Return) {
			continue
		}
		for i, v := range op.Operands() {
			if held := p.held[v]; held != nil {
				p.errorf(op, "returns operand #%d to the caller, but its memory is only valid inside the function", i).
					Note(held.any().op.Loc(), "it is allocated here; let the caller allocate it and pass it as a parameter")
			}
		}
	}
}

// errorf adds an error about op, formatted as by fmt.Sprintf, and marks the plan as
// failed. It returns the diagnostic, so that the caller can add notes.
func (p *memoryPlan) errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	p.failed = true
	return p.c.Errorf(op, format, args...)
}

// collect creates an allocation for every tile and every local buffer of the function. It
// reports an error if a tile has an address that is not constant: the tile could then be
// anywhere, so its memory space cannot be planned.
func (p *memoryPlan) collect() {
	var open [numSpaces]*ir.Op // a tile whose address is not constant
	for op := range p.f.Walk() {
		switch kind := op.Def().Sem.(type) {
		case sem.AllocTile:
			r := &allocation{op: op, space: pto.SpaceOf(op.Result(0).Type()), size: pto.StorageOf(op.Result(0).Type())}
			if addr := op.Arg("addr"); addr != nil {
				at, known := arith.ConstantInt(addr)
				if !known {
					open[r.space] = op
					continue
				}
				r.at, r.fixed, r.always = at, true, true
			}
			p.allocations = append(p.allocations, r)
		case sem.LocalBuffer:
			if !kind.Imported {
				p.allocations = append(p.allocations, reserved(op))
			}
		}
	}
	for _, r := range p.allocations {
		if other := open[r.space]; !r.fixed && other != nil {
			p.errorf(r.op, "cannot get an address from pto-plan-memory: another tile in %s has an address that is only known at run time", r.space.Loc()).
				Note(other.Loc(), "this tile; give both tiles an address, or neither")
			return
		}
	}
}

// reserved returns the allocation for the buffer of a queue. It is always live, because
// other cores may write to it at any time.
func reserved(op *ir.Op) *allocation {
	size, _ := op.Attr("size").AsInt()
	r := &allocation{op: op, space: pto.SpaceOfAttr(op.Attr("location")), size: size, always: true}
	if auto, _ := op.Attr("autoAlloc").AsBool(); !auto {
		r.at, _ = op.Attr("base").AsInt()
		r.fixed = true
	}
	return r
}

// write adds the planned addresses to the allocations in the program.
func (p *memoryPlan) write() {
	constants := map[int64]*ir.Value{}
	at := ir.Before(fn.Body(p.f).First())
	for _, r := range p.allocations {
		if r.fixed {
			continue
		}
		p.c.Count("num-planned", 1)
		if _, tile := r.op.Def().Sem.(sem.AllocTile); !tile {
			r.op.SetAttr("autoAlloc", ir.BoolAttr(false))
			r.op.SetAttr("base", ir.IntAttr(ir.I32, r.at))
			continue
		}
		// Tiles at the same address share one constant, which is at the start of
		// the function and so dominates them all.
		if constants[r.at] == nil {
			constants[r.at] = arith.Int(at, ir.I64, r.at)
			constants[r.at].SetName(fmt.Sprintf("c%d_i64", r.at))
		}
		segs := make([]int32, len(r.op.Form().Operands))
		for i := range segs {
			from, to := r.op.ArgRange(i)
			segs[i] = int32(to - from)
		}
		// The address is the first operand of alloc_tile.
		segs[0] = 1 // addr
		r.op.SetOperands(append([]*ir.Value{constants[r.at]}, r.op.Operands()...), segs)
	}
}
