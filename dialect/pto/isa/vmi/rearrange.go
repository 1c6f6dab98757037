// This file defines VMI rearrangements.

package vmi

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of the instructions that interleave and deinterleave two vectors.
var (
	VMIVIntlv  = vmiPair("vintlv", sem.Interleave, "Interleaves lhs and rhs: low has the lower halves, high the upper ones.")
	VMIVDIntlv = vmiPair("vdintlv", sem.Deinterleave, "Writes the lanes of lhs and rhs with even numbers to low, and those with odd numbers to high.",
		"The manual's formula computes low from lhs alone, which is not the inverse that the text claims. We implement the inverse.")
)

// vmiPair declares an instruction that interleaves or deinterleaves two vectors.
func vmiPair(name string, kind sem.Rearrangement, doc string, notes ...string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		like := likeVMI{of: "lhs", lanes: anyVMI, elem: true}
		return vmi(vmiRearrange, underMask(Op{
			Name: name, Doc: doc, Notes: notes,
			Ins:      Args{In("lhs", anyVMI), In("rhs", like)},
			Outs:     Args{Out("low", like), Out("high", like)},
			Sem:      sem.VecRearrange{Kind: kind},
			Rules:    []Rule{layoutTogether("lhs", "rhs", "low", "high")},
			Examples: []string{vmiExample(name, ir.F32, "vvm", "vv", "")},
		}, "lhs"))
	})
}

// VMIShuffle is pto.vmi.shuffle, which selects lanes by constant numbers.
var VMIShuffle = Define("vmi.shuffle", func(string) *ir.Def {
	return vmi(vmiInner, Op{
		Name: "shuffle", Doc: "Sets lane i to the lane of source that entry i of indices names.",
		Ins:   Args{In("source", anyVMI)},
		Outs:  Args{Out("result", laneTypeOf("source"))},
		Attrs: []ir.AttrDef{{Name: "indices", Type: ir.AnyInts}},
		Sem:   sem.PermuteBy{},
		Rules: []Rule{Fact(shuffleFault), layoutTogether("source", "result")},
		Examples: []string{
			"%r = pto.vmi.shuffle %a[[3, 2, 1, 0]] : !pto.vmi.vreg<8xui8> -> !pto.vmi.vreg<4xui8>",
		},
		Syntax: ir.AsmWith("$source `[` custom<Numbers>($indices) `]` attr-dict `:` type($source) `->` type($result)",
			map[string]ir.Hook{"Numbers": {ParseFn: parseNumbers, PrintFn: printNumbers}}),
	})
})

// parseNumbers parses a list such as [1, 2, 3] and stores it as the attribute with the
// name indices.
func parseNumbers(p *ir.Parser, st *ir.OpParse) {
	var ns []int64
	p.Expect("[")
	p.List("]", func() { ns = append(ns, p.Integer()) })
	p.Expect("]")
	st.Attr("indices", ir.I64Array(ns...))
}

// printNumbers prints the indices of a shuffle.
func printNumbers(w *ir.Printer, op *ir.Op) {
	w.Token("[")
	for i, n := range indicesOf(op) {
		if i > 0 {
			w.Token(",")
		}
		w.Number(ir.IntAttr(ir.I64, n))
	}
	w.Token("]")
}

// indicesOf returns the lane numbers in the attribute of op that is called "indices".
func indicesOf(op *ir.Op) []int64 {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("indices"))
	return d.Ints()
}

// shuffleFault returns a message if the indices of a shuffle are out of range or their
// number is wrong, and "" otherwise.
func shuffleFault(op *ir.Op) string {
	from, _, _ := VMILanesOf(op.Operand(0).Type())
	to, _, _ := VMILanesOf(op.Result(0).Type())
	indices := indicesOf(op)
	if int64(len(indices)) != to {
		return fmt.Sprintf("attribute \"indices\" must have %d entries, one per lane of the result, but has %d", to, len(indices))
	}
	for i, n := range indices {
		if n < 0 || n >= from {
			return fmt.Sprintf("entry %d of attribute \"indices\" must name one of the %d lanes of \"source\", but is %d", i, from, n)
		}
	}
	return ""
}

