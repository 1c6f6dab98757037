// This file defines copies into L1 and between L1 and the unified buffer.

package cube

import (
	"cmp"
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/dma"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Copies into L1 and out of it. Plain copies move bursts of bytes or of blocks of 32
// bytes; copies into fractals also change the order, to that in which the cube unit
// reads a matrix.

// cubeFamily is the chapter of the manual on data movement of the cube core.
const cubeFamily = "cube-data-movement"

// cubeCopy completes the description o of a copy from one memory of the cube core to
// another, and returns the definition. from and to are the memory spaces of source and
// destination.
func cubeCopy(o Op, from, to sem.Space) *ir.Def {
	o.Group, o.Family = "cube", cubeFamily
	o.Page = cmp.Or(o.Page, cubePage)
	return dma.Copy(o, from, to)
}

// Definitions of the copies of bursts (contiguous runs of bytes).
var (
	MteGmL1 = rowCopy("mte_gm_l1", sem.GM, sem.L1, sem.PipeMTE2, sem.CopyBursts{}, "Copies bursts of len_burst bytes from global memory to L1; strides are bytes from one start to the next.")
	MteL1Ub = rowCopy("mte_l1_ub", sem.L1, sem.UB, sem.PipeMTE1, sem.CopyBursts{Blocks: true}, "Copies bursts of len_burst blocks of 32 bytes from L1 to the unified buffer; nburst has gaps in blocks, loop strides in bytes.",
		"The manual counts bytes, from one start to the next; golden data counts blocks and gaps between bursts.")
)

// rowCopy declares the instruction pto.NAME, which copies bursts (contiguous runs of
// bytes) between memories. from is the memory space of the source, and to is that of the
// destination. pipe is the pipe that executes the copy. kind states in which units the
// instruction counts lengths and distances.
func rowCopy(name string, from, to sem.Space, pipe sem.Pipe, kind sem.CopyBursts, doc string, notes ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		types := "!pto.ptr<f16, " + from.String() + ">, !pto.ptr<f16, " + to.String() + ">"
		if from == sem.GM {
			types = "!pto.ptr<f16>, !pto.ptr<f16, " + to.String() + ">"
		}
		return cubeCopy(Op{
			Name: name, Doc: doc, Pipe: pipe,
			Ins:    dma.Bursts(Counts("len_burst"), nil),
			Sem:    kind,
			Notes:  notes,
			Rules:  []Rule{dma.SameWidth},
			Syntax: ir.Asm(dma.Copied + dma.Nburst + dma.Loops + dma.CopiedTypes + dma.NburstTypes + dma.LoopTypes),
			Examples: []string{
				"pto." + name + " %p, %q, %n nburst(%r, %s, %d) loop(%r, %s, %d) : " + types + ", i64, i64, i64, i64, loop i64, i64, i64",
			},
		}, from, to)
	})
}

// Definitions of the copies of blocks of 32 bytes.
var (
	CopyGmToL1 = cubeBlocks("copy_gm_to_cbuf", sem.GM, sem.L1, sem.PipeMTE2, "Copies bursts of blocks from global memory to L1.")
	CopyL1ToUb = cubeBlocks("copy_cbuf_to_ubuf", sem.L1, sem.UB, sem.PipeMTE1, "Copies bursts of blocks from L1 to the unified buffer.", "sid")
	CopyUbToL1 = cubeBlocks("copy_ubuf_to_cbuf", sem.UB, sem.L1, sem.PipeMTE3, "Copies bursts of blocks from the unified buffer to L1.", "sid")
)

// cubeBlocks declares the instruction pto.NAME, which copies blocks of 32 bytes between
// the memory spaces in the parameters from and to. pipe is the pipe that executes the
// copy. first lists names of operands that precede the four counts and strides which all
// these copies have.
func cubeBlocks(name string, from, to sem.Space, pipe sem.Pipe, doc string, first ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		args := append(first, "n_burst", "len_burst", "nburst_src_stride", "nburst_dst_stride")
		return cubeCopy(Op{
			Name: name, Doc: doc, Pipe: pipe, Page: VptoODS,
			Ins:      Counts(args...),
			Sem:      sem.CopyBursts{Blocks: true},
			Rules:    []Rule{dma.SameWidth},
			Notes:    []string{dma.BlockNote},
			Examples: []string{"pto." + name + " %p, %q" + dma.ExampleValues(len(args)) + " : " + ptrPair("i16", from, to) + dma.ExampleTypes(len(args))},
		}, from, to)
	})
}

