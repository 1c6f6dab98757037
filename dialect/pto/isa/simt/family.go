// This file defines the families and pages of SIMT instructions.

package simt

import (
	"slices"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The simt group: scalar code that many threads of the vector unit run.

// simtPage is the manual page that specifies SIMT instructions.
var simtPage = MicroPage("17-simt")

// These constants name the chapters of the manual for SIMT instructions. The reference
// pages of the instructions link to them.
const (
	// Chapters of the manual for SIMT instructions, which the reference pages of the
	// instructions link to.
	simtQueries = "thread-lane-query"
	simtMath    = "scalar-math"
	simtAtomics = "atomic-memory"
	simtState   = "entry-sync-state"
)

// simt returns the definition of a SIMT instruction with the properties that all SIMT
// instructions have. The vector unit executes such an instruction in code for work items,
// and the scalar unit executes it elsewhere.
func simt(o Op) *ir.Def { return PlainOp(simtFill(o)) }

// simtFill sets the properties that all SIMT instructions have in common.
func simtFill(o Op) Op {
	o.Group, o.Page, o.Pipe = "simt", simtPage, sem.PipeV
	if o.On == 0 {
		o.On = sem.OnA5
	}
	o.PipeOf = func(op *ir.Op, _ ir.Target) sem.Pipe {
		if WithinSimt(op) {
			return sem.PipeV
		}
		return sem.PipeS
	}
	return o
}

// Packed types: two or more small numbers in one register.
var (
	v2f16  = packed(2, ir.F16)
	v2bf16 = packed(2, ir.BF16)
	v2f32  = packed(2, ir.F32)

	f8e4m3 = ir.TypeOf(ir.FloatType{Name: "f8E4M3FN"})
	f8e5m2 = ir.TypeOf(ir.FloatType{Name: "f8E5M2"})
)

// packed returns the type of a register that holds n elements of type elem: a vector of n
// elements.
func packed(n int64, elem ir.Type) ir.Type {
	return ir.TypeOf(ir.VectorType{Shape: ir.MakeDims(n), Elem: elem})
}

// isPacked reports whether t contains more than one number.
func isPacked(t ir.Type) bool { return ir.Is[ir.VectorType](t) }

// typeSet is a constraint that accepts the given types. The program must state the
// type.
type typeSet []ir.Type

// Check implements ir.Constraint. It reports whether the set s contains type t.
func (s typeSet) Check(t ir.Type, _ *ir.Env) bool { return slices.Contains(s, t) }

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (s typeSet) Want(*ir.Env) string {
	names := make([]string, len(s))
	for i, t := range s {
		names[i] = t.String()
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return names[0]
}

// Sets of types that several SIMT instructions accept as operands. The types v2f16 and
// v2bf16 are packed pairs of floats.
var (
	floatScalars = typeSet{ir.F16, ir.BF16, ir.F32}
	floatValues  = typeSet{ir.F16, ir.BF16, ir.F32, v2f16, v2bf16}
	halfValues   = typeSet{ir.F16, ir.F32, v2f16}
	atomicValues = typeSet{ir.I32, ir.I64, ir.F16, ir.BF16, ir.F32, v2f16, v2bf16}
)

// Attributes that select whether an instruction interprets integers as signed or
// unsigned.
var (
	signednessAttr = ir.AttrDef{Name: "signedness", Type: SignednessEnum, Doc: "how integers are read"}
	optSignedness  = ir.AttrDef{Name: "signedness", Type: SignednessEnum, Optional: true, Doc: "how integers are read; floats have none"}
)

// simtMap declares the instruction pto.NAME, which computes result = fn(names...),
// element by element for packed types. names are the names of the operands, and the set
// of types contains the types that each of them accepts.
func simtMap(name string, fn *scalar.Fn, on typeSet, doc string, names ...string) *ir.Def {
	return simt(mapOp(Op{Name: name, Doc: doc, Sem: scalar.Elementwise{Fn: fn}}, on, names...))
}

// mapOp completes the description o of a SIMT instruction that computes result =
// fn(names...). names lists the operands, which have the same type as the result, and on
// holds the accepted types. mapOp sets the operands, the result, the syntax and an
// example.
func mapOp(o Op, on typeSet, names ...string) Op {
	o.Family, o.Traits = simtMath, ir.Pure
	o.Ins = Args{In(names[0], on)}
	for _, n := range names[1:] {
		o.Ins = append(o.Ins, In(n, ir.SameAs(names[0])))
	}
	o.Outs = Args{Out("result", ir.SameAs(names[0]))}
	t := on[len(on)-1].String()
	values, types := make([]string, len(names)), make([]string, len(names))
	for i := range names {
		values[i], types[i] = "%"+string(rune('a'+i)), t
	}
	text := strings.Join(values, ", ")
	if len(o.Attrs) > 0 { // signedness
		o.Syntax = ir.Asm("operands $signedness attr-dict types")
		text += " signed"
	}
	o.Examples = []string{"%r = pto." + o.Name + " " + text + " : " + strings.Join(types, ", ") + " -> " + t}
	return o
}
