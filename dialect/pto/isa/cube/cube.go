// This file defines matrix products on the operand buffers.

package cube

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// cubePage is the page of the micro-instruction manual that specifies matrix products.
var cubePage = MicroPage("16-cube-matmul")

// mad describes an instruction that multiplies the two matrices in L0A and L0B, the
// operand buffers of the cube unit.
type mad struct {
	name, doc string
	kind      sem.Mad
}

// Summaries of the matrix products, by initial value of the result.
const (
	zeroDoc = "Multiplies the matrices lhs and rhs."
	accDoc  = "Multiplies the matrices lhs and rhs and adds dst."
	biasDoc = "Multiplies the matrices lhs and rhs and adds bias to each row."
)

// Definitions of the matrix products, without and with a scale for every 32 elements.
var (
	MadOp     = mad{"mad", zeroDoc, sem.Mad{}}.def()
	MadAccOp  = mad{"mad_acc", accDoc, sem.Mad{Start: sem.MadAcc}}.def()
	MadBiasOp = mad{"mad_bias", biasDoc, sem.Mad{Start: sem.MadBias}}.def()

	MadMx     = mad{"mad_mx", zeroDoc, sem.Mad{Scaled: true}}.def()
	MadMxAcc  = mad{"mad_mx_acc", accDoc, sem.Mad{Start: sem.MadAcc, Scaled: true}}.def()
	MadMxBias = mad{"mad_mx_bias", biasDoc, sem.Mad{Start: sem.MadBias, Scaled: true}}.def()

	MadRaw       = mad{"mad_raw", zeroDoc, sem.Mad{Packed: true}}.def()
	MadBiasRaw   = mad{"mad_bias_raw", biasDoc, sem.Mad{Start: sem.MadBias, Packed: true}}.def()
	MadMxRaw     = mad{"mad_mx_raw", zeroDoc, sem.Mad{Scaled: true, Packed: true}}.def()
	MadMxBiasRaw = mad{"mad_mx_bias_raw", biasDoc, sem.Mad{Start: sem.MadBias, Scaled: true, Packed: true}}.def()
)

// def declares the instruction pto.NAME that m describes, a matrix product, and returns
// its definition.
func (m mad) def() *ir.Def {
	return Define(m.name, func(name string) *ir.Def {
		o := Op{
			Name: m.name, Doc: m.doc, Group: "cube", Family: "mad", Page: cubePage, Pipe: sem.PipeM, Sem: m.kind,
			Ins:    Args{In("lhs", barePtr(sem.L0A)), In("rhs", barePtr(sem.L0B)), In("dst", barePtr(sem.L0C))},
			Access: []Access{{Arg: "lhs", Read: true}, {Arg: "rhs", Read: true}, {Arg: "dst", Read: m.kind.Start == sem.MadAcc, Write: true}},
			Rules:  []Rule{Check(m.types)},
		}
		types := "!pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>"
		if m.kind.Scaled {
			types = "!pto.ptr<f8E4M3FN, l0a>, !pto.ptr<f8E4M3FN, l0b>, !pto.ptr<f32, l0c>"
		}
		args := "%a, %b, %c"
		if m.kind.Start == sem.MadBias {
			o.Ins = append(o.Ins, In("bias", barePtr(sem.BT)))
			o.Access = append(o.Access, Access{Arg: "bias", Read: true})
			args, types = args+", %d", types+", !pto.ptr<f32, bt>"
		}
		if m.kind.Packed {
			o.Ins = append(o.Ins, In("xt", Count))
			o.Page = VptoODS
			o.Examples = []string{"pto." + m.name + " " + args + ", %x : " + types + ", i64"}
			return PlainOp(o)
		}
		o.Ins = append(o.Ins, Counts("m", "n", "k")...)
		o.Attrs = []ir.AttrDef{
			{Name: "unit_flag_mode", Type: MadUnitFlagModeEnum, Optional: true, Doc: "wait for the consumer of dst; check_and_set signals it too"},
			{Name: "disable_gemv", Type: ir.AnyUnit, Optional: true, Doc: "a single row of lhs is stored in fractals as well"},
			{Name: "sat_mode", Type: MadSatModeEnum, Optional: true},
			{Name: "tf32_mode", Type: Tf32ModeEnum, Optional: true, Doc: "how f32 is rounded to 10 bits of fraction"},
			{Name: "n_dir", Type: ir.AnyUnit, Optional: true, Doc: "produce dst along n first"},
		}
		clauses := []string{"(`unit_flag` `(` $unit_flag_mode^ `)`)?", "(`disable_gemv` $disable_gemv^)?", "($sat_mode^)?", "(`tf32_mode` `(` $tf32_mode^ `)`)?", "(`n_dir` $n_dir^)?"}
		if m.kind.Scaled {
			o.Attrs = append(o.Attrs[:3:3], o.Attrs[4])
			clauses = append(clauses[:3:3], clauses[4])
		}
		text := "operands"
		for _, c := range clauses {
			text += " " + c
		}
		o.Syntax = ir.Asm(text + " attr-dict types")
		o.Rules = append(o.Rules, Check(m.extents))
		if m.kind.Scaled {
			o.Notes = []string{"The manual wants k in multiples of 64, two groups of scales; the public compiler accepts any k."}
		}
		o.Examples = []string{
			"pto." + m.name + " " + args + ", %m, %n, %k : " + types + ", i64, i64, i64",
			"pto." + m.name + " " + args + ", %m, %n, %k unit_flag(check_and_set) disable_gemv sat n_dir : " + types + ", i64, i64, i64",
		}
		return PlainOp(o)
	})
}