// ptrPair returns the text of two pointer types for examples. Both have the element type
// elem; the parameters from and to are their memory spaces.
func ptrPair(elem string, from, to sem.Space) string {
	return dma.PtrText(elem, from) + ", " + dma.PtrText(elem, to)
}

// MteGmL1Frac is pto.mte_gm_l1_frac, which copies matrices from global memory to L1 and
// arranges them in fractals (blocks of 16 rows of 32 bytes).
var MteGmL1Frac = Define("mte_gm_l1_frac", func(name string) *ir.Def {
	return cubeCopy(Op{
		Name: name, Pipe: sem.PipeMTE2,
		Doc: "Copies matrices from global memory to L1 in fractals.",
		Ins: append(append(Counts("n_value", "d_value", "src_inner_stride", "group_count", "dst_loop2_stride", "dst_loop3_stride", "dst_loop4_stride", "l2_cache_ctrl"),
			In("smallc0_en", ir.Written(ir.I1))), Opt("src_outer_stride", Count)),
		Attrs: []ir.AttrDef{{Name: "mode", Type: CubeLoadFracModeEnum, Doc: "the layout of the source"}},
		Sem:   sem.LoadFractals{},
		Rules: []Rule{dma.SameWidth, Check(fracFault)},
		Syntax: ir.AsmWith("$source `,` $destination `,` $mode `,` `shape` `(` $n_value `,` $d_value `)` `,`"+
			" `src_layout` `(` $src_inner_stride (`,` $src_outer_stride^)? `)` `,`"+
			" `dst_group` `(` $group_count `,` $dst_loop2_stride `,` $dst_loop3_stride `,` $dst_loop4_stride `)` `,`"+
			" `ctrl` `(` $l2_cache_ctrl `,` $smallc0_en `)` attr-dict `:` type($source) `,` type($destination) `,` custom<again>($mode) `,`"+
			" `shape` type($n_value) `,` type($d_value) `,` `src_layout` `(` type($src_inner_stride) (`,` type($src_outer_stride)^)? `)` `,`"+
			" `dst_group` type($group_count) `,` type($dst_loop2_stride) `,` type($dst_loop3_stride) `,` type($dst_loop4_stride) `,`"+
			" `ctrl` type($l2_cache_ctrl) `,` type($smallc0_en)", map[string]ir.Hook{"again": modeAgain}),
		Examples: []string{
			"pto.mte_gm_l1_frac %p, %q, nd2nz, shape(%n, %d), src_layout(%s), dst_group(%g, %a, %b, %c), ctrl(%l, %z) : !pto.ptr<f16>, !pto.ptr<f16, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1",
			"pto.mte_gm_l1_frac %p, %q, dn2nz, shape(%n, %d), src_layout(%s, %o), dst_group(%g, %a, %b, %c), ctrl(%l, %z) : !pto.ptr<f16>, !pto.ptr<f16, l1>, dn2nz, shape i64, i64, src_layout(i64, i64), dst_group i64, i64, i64, i64, ctrl i64, i1",
		},
	}, sem.GM, sem.L1)
})

// modeAgain is the syntax of a copy's mode (the attribute mode) within the list of types.
// Public programs write the mode twice. In this second position, the parser requires the
// same keyword as in the first one.
var modeAgain = ir.Hook{
	ParseFn: func(p *ir.Parser, st *ir.OpParse) { p.Keyword(st.GetAttr("mode").Keyword()) },
	PrintFn: func(w *ir.Printer, op *ir.Op) { w.Token(op.Attr("mode").Keyword()) },
}

// fracFault returns a message if a constant operand of a copy into fractals is out of
// range, and "" otherwise.
func fracFault(op *ir.Op, _ ir.Target) string {
	for i, a := range op.Form().Operands {
		n, ok := ConstantInt(op.Arg(a.Name))
		if ok && n < 0 && i >= 2 && a.Name != "smallc0_en" {
			return fmt.Sprintf("operand \"%s\" must not be negative, but is %d", a.Name, n)
		}
	}
	if n, ok := ConstantInt(op.Arg("group_count")); ok && n == 0 {
		return "operand \"group_count\" must be positive, but is 0"
	}
	small, _ := ConstantInt(op.Arg("smallc0_en"))
	if d, ok := ConstantInt(op.Arg("d_value")); ok && small != 0 && d > 4 {
		return fmt.Sprintf("operand \"d_value\" must be at most 4 with smallc0_en, but is %d", d)
	}
	return ""
}

