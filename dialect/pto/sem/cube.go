// This file defines the kinds of cube instructions.

package sem

// The kinds of meaning of instructions of the cube unit.
//
// Matrices in L1, L0A, L0B and L0C consist of fractals. A fractal of L1, L0A and L0B
// holds 16 rows of 32 bytes, that is C0 = 32 / size columns; a fractal of L0C holds 16
// rows of C0 = 16 columns. Fractals are stored column by column: the element (i, j) of a
// matrix whose columns of fractals are s rows apart is element ((j / C0) * s + i) * C0 +
// j % C0. L0A holds an M x K matrix, L0B an N x K matrix (the transposed right operand)
// and L0C an M x N matrix, where s is the number of rows rounded up to 16.
type (
	// Mad multiplies matrices in L0A and L0B (ProductOf).
	Mad struct {
		Start MadStart
		// Scaled means that each group of 32 elements along k has a scale in both
		// operands. LoadScales has placed the scales next to the operands.
		Scaled bool
		// Packed says that the one operand xt holds m in bits 0 to 11, k in
		// bits 12 to 23, n in bits 24 to 35 and the unit flag in bits 55 and 56:
		// 2 checks, 3 changes it too.
		Packed bool
	}

	// LoadFractals copies matrices from global memory to L1 (FractalLoadOf).
	LoadFractals struct {
		// Registers says that register MTE2_NZ_PARA holds group_count and the
		// three strides of the destination, 16 bits each.
		Registers bool
		// Transposed is the mode of an instruction that has no attribute for it.
		Transposed bool
	}

	// LoadOperand copies fractals from L1 to L0A or L0B (OperandLoadOf).
	LoadOperand struct{}

	// LoadScales copies the scales of an operand from L1 (ScaleLoadOf).
	LoadScales struct{}

	// LoadParams copies biases or factors from L1 (ParamLoadOf).
	LoadParams struct{}

	// FillWords fills blocks of L1 with a word (FillOf).
	FillWords struct{}

	// StoreProduct copies a matrix out of L0C through FIXPIPE (StoreOf).
	StoreProduct struct {
		// Packed says that two words hold what other instructions have in
		// operands and attributes: the first sid in bits 0 to 3, n in 4 to 15,
		// m in 16 to 31, dst_stride in 32 to 63; the second src_stride in 0 to
		// 15, for UB split in 16 and 17 (1 along m, 2 along n) and sub_blockid
		// in 18, whether to clip in 30, the unit flag in 32 and 33, pre_quant_mode in 34 to 38 and 29,
		// pre_relu_mode in 39 to 41, the split of fractals in 42, nz2nd in 43
		// and nz2dn in 62. Registers hold the rest: QUANT_PRE and RELU_ALPHA a
		// factor for all columns, FPC where others lie (bits 0 to 7 in units of
		// 64 bytes for slopes, 8 to 15 in units of 128 bytes), FIX_CLIP_RELU
		// the bound, LOOP3_PARA count, source and destination stride (16, 16
		// and 32 bits), CHANNEL_PARA loop0_src_stride from bit 48 on.
		Packed bool
	}
)

// MadStart is the initial value of a matrix product.
type MadStart uint8

// The initial values.
const (
	// MadZero is zero.
	MadZero MadStart = iota
	// MadAcc is the contents of dst.
	MadAcc
	// MadBias is the vector bias, repeated for each row.
	MadBias
)
