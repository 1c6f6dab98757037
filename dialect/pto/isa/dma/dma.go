// This file defines DMA copies between global memory and the unified buffer.

package dma

import (
	"cmp"
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// dmaFamily is the chapter of the manual on copies.
const dmaFamily = "dma-copy"

var (
	// dmaPage is the manual page that specifies copies.
	dmaPage = MicroPage("02-dma-copy")
)

// BlockNote is the note of reference pages about copies whose operands count blocks of
// 32 bytes.
const BlockNote = "Lengths and gaps count blocks of 32 bytes."

// Copy returns the definition of an instruction that copies between two memories. from is
// the memory space into which the operand source points. The parameter to lists the
// memory spaces into which the operand destination may point. o contains the name and the
// further operands.
func Copy(o Op, from sem.Space, to ...sem.Space) *ir.Def {
	o.Group = cmp.Or(o.Group, "dma")
	o.Family = cmp.Or(o.Family, dmaFamily)
	o.Page = cmp.Or(o.Page, dmaPage)
	o.Ins = append(Args{In("source", PtrIn(from)), In("destination", PtrIn(to...))}, o.Ins...)
	o.Access = []Access{{Arg: "source", Read: true}, {Arg: "destination", Write: true}}
	return PlainOp(o)
}

// SameWidth is the rule that requires elements of the same size at the source and the
// destination, because copies do not convert.
var SameWidth = Check(func(op *ir.Op, t ir.Target) string {
	env := ir.EnvOf(op, t)
	src, dst := ir.ElementType(env.Type("source")), ir.ElementType(env.Type("destination"))
	if ByteSize(src) == ByteSize(dst) {
		return ""
	}
	return "elements of \"source\" and \"destination\" must have the same size, but are " + src.String() + " and " + dst.String()
})

// Bursts returns the operands of a copy of bursts (contiguous runs of bytes) in nested
// loops. The result starts with the operands in the list before, followed by the count
// and the strides of bursts. The operands in the list after come next. The counts and
// strides of further loops are at the end.
func Bursts(before, after []ir.Arg) Args {
	args := append(Args{}, before...)
	args = append(args, Counts("n_burst", "nburst_src_stride", "nburst_dst_stride")...)
	args = append(args, after...)
	return append(args, Many("loop_counts", Count), Many("loop_src_strides", Count), Many("loop_dst_strides", Count))
}

// Fragments of the syntax of copies, which several definitions share.
const (
	Nburst      = " `nburst` `(` $n_burst `,` $nburst_src_stride `,` $nburst_dst_stride `)`"
	NburstTypes = " `,` type($n_burst) `,` type($nburst_src_stride) `,` type($nburst_dst_stride)"
	Loops       = " (`loop|loop1|loop2` `(` $loop_counts `,` $loop_src_strides `,` $loop_dst_strides `)`)*"
	LoopTypes   = " (`,` `loop|loop1|loop2` type($loop_counts) `,` type($loop_src_strides) `,` type($loop_dst_strides))*"
	Copied      = "$source `,` $destination `,` $len_burst"
	CopiedTypes = " attr-dict `:` type($source) `,` type($destination) `,` type($len_burst)"
)

// Definitions of the copies between global memory and the unified buffer.
var (
	MteGmUb = Define("mte_gm_ub", func(name string) *ir.Def {
		return Copy(Op{
			Name: name, Pipe: sem.PipeMTE2,
			Doc: "Copies bursts of len_burst bytes from global memory to the unified buffer; strides are bytes from one start to the next.",
			Ins: append(Bursts(Counts("l2_cache_ctl", "len_burst"), nil),
				Opt("pad_value", padValue), Opt("left_padding_count", Count), Opt("right_padding_count", Count)),
			Sem:   sem.CopyBursts{},
			Rules: []Rule{SameWidth, ConstantBetween("l2_cache_ctl", 0, 15)},
			Syntax: ir.Asm("$source `,` $destination `,` $l2_cache_ctl `,` $len_burst" + Nburst + Loops +
				" (`pad` `(` $pad_value^ (`,` $left_padding_count^ `,` $right_padding_count)? `)`)?" +
				" attr-dict `:` type($source) `,` type($destination) `,` type($l2_cache_ctl) `,` type($len_burst)" + NburstTypes + LoopTypes +
				" (`,` `pad` type($pad_value)^ (`,` type($left_padding_count)^ `,` type($right_padding_count))?)?"),
			Notes: []string{
				"Two loops were once written loop1 and loop2; both are read.",
				"The page copies to the unified buffer; the public verifier keeps only global memory from being the destination, and a frontend's example copies to L1 (PTOAS:ptodsl/examples/flash_attention_sketch.py): so does this, as pto.mte_gm_l1.",
			},
			Examples: []string{
				"pto.mte_gm_ub %p, %q, %c, %n nburst(%r, %s, %d) : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64",
				"pto.mte_gm_ub %p, %q, %c, %n nburst(%r, %s, %d) loop(%r, %s, %d) pad(%x, %n, %n) : !pto.ptr<f16>, !pto.ptr<f16, ub>, i64, i64, i64, i64, i64, loop i64, i64, i64, pad f16, i64, i64",
			},
		}, sem.GM, sem.UB, sem.L1)
	})

	MteUbGm = Define("mte_ub_gm", func(name string) *ir.Def {
		return Copy(Op{
			Name: name, Pipe: sem.PipeMTE3,
			Doc:   "Copies bursts of len_burst bytes from the unified buffer to global memory; strides are bytes from one start to the next.",
			Ins:   Bursts(Counts("len_burst"), Args{Opt("l2_cache_ctl", Count)}),
			Sem:   sem.CopyBursts{},
			Rules: []Rule{SameWidth, ConstantBetween("l2_cache_ctl", 0, 15)},
			Syntax: ir.Asm(Copied + Nburst + " (`l2_cache_ctl` `(` $l2_cache_ctl^ `)`)?" + Loops +
				CopiedTypes + NburstTypes + " (`,` type($l2_cache_ctl)^)?" + LoopTypes),
			Examples: []string{
				"pto.mte_ub_gm %q, %p, %n nburst(%r, %s, %d) l2_cache_ctl(%c) loop(%r, %s, %d) : !pto.ptr<f32, ub>, !pto.ptr<f32>, i64, i64, i64, i64, i64, loop i64, i64, i64",
			},
		}, sem.UB, sem.GM)
	})
)

// padValue accepts the types of the padding value.
var padValue = ir.TypeIf("i8, i16, i32, f16, bf16 or f32", func(t ir.Type) bool {
	return (Ints | F16 | BF16 | F32).Has(t)
})

// Definitions of the copies of blocks between local memories.
//
// The vector unit copies inside the unified buffer. On A2 and A3, the NPU headers insert
// pipe_barrier(PIPE_V) between such copies and vector instructions (a2a3/TMrgSort.hpp).
// On A5, the headers rely on their order without a barrier (a5/TSort32.hpp). The headers
// name PIPE_V as the pipe of the copy (a2a3/TMov.hpp). The public reference page of the
// instruction only mentions "the MTE engine".
var (
	MteUbUb = blockCopy("mte_ub_ub", "dma", sem.UB, sem.PipeV, "Copies bursts of blocks inside the unified buffer.", ubCopyNote)
	MteUbL1 = blockCopy("mte_ub_l1", "cube", sem.L1, sem.PipeMTE3, "Copies bursts of blocks from the unified buffer to L1.")
)

// ubCopyNote is the note of reference pages that describes where sources disagree about
// the pipe of a copy inside the unified buffer.
const ubCopyNote = "The page calls the pipe \"the MTE engine\"; the NPU headers use the copy as an instruction of PIPE_V, and so do we."

// blockCopy declares the instruction pto.NAME, where NAME is the parameter name. The
// instruction copies blocks of 32 bytes from the unified buffer to another memory. The
// parameter to is the space of this memory, and pipe is the pipe that executes the copy.
// The remaining parameters are for the reference page: group is the section, doc is the
// description, and notes are additional notes.
func blockCopy(name, group string, to sem.Space, pipe sem.Pipe, doc string, notes ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return Copy(Op{
			Name: name, Group: group, Doc: doc, Pipe: pipe,
			Ins: Counts("n_burst", "len_burst", "nburst_src_stride", "nburst_dst_stride"),
			Sem: sem.CopyBursts{Blocks: true},
			Syntax: ir.Asm(Copied + Nburst +
				" attr-dict `:` type($source) `,` type($destination) `,` type($n_burst) `,` type($len_burst) `,` type($nburst_src_stride) `,` type($nburst_dst_stride)"),
			Notes: append([]string{BlockNote}, notes...),
			Examples: []string{
				"pto." + name + " %p, %q, %n nburst(%r, %s, %d) : !pto.ptr<i16, ub>, !pto.ptr<i16, " + to.String() + ">, i64, i64, i64, i64",
			},
		}, sem.UB, to)
	})
}