// Definitions of instructions that copy matrices into fractals. These instructions read
// some of their parameters from registers.
var (
	CopyGmToL1Nd2Nz = multiCopy("copy_gm_to_cbuf_multi_nd2nz", "Copies matrices from global memory to L1 in fractals that registers describe.", false)
	CopyGmToL1Dn2Nz = multiCopy("copy_gm_to_cbuf_multi_dn2nz", "Copies transposed matrices from global memory to L1 in fractals that registers describe.", true)
)

// multiCopy declares the instruction pto.NAME, which copies matrices into fractals and
// reads some parameters from registers. If transposed is set, the instruction also
// transposes the matrices.
func multiCopy(name, doc string, transposed bool) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return cubeCopy(Op{
			Name: name, Doc: doc, Pipe: sem.PipeMTE2, Page: VptoODS,
			Ins: append(Counts("sid", "loop1_src_stride", "l2_cache_ctrl", "n_value", "d_value", "loop4_src_stride"),
				In("smallc0_en", ir.Written(ir.I1))),
			Sem:      sem.LoadFractals{Registers: true, Transposed: transposed},
			Examples: []string{"pto." + name + " %p, %q" + dma.ExampleValues(6) + ", %z : " + ptrPair("f16", sem.GM, sem.L1) + dma.ExampleTypes(6) + ", i1"},
		}, sem.GM, sem.L1)
	})
}

// Definitions of the copies of biases and quantization factors from L1 to their
// buffers.
var (
	MteL1Bt = paramLoad("mte_l1_bt", sem.BT, "Copies biases from L1 to their buffer.", "f16", biasTypes)
	MteL1Fb = paramLoad("mte_l1_fb", sem.FB, "Copies factors for stores of products from L1 to their buffer.", "f32", nil)

	CopyL1ToBt = Define("copy_cbuf_to_bt", func(name string) *ir.Def {
		return cubeCopy(Op{
			Name: name, Doc: "Copies biases from L1 to their buffer.", Pipe: sem.PipeMTE1, Page: VptoODS,
			Ins:      append(Args{In("conv_control", ir.Written(ir.I1))}, Counts("n_burst", "len_burst", "nburst_src_gap", "nburst_dst_gap")...),
			Sem:      sem.LoadParams{},
			Examples: []string{"pto.copy_cbuf_to_bt %p, %q, %c" + dma.ExampleValues(4) + " : !pto.ptr<f16, l1>, !pto.ptr<f32, bt>, i1" + dma.ExampleTypes(4)},
		}, sem.L1, sem.BT)
	})
	CopyL1ToFb = Define("copy_cbuf_to_fbuf", func(name string) *ir.Def {
		return cubeCopy(Op{
			Name: name, Doc: "Copies factors from L1 to their buffer.", Pipe: sem.PipeFix, Page: VptoODS,
			Ins:      Counts("n_burst", "len_burst", "nburst_src_gap", "nburst_dst_gap"),
			Sem:      sem.LoadParams{},
			Examples: []string{"pto.copy_cbuf_to_fbuf %p, %q" + dma.ExampleValues(4) + " : " + ptrPair("ui64", sem.L1, sem.FB) + dma.ExampleTypes(4)},
		}, sem.L1, sem.FB)
	})
)

// paramLoad declares the instruction pto.NAME, which copies biases or quantization
// factors from L1. The parameter to is the destination, a small memory space for such
// data. elem is the source element type in the example, and rule is a rule on the
// operands.
func paramLoad(name string, to sem.Space, doc, elem string, rule Rule) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		o := Op{
			Name: name, Doc: doc, Pipe: sem.PipeMTE1,
			Ins: Counts("len_burst", "n_burst", "nburst_src_gap", "nburst_dst_gap"),
			Sem: sem.LoadParams{},
			Syntax: ir.Asm(dma.Copied + " `nburst` `(` $n_burst `,` $nburst_src_gap `,` $nburst_dst_gap `)`" + dma.CopiedTypes +
				" `,` type($n_burst) `,` type($nburst_src_gap) `,` type($nburst_dst_gap)"),
			Examples: []string{"pto." + name + " %p, %q, %n nburst(%r, %s, %d) : !pto.ptr<" + elem + ", l1>, !pto.ptr<f32, " + to.String() + ">" + dma.ExampleTypes(4)},
		}
		if to == sem.FB {
			o.Pipe = sem.PipeFix
		}
		if rule != nil {
			o.Rules = []Rule{rule}
		}
		return cubeCopy(o, sem.L1, to)
	})
}

