// This file reads the operands of DMA and fractal copies.

package sem

import "ptogo/ir"

// BlockBytes is the size in bytes of a block, the unit of local memory. Addresses of
// copies are multiples of BlockBytes, and many instructions count lengths and distances
// in blocks.
const BlockBytes = 32

// Bursts holds the operands of a DMA instruction that copies bursts, which are contiguous
// runs of bytes, in nested loops (kind CopyBursts).
type Bursts struct {
	CopyBursts
	Source, Destination Operand
	// Length is the length of each burst, in bytes, or in blocks of 32 bytes if
	// CopyBursts.Blocks is set.
	Length Operand
	// Levels are the nested loops of the copy, innermost first. The innermost one
	// iterates over bursts.
	Levels []BurstLevel
	// Core is the number of the vector core whose unified buffer receives data from L1,
	// the buffer of the cube core.
	Core Operand
	// Pad is the value of padding elements. Left and Right are the numbers of padding
	// elements before and after each burst. PadOn is a Boolean operand: if it is true,
	// padding elements have the value of register RegPadValue instead of Pad.
	Pad, PadOn  Operand
	Left, Right Operand
}

// BurstLevel is one loop of a copy. Count is its number of iterations. Source and
// Destination describe how the two addresses advance in each iteration. Usually they are
// distances in bytes between the starts of consecutive bursts. If CopyBursts.Blocks is
// set, they are gaps in blocks of 32 bytes, from the end of a burst to the start of the
// next one.
type BurstLevel struct{ Count, Source, Destination Operand }

// BurstsOf decodes the operands of op, an instruction that copies bursts of bytes (kind
// CopyBursts).
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

// LoopRegisters returns the names of the registers that configure the two loops around
// the bursts. The result counts is the name of the register with both iteration counts.
// The result strides contains the names of the registers with the strides of the inner
// and of the outer loop.
func (c CopyBursts) LoopRegisters() (counts string, strides [2]string) {
	return "LOOP_SIZE_" + c.Loops, [2]string{"LOOP1_STRIDE_" + c.Loops, "LOOP2_STRIDE_" + c.Loops}
}

// FractalLoad holds the operands of a LoadFractals, which copies row-major matrices from
// global memory to L1 and arranges them in fractals, blocks of 16 rows of 32 bytes.
type FractalLoad struct {
	LoadFractals
	Source, Destination Operand
	// N is the number of rows and D the number of columns of each matrix.
	N, D Operand
	// Inner is the distance in bytes from one row to the next in the source, and Outer
	// that from one matrix to the next.
	Inner, Outer Operand
	// Small, if true, divides the columns into units of SmallUnit elements instead of
	// blocks of 32 bytes.
	Small Operand
	// Groups are four operands: the number of matrices, and three strides of the
	// destination in blocks of 32 bytes: from row to row (n), from column block to column
	// block (d), and from matrix to matrix. If Registers is set, fields of register
	// RegFractals (FractalFields) replace the operands.
	Groups [4]Operand
}

// SmallUnit is the number of columns that a copy into fractals packs together if the
// field Small is set. Without Small, it packs as many columns as 32 bytes contain.
const SmallUnit = 4

// FractalFields are the bit fields of register RegFractals. Some instructions that copy
// matrices into fractals have no operands [FractalLoad.Groups]; these fields then contain
// the four numbers, in the same order.
var FractalFields = [4]Field{{0, 16}, {16, 16}, {32, 16}, {48, 16}}

// FractalLoadOf decodes the operands of op, an instruction that copies matrices from
// global memory into fractals in L1 (kind LoadFractals).
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

// OperandLoad holds the operands of a copy from L1 to an operand buffer of the cube unit.
// The instruction copies an operand of a matrix product (kind LoadOperand) or the scales
// of an operand (kind LoadScales).
type OperandLoad struct {
	Source, Destination Operand
	// Controls select the fractals to copy: the row and the column of the first fractal,
	// the numbers of rows and columns of fractals, and the strides of the source and the
	// destination in fractals. If Shaped is set, the instruction has the operands Shape
	// instead.
	Controls [6]Operand
	Shaped   bool
	// Shape holds the number of rows and the number of columns of the copied matrix, and
	// the row and column of the source at which this matrix starts. All four count
	// elements.
	Shape [4]Operand
	// Transpose is the Boolean operand that requests transposition of the matrix at run
	// time. If the instruction omits the operand, the field Transposed holds the value of
	// its attribute.
	Transpose  Operand
	Transposed bool
}

// OperandLoadOf decodes the operands of op, an instruction that copies an operand of a
// matrix product from L1 to L0A or L0B (kind LoadOperand).
func OperandLoadOf(op *ir.Op) *OperandLoad {
	l := operandLoad(op, "m_start", "k_start", "m_step", "k_step", "src_stride", "dst_stride")
	l.Transpose, l.Transposed = operand(op, "transpose"), flag(op, "transpose")
	return l
}

// ScaleLoadOf decodes the operands of op, which loads the scales of a matrix operand
// (kind LoadScales). The fields of OperandLoad.Controls are named for loads of elements,
// for which a column of fractals is contiguous in memory. For scales, a band of 16 rows
// is contiguous instead, so rows and columns have opposite roles. ScaleLoadOf therefore
// stores the column operands of op (named y) in the row fields of Controls, and the row
// operands (named x) in the column fields.
func ScaleLoadOf(op *ir.Op) *OperandLoad {
	return operandLoad(op, "y_start", "x_start", "y_step", "x_step", "src_stride", "dst_stride")
}

// operandLoad returns the OperandLoad of op, a copy of a matrix to an operand buffer of
// the cube unit. Such instructions describe the copied fractals in one of two ways. The
// first way uses operands that control the hardware directly. Their names are the last
// arguments, and operandLoad stores them in Controls. The second way describes the shape
// of the copy. If op has no controls, operandLoad sets Shaped and stores four operands in
// Shape: the number of rows (m for L0A, n for L0B), k, start_row and start_col.
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

// ParamLoad holds the operands of an instruction that copies biases or quantization
// factors from L1 to a small buffer of the cube core (kind LoadParams). Count is the
// number of bursts, and Length is the length of a burst.
type ParamLoad struct {
	Source, Destination Operand
	Count, Length       Operand
	SourceGap, DestGap  Operand
	// Unit is the unit of lengths and gaps in the source, in bytes.
	Unit int64
}

// ParamLoadOf decodes the operands of op, which copies biases or quantization factors
// (kind LoadParams). The unit of lengths depends on the target t.
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

// Fill holds the operands of an instruction that fills blocks of L1 with a repeated word
// (kind FillWords). It fills Repeat runs of Blocks blocks of 32 bytes, with gaps of Gap
// blocks between the runs.
type Fill struct {
	Dst, Offset, Word   Operand
	Repeat, Blocks, Gap Operand
	// Half means that only the lower 16 bits of the word are used.
	Half bool
}

// FillOf decodes the operands of op, an instruction that fills blocks of L1 (kind
// FillWords).
func FillOf(op *ir.Op) *Fill {
	bits, _ := op.Attr("fill_word_bits").AsInt()
	return &Fill{
		Dst: operand(op, "dst"), Offset: operand(op, "byte_offset"), Word: operand(op, "raw_value"), Half: bits == 16,
		Repeat: operand(op, "repeat_times"), Blocks: operand(op, "block_num_32b"), Gap: operand(op, "dst_gap_32b"),
	}
}

// MaxFill is the largest value that each of three operands of a FillWords instruction may
// have: the repeat count, the block count and the gap. Their hardware fields have 15
// bits.
const MaxFill = 1<<15 - 1