// Definitions of the instructions that move the selected lanes to other positions.
var (
	VMICompress = Define("vmi.compress", func(string) *ir.Def {
		return vmi(vmiInner, Op{
			Name: "compress", Doc: "Moves the selected lanes to the front, followed by zeros.",
			Ins:      Args{In("source", anyVMI), In("mask", vmiMaskFor("source"))},
			Outs:     Args{Out("result", ir.SameAs("source"))},
			Sem:      sem.VecRearrange{Kind: sem.Compact},
			Examples: []string{vmiExample("compress", ir.F32, "vm", "v", "")},
		})
	})
	VMIActivePrefixIndex = Define("vmi.active_prefix_index", func(string) *ir.Def {
		return vmi(vmiInner, Op{
			Name: "active_prefix_index", Doc: "Sets lane i to the number of selected lanes before i.",
			Ins:      Args{In("mask", vmiMaskFor("result"))},
			Outs:     Args{Out("result", vmiOf{I8 | I16 | I32, []ir.Sign{ir.Signless}})},
			Sem:      sem.VecRearrange{Kind: sem.CountBefore},
			Examples: []string{vmiExample("active_prefix_index", ir.I32, "m", "v", "")},
		})
	})
)

// Definitions of two instructions. One distributes the lanes of a vector cyclically over
// several vectors (channels). The other one merges the lanes of several vectors in the
// same order into one vector.
var (
	VMIChannelSplit = Define("vmi.channel_split", func(string) *ir.Def {
		return genericOnly(vmi(vmiLayouts, Op{
			Name: "channel_split", Doc: "Deals the lanes of source out to its results, one by one.",
			Ins:   Args{In("source", anyVMI)},
			Outs:  Args{Many("results", laneTypeOf("source"))},
			Sem:   sem.LaneChannels{},
			Rules: []Rule{Fact(splitFault)},
			Examples: []string{
				`%a, %b = "pto.vmi.channel_split"(%s) : (!pto.vmi.vreg<128xf32>) -> (!pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>)`,
			},
		}))
	})
	VMIChannelMerge = Define("vmi.channel_merge", func(string) *ir.Def {
		return genericOnly(vmi(vmiLayouts, Op{
			Name: "channel_merge", Doc: "Interleaves the lanes of its operands.",
			Ins:   Args{Many("inputs", laneTypeOf("result"))},
			Outs:  Args{Out("result", anyVMI)},
			Sem:   sem.LaneChannels{Merge: true},
			Rules: []Rule{Fact(mergeFault)},
			Examples: []string{
				`%r = "pto.vmi.channel_merge"(%a, %b) : (!pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>) -> !pto.vmi.vreg<128xf32>`,
			},
		}))
	})
)

// splitFault returns a message if the results of a channel split have invalid types,
// and "" otherwise.
func splitFault(op *ir.Op) string {
	var ts []ir.Type
	for i := range op.NumResults() {
		ts = append(ts, op.Result(i).Type())
	}
	return channelFault(op.Operand(0).Type(), ts)
}

// mergeFault returns a message if the operands of a channel merge have invalid types,
// and "" otherwise.
func mergeFault(op *ir.Op) string {
	var ts []ir.Type
	for i := range op.NumOperands() {
		ts = append(ts, op.Operand(i).Type())
	}
	return channelFault(op.Result(0).Type(), ts)
}

// channelFault checks an instruction that splits a vector into several shorter vectors of
// equal length (channels), or joins channels to a vector. It returns a message if the
// types of the channels do not match the type of the whole vector, and "" otherwise.
func channelFault(whole ir.Type, channels []ir.Type) string {
	n := int64(len(channels))
	if n < 2 {
		return fmt.Sprintf("needs at least two channels, but has %d", n)
	}
	lanes, layout, _ := VMILanesOf(whole)
	for i, t := range channels {
		each, l, _ := VMILanesOf(t)
		switch {
		case lanes%n != 0 || each != lanes/n:
			return fmt.Sprintf("channel %d must have one of %d parts of the lanes of %s, but is %s", i, n, whole, t)
		case l.IsZero() != layout.IsZero():
			return fmt.Sprintf("channels and %s must all have a layout, or none, but channel %d is %s", whole, i, t)
		case !l.IsZero() && l.Kind != LayoutContiguous:
			return fmt.Sprintf("the layout of channel %d must be contiguous, but is %s", i, l)
		}
	}
	dealt := VMILayout{Kind: LayoutDeinterleaved, Factor: n, LaneStride: 1}
	if (n == 2 || n == 4) && !layout.IsZero() && layout.Kind != LayoutContiguous && layout != dealt {
		return fmt.Sprintf("the layout of %s must be contiguous or %s", whole, dealt)
	}
	return ""
}
