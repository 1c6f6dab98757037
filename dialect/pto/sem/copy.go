// This file reads the operands of DMA and fractal copies.

package sem

import "ptogo/ir"

// BlockBytes is the unit of local memory in bytes. Addresses of copies are multiples of
// it, and instructions count lengths and distances in it.
const BlockBytes = 32

// Bursts holds the operands of a CopyBursts.
type Bursts struct {
	CopyBursts
	Source, Destination Operand
	// Length is the length of a burst.
	Length Operand
	// Levels are the bursts and the loops around them, innermost first.
	Levels []BurstLevel
	// Core is the vector core to whose unified buffer L1 is copied.
	Core Operand
	// Pad is the value of padding, and Left and Right are the numbers of padding
	// elements. PadOn enables padding with the register RegPadValue at run time.
	Pad, PadOn  Operand
	Left, Right Operand
}

// BurstLevel is one loop: its number of iterations, and the distance that each side
// advances per iteration.
type BurstLevel struct{ Count, Source, Destination Operand }

// BurstsOf returns the operands of a copy.
func BurstsOf(op *ir.Op) *Bursts {
	kind, _ := op.Def().Sem.(CopyBursts)
	b := &Bursts{
		CopyBursts: kind, Source: operand(op, "source"), Destination: operand(op, "destination"), Length: operand(op, "len_burst"),
		Pad: operand(op, "pad_value"), PadOn: operand(op, "pad"),
		Left: operand(op, "left_padding_count"), Right: operand(op, "right_padding_count"),
	}
	if SpaceOf(b.Source.Type()) == L1 && SpaceOf(b.Destination.Type()) == UB {
		b.Core = operand(op, "sid")
	}
	b.Levels = []BurstLevel{{operand(op, "n_burst"), operand(op, "nburst_src_stride"), operand(op, "nburst_dst_stride")}}
	src, dst := op.Args("loop_src_strides"), op.Args("loop_dst_strides")
	for i, count := range op.Args("loop_counts") {
		b.Levels = append(b.Levels, BurstLevel{Operand{"loop_counts", count}, Operand{"loop_src_strides", src[i]}, Operand{"loop_dst_strides", dst[i]}})
	}
	return b
}

// LoopRegisters returns the names of the registers that configure the two additional
// loops: counts holds both iteration counts, strides the stride of the inner and that of
// the outer loop.
func (c CopyBursts) LoopRegisters() (counts string, strides [2]string) {
	return "LOOP_SIZE_" + c.Loops, [2]string{"LOOP1_STRIDE_" + c.Loops, "LOOP2_STRIDE_" + c.Loops}
}

// FractalLoad holds the operands of a LoadFractals.
type FractalLoad struct {
	LoadFractals
	Source, Destination Operand
	// N and D are the rows and columns of a matrix.
	N, D Operand
	// Inner and Outer are the distances of rows and of matrices in the source, in bytes.
	Inner, Outer Operand
	// Small selects units of SmallUnit elements.
	Small Operand
	// Groups are the number of matrices, and the strides of the destination along n,
	// along d and between matrices, in blocks. If Registers is set, the fields
	// FractalFields of RegFractals replace them.
	Groups [4]Operand
}

// SmallUnit is the number of elements of a small unit, which need not fill a block.
const SmallUnit = 4

// FractalFields are the fields of RegFractals that replace [FractalLoad.Groups], in the
// same order.
var FractalFields = [4]Field{{0, 16}, {16, 16}, {32, 16}, {48, 16}}

// FractalLoadOf returns the operands of a copy into fractals.
func FractalLoadOf(op *ir.Op) *FractalLoad {
	kind, _ := op.Def().Sem.(LoadFractals)
	l := &FractalLoad{
		LoadFractals: kind, Source: operand(op, "source"), Destination: operand(op, "destination"),
		N: operand(op, "n_value"), D: operand(op, "d_value"), Small: operand(op, "smallc0_en"),
	}
	if kind.Registers {
		l.Inner, l.Outer = operand(op, "loop1_src_stride"), operand(op, "loop4_src_stride")
		return l
	}
	l.Transposed = keyword(op, "mode") == "dn2nz"
	l.Inner, l.Outer = operand(op, "src_inner_stride"), operand(op, "src_outer_stride")
	copy(l.Groups[:], operands(op, "group_count", "dst_loop2_stride", "dst_loop3_stride", "dst_loop4_stride"))
	return l
}

