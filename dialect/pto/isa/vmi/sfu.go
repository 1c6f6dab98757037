// This file defines VMI instructions of the special function unit.

package vmi

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// VMIVExpDif is pto.vmi.vexpdif, which computes exp(x - max), the numerator of a
// softmax.
var VMIVExpDif = Define("vmi.vexpdif", func(string) *ir.Def {
	return vmi(vmiSFU, underMask(Op{
		Name: "vexpdif", Doc: "Computes the exponential of x - max in f32.",
		Ins:      Args{In("x", vmiFloats), In("max", likeVMI{of: "x", lanes: vmiFloats, elem: true})},
		Outs:     Args{Out("result", likeVMI{of: "x", lanes: vmiOf{on: F32}})},
		Sem:      sem.VecWiden{Fn: scalar.ExpDif},
		Examples: []string{"%r = pto.vmi.vexpdif %a, %b, %m : !pto.vmi.vreg<128xf16>, !pto.vmi.vreg<128xf16>, !pto.vmi.mask<128xpred> -> !pto.vmi.vreg<128xf32>"},
	}, "x"))
})

// VMIVAxpy is pto.vmi.vaxpy, which computes alpha * x + acc, rounded once.
var VMIVAxpy = Define("vmi.vaxpy", func(string) *ir.Def {
	return vmi(vmiSFU, underMask(Op{
		Name: "vaxpy", Doc: "Computes alpha * x + acc, rounded once.",
		Ins:      append(vmiSame(vmiFloats, "x", "acc"), In("alpha", ScalarOf("x"))),
		Outs:     Args{Out("result", ir.SameAs("x"))},
		Sem:      sem.VecMap{Fn: scalar.Axpy, Args: [3]string{"alpha", "x", "acc"}},
		Examples: []string{vmiExample("vaxpy", ir.F32, "vvsm", "v", "")},
	}, "x"))
})

// VMIVLRelu is pto.vmi.vlrelu, which multiplies negative lanes by a scalar slope.
var VMIVLRelu = Define("vmi.vlrelu", func(string) *ir.Def {
	return vmi(vmiSFU, underMask(Op{
		Name: "vlrelu", Doc: "Multiplies negative lanes of x by slope and keeps the others.",
		Ins:      Args{In("x", vmiFloats), In("slope", ScalarOf("x"))},
		Outs:     Args{Out("result", ir.SameAs("x"))},
		Sem:      sem.VecMap{Fn: scalar.LRelu},
		Examples: []string{vmiExample("vlrelu", ir.F32, "vsm", "v", "")},
	}, "x"))
})

// VMIVPRelu is pto.vmi.vprelu, which multiplies negative lanes by the lane of a second
// vector, the slope.
var VMIVPRelu = Define("vmi.vprelu", func(string) *ir.Def {
	return vmi(vmiSFU, underMask(Op{
		Name: "vprelu", Doc: "Multiplies negative lanes of x by the lanes of alpha and keeps the others.",
		Ins:      vmiSame(vmiFloats, "x", "alpha"),
		Outs:     Args{Out("result", ir.SameAs("x"))},
		Sem:      sem.VecMap{Fn: scalar.Prelu},
		Examples: []string{vmiExample("vprelu", ir.F32, "vvm", "v", "")},
	}, "x"))
})

// VMIVMulA is pto.vmi.vmula, which computes acc + lhs * rhs, rounded once.
var VMIVMulA = Define("vmi.vmula", func(string) *ir.Def {
	return vmi(vmiSFU, masked(Op{
		Name: "vmula", Doc: "Computes acc + lhs * rhs, rounded once.",
		Ins:  vmiSame(vmiArith, "acc", "lhs", "rhs"),
		Outs: Args{Out("result", ir.SameAs("acc"))},
		Sem:  sem.VecMap{Fn: scalar.Fma, Args: [3]string{"lhs", "rhs", "acc"}},
		Examples: []string{
			vmiExample("vmula", ir.F32, "vvv", "v", ""),
			vmiExample("vmula", ir.F32, "vvvm", "v", ""),
		},
	}))
})

// VMIVMull is pto.vmi.vmull, which multiplies 32-bit lanes and returns the lower and
// the upper halves of the products in two vectors.
var VMIVMull = Define("vmi.vmull", func(string) *ir.Def {
	return vmi(vmiSFU, Op{
		Name: "vmull", Doc: "Multiplies a and b to 64 bits and returns the lower and the upper halves.",
		Ins: append(vmiSame(vmiOf{Ints32, notSigned}, "a", "b"), In("mask", vmiMaskFor("a"))),
		Outs: Args{
			Out("low", ir.SameAs("a")), Out("high", ir.SameAs("a")),
		},
		Attrs: []ir.AttrDef{{Name: "pmode", Type: ir.StrIn("zero"), Optional: true, Doc: "lanes that the mask does not select become zero"}},
		Sem:   sem.VecExtended{Low: scalar.Mul, High: scalar.MulHi},
		Rules: []Rule{lanesIn("a", 64, 128, 256)},
		Notes: []string{
			"Signless lanes are signed here, unlike elsewhere in the group: the manual shifts the product of i32 arithmetically.",
			"pmode merge: the manual emulates it, the public compiler rejects it.",
		},
		Examples: []string{vmiExample("vmull", ir.I32, "vvm", "vv", "")},
	})
})

// Definitions of the instructions that compute a histogram of bytes, the number of lanes
// with each byte value.
var (
	VMIVDHist = vmiHistogram("vdhist", false, "Counts bytes into bins of 16 bits on top of acc.")
	VMIVCHist = vmiHistogram("vchist", true, "Counts bytes into bins of 16 bits on top of acc, each byte also in all later bins.")
)

// vmiHistogram declares a histogram of bytes. If the parameter cumulative is set, a byte
// is counted in the bin of its value and in all later bins.
func vmiHistogram(name string, cumulative bool, doc string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		bins := vmiOf{Ints16, notSigned}
		return vmi(vmiSFU, Op{
			Name: name, Doc: doc,
			Ins: Args{In("acc", bins), In("source", vmiOf{Ints8, notSigned}), In("mask", vmiMaskFor("source"))},
			Outs: Args{
				Out("result", likeVMI{of: "acc", lanes: bins, layout: true}),
			},
			Sem: sem.LaneHistogram{Cumulative: cumulative},
			Rules: []Rule{
				lanesIn("acc", 128, 256), layoutIs("acc", LayoutContiguous), layoutIs("source", LayoutContiguous),
			},
			Examples: []string{
				"%r = pto.vmi." + name + " %a, %s, %m : !pto.vmi.vreg<256xui16>, !pto.vmi.vreg<1024xui8>, !pto.vmi.mask<1024xpred> -> !pto.vmi.vreg<256xui16>",
			},
		})
	})
}
