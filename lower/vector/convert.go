// This file defines vpto-optimize-vcvt.

package vector

import (
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/lanemap"
	"ptogo/ir"
	"ptogo/passes"
)

// OptimizeConversions is the pass vpto-optimize-vcvt. It simplifies conversions to wider
// lanes.
var OptimizeConversions = rewriting(passes.Pass{
	Name:  "vpto-optimize-vcvt",
	Title: "VPTOOptimizeVcvt",
	Doc:   "Simplifies conversions to wider lanes, such as from 8 to 32 bits. Such a conversion reads one of several adjacent lanes. If these lanes are equal, the pass lets the conversion read the first one, so that cse can merge conversions. If the lanes are unsigned and all except the first one are zero, a reinterpretation of the register as wider lanes replaces the conversion.",
}, passes.Stat{Name: "num-simplified", Doc: "conversions changed or removed"}, func(op *ir.Op) bool {
	if !op.Is(isavector.VCvt) {
		return false
	}
	from, to := ir.ElementType(op.Operand(0).Type()), ir.ElementType(op.Result(0).Type())
	narrow, wide := pto.ByteSize(from), pto.ByteSize(to)
	part, _ := op.Attr("part").AsString()
	if narrow == 0 || wide <= narrow || !isAll(op.Operand(1)) {
		return false
	}
	first := firstPart(wide / narrow)
	switch {
	case part == first && unsigned(from) && unsigned(to) && hasZeros(op.Operand(0), narrow, wide):
		op.Result(0).ReplaceAllUses(reinterpreted(op, op.Result(0).Type()))
		op.Erase()
		return true
	case part != first && sameLanes(op.Operand(0), wide):
		op.SetAttr("part", ir.Str(first))
		return true
	}
	return false
})

// firstPart returns a value for the attribute named part of a conversion instruction. The
// conversion uses one lane of each group of n adjacent lanes, and the returned value
// selects the first lane of each group.
func firstPart(n int) string {
	if n == 2 {
		return "EVEN"
	}
	return "P0"
}

// unsigned reports whether t is an unsigned integer type.
func unsigned(t ir.Type) bool {
	d, ok := ir.As[ir.IntegerType](t)
	return ok && d.Sign == ir.Unsigned
}

// sameLanes divides the register v into aligned groups of size bytes. It reports whether,
// in each group, all lanes are known to have the same value.
func sameLanes(v *ir.Value, size int) bool {
	op := v.Op()
	switch {
	case op == nil:
		return false
	case op.Is(isavector.VBr):
		return true
	case op.Is(isavector.VDup):
		return isAll(op.Operand(1)) && !ir.Is[pto.VReg](op.Operand(0).Type())
	case op.Is(isavector.VLds):
		lane := pto.ByteSize(ir.ElementType(v.Type()))
		d := lanemap.DistOf(op)
		switch d.Pattern {
		case lanemap.OneToAll, lanemap.ElementToBlock:
			return d.Bits == 8*lane
		case lanemap.Repeat:
			return d.Bits == 8*lane && d.Factor*lane >= size
		}
	}
	return false
}

// hasZeros divides the register v into groups of lanes. It reports whether in every group
// all lanes except the first one are known to be zero. narrow is the size of a lane in
// bytes, and wide is the size of a group in bytes.
func hasZeros(v *ir.Value, narrow, wide int) bool {
	op := v.Op()
	switch {
	case op == nil:
		return false
	case op.Is(isavector.VBitcast):
		return hasZeros(op.Operand(0), narrow, wide)
	case op.Is(isavector.VLds):
		d := lanemap.DistOf(op)
		return d.Pattern == lanemap.Spaced && d.Bits <= 8*narrow && d.Bits*d.Factor >= 8*wide
	case op.Is(isavector.VZUnpack):
		from := pto.ByteSize(ir.ElementType(op.Operand(0).Type()))
		to := pto.ByteSize(ir.ElementType(v.Type()))
		return to >= wide && (from <= narrow || hasZeros(op.Operand(0), narrow, from) || lowHalfOf(op.Operand(0), narrow))
	case op.Is(isavector.VCvt):
		from := pto.ByteSize(ir.ElementType(op.Operand(0).Type()))
		to := pto.ByteSize(ir.ElementType(v.Type()))
		part, _ := op.Attr("part").AsString()
		return to <= narrow && from >= wide && part == firstPart(from/to)
	}
	return false
}

// lowHalfOf examines the lanes of the register v, which are wider than size bytes. It
// reports whether they come from narrower lanes, of at most size bytes, that an
// instruction has extended with zeros.
func lowHalfOf(v *ir.Value, size int) bool {
	op := v.Op()
	if op == nil || !op.Is(isavector.VZUnpack) {
		return false
	}
	return pto.ByteSize(ir.ElementType(op.Operand(0).Type())) <= size || lowHalfOf(op.Operand(0), size)
}

// reinterpreted returns a register of type t with the same bits as the first operand of
// op. It inserts a bitcast before op unless a register with this type and these bits
// already exists.
func reinterpreted(op *ir.Op, t ir.Type) *ir.Value {
	v := op.Operand(0)
	for v.Op() != nil && v.Op().Is(isavector.VBitcast) && v.Type() != t {
		v = v.Op().Operand(0)
	}
	if v.Type() == t {
		return v
	}
	return ir.Before(op).Op(isavector.VBitcast, []*ir.Value{v}, []ir.Type{t}).Result(0)
}
