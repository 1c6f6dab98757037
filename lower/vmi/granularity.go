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

// MaskWidths is the pass vmi-mask-granularity-assignment. It assigns to each VMI mask the
// lane width of the vectors that the mask applies to.
var MaskWidths = &passes.Pass{
	Name:   "vmi-mask-granularity-assignment",
	Title:  "VMIMaskGranularityAssignment",
	Doc:    "Gives each VMI mask the width of the lanes that the mask selects. Where an instruction needs a mask of another width, the pass inserts a conversion.",
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

// widths is the state of a pass that assigns a lane width to each mask of a module.
type widths struct {
	assigner
	// bits holds the known lane widths in bits. The key is the number of a mask, as in
	// assigner.node.
	bits map[int]int
}

// anyWidth is the lane width in bits that a mask receives if its width does not matter,
// because no instruction uses the mask with a vector.
const anyWidth = 32

// run assigns a lane width to each mask. It propagates known widths to masks without one,
// first from operands to results, then from uses to definitions.
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

// set records that the mask with number n has lanes of the given width in bits. If the
// width is already known, or if bits is 0, set changes nothing. It reports whether it has
// recorded a width.
func (w *widths) set(n, bits int) bool {
	if n = w.find(n); bits == 0 || w.bits[n] != 0 {
		return false
	}
	w.bits[n] = bits
	return true
}

// spread propagates lane widths through logical functions of masks and through control
// flow: from operands to results if forwards is true, and from results to operands if it
// is false. It reports whether a width changed.
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

// maskResult returns the result of op if op is a logical function of masks. It returns
// nil for all other operations.
func maskResult(op *ir.Op) *ir.Value {
	if _, ok := op.Def().Sem.(sem.VecMap); !ok || op.NumResults() == 0 || !ir.Is[pto.VMIMask](op.Result(0).Type()) {
		return nil
	}
	return op.Result(0)
}

// laneWidth returns the width in bits of the vector lanes to which op applies the given
// mask. It returns 0 if the vectors of op do not determine the width.
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

// width returns the lane width in bits of the mask with number n, or anyWidth if it is
// unknown.
func (w *widths) width(n int) int {
	if b := w.bits[w.find(n)]; b != 0 {
		return b
	}
	return anyWidth
}

// withWidth returns the type t with the given lane width if t is a mask type without a
// width. Other types remain unchanged.
func withWidth(t ir.Type, bits int) ir.Type {
	if m, ok := ir.As[pto.VMIMask](t); ok && m.Bits == 0 {
		return withBits(t, bits)
	}
	return t
}

// assign sets the types of all masks, and inserts conversions where an instruction needs
// another lane width.
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

// setSignature updates the signature of the function f from the types of its parameters
// and returned values.
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

// adaptOperand converts one mask operand of op to lanes of the given width in bits, if it
// has another width.
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
