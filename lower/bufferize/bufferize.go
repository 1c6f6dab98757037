// This file defines the pass pto-bufferize.

package bufferize

import (
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
	"ptogo/passes"
)

// Bufferize lowers a program from Level 1 to Level 2.
//
// At Level 1 a tile is a value; at Level 2 a buffer is storage that changes. Every tile
// gets a buffer. Tiles share a buffer only if none of them is written while another one
// is still needed. A branch or a loop can pass a tile to a block argument or a result,
// which is a tile with a buffer of its own. The pass then inserts a copy from one buffer
// to the other, unless both tiles share a buffer. The program is correct for any choice
// of sharing, so sharing only affects speed and memory.
var Bufferize = &passes.Pass{
	Name:   "pto-bufferize",
	Title:  "PTOBufferize",
	Doc:    "Allocates a buffer for every tile, and rewrites tile instructions in destination-passing style: each instruction then writes its result into a buffer that is one of its operands.",
	Anchor: "builtin.module",
	Options: []passes.Option{
		{Name: "reuse", Kind: passes.Flag, Default: "false",
			Doc: "let an elementwise instruction write its result into the buffer of an operand that is not used later"},
		{Name: "moves", Kind: passes.Flag, Default: "false",
			Doc: "keep moves that the target hardware cannot execute, such as from acc to vec on A2/A3; only pto-run can execute the result"},
		{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: "report where buffers are reused and where tiles are copied"},
	},
	Stats: []passes.Stat{
		{Name: "num-tiles", Doc: "tiles for which the pass allocated a buffer"},
		{Name: "num-buffers", Doc: "buffers allocated"},
		{Name: "num-copies", Doc: "copies inserted because a loop or branch passes a tile on"},
		{Name: "num-reused", Doc: "results written into the buffer of an operand whose live range ends"},
	},
	Run:   bufferize,
	After: noTiles,
}

// bufferize lowers all functions of a module from tile values to tile buffers (Level 2).
// It continues with the next function after an error, so that one run reports the errors
// of all functions. It returns passes.ErrReported if one of the functions has an error.
func bufferize(c *passes.Context, module *ir.Op) error {
	failed := false
	called := map[*ir.Op]bool{}
	for op := range module.Walk() {
		if op.Is(fn.Call) {
			called[ir.LookupSymbol(op, op.Attr("callee"))] = true
		}
	}
	for _, f := range fn.Functions(module) {
		b := &bufferizer{c: c, f: f, target: c.Target(f), called: called[f]}
		if !b.run() {
			failed = true
		}
	}
	if failed {
		return passes.ErrReported
	}
	return nil
}

// bufferizer is the state of the pass for one function.
type bufferizer struct {
	c      *passes.Context
	f      *ir.Op
	target ir.Target
	// called reports that another function calls this one.
	called bool
	g      *graph
	s      *sharing
	dom    *ir.Dominance
	// varies are the buffers whose valid region changes: it is set before each write.
	varies map[*ir.Value]bool
	// valid is the valid region of each tile that an instruction returns.
	valid  map[*ir.Value]extents
	failed bool
}

// run performs the steps in the order of doc.go. It must find all errors before emit
// changes the function. It returns false after an error.
func (b *bufferizer) run() bool {
	if fn.Body(b.f) != nil && analysis.Unbuffered(b.f) != nil {
		b.prepare()
		b.check()
		if b.failed {
			return false
		}
		b.g = newGraph(b.f)
		b.s = share(b.g, b.c.Bool("reuse"), b.remarkReuse)
		plan := b.plan()
		b.place()
		b.copies()
		if b.failed {
			return false
		}
		b.emit(plan)
	}
	b.signature()
	return !b.failed
}

// remarkReuse adds a remark that the result of op reuses the buffer of the tile with the
// given number.
func (b *bufferizer) remarkReuse(op *ir.Op, tile int) {
	if b.c.Bool("remarks") {
		i := slices.Index(op.Operands(), b.g.values[tile])
		b.c.Remarkf(op, "writes its result into the buffer of operand #%d, which no later instruction reads", i)
	}
}

// errorf adds an error about op, formatted as by fmt.Sprintf, and marks the function as
// failed. It returns the diagnostic, so that the caller can add notes.
func (b *bufferizer) errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	b.failed = true
	return b.c.Errorf(op, format, args...)
}

// tileIn returns a tile that op uses or defines: an operand, a result or a region
// argument, in this order. It returns nil if no such tile exists.
func tileIn(op *ir.Op) *ir.Value {
	for _, vs := range [][]*ir.Value{op.Operands(), op.Results()} {
		for _, v := range vs {
			if ir.Is[pto.Tile](v.Type()) {
				return v
			}
		}
	}
	for _, r := range op.Regions() {
		for blk := range r.Blocks() {
			for _, a := range blk.Args() {
				if ir.Is[pto.Tile](a.Type()) {
					return a
				}
			}
		}
	}
	return nil
}

// noTiles returns an error if the module still contains a tile, which would be a bug in
// the pass.
func noTiles(module *ir.Op) error {
	for op := range module.Walk() {
		if v := tileIn(op); v != nil {
			return fmt.Errorf("pto-bufferize did not replace the tile of '%s' at %s, which has type %s", op.Name(), op.Loc(), v.Type())
		}
		if !op.Is(fn.Func) {
			continue
		}
		ins, outs := fn.TypeOf(op)
		for _, ts := range [][]ir.Type{ins, outs} {
			for _, t := range ts {
				if ir.Is[pto.Tile](t) {
					return fmt.Errorf("pto-bufferize did not replace a tile type in the signature of function @%s: %s", fn.Name(op), t)
				}
			}
		}
	}
	return nil
}
