// This file defines the vector instructions of A2/A3 on the unified buffer.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/dma"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// ubPage is the source file that defines the instructions on rows of the unified
// buffer.
const ubPage = "PTOAS:include/PTO/IR/VPTOUbOps.td"

// The element types of instructions on rows of the unified buffer. Public sources do not
// list the types, so the sets contain the usual ones.
const (
	ubNumbers = Ints16 | Ints32 | Ints8 | Floats
	ubInts    = Ints8 | Ints16 | Ints32
)

// Definitions of the instructions that compute a function of two rows.
var (
	UbVAdd     = ubBinary("vadd", scalar.Add, ubNumbers, "Adds rows.")
	UbVSub     = ubBinary("vsub", scalar.Sub, ubNumbers, "Subtracts rows.")
	UbVMul     = ubBinary("vmul", scalar.Mul, ubNumbers, "Multiplies rows.")
	UbVDiv     = ubBinary("vdiv", scalar.Div, ubNumbers, "Divides rows.")
	UbVMax     = ubBinary("vmax", scalar.Max, ubNumbers, "Computes the larger of two elements.")
	UbVMin     = ubBinary("vmin", scalar.Min, ubNumbers, "Computes the smaller of two elements.")
	UbVAnd     = ubBinary("vand", scalar.And, ubInts, "Ands the bits of rows.")
	UbVOr      = ubBinary("vor", scalar.Or, ubInts, "Ors the bits of rows.")
	UbVAddRelu = ubBinary("vaddrelu", scalar.AddRelu, ubNumbers, "Adds rows and replaces negative sums with zero.")
)

// Definitions of the instructions that compute a function of one row.
var (
	UbVNot   = ubUnary("vnot", scalar.Not, ubInts, "Inverts the bits of a row.")
	UbVAbs   = ubUnary("vabs", scalar.Abs, ubNumbers, "Computes absolute values.")
	UbVRelu  = ubUnary("vrelu", scalar.Relu, ubNumbers, "Replaces negative elements with zero.")
	UbVExp   = ubUnary("vexp", scalar.Exp, Floats, "Computes exponentials.")
	UbVLn    = ubUnary("vln", scalar.Log, Floats, "Computes natural logarithms.")
	UbVSqrt  = ubUnary("vsqrt", scalar.Sqrt, Floats, "Computes square roots.")
	UbVRsqrt = ubUnary("vrsqrt", scalar.Rsqrt, Floats, "Computes reciprocals of square roots.")
)

// Definitions of the instructions that compute a function of each element of a row and a
// scalar. An integer operand contains the bits of the scalar.
var (
	UbVShl  = ubScalar("vshl", scalar.Shl, ubInts, "Shifts a row left.")
	UbVShr  = ubScalar("vshr", scalar.Shr, ubInts, "Shifts a row right.")
	UbVMulS = ubScalar("vmuls", scalar.Mul, ubNumbers, "Multiplies a row by a scalar.")
	UbVAddS = ubScalar("vadds", scalar.Add, ubNumbers, "Adds a scalar to a row.")
	UbVMaxS = ubScalar("vmaxs", scalar.Max, ubNumbers, "Computes the larger of each element and a scalar.")
	UbVMinS = ubScalar("vmins", scalar.Min, ubNumbers, "Computes the smaller of each element and a scalar.")
)

// ubBinary declares the instruction pto.ub.NAME, where NAME is the parameter name. It
// computes fn of the elements of two rows. elems is the set of its element types, and doc
// is the description on the reference page.
func ubBinary(name string, fn *scalar.Fn, elems Elems, doc string) *ir.Def {
	return Define("ub."+name, func(string) *ir.Def {
		return ubMap(Op{Name: name, Doc: doc, Family: "ub-binary", Sem: sem.UbMap{Fn: fn}}, elems, []string{"src0", "src1"}, "")
	})
}

// ubUnary declares an A2/A3 instruction that computes dst = fn(src) for each selected
// element of the unified buffer. elems is the set of its element types.
func ubUnary(name string, fn *scalar.Fn, elems Elems, doc string) *ir.Def {
	return Define("ub."+name, func(string) *ir.Def {
		return ubMap(Op{Name: name, Doc: doc, Family: "ub-unary", Sem: sem.UbMap{Fn: fn}}, elems, []string{"src"}, "")
	})
}

// ubScalar declares the instruction pto.ub.NAME, where NAME is the parameter name. It
// computes fn of each element of a row and a scalar. elems is the set of its element
// types, and doc is the description on the reference page.
func ubScalar(name string, fn *scalar.Fn, elems Elems, doc string) *ir.Def {
	return Define("ub."+name, func(string) *ir.Def {
		return ubMap(Op{Name: name, Doc: doc, Family: "ub-scalar-or-shift", Sem: sem.UbMap{Fn: fn, Scalar: "scalar"}}, elems, []string{"src"}, "scalar")
	})
}

