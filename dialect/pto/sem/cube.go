// This file defines the kinds of cube instructions.

package sem

// Kinds of meaning of the cube unit, which multiplies matrices.
//
// Matrices in L1, L0A, L0B and L0C consist of fractals. A fractal of L1, L0A and L0B
// holds 16 rows of 32 bytes, that is C0 = 32 / size columns, where size is the size of an
// element in bytes. A fractal of L0C holds 16 rows of C0 = 16 columns.
//
// Fractals are stored column by column: all fractals with the same C0 columns follow each
// other in memory. The distance from one column of fractals to the next is s rows of C0
// elements. Element (i, j) of the matrix therefore has the index ((j / C0) * s + i) * C0
// + j % C0. L0A holds an M x K matrix, L0B an N x K matrix (the transposed right operand)
// and L0C an M x N matrix; s is the number of rows rounded up to 16.
type (
	// Mad multiplies the matrix in L0A by the matrix in L0B and writes the product to
	// L0C. ProductOf decodes its operands.
	Mad struct {
		Start MadStart
		// Scaled means that each group of 32 elements along k has a scale in both
		// operands. LoadScales has placed the scales next to the operands.
		Scaled bool
		// Packed means that the operand xt, a 64-bit word, holds m in bits 0 to 11, k in
		// bits 12 to 23, n in bits 24 to 35 and the unit flag mode in bits 55 and 56: 2
		// checks the flag, 3 also changes it.
		Packed bool
	}

	// LoadFractals copies matrices from global memory to L1 and arranges them in
	// fractals. FractalLoadOf decodes its operands.
	LoadFractals struct {
		// Registers means that register MTE2_NZ_PARA holds the group_count and the three
		// strides of the destination, 16 bits each.
		Registers bool
		// Transposed means that the instruction always transposes the matrices. Other
		// instructions of this kind have an attribute that requests transposition.
		Transposed bool
	}

	// LoadOperand copies fractals of a matrix operand from L1 to L0A or L0B.
	// OperandLoadOf decodes its operands.
	LoadOperand struct{}

	// LoadScales copies the scales of a matrix operand from L1 to the memory next to that
	// operand. ScaleLoadOf decodes its operands.
	LoadScales struct{}

	// LoadParams copies biases or quantization factors from L1 to the small buffer for
	// them (BT or FB). ParamLoadOf decodes its operands.
	LoadParams struct{}

	// FillWords fills blocks of L1 with a repeated word. FillOf decodes its operands.
	FillWords struct{}

	// StoreProduct copies a matrix out of L0C, the accumulator, through FIXPIPE, which
	// can convert its elements. StoreOf decodes its operands.
	StoreProduct struct {
		// Packed means that two 64-bit words replace operands and attributes.
		//
		// First word: sid in bits 0 to 3, n in 4 to 15, m in 16 to 31, dst_stride in 32
		// to 63.
		//
		// Second word: src_stride in bits 0 to 15; for UB, the split in 16 and 17 (1
		// along m, 2 along n) and sub_blockid in 18; clipping in 30; the unit flag mode
		// in 32 and 33; pre_quant_mode in 34 to 38 and 29; pre_relu_mode in 39 to 41; the
		// split of fractals in 42; nz2nd in 43; nz2dn in 62.
		//
		// Registers hold the other parameters: QUANT_PRE and RELU_ALPHA a factor for all
		// columns; FPC the addresses of tables of factors per column (bits 0 to 7 in
		// units of 64 bytes for slopes, 8 to 15 in units of 128 bytes); FIX_CLIP_RELU the
		// upper bound; LOOP3_PARA the count, source stride and destination stride of the
		// outer loop (16, 16 and 32 bits); CHANNEL_PARA loop0_src_stride from bit 48 on.
		Packed bool
	}
)

// MadStart is the value to which a matrix product is added: zero, the contents of dst, or
// a bias.
type MadStart uint8

// The values of MadStart. Each one determines what a matrix product is added to: zero,
// the contents of dst, or a bias.
const (
	// MadZero means that the matrix product starts with zero in every element of dst.
	MadZero MadStart = iota
	// MadAcc means that the matrix product is added to the contents of dst.
	MadAcc
	// MadBias means that the matrix product is added to the vector bias, which is
	// repeated for each row.
	MadBias
)
