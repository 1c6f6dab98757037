// This file defines the pass inline.

package passes

import (
	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/ir"
)

// Inline replaces calls by the bodies of the called functions.
var Inline = &Pass{
	Name:   "inline",
	Title:  "Inliner",
	Doc:    "Replaces calls by the bodies of the called functions, and removes private functions that are no longer called.",
	Anchor: "builtin.module",
	Options: []Option{
		{Name: "max-operations", Doc: "largest number of operations of a function that the pass inlines", Kind: Number, Default: "20000"},
	},
	Stats: []Stat{{"num-inlined", "calls replaced"}},
	Run:   inline,
}

// inline inlines calls in all functions of the module. It processes a called function
// before its callers, so that the body that it copies is complete. It does not inline
// calls of recursive functions.
func inline(c *Context, module *ir.Op) error {
	in := newInliner(c, module)
	in.most = c.Int("max-operations")
	for _, f := range fn.Functions(module) {
		in.function(f)
	}
	removeDeadSymbols(module)
	return nil
}

// visit records how far the calls in a function have been inlined: not yet, currently, or
// completely.
type visit uint8

const (
	// The states of a function. active means that its calls are being inlined, so that a
	// call of it is recursive. recursive means that it is done and calls itself.
	unvisited visit = iota
	active          // its calls are being inlined, so a call of it is recursive
	done
	recursive // done, and it calls itself
)

// inliner is the state of one run of the pass Inline on a module.
type inliner struct {
	c     *Context
	state map[*ir.Op]visit
	// most is the number of operations up to which a function is inlined, and marked, if
	// not "", is the name of an attribute that it must have.
	most   int64
	marked string
	// room is the number of operations by which the module may still grow.
	room int64
}

// newInliner returns an inliner for a module.
func newInliner(c *Context, module *ir.Op) *inliner {
	in := &inliner{c: c, state: map[*ir.Op]visit{}, room: leastGrowth}
	for range module.Walk() {
		in.room += mostGrowth
	}
	return in
}

// A module grows by at most leastGrowth operations, plus mostGrowth for each of its
// operations. Functions that call each other in a chain could otherwise grow
// quadratically, or exponentially.
const (
	leastGrowth = 50_000
	mostGrowth  = 16
)

// function inlines the calls in f. Before this, it does the same in the functions that f
// calls, so that it inlines their final bodies.
func (in *inliner) function(f *ir.Op) {
	if in.state[f] != unvisited {
		return
	}
	in.state[f] = active
	var calls []*ir.Op
	for op := range f.Walk() {
		if op.Is(fn.Call) {
			calls = append(calls, op)
		}
	}
	loops := false
	for _, call := range calls {
		callee := ir.LookupSymbol(call, call.Attr("callee"))
		if callee == nil || !callee.Is(fn.Func) {
			continue
		}
		in.function(callee)
		switch in.state[callee] {
		case active:
			loops = loops || callee == f
		case done:
			if in.wanted(call, callee) {
				inlineCall(call, callee)
				in.c.Count("num-inlined", 1)
			}
		}
	}
	in.state[f] = done
	if loops {
		in.state[f] = recursive
	}
}

// wanted reports whether a call can and should be replaced by the body of callee. Both
// functions must be for the same target and in the same symbol table, because the body
// uses symbols of that table.
func (in *inliner) wanted(call, callee *ir.Op) bool {
	entry := fn.Body(callee)
	if entry == nil || in.marked != "" && !callee.HasAttr(in.marked) || call.HasAttr("no_inline") || callee.HasAttr("no_inline") {
		return false
	}
	// A body with several blocks can only be inserted between blocks, directly in a
	// function.
	if entry != callee.Region(0).Last() && !call.Parent().Is(fn.Func) {
		return false
	}
	if in.c.Target(call) != in.c.Target(callee) || enclosingTable(call) != enclosingTable(callee) {
		return false
	}
	n := int64(0)
	for range callee.Walk() {
		n++
	}
	if n > in.most || !returns(callee) || n > in.room {
		return false
	}
	in.room -= n
	return true
}

// enclosingTable returns the symbol table in which the symbols that op uses are
// looked up.
func enclosingTable(op *ir.Op) *ir.Op {
	for op = op.Parent(); op != nil && !op.HasTrait(ir.SymbolTable); op = op.Parent() {
	}
	return op
}

// returns reports whether every path that leaves f ends in a return operation.
func returns(f *ir.Op) bool {
	for b := range f.Region(0).Blocks() {
		end := b.Terminator()
		if end == nil || len(end.Successors()) == 0 && !end.Is(fn.Return) {
			return false
		}
	}
	return true
}

// inlineCall replaces call by a copy of the body of callee.
func inlineCall(call, callee *ir.Op) {
	body := callee.Clone(nil).Region(0)
	entry := body.Entry()
	for i, a := range entry.Args() {
		a.ReplaceAllUses(call.Operand(i))
	}
	if entry == body.Last() {
		inlineBlock(call, entry)
		return
	}
	// The operations after the call become a block whose arguments are the results.
	after := call.Block().SplitAfter(call)
	for _, v := range call.Results() {
		a := after.AddArg(v.Type())
		a.SetName(v.Name())
		v.ReplaceAllUses(a)
	}
	for b := range body.Blocks() {
		if end := b.Terminator(); end.Is(fn.Return) {
			ir.Before(end).Create(ir.State{Def: cf.Br, Operands: end.Operands(), Succs: []*ir.Block{after}})
			end.Erase()
		}
	}
	at := call.Block()
	call.Erase()
	at.Splice(entry)
	entry.Erase()
	for b := range body.Blocks() {
		at.Region().InsertAfter(b, at)
		at = b
	}
}

// inlineBlock moves the operations of a body with a single block before call, and
// replaces the results of call by the returned values.
func inlineBlock(call *ir.Op, entry *ir.Block) {
	end := entry.Terminator()
	for i, v := range end.Operands() {
		call.Result(i).ReplaceAllUses(v)
	}
	end.Erase()
	for o := range entry.Ops() {
		call.Block().InsertBefore(o, call)
	}
	call.Erase()
}
