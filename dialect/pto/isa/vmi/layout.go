// This file defines changes of VMI layouts.

package vmi

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of the instructions that change the layout of a vector. They do not
// change the values of lanes.
var (
	VMIEnsureLayout = Define("vmi.ensure_layout", func(string) *ir.Def {
		return vmi(vmiLayouts, Op{
			Name: "ensure_layout", Doc: "Converts a vector to another layout.",
			Ins:   Args{In("source", anyVMI)},
			Outs:  Args{Out("result", likeVMI{of: "source", lanes: anyVMI, elem: true})},
			Sem:   sem.Relayout{},
			Rules: []Rule{Fact(bothLayouts)},
			Examples: []string{
				"%r = pto.vmi.ensure_layout %a : !pto.vmi.vreg<128xf32, #pto.vmi.layout<contiguous>> -> !pto.vmi.vreg<128xf32, #pto.vmi.layout<deinterleaved = 2>>",
			},
		})
	})
	VMIEnsureMaskLayout = Define("vmi.ensure_mask_layout", func(string) *ir.Def {
		return vmi(vmiLayouts, Op{
			Name: "ensure_mask_layout", Doc: "Converts a mask to another layout.",
			Ins:   Args{In("source", anyVMIMask)},
			Outs:  Args{Out("result", sameLanesMask("source"))},
			Sem:   sem.Relayout{},
			Rules: []Rule{Fact(bothLayouts), Fact(sameWidths)},
			Examples: []string{
				"%r = pto.vmi.ensure_mask_layout %a : !pto.vmi.mask<128xb32, #pto.vmi.layout<contiguous>> -> !pto.vmi.mask<128xb32, #pto.vmi.layout<deinterleaved = 2>>",
			},
		})
	})
	VMIEnsureMaskGranularity = Define("vmi.ensure_mask_granularity", func(string) *ir.Def {
		return vmi(vmiLayouts, Op{
			Name: "ensure_mask_granularity", Doc: "Converts a mask to lanes of another width.",
			Ins:   Args{In("source", anyVMIMask)},
			Outs:  Args{Out("result", sameLanesMask("source"))},
			Sem:   sem.Relayout{},
			Rules: []Rule{Fact(bothWidths), layoutTogether("source", "result")},
			Examples: []string{
				"%r = pto.vmi.ensure_mask_granularity %a : !pto.vmi.mask<128xb32> -> !pto.vmi.mask<128xb16>",
			},
		})
	})
)

// bothLayouts returns a message if the layout of the operand or of the result is
// undecided, and "" otherwise.
func bothLayouts(op *ir.Op) string {
	for _, v := range []*ir.Value{op.Operand(0), op.Result(0)} {
		if _, l, _ := VMILanesOf(v.Type()); l.IsZero() {
			return "source and result must have a layout, but one is " + v.Type().String()
		}
	}
	return ""
}

// sameWidths returns a message if two masks have different lane widths, and ""
// otherwise.
func sameWidths(op *ir.Op) string {
	a, _ := ir.As[VMIMask](op.Operand(0).Type())
	b, _ := ir.As[VMIMask](op.Result(0).Type())
	if a.Bits != b.Bits {
		return "source and result must govern lanes of the same width, but are " + op.Operand(0).Type().String() + " and " + op.Result(0).Type().String()
	}
	return ""
}

// bothWidths returns a message if the lane width of the operand or of the result is
// undecided, and "" otherwise.
func bothWidths(op *ir.Op) string {
	for _, v := range []*ir.Value{op.Operand(0), op.Result(0)} {
		if m, ok := ir.As[VMIMask](v.Type()); ok && m.Bits == 0 {
			return "source and result must specify the width of their lanes, but one is " + v.Type().String()
		}
	}
	return ""
}

// Definitions of the conversions between VMI vectors and the registers that hold them.
var (
	VMIUnpack = Define("vmi.unpack", func(string) *ir.Def {
		return genericOnly(vmi(vmiLayouts, Op{
			Name: "unpack", Doc: "Returns the registers, or masks of registers, that hold a vmi value.",
			Ins:   Args{In("source", ir.OneOf(anyVMI, anyVMIMask))},
			Outs:  Args{Many("parts", anyVMIPart)},
			Sem:   sem.Parts{},
			Rules: []Rule{Fact(func(op *ir.Op) string { return partsFault(op.Operand(0).Type(), op.Results()) })},
			Examples: []string{
				`%a, %b = "pto.vmi.unpack"(%v) : (!pto.vmi.vreg<128xf32, #pto.vmi.layout<contiguous>>) -> (!pto.vreg<64xf32>, !pto.vreg<64xf32>)`,
			},
		}))
	})
	VMIPack = Define("vmi.pack", func(string) *ir.Def {
		return genericOnly(vmi(vmiLayouts, Op{
			Name: "pack", Doc: "Combines registers, or masks of registers, to the vmi value that they hold.",
			Ins:   Args{Many("parts", anyVMIPart)},
			Outs:  Args{Out("result", ir.OneOf(anyVMI, anyVMIMask))},
			Sem:   sem.Parts{Pack: true},
			Rules: []Rule{Fact(func(op *ir.Op) string { return partsFault(op.Result(0).Type(), op.Operands()) })},
			Examples: []string{
				`%r = "pto.vmi.pack"(%a, %b) : (!pto.mask<b32>, !pto.mask<b32>) -> !pto.vmi.mask<128xb32, #pto.vmi.layout<deinterleaved = 2>>`,
			},
		}))
	})
)

// partsFault returns a message unless the values in the list parts have the types of the
// registers (or masks) that hold a VMI vector of type t.
func partsFault(t ir.Type, parts []*ir.Value) string {
	n, ok := lanemap.Registers(t)
	if !ok {
		return "needs a vmi value with a layout and a known width of lanes, but it is " + t.String()
	}
	if int64(len(parts)) != n {
		return fmt.Sprintf("%s is held in %d registers, but there are %d", t, n, len(parts))
	}
	want := lanemap.PartType(t)
	for i, v := range parts {
		if v.Type() != want {
			return fmt.Sprintf("part %d of %s must be %s, but is %s", i, t, want, v.Type())
		}
	}
	return ""
}
