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
type widths struct {
	assigner
	// bits are the widths that are known, by the number of a mask.
	bits map[int]int
}

// anyWidth is the width of masks that no instruction relates to lanes.
const anyWidth = 32

// run assigns widths. Widths that are known spread to masks without one, first along the
// program and then from where masks are used.
func (w *widths) run() {
	w.bits = map[int]int{}
	for n, t := range w.kind { // widths of the program
		if m, ok := ir.As[pto.VMIMask](t); ok {
			w.set(n, int(m.Bits))
		}
	}
	for _, op := range w.ops { // widths of compared lanes
		for _, v := range op.Results() {
			if b := laneWidth(op, v); b != 0 {
				w.set(w.node[v], b)
			}
		}
	}
	for n := range w.kind {
		if w.boundary[n] {
			w.set(n, anyWidth)
		}
	}
	for again := true; again; {
		again = w.spread(true)
		for _, op := range w.ops { // widths of selected lanes
			for _, v := range op.Operands() {
				if b := laneWidth(op, v); b != 0 {
					again = w.set(w.node[v], b) || again
				}
			}
		}
		again = w.spread(false) || again
	}
	w.assign()
}

// set gives a mask a width if it has none. It reports whether it did.
func (w *widths) set(n, bits int) bool {
	if n = w.find(n); bits == 0 || w.bits[n] != 0 {
		return false
	}
	w.bits[n] = bits
	return true
}

// spread passes widths on through functions of masks and control flow, forwards or backwards.
func (w *widths) spread(forwards bool) (changed bool) {
	pass := func(from, to int) {
		if !forwards {
			from, to = to, from
		}
		changed = w.set(to, w.bits[w.find(from)]) || changed
	}
	for _, op := range w.ops {
		if result := maskResult(op); result != nil {
			for _, v := range op.Operands() {
				pass(w.node[v], w.node[result])
			}
		}
	}
	for _, e := range w.edges {
		if v := e.op.Operand(e.number); ir.Is[pto.VMIMask](v.Type()) {
			pass(w.node[v], e.to)
		}
	}
	return changed
}

// maskResult returns the result of a function of masks, or nil.
func maskResult(op *ir.Op) *ir.Value {
	if _, ok := op.Def().Sem.(sem.VecMap); !ok || op.NumResults() == 0 || !ir.Is[pto.VMIMask](op.Result(0).Type()) {
		return nil
	}
	return op.Result(0)
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

// width returns the width of a mask by its number.
func (w *widths) width(n int) int {
	if b := w.bits[w.find(n)]; b != 0 {
		return b
	}
	return anyWidth
}

// withWidth returns a type with a width, if it is that of a mask without one.
func withWidth(t ir.Type, bits int) ir.Type {
	if m, ok := ir.As[pto.VMIMask](t); ok && m.Bits == 0 {
		return withBits(t, bits)
	}
	return t
}

// assign sets the types of masks, and converts them where another width is needed.
func (w *widths) assign() {
	for v, n := range w.node {
		v.SetType(withWidth(v.Type(), w.width(n)))
	}
	for _, f := range fn.Functions(w.module) {
		w.setSignature(f)
	}
	for _, op := range w.ops {
		result := maskResult(op)
		for i, v := range op.Operands() {
			b := laneWidth(op, v)
			if result != nil {
				b = w.width(w.node[result])
			}
			w.adaptOperand(op, i, b)
		}
	}
	for _, e := range w.edges {
		if ir.Is[pto.VMIMask](e.op.Operand(e.number).Type()) {
			w.adaptOperand(e.op, e.number, w.width(e.to))
		}
	}
	w.sweep()
}

// setSignature sets the types of the parameters and results of a function.
func (w *widths) setSignature(f *ir.Op) {
	ins, outs := fn.TypeOf(f)
	body := fn.Body(f)
	if body == nil {
		return
	}
	for i, v := range body.Args() {
		ins[i] = v.Type()
	}
	for i, n := range w.results[f] {
		if n >= 0 {
			outs[i] = withWidth(outs[i], w.width(n))
		}
	}
	fn.SetType(f, ins, outs)
}

// adaptOperand makes an operand a mask for lanes of a width.
func (w *widths) adaptOperand(op *ir.Op, number, bits int) {
	v := op.Operand(number)
	m, ok := ir.As[pto.VMIMask](v.Type())
	if !ok || bits == 0 || int(m.Bits) == bits {
		return
	}
	to := withBits(v.Type(), bits)
	if v.Op() != nil && rematerializable(v.Op()) != nil {
		op.SetOperand(number, changed(op, v, to, true))
		return
	}
	op.SetOperand(number, ir.Before(op).Op(isavmi.VMIEnsureMaskGranularity, []*ir.Value{v}, []ir.Type{to}).Result(0))
}
