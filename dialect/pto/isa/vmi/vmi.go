// This file lists the chapters of VMI instructions.

package vmi

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The vmi group: vector instructions on values of any length, which a later
// step maps to registers. Two layers share the types: the instructions that
// kernels use (vadd, vload, ...), and those that they are taken apart into,
// which say the type of lanes in their name (addf, addi) or one way to reach
// memory (load, group_load).

// The names of the groups of VMI instructions: the chapters of the manual, and groups of
// internal instructions that only passes create.
const (
	vmiInner     = "internal-semantic"
	vmiLayouts   = "internal-layout"
	vmiMemory    = "load-store"
	vmiIndexGen  = "index-gen"
	vmiEltwise   = "eltwise-compute"
	vmiBroadcast = "broadcast"
	vmiReduce    = "reduce"
	vmiConvert   = "convert"
	vmiSFU       = "sfu"
	vmiPredicate = "predicate-ops"
	vmiRearrange = "data-rearrange"
)

// vmiChapters are the numbers of the chapters in the manual, by chapter name.
var vmiChapters = map[string]string{
	vmiMemory: "01", vmiIndexGen: "02", vmiEltwise: "03", vmiBroadcast: "04", vmiReduce: "05",
	vmiConvert: "06", vmiSFU: "07", vmiPredicate: "08", vmiRearrange: "09",
}

// vmi returns the definition of a VMI instruction with its manual page and the properties
// that all of them have in common.
func vmi(chapter string, o Op) *ir.Def {
	o.Page = "PTOAS:include/PTO/IR/VMIOps.td"
	if n, ok := vmiChapters[chapter]; ok {
		o.Page = "PTOAS:docs/isa/vmi-isa/" + n + "-" + chapter + ".md"
	}
	o.Name, o.Group, o.Family, o.Pipe = "vmi."+o.Name, "vmi", chapter, sem.PipeV
	if o.Access == nil {
		o.Traits |= ir.Pure
	}
	return PlainOp(o)
}

// genericOnly removes the custom syntax of an instruction, which is then only written
// in MLIR's generic syntax.
func genericOnly(d *ir.Def) *ir.Def {
	d.Forms[0].Syntax = nil
	return d
}

// pmodeAttr declares the attribute that selects the value of lanes that the mask does
// not select.
var pmodeAttr = ir.AttrDef{
	Name: "pmode", Type: ir.StrIn("zero", "merge"), Optional: true,
	Doc: "lanes that the mask does not select: zero (the default), or kept from the first vector",
}

// masked returns o, the description of an instruction, with two additions. The first
// addition is an optional operand mask, which selects the lanes of the result that the
// instruction computes. The second one is the attribute pmode. It determines whether all
// other lanes become zero or keep the contents of the first vector operand.
func masked(o Op) Op {
	o.Ins = append(o.Ins, Opt("mask", vmiMaskFor("result")))
	o.Attrs = append(o.Attrs, pmodeAttr)
	return o
}

// underMask returns o, the description of an instruction, with two additions: an operand
// mask, which selects lanes of the vector with the given name, and the attribute pmode.
func underMask(o Op, name string) Op {
	o.Ins = append(o.Ins, In("mask", vmiMaskFor(name)))
	o.Attrs = append(o.Attrs, pmodeAttr)
	return o
}

// vmiSame returns the declarations of vector operands that must all have the same type.
// The first operand has the name in the parameter first, and on is the constraint on its
// type. The parameter more contains the names of the other operands.
func vmiSame(on vmiOf, first string, more ...string) Args {
	args := Args{In(first, on)}
	for _, name := range more {
		args = append(args, In(name, ir.SameAs(first)))
	}
	return args
}

// vmiLaneWise completes the description o of an instruction that computes result =
// fn(names...) for each lane, without a mask. It adds an operand for each name, the
// result, and the meaning of the instruction. All operands must satisfy the type
// constraint in the parameter on.
func vmiLaneWise(o Op, fn *scalar.Fn, on vmiOf, names ...string) Op {
	o.Ins = vmiSame(on, names[0], names[1:]...)
	o.Outs = Args{Out("result", ir.SameAs(names[0]))}
	o.Sem = sem.VecMap{Fn: fn}
	return o
}

// vmiExample returns the text of an example with 64 lanes of type t. ins and outs have a
// letter for each operand and result: v is a vector, s a scalar and m a mask. attrs is
// the text of the attributes.
func vmiExample(name string, t ir.Type, ins, outs, attrs string) string {
	types := map[byte]string{
		'v': ir.TypeOf(VMIVReg{Lanes: 64, Elem: t}).String(),
		's': t.String(),
		'm': ir.TypeOf(VMIMask{Lanes: 64}).String(),
	}
	list := func(kinds string, first byte) (names, ts string) {
		for i := range len(kinds) {
			names += ", %" + string(first+byte(i))
			ts += ", " + types[kinds[i]]
		}
		return strings.TrimPrefix(names, ", "), strings.TrimPrefix(ts, ", ")
	}
	args, inTypes := list(ins, 'a')
	results, outTypes := list(outs, 'r')
	if attrs != "" {
		args += " {" + attrs + "}"
	}
	return results + " = pto.vmi." + name + " " + args + " : " + inTypes + " -> " + outTypes
}

// Sample returns the element type that examples use for this constraint.
func (r vmiOf) Sample() ir.Type {
	t := SampleElem(r.on)
	if i, ok := ir.As[ir.IntegerType](t); ok && len(r.signs) == 1 {
		t = ir.TypeOf(ir.IntegerType{Width: i.Width, Sign: r.signs[0]})
	}
	return t
}
