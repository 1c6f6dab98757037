// This file replaces outdated forms of instructions.

package isa

import (
	"slices"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// This file accepts the syntax of older public texts. If a single word determines the
// new form, it is replaced when it is read. Masks without a width, and views of which
// only the rank is known, need the whole program.

func init() { Dialect.Renew = renew }

// renew replaces deprecated instructions and types in a module that has just been parsed.
// It reports to p what it replaces, and reports an error if a mask width cannot be
// determined.
func renew(module *ir.Op, p *ir.Parser) {
	vector.RenewLoads(module)
	renewGlobals(module, p)
	for op := range module.Walk() {
		if _, ok := op.Def().Sem.(sem.MakeView); ok {
			renewRank(op, p)
		}
		if signature, ok := ir.AttrAs[ir.TypeAttr](op.Attr("function_type")); ok && strings.Contains(signature.Type.String(), OpenMask.String()) {
			_, off := op.Loc().Source()
			p.ErrorAt(off, "a function with masks as parameters or results must specify their width: !pto.mask<b8>, <b16> or <b32>")
			return
		}
	}
	masks := openMasks(module)
	for len(masks) > 0 {
		left := slices.DeleteFunc(slices.Clone(masks), setWidth)
		if len(left) == len(masks) {
			p.ErrorAt(offsetOf(masks[0]), "the width of this mask is unknown: write !pto.mask<b8>, <b16> or <b32>")
			return
		}
		masks = left
	}
}

// renewRank changes the type of a view from 2xf32, which used to mean a rank of 2, to
// ?x?xf32.
func renewRank(op *ir.Op, p *ir.Parser) {
	r := op.Result(0)
	t, _ := ir.As[TensorView](r.Type())
	n := len(op.Args("shape"))
	if n < 2 || t.Shape.Len() != 1 || t.Shape.At(0) != int64(n) {
		return
	}
	dims := slices.Repeat([]int64{ir.Dynamic}, n)
	today := ir.TypeOf(TensorView{Shape: ir.MakeDims(dims...), Elem: t.Elem})
	p.Old(offsetOf(r), r.Type().String(), today.String())
	r.SetType(today)
}

// openMasks returns the values of a module that are masks without a lane width, which is
// deprecated syntax.
func openMasks(module *ir.Op) []*ir.Value {
	var all []*ir.Value
	add := func(vs []*ir.Value) {
		for _, v := range vs {
			if v.Type() == OpenMask {
				all = append(all, v)
			}
		}
	}
	for op := range module.Walk() {
		add(op.Results())
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				add(b.Args())
			}
		}
	}
	return all
}

// setWidth sets the lane width of m, a mask whose type omits it. The width follows from
// the instruction that defines m, or from one that uses m. The result is false if neither
// determines the width.
func setWidth(m *ir.Value) bool {
	bits := 0
	if op := m.Op(); op != nil {
		bits = maskBits(op, m)
	}
	for use := range m.Uses() {
		if bits != 0 {
			break
		}
		bits = maskBits(use.Owner(), m)
	}
	if bits == 0 {
		return false
	}
	m.SetType(ir.TypeOf(Mask{Bits: uint8(bits)}))
	return true
}

// maskBits returns the lane width in bits of the masks of op, or 0 if op does not
// determine it. The width is in the name of op (_b8, _b16, _b32), or follows from the
// type of a register or mask of op. The mask in the parameter but is ignored, because its
// width is not known yet.
func maskBits(op *ir.Op, but *ir.Value) int {
	switch name := op.Name(); {
	case strings.HasSuffix(name, "_b8"):
		return 8
	case strings.HasSuffix(name, "_b16"):
		return 16
	case strings.HasSuffix(name, "_b32"):
		return 32
	}
	for _, v := range slices.Concat(op.Operands(), op.Results()) {
		switch t := v.Type().Data().(type) {
		case VReg:
			return LaneBits(t.Elem)
		case Mask:
			if t.Bits != 0 && v != but {
				return int(t.Bits)
			}
		}
	}
	return 0
}

// offsetOf returns the byte offset in the program text at which the value v is defined.
func offsetOf(v *ir.Value) int {
	op := v.Op()
	if op == nil {
		op = v.Block().Parent()
	}
	_, off := op.Loc().Source()
	return off
}