// Definitions of the copies whose loops and padding are configured in registers.
var (
	CopyGmToUb = Define("copy_gm_to_ubuf", func(name string) *ir.Def {
		return Copy(Op{
			Name: name, Pipe: sem.PipeMTE2,
			Doc: "Copies bursts of len_burst bytes from global memory to the unified buffer, in the loops that registers say.",
			Ins: append(append(Counts("sid", "n_burst", "len_burst", "left_padding_count", "right_padding_count"),
				In("pad", ir.Written(ir.I1))), Counts("l2_cache_ctl", "nburst_src_stride", "nburst_dst_stride")...),
			Sem:   sem.CopyBursts{Loops: "OUTTOUB"},
			Rules: []Rule{SameWidth},
			Examples: []string{
				"pto.copy_gm_to_ubuf %p, %q, %c, %n, %m, %l, %r, %b, %c, %s, %d : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, i1, i64, i64, i64",
			},
		}, sem.GM, sem.UB)
	})

	CopyUbToGm = Define("copy_ubuf_to_gm", func(name string) *ir.Def {
		return Copy(Op{
			Name: name, Pipe: sem.PipeMTE3,
			Doc:   "Copies bursts of len_burst bytes from the unified buffer to global memory, in the loops that registers say.",
			Ins:   Counts("sid", "n_burst", "len_burst", "l2_cache_ctl", "nburst_dst_stride", "nburst_src_stride"),
			Sem:   sem.CopyBursts{Loops: "UBTOOUT"},
			Rules: []Rule{SameWidth},
			Examples: []string{
				"pto.copy_ubuf_to_gm %q, %p, %c, %n, %m, %c, %d, %s : !pto.ptr<f32, ub>, !pto.ptr<f32>, i64, i64, i64, i64, i64, i64",
			},
		}, sem.UB, sem.GM)
	})

	CopyUbToUb = Define("copy_ubuf_to_ubuf", func(name string) *ir.Def {
		return Copy(Op{
			Name: name, Pipe: sem.PipeV,
			Doc:   "Copies bursts of blocks inside the unified buffer.",
			Ins:   Counts("sid", "n_burst", "len_burst", "nburst_src_stride", "nburst_dst_stride"),
			Sem:   sem.CopyBursts{Blocks: true},
			Notes: []string{BlockNote, ubCopyNote},
			Examples: []string{
				"pto.copy_ubuf_to_ubuf %p, %q, %c, %n, %m, %s, %d : !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64",
			},
		}, sem.UB, sem.UB)
	})
)

// PtrText returns the text of a pointer type, for examples.
func PtrText(elem string, s sem.Space) string {
	if s == sem.GM {
		return "!pto.ptr<" + elem + ">"
	}
	return "!pto.ptr<" + elem + ", " + s.String() + ">"
}

// ExampleTypes returns the text of n types i64 for an example, each after a comma.
func ExampleTypes(n int) string {
	s := ""
	for range n {
		s += ", i64"
	}
	return s
}

// ExampleValues returns the text of n operands for an example, with a comma before each
// operand.
func ExampleValues(n int) string {
	s := ""
	for i := range n {
		s += fmt.Sprintf(", %%x%d", i)
	}
	return s
}