// types returns a message unless the element types of op are a legal combination on
// target t.
func (m mad) types(op *ir.Op, t ir.Target) string {
	env := ir.EnvOf(op, t)
	elem := func(name string) ir.Type { return ir.ElementType(env.Type(name)) }
	a, b, c := elem("lhs"), elem("rhs"), elem("dst")
	legal := madProducts
	if m.kind.Scaled {
		legal = mxProducts
	}
	found := false
	for _, p := range legal {
		found = found || p.dst.Has(c) && p.lhs.Has(a) && p.rhs.Has(b)
	}
	sat, tf32 := op.Attr("sat_mode"), op.Attr("tf32_mode")
	switch {
	case !tf32.IsZero() && (a != ir.F32 || b != ir.F32 || c != ir.F32):
		return fmt.Sprintf("attribute \"tf32_mode\" needs elements of type f32, but they are %s, %s and %s", a, b, c)
	case !sat.IsZero() && Ints32.Has(c):
		return fmt.Sprintf("attribute \"sat_mode\" requires floating-point elements, but they are %s, %s and %s", a, b, c)
	case !m.kind.Scaled && HiF8.Has(a) != HiF8.Has(b):
		return fmt.Sprintf("\"lhs\" and \"rhs\" must both have elements of type hif8 or neither, but have %s and %s", a, b)
	case !found:
		return fmt.Sprintf("cannot multiply %s by %s into %s", a, b, c)
	case m.kind.Start == sem.MadBias && elem("bias") != c:
		return fmt.Sprintf("\"bias\" must have elements of type %s, like \"dst\", but has %s", c, elem("bias"))
	}
	return ""
}

// extents returns a message if a constant dimension of the matrices is not positive,
// and "" otherwise.
func (m mad) extents(op *ir.Op, _ ir.Target) string {
	for _, name := range []string{"m", "n", "k"} {
		if n, ok := ConstantInt(op.Arg(name)); ok && n <= 0 {
			return fmt.Sprintf("operand \"%s\" must be positive, but is %d", name, n)
		}
	}
	return ""
}

// barePtr returns a constraint that accepts a !pto.ptr into memory space s, but no
// memref.
func barePtr(s sem.Space) ir.Constraint {
	return ir.TypeIf("a !pto.ptr into "+s.String(), func(t ir.Type) bool { return ir.Is[PtrType](t) && SpaceOf(t) == s })
}