// UbVDup is pto.ub.vdup, which fills rows with a scalar.
var UbVDup = Define("ub.vdup", func(string) *ir.Def {
	return ubMap(Op{Name: "vdup", Doc: "Fills rows with a scalar, which is given as its bits.", Family: "ub-dup", Sem: sem.UbMap{Scalar: "scalar"}}, ubNumbers, nil, "scalar")
})

// ubMap returns the definition of a vector instruction that computes rows in the unified
// buffer from other rows. The description o is the start of the definition, and elems are
// the legal element types. srcs are the names of the operands with source rows. scalarArg
// is the name of the scalar operand, or "" if there is none.
func ubMap(o Op, elems Elems, srcs []string, scalarArg string) *ir.Def {
	rows := append([]string{"dst"}, srcs...)
	strided := rows
	if len(srcs) == 0 { // there is a stride of a source all the same
		strided = []string{"dst", "src"}
	}
	o.Ins = Args{In("dst", PtrTo(elems.String(), elems, sem.UB))}
	o.Access = []Access{{Arg: "dst", Write: true}}
	args, text := "%d", dma.PtrText("f32", sem.UB)
	if elems == ubInts {
		text = dma.PtrText("i16", sem.UB)
	}
	typ := text
	for _, s := range srcs {
		o.Ins = append(o.Ins, In(s, ptrLike("dst")))
		o.Access = append(o.Access, Access{Arg: s, Read: true})
		args, text = args+", %"+s, text+", "+typ
	}
	if scalarArg != "" {
		o.Ins = append(o.Ins, In(scalarArg, Count))
		args, text = args+", %x", text+", i64"
	}
	numbers := []string{"repeat"}
	for _, s := range strided {
		numbers = append(numbers, s+"BlockStride")
	}
	for _, s := range strided {
		numbers = append(numbers, s+"RepeatStride")
	}
	o.Ins = append(o.Ins, Counts(numbers...)...)
	o.Examples = []string{"pto.ub." + o.Name + " " + args + dma.ExampleValues(len(numbers)) + " : " + text + dma.ExampleTypes(len(numbers))}
	return ub(o, sem.PipeV)
}

// ptrLike returns a constraint that accepts pointers into the unified buffer with the
// element type of the named operand.
func ptrLike(name string) ir.Constraint { return sameElems{name} }

// sameElems is a constraint on a pointer operand. It accepts pointers into the unified
// buffer with the same element type as another pointer operand; the field contains the
// name of that operand.
type sameElems struct{ name string }

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c sameElems) Check(t ir.Type, e *ir.Env) bool {
	like := e.Type(c.name)
	return SpaceOf(t) == sem.UB && (like.IsZero() || ir.ElementType(t) == ir.ElementType(like))
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c sameElems) Want(e *ir.Env) string {
	if e.Type(c.name).IsZero() { // on a reference page
		return "a pointer into ub to elements of the type that \"" + c.name + "\" points to"
	}
	return "a pointer into ub to elements of type " + ir.ElementType(e.Type(c.name)).String() + ", like \"" + c.name + "\""
}

// ub returns the definition that the parameter o describes. It adds the properties that
// all instructions on rows of the unified buffer have in common.
func ub(o Op, pipe sem.Pipe) *ir.Def {
	o.Name = "ub." + o.Name
	o.Group, o.Page, o.Pipe = "ub", ubPage, pipe
	return PlainOp(o)
}

// Definitions of the instructions that select which elements later instructions
// process.
var (
	UbSetMask = Define("ub.set_mask", func(string) *ir.Def {
		return ub(Op{
			Name: "set_mask", Family: "ub-mask",
			Doc: "Sets which lanes later instructions write.",
			Ins: Counts("mask0", "mask1"),
			Sem: sem.UbMask{},
			Notes: []string{
				"mask0 has the lanes 0 to 63 as its definition says; comments in public tests have it the other way round.",
			},
			Examples: []string{"pto.ub.set_mask %a, %b : i64, i64"},
		}, sem.PipeS)
	})
	UbSetMaskCount = ubMode("set_mask_count", sem.UbCountOn, "Sets the mask to a number of elements.")
	UbSetMaskNorm  = ubMode("set_mask_norm", sem.UbCountOff, "Sets the mask to one bit per lane.")
)

// ubMode declares the instruction pto.ub.NAME, where NAME is the parameter name. The
// instruction selects whether the mask consists of bits or is a number of elements, as
// the parameter set states.
func ubMode(name string, set sem.UbMaskPart, doc string) *ir.Def {
	return Define("ub."+name, func(string) *ir.Def {
		return ub(Op{
			Name: name, Doc: doc, Family: "ub-mask",
			Sem:      sem.UbMask{Set: set},
			Syntax:   ir.Asm("attr-dict"),
			Examples: []string{"pto.ub." + name},
		}, sem.PipeS)
	})
}
