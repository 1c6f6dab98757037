// This file lists the quantization modes of stores from the accumulator.

package cube

import (
	"fmt"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// quantMode is a conversion of elements that leave the accumulator. In programs, its
// name ends with _vec if each column has its own factor, and with _scalar otherwise.
type quantMode struct {
	name string
	from Elems
	want string
	to   func(ir.Type) bool
}

// quantModes lists the possible conversions of an element during a copy out of the
// accumulator.
var quantModes = []quantMode{
	{"f32_f16", F32, "f16", F16.Has},
	{"f32_bf16", F32, "bf16", BF16.Has},
	{"qf322f16_pre", F32, "f16", F16.Has},
	{"qf322bf16_pre", F32, "bf16", BF16.Has},
	{"qf322f32_pre", F32, "f32", F32.Has},
	{"qf322hif8_pre_hybrid", F32, "floats of 8 bits", float8},
	{"qf322hif8_pre", F32, "floats of 8 bits", float8},
	{"qf322fp8_pre", F32, "floats of 8 bits", float8},
	{"qf322b8_pre", F32, "integers of 8 bits", intOf(8, true)},
	{"qf322s4_pre", F32, "signed integers of 4 bits", intOf(4, false)},
	{"qf162b8_pre", F32, "integers of 8 bits", intOf(8, true)},
	{"qf162s4_pre", F32, "signed integers of 4 bits", intOf(4, false)},
	{"qf162s16_pre", I32, "signed integers of 16 bits", intOf(16, false)},
	{"deqs32_int", I32, "integers of 32 bits", intOf(32, true)},
	{"deqs16", I32, "signed integers of 16 bits", intOf(16, false)},
	{"req8", I32, "integers of 8 bits", intOf(8, true)},
	{"req4", I32, "signed integers of 4 bits", intOf(4, false)},
	{"deqf16", I32, "f16", F16.Has},
	{"qs322bf16_pre", I32, "bf16", BF16.Has},
}

// float8 reports whether t is a float type of 8 bits.
func float8(t ir.Type) bool { return (FP8 | HiF8).Has(t) || HiF8x2.Has(t) }

// intOf returns a function that reports whether a type is an integer type of the given
// width. The function accepts unsigned types only if unsigned is set.
func intOf(width uint32, unsigned bool) func(ir.Type) bool {
	return func(t ir.Type) bool {
		d, ok := ir.As[ir.IntegerType](t)
		return ok && d.Width == width && (unsigned || d.Sign != ir.Unsigned)
	}
}

// quantOf returns the conversion that the attribute a selects. The bool result is true if
// each column has its own quantization factor, and false if one factor applies to all
// columns.
func quantOf(a ir.Attr) (m quantMode, vector bool) { return quantNamed(a.Keyword()) }

// quantNamed returns the conversion with the given name. The bool result is true if each
// column has its own quantization factor, and false if one factor applies to all columns.
func quantNamed(name string) (m quantMode, vector bool) {
	name, vector = strings.CutSuffix(name, "_vec")
	name = strings.TrimSuffix(name, "_scalar")
	for _, q := range quantModes {
		if q.name == name {
			return q, vector
		}
	}
	return quantMode{name: name, from: F32 | I32, want: "anything", to: func(ir.Type) bool { return true }}, false
}

// QuantNumber returns the conversion that the number n selects in packed parameters of an
// instruction. The bool result is false if n does not select a conversion.
func QuantNumber(n int64) (sem.Quant, bool) {
	for _, c := range QuantPreModeEnum.Cases {
		if c.Value == n {
			return sem.QuantNamed(c.Name), true
		}
	}
	return sem.Quant{}, false
}

// payloadFloats are the element types of quantization factors.
var payloadFloats = F16 | BF16 | F32

// payload accepts a quantization factor: a float, or a pointer to a table with a factor
// for each column.
var payload = ir.TypeIf("f16, bf16, f32 or a pointer into fb", func(t ir.Type) bool {
	return payloadFloats.Has(t) || ir.Is[PtrType](t)
})

// clipPayload is the constraint on the operand with the largest value that a stored
// element can have. It accepts the types f16 and integers.
var clipPayload = ir.TypeIf("f16 or an integer", func(t ir.Type) bool { return t == ir.F16 || ir.Is[ir.IntegerType](t) })

// factorFault checks t, the type of the quantization factor in the operand with the given
// name. If vector is set, each column has its own factor, so t must be a pointer to a
// table in memory FB. If not, t must be the type of a number. It returns a message for a
// violation, and "" otherwise.
func factorFault(name string, t ir.Type, vector bool) string {
	switch isPtr := ir.Is[PtrType](t); {
	case !vector && isPtr:
		return fmt.Sprintf("operand \"%s\" must be one f16, bf16 or f32 for all columns, but is %s", name, t)
	case vector && (!isPtr || SpaceOf(t) != sem.FB || !payloadFloats.Has(ir.ElementType(t))):
		return fmt.Sprintf("operand \"%s\" must be a pointer into fb to f16, bf16 or f32, one number per column, but is %s", name, t)
	}
	return ""
}

// quantFault returns a message if the operands and attributes of op, a copy out of the
// accumulator, describe an invalid conversion of elements, and "" otherwise.
func quantFault(op *ir.Op, t ir.Target) string {
	mode, v := op.Attr("pre_quant_mode"), op.Arg("pre_quant")
	if mode.IsZero() != (v == nil) {
		return "needs operand \"pre_quant\" and attribute \"pre_quant_mode\" together"
	}
	if v == nil {
		return ""
	}
	m, vector := quantOf(mode)
	if msg := factorFault("pre_quant", v.Type(), vector); msg != "" {
		return msg
	}
	env := ir.EnvOf(op, t)
	src, dst := ir.ElementType(env.Type("source")), ir.ElementType(env.Type("destination"))
	if !m.from.Has(src) || !m.to(dst) {
		return fmt.Sprintf("converts with %s, from %s to %s, but its elements are %s and %s", mode.Keyword(), m.from, m.want, src, dst)
	}
	return ""
}

// reluFault returns a message if the operands and attributes of op, a copy out of the
// accumulator, describe ReLU inconsistently, and "" otherwise.
func reluFault(op *ir.Op, _ ir.Target) string {
	mode, v := op.Attr("pre_relu_mode").Keyword(), op.Arg("pre_relu")
	switch {
	case mode == "" && v != nil:
		return "has operand \"pre_relu\", but no attribute \"pre_relu_mode\""
	case mode == "" && op.Arg("clip_value") != nil:
		return "has operand \"clip_value\", but no attribute \"pre_relu_mode\""
	case mode == "pwl":
		return "does not support pwl: attribute \"pre_relu_mode\" must be no_relu, normal_relu, scalar_relu or vector_relu"
	case mode == "scalar_relu" || mode == "vector_relu":
		if v == nil {
			return "needs operand \"pre_relu\" for " + mode
		}
		return factorFault("pre_relu", v.Type(), mode == "vector_relu")
	case v != nil:
		return "must not have operand \"pre_relu\" for " + mode
	}
	return ""
}

// clipFault checks op, a copy out of the accumulator that can limit elements to an upper
// bound. It returns a message if the operand with this bound does not match the
// destination type, and "" otherwise.
func clipFault(op *ir.Op, t ir.Target) string {
	v := op.Arg("clip_value")
	if v == nil {
		return ""
	}
	elem := ir.ElementType(ir.EnvOf(op, t).Type("destination"))
	d, isInt := ir.As[ir.IntegerType](elem)
	signed := isInt && d.Sign != ir.Unsigned && (d.Width == 4 || d.Width == 8 || d.Width == 16)
	want, ok := "", false
	switch {
	case elem == ir.F16:
		want, ok = "f16", v.Type() == ir.F16
	case U8.Has(elem):
		want, ok = "i16 or ui16", v.Type() == ir.I16 || U16.Has(v.Type())
	case signed:
		want = "a signed integer of 4, 8 or 16 bits"
		ok = intOf(4, false)(v.Type()) || intOf(8, false)(v.Type()) || intOf(16, false)(v.Type())
	default:
		return fmt.Sprintf("bounds elements of type f16, ui8 or signed integers of 4, 8 or 16 bits, but \"destination\" has %s", elem)
	}
	if !ok {
		return fmt.Sprintf("operand \"clip_value\" must be %s to bound elements of type %s, but is %s", want, elem, v.Type())
	}
	return ""
}

// layoutFault checks op, a copy out of the accumulator. It returns a message if the
// operands do not match the layout in which the copy stores the matrix, and "" otherwise.
func layoutFault(op *ir.Op, t ir.Target) string {
	mode := op.Attr("mode").Keyword()
	stride := op.Arg("loop0_src_stride")
	elem := ir.ElementType(ir.EnvOf(op, t).Type("destination"))
	flag := op.Attr("unit_flag").Keyword()
	one, constant := ConstantInt(stride)
	switch {
	case op.Arg("split") != nil && mode != "nz2nz":
		return "has operand \"split\", which is only valid with nz2nz"
	case stride != nil && mode != "nz2dn":
		return "has operand \"loop0_src_stride\", which is only valid with nz2dn"
	case mode == "nz2dn" && stride == nil:
		return "needs operand \"loop0_src_stride\" for nz2dn"
	case op.Arg("loop3_count") != nil && mode != "nz2nd" && mode != "nz2dn":
		return "has loop3, which is only valid with nz2nd and nz2dn"
	case mode == "nz2dn" && flag != "" && flag != "off" && constant && one != 1:
		return "cannot have attribute \"unit_flag\" with nz2dn unless \"loop0_src_stride\" is 1"
	case mode == "nz2nz" && elem != ir.F32:
		return fmt.Sprintf("needs a destination of f32 for nz2nz, but it has elements of type %s", elem)
	}
	return ""
}

// atomicFault checks the attributes of op that request an atomic store, which combines
// the stored elements with those in memory. It returns a message if the attributes are
// inconsistent, and "" otherwise.
func (s productStore) atomicFault(op *ir.Op, _ ir.Target) string {
	typ, how := op.HasAttr("atomic_type"), op.HasAttr("atomic_op")
	switch {
	case (typ || how) && s.to != sem.GM:
		return "has an atomic operation, but only copies to global memory support one"
	case typ != how:
		return "needs attributes \"atomic_type\" and \"atomic_op\" together"
	}
	return ""
}

// dstModeFault checks op, a copy from the accumulator to one or two unified buffers. It
// returns a message if the operands of op do not match the number of unified buffers that
// receive the matrix, and "" otherwise.
func dstModeFault(op *ir.Op, _ ir.Target) string {
	mode, block := op.Attr("dst_mode").Keyword(), op.Arg("sub_blockid")
	if mode == "single" {
		if block == nil {
			return "needs operand \"sub_blockid\" for a single unified buffer"
		}
		return ""
	}
	layout := op.Attr("mode").Keyword()
	m, hasM := ConstantInt(op.Arg("m"))
	n, hasN := ConstantInt(op.Arg("n"))
	switch {
	case block != nil:
		return "must not have operand \"sub_blockid\" for " + mode
	case op.HasAttr("pre_quant_mode"), op.HasAttr("pre_relu_mode"), op.Arg("loop3_count") != nil, layout == "nz2dn", layout == "nz2nz":
		return "must not convert elements for " + mode + ": without pre_quant, pre_relu, clip, nz2dn, nz2nz and loop3"
	case mode == "split_m" && hasM && m%2 != 0:
		return fmt.Sprintf("operand \"m\" must be even for split_m, but is %d", m)
	case mode == "split_n" && hasN && n%32 != 0:
		return fmt.Sprintf("operand \"n\" must be a multiple of 32 for split_n, but is %d", n)
	}
	return ""
}
