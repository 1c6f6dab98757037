// This file maps tile instructions to the vector instructions of A2/A3 that the public
// library executes for them.

package timing

import (
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// opcode is a vector instruction of A2/A3. Its value is the name in chips.tsv, after
// "vec.".
type opcode string

// The vector instructions of A2/A3 with constants in chips.tsv. For unmeasured, no public
// source has a duration; chips.tsv contains an assumption.
const (
	unmeasured opcode = "default"
	vabs       opcode = "vabs"
	vadd       opcode = "vadd"
	vadds      opcode = "vadds"
	vand       opcode = "vand"
	vbitsort   opcode = "vbitsort"
	vbrcb      opcode = "vbrcb"
	vcadd      opcode = "vcadd"
	vcgadd     opcode = "vcgadd"
	vcgmax     opcode = "vcgmax"
	vcmax      opcode = "vcmax"
	vconv      opcode = "vconv"
	vcopy      opcode = "vcopy"
	vdiv       opcode = "vdiv"
	vdup       opcode = "vector_dup"
	vexp       opcode = "vexp"
	vgather    opcode = "vgather"
	vln        opcode = "vln"
	vlrelu     opcode = "vlrelu"
	vmax       opcode = "vmax"
	vmaxs      opcode = "vmaxs"
	vmin       opcode = "vmin"
	vmins      opcode = "vmins"
	vmrgsort4  opcode = "vmrgsort4"
	vmul       opcode = "vmul"
	vmuls      opcode = "vmuls"
	vnchwconv  opcode = "vnchwconv"
	vnot       opcode = "vnot"
	vor        opcode = "vor"
	vreducev2  opcode = "vreducev2"
	vrelu      opcode = "vrelu"
	vrsqrt     opcode = "vrsqrt"
	vsel       opcode = "vsel"
	vsqrt      opcode = "vsqrt"
	vsub       opcode = "vsub"
	copyUB     opcode = "copy_ubuf"
)

// opcodes maps each elementwise tile instruction to the vector instruction that
// determines its duration. An instruction that the library implements with several vector
// instructions has the one that resembles it most.
var opcodes = map[*ir.Def]opcode{
	isatile.TAdd: vadd, isatile.TSub: vsub, isatile.TMul: vmul, isatile.TDiv: vdiv, isatile.TMax: vmax, isatile.TMin: vmin,
	isatile.TAnd: vand, isatile.TOr: vor, isatile.TXor: vand, isatile.TShl: vadds, isatile.TShr: vadds, isatile.TPRelu: vmul,
	isatile.TAddS: vadds, isatile.TSubS: vadds, isatile.TMulS: vmuls, isatile.TDivS: vmuls, isatile.TMaxS: vmaxs, isatile.TMinS: vmins,
	isatile.TAndS: vand, isatile.TOrS: vor, isatile.TXorS: vand, isatile.TShlS: vadds, isatile.TShrS: vadds, isatile.TLRelu: vlrelu,
	isatile.TAbs: vabs, isatile.TNeg: vmuls, isatile.TNot: vnot, isatile.TRelu: vrelu, isatile.TExp: vexp, isatile.TLog: vln,
	isatile.TSqrt: vsqrt, isatile.TRsqrt: vrsqrt, isatile.TRecip: vdiv,
	isatile.TCmp: vsel, isatile.TCmpS: vsel, isatile.TExpandS: vdup, isatile.TFillPad: vdup, isatile.TCI: vdup, isatile.TTri: vdup,

	isatile.TAddC: unmeasured, isatile.TSubC: unmeasured, isatile.TAddSC: unmeasured, isatile.TSubSC: unmeasured,
	isatile.TAddRelu: unmeasured, isatile.TSubRelu: unmeasured, isatile.TAxpy: unmeasured, isatile.TMulAddDst: unmeasured,
	isatile.TFusedMulAdd: unmeasured, isatile.TFusedMulAddRelu: unmeasured,
	isatile.TFMod: unmeasured, isatile.TFModS: unmeasured, isatile.TRem: unmeasured, isatile.TRemS: unmeasured,
	isatile.TPow: unmeasured, isatile.TPowS: unmeasured,
}

// opcodeOf returns the vector instruction that determines the duration of op, or
// unmeasured if opcodes does not contain op.
func opcodeOf(op *ir.Op) opcode {
	if o, ok := opcodes[op.Def()]; ok {
		return o
	}
	return unmeasured
}

// functions maps the functions of reductions, expansions, partial instructions and second
// steps to the vector instruction that applies the function to two operands.
var functions = map[*scalar.Fn]opcode{
	scalar.Add: vadd, scalar.Sub: vsub, scalar.Mul: vmul, scalar.Div: vdiv, scalar.Max: vmax, scalar.Min: vmin, scalar.Exp: vexp,
}

// functionOf returns the vector instruction that applies fn to two operands, or unmeasured
// if functions does not contain fn.
func functionOf(fn *scalar.Fn) opcode {
	if o, ok := functions[fn]; ok {
		return o
	}
	return unmeasured
}

// reductionOf returns the vector instructions that reduce with fn: each repeat to one
// element, and each block of 32 bytes to one element.
func reductionOf(fn *scalar.Fn) (repeats, blocks opcode) {
	if fn == scalar.Add {
		return vcadd, vcgadd
	}
	return vcmax, vcgmax
}

// partOpcode returns the vector instruction of a partial instruction, or unmeasured if
// the instruction also computes positions.
func partOpcode(kind sem.TilePart) opcode {
	if kind.Arg {
		return unmeasured
	}
	return functionOf(kind.Fn)
}
