// This file defines vmi-mask-granularity-assignment.

package vmi

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isavmi "ptogo/dialect/pto/isa/vmi"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// MaskWidths is vmi-mask-granularity-assignment.
var MaskWidths = &passes.Pass{
	Name:   "vmi-mask-granularity-assignment",
	Title:  "VMIMaskGranularityAssignment",
	Doc:    "Gives each VMI mask the width of the lanes that it selects. Where an instruction needs another width, the pass converts the mask.",
	Anchor: "builtin.module",
	Run: func(c *passes.Context, module *ir.Op) error {
		w := &widths{assigner: assigner{c: c, module: module, node: map[*ir.Value]int{}, results: map[*ir.Op][]int{}}}
		if !w.collect() {
			return passes.ErrReported
		}
		w.run()
		return nil
	},
}

// widths assigns widths to masks.
type widths struct{ assigner }

// anyWidth is the width of masks that no instruction relates to lanes.
const anyWidth = 32

// run assigns widths.
func (w *widths) run() {
	for _, e := range w.edges { // the same width on both sides
		if v := e.op.Operand(e.number); ir.Is[pto.VMIMask](v.Type()) {
			w.join(w.node[v], e.to)
		}
	}
	for _, op := range w.ops {
		w.together(op)
	}
	bits := map[int]int{}
	for n, t := range w.kind { // widths of the program
		if m, ok := ir.As[pto.VMIMask](t); ok && m.Bits != 0 {
			bits[w.find(n)] = int(m.Bits)
		}
	}
	for _, op := range w.ops { // widths of compared lanes
		for _, v := range op.Results() {
			if b := laneWidth(op, v); b != 0 && bits[w.find(w.node[v])] == 0 {
				bits[w.find(w.node[v])] = b
			}
		}
	}
	for n := range w.kind {
		if w.boundary[n] && bits[w.find(n)] == 0 {
			bits[w.find(n)] = anyWidth
		}
	}
	for _, op := range w.ops { // widths of selected lanes
		for _, v := range op.Operands() {
			if b := laneWidth(op, v); b != 0 && bits[w.find(w.node[v])] == 0 {
				bits[w.find(w.node[v])] = b
			}
		}
	}
	w.assign(bits)
}

// together joins the masks of an instruction that need the same width.
func (w *widths) together(op *ir.Op) {
	if _, ok := op.Def().Sem.(sem.VecMap); !ok || op.NumResults() == 0 || !ir.Is[pto.VMIMask](op.Result(0).Type()) {
		return
	}
	for _, v := range op.Operands() {
		w.join(w.node[v], w.node[op.Result(0)])
	}
}

// laneWidth returns the width of the lanes that a mask of an instruction selects. It is 0
// if no lanes determine it.
func laneWidth(op *ir.Op, mask *ir.Value) int {
	m, ok := ir.As[pto.VMIMask](mask.Type())
	if !ok {
		return 0
	}
	vs := append(op.Operands(), op.Results()...)
	if _, counts := op.Def().Sem.(sem.LaneHistogram); counts {
		vs = op.Args("source")
	}
	if _, gathers := op.Def().Sem.(sem.LaneGather); gathers { // the first vector has offsets
		vs = op.Results()
	}
	for _, v := range vs {
		if d, ok := ir.As[pto.VMIVReg](v.Type()); ok && d.Lanes == m.Lanes {
			return bitsOf(d.Elem)
		}
	}
	return 0
}

// assign sets the types of masks, and converts them where another width is needed.
func (w *widths) assign(bits map[int]int) {
	width := func(v *ir.Value) int {
		if b := bits[w.find(w.node[v])]; b != 0 {
			return b
		}
		return anyWidth
	}
	set := func(t ir.Type, b int) ir.Type {
		if m, ok := ir.As[pto.VMIMask](t); ok && m.Bits == 0 {
			return withBits(t, b)
		}
		return t
	}
	for v := range w.node {
		v.SetType(set(v.Type(), width(v)))
	}
	for _, f := range fn.Functions(w.module) {
		ins, outs := fn.TypeOf(f)
		for i := range ins {
			if body := fn.Body(f); body != nil {
				ins[i] = body.Arg(i).Type()
			}
		}
		for i, n := range w.results[f] {
			if n >= 0 {
				b := bits[w.find(n)]
				if b == 0 {
					b = anyWidth
				}
				outs[i] = set(outs[i], b)
			}
		}
		fn.SetType(f, ins, outs)
	}
	for _, op := range w.ops {
		for i, v := range op.Operands() {
			b := laneWidth(op, v)
			if m, _ := ir.As[pto.VMIMask](v.Type()); b == 0 || int(m.Bits) == b {
				continue
			}
			to := withBits(v.Type(), b)
			if v.Op() != nil && rematerializable(v.Op()) != nil {
				op.SetOperand(i, changed(op, v, to, true))
				continue
			}
			op.SetOperand(i, ir.Before(op).Op(isavmi.VMIEnsureMaskGranularity, []*ir.Value{v}, []ir.Type{to}).Result(0))
		}
	}
	w.sweep()
}