// biasTypes is the rule that requires a pair of element types that a copy of biases
// supports.
var biasTypes = Check(func(op *ir.Op, t ir.Target) string {
	env := ir.EnvOf(op, t)
	src, dst := ir.ElementType(env.Type("source")), ir.ElementType(env.Type("destination"))
	if src == dst && (src == ir.F32 || src == ir.I32) || dst == ir.F32 && (src == ir.F16 || src == ir.BF16) {
		return ""
	}
	return fmt.Sprintf("must load f32, f16 or bf16 as f32, or i32 as i32, but loads %s as %s", src, dst)
})

// Definitions of the instructions that fill blocks of L1.
var (
	RawFillL1        = fill("raw_fill_l1", cubePage, "Fills blocks of L1 with a word.", PtrIn(sem.L1), "byte_offset")
	CreateCbufMatrix = fill("create_cbuf_matrix", VptoODS, "Fills blocks of L1 with a word of the size of the elements.", PtrTo("ui16 or ui32", U16|U32, sem.L1))
)

// fill declares the instruction pto.NAME, which fills blocks of L1 with a repeated word.
// dst is the constraint on the destination. The strings at the end of the parameter list
// are the names of additional operands of type i64, which follow the destination. page is
// the manual page and doc the description for the reference page.
func fill(name, page, doc string, dst ir.Constraint, more ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		ins := append(Args{In("dst", dst)}, Counts(more...)...)
		elem := "ui16"
		o := Op{
			Name: name, Doc: doc, Group: "cube", Family: "cube-fill", Page: page, Pipe: sem.PipeMTE2,
			Ins:    append(append(ins, In("raw_value", WrittenI32)), Counts("repeat_times", "block_num_32b", "dst_gap_32b")...),
			Attrs:  []ir.AttrDef{{Name: "fill_word_bits", Type: wordBits, Doc: "bits of the word"}},
			Access: []Access{{Arg: "dst", Write: true}},
			Sem:    sem.FillWords{},
			Rules: []Rule{
				ConstantBetween("repeat_times", 0, maxFill), ConstantBetween("block_num_32b", 0, maxFill), ConstantBetween("dst_gap_32b", 0, maxFill),
			},
			Examples: []string{"pto." + name + " %p" + dma.ExampleValues(len(more)) + ", %w, %r, %b, %g {fill_word_bits = 16 : i64} : !pto.ptr<" + elem + ", l1>" + dma.ExampleTypes(len(more)) + ", i32, i64, i64, i64"},
		}
		if len(more) > 0 {
			o.Rules = append(o.Rules, Check(offsetFault))
		} else {
			o.Rules = append(o.Rules, Check(viewFault))
		}
		return PlainOp(o)
	})
}

// maxFill is the largest count and the largest gap that an instruction for filling L1 can
// encode, because the fields for counts and gaps have 15 bits.
const maxFill = 1<<15 - 1

// wordBits is the constraint on the attribute with the width of a word in bits: 16 or 32.
// The instruction fills L1 with copies of this word.
var wordBits = ir.AttrIf("16 or 32", func(a ir.Attr) bool {
	n, ok := a.AsInt()
	return ok && ir.IntOf(ir.I64).CheckAttr(a) && (n == 16 || n == 32)
})

// offsetFault returns a message if the constant byte offset of op is negative or not
// aligned, and "" otherwise.
func offsetFault(op *ir.Op, _ ir.Target) string {
	switch n, ok := ConstantInt(op.Arg("byte_offset")); {
	case ok && n < 0:
		return fmt.Sprintf("operand \"byte_offset\" must not be negative, but is %d", n)
	case ok && n%32 != 0:
		return fmt.Sprintf("operand \"byte_offset\" must be a multiple of 32 bytes, but is %d", n)
	}
	return ""
}

// viewFault checks attribute fill_word_bits of op, which fills L1 with copies of a word.
// It returns a message if the word and an element of the destination have different
// numbers of bits, and "" otherwise.
func viewFault(op *ir.Op, t ir.Target) string {
	n, _ := op.Attr("fill_word_bits").AsInt()
	if size := ByteSize(ir.ElementType(ir.EnvOf(op, t).Type("dst"))); n != int64(8*size) {
		return fmt.Sprintf("attribute \"fill_word_bits\" must be %d, the bits of an element of \"dst\", but is %d", 8*size, n)
	}
	return ""
}
