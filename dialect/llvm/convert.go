// This file defines conversions.

package llvm

import "ptogo/ir"

// convert returns the definition of the instruction with the given name in the llvm
// dialect, a conversion of one operand. The parameter in is the constraint on the operand
// type, and out is the constraint on the result type. The syntax contains both types.
// kind describes which conversion the operation computes.
func convert(name, summary string, in, out ir.Constraint, kind Action) *ir.Def {
	return &ir.Def{
		Name:    "llvm." + name,
		Summary: summary,
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable,
		Forms: []*ir.Form{{
			Operands: []ir.Arg{{Name: "arg", Type: in}},
			Results:  []ir.Arg{{Name: "res", Type: out}},
			Syntax:   ir.Asm("$arg attr-dict `:` type($arg) `to` type($res)"),
		}},
		Sem: kind,
	}
}

// Conversions between bits, integers and addresses.
var (
	Bitcast       = convert("bitcast", "Reads the bits of a value as another type.", anyType, anyType, BitsAs)
	IntToPtr      = convert("inttoptr", "Converts an integer to an address.", integers, pointers, FromInteger)
	PtrToInt      = convert("ptrtoint", "Converts an address to an integer.", pointers, integers, ToInteger)
	AddrSpaceCast = convert("addrspacecast", "Converts an address to another memory space.", pointers, pointers, ToSpace)
)

func init() {
	// A bitcast must keep the number of bits and must not convert between addresses
	// and numbers.
	Bitcast.Verify = func(op *ir.Op, v *ir.Verifier) {
		from, to := op.Operand(0).Type(), op.Result(0).Type()
		if isPtr(laneOf(from)) != isPtr(laneOf(to)) {
			v.Errorf(op, "casts type %s to type %s, but only inttoptr and ptrtoint convert between pointers and numbers", from, to)
			return
		}
		a, ok := Bits(from)
		b, ok2 := Bits(to)
		if ok && ok2 && a != b {
			v.Errorf(op, "casts %s of %d bits to %s of %d bits, but both must have the same size", from, a, to, b)
		}
	}
	IntToPtr.Verify, PtrToInt.Verify, AddrSpaceCast.Verify = sameLanes, sameLanes, sameLanes
}

// sameLanes checks a cast of vectors: the operand type and the result type of op must
// have the same number of elements.
func sameLanes(op *ir.Op, v *ir.Verifier) {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	if lanes(from) != lanes(to) {
		v.Errorf(op, "casts type %s to type %s, but both must have the same number of elements", from, to)
	}
}

// lanes returns the number of elements of a vector, and 0 for any other type.
func lanes(t ir.Type) int64 {
	switch d := t.Data().(type) {
	case ir.VectorType:
		return d.Shape.Elements()
	case VectorType:
		return d.Len
	}
	return 0
}

// Bits returns the number of bits of a number or of a vector of numbers, and false
// for other types.
func Bits(t ir.Type) (int64, bool) {
	n := max(1, lanes(t))
	switch d := laneOf(t).Data().(type) {
	case ir.IntegerType:
		return n * int64(d.Width), true
	case ir.FloatType:
		f, ok := ir.FormatOf(laneOf(t))
		return n * int64(f.Bits()), ok
	}
	return 0, false
}