// OperandLoad holds the operands of a LoadOperand or a LoadScales.
type OperandLoad struct {
	Source, Destination Operand
	// Controls are, for fractals that are stored column by column: the first fractal
	// within a column, the first column, the numbers of both, and the strides of both
	// sides. If Shaped is set, Shape replaces them.
	Controls [6]Operand
	Shaped   bool
	// Shape is the number of rows and columns of the operand, and where it starts.
	Shape [4]Operand
	// Transpose is the operand that selects transposition. Without it, the attribute
	// Transposed does.
	Transpose  Operand
	Transposed bool
}

// OperandLoadOf returns the operands of a load of an operand.
func OperandLoadOf(op *ir.Op) *OperandLoad {
	l := operandLoad(op, "m_start", "k_start", "m_step", "k_step", "src_stride", "dst_stride")
	l.Transpose, l.Transposed = operand(op, "transpose"), flag(op, "transpose")
	return l
}

// ScaleLoadOf returns the operands of a load of scales. A band of rows is stored like a
// column of operands, so rows and columns are exchanged.
func ScaleLoadOf(op *ir.Op) *OperandLoad {
	return operandLoad(op, "y_start", "x_start", "y_step", "x_step", "src_stride", "dst_stride")
}

// operandLoad returns an OperandLoad whose controls are the named operands.
func operandLoad(op *ir.Op, controls ...string) *OperandLoad {
	l := &OperandLoad{Source: operand(op, "source"), Destination: operand(op, "destination")}
	copy(l.Controls[:], operands(op, controls...))
	if l.Shaped = !l.Controls[0].Given(); !l.Shaped {
		return l
	}
	rows := "m"
	if SpaceOf(l.Destination.Type()) == L0B {
		rows = "n"
	}
	copy(l.Shape[:], operands(op, rows, "k", "start_row", "start_col"))
	return l
}

// ParamLoad holds the operands of a LoadParams.
type ParamLoad struct {
	Source, Destination Operand
	Count, Length       Operand
	SourceGap, DestGap  Operand
	// Unit is the unit of lengths and gaps in the source, in bytes.
	Unit int64
}

// ParamLoadOf returns the operands of a load of biases or factors.
func ParamLoadOf(op *ir.Op, t ir.Target) *ParamLoad {
	l := &ParamLoad{
		Source: operand(op, "source"), Destination: operand(op, "destination"), Count: operand(op, "n_burst"), Length: operand(op, "len_burst"),
		SourceGap: operand(op, "nburst_src_gap"), DestGap: operand(op, "nburst_dst_gap"), Unit: BlockBytes,
	}
	if SpaceOf(l.Destination.Type()) == FB {
		l.Unit *= 2
	}
	if t != A5 {
		l.Unit *= 2
	}
	return l
}

// Fill is a FillWords with its operands.
type Fill struct {
	Dst, Offset, Word   Operand
	Repeat, Blocks, Gap Operand
	// Half means that only the lower 16 bits of the word are used.
	Half bool
}

// FillOf returns the operands of a fill.
func FillOf(op *ir.Op) *Fill {
	bits, _ := op.Attr("fill_word_bits").AsInt()
	return &Fill{
		Dst: operand(op, "dst"), Offset: operand(op, "byte_offset"), Word: operand(op, "raw_value"), Half: bits == 16,
		Repeat: operand(op, "repeat_times"), Blocks: operand(op, "block_num_32b"), Gap: operand(op, "dst_gap_32b"),
	}
}

// MaxFill is the greatest number that fits the fields of a fill.
const MaxFill = 1<<15 - 1
