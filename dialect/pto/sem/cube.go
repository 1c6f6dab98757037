package sem

// The kinds of meaning of instructions of the cube unit.
//
// Matrices in L1, L0A, L0B and L0C lie in fractals. A fractal of L1, L0A and
// L0B holds 16 rows of 32 bytes, that is C0 = 32 / size columns; one of L0C
// holds 16 rows of C0 = 16 columns. Fractals lie below each other first: the
// element (i, j) of a matrix whose columns of fractals are s rows apart is
// element ((j / C0) * s + i) * C0 + j % C0. L0A holds an M x K matrix, L0B an
// N x K matrix (the transposed right operand) and L0C an M x N matrix, where s
// is the number of rows rounded up to 16.
type (
	// Mad multiplies lhs in L0A by rhs in L0B: dst[i, j] is the sum over k of
	// lhs[i, k] * rhs[k, j], in the format of dst, plus what Start says.
	// Attribute tf32_mode rounds inputs of f32 to 10 bits of fraction first, to
	// nearest even or to nearest away from zero; sat_mode sat keeps inputs and
	// sums finite, with NaN as zero. n_dir only orders the work.
	//
	// Each fractal of L0C has a unit flag. With attribute unit_flag_mode a
	// product waits until the flags of what it writes are down; check_and_set
	// then raises them. A StoreProduct with unit_flag waits until those of what
	// it reads are up; check_and_clear then lowers them.
	Mad struct {
		Start MadStart
		// Scaled says that each group of 32 along k has a scale on both sides,
		// which LoadScales has put next to the operands.
		Scaled bool
		// Packed says that the one operand xt holds m in bits 0 to 11, k in
		// bits 12 to 23, n in bits 24 to 35 and the unit flag in bits 55 and 56:
		// 2 checks, 3 changes it too.
		Packed bool
	}

	// LoadFractals copies matrices from global memory to L1 in fractals:
	// group_count of them, src_outer_stride bytes apart. mode nd2nz reads n_value
	// rows of d_value elements, src_inner_stride bytes apart; dn2nz reads
	// d_value rows of n_value elements, which it transposes. The unit of 32
	// bytes that holds (n, d) of matrix g is unit g*dst_loop4_stride +
	// (d/C0)*dst_loop3_stride + n*dst_loop2_stride; its lanes beyond d_value
	// become zero. With smallc0_en units have 4 elements and follow each
	// other.
	LoadFractals struct {
		// Registers says that register MTE2_NZ_PARA holds group_count and the
		// three strides of the destination, 16 bits each.
		Registers bool
		// Transposed is the mode of an instruction that has no attribute for it.
		Transposed bool
	}

	// LoadOperand copies fractals from L1 to L0A or L0B: fractal (i, j) of
	// m_step x k_step ones from fractal (m_start+i, k_start+j), where fractals
	// in a row are src_stride and dst_stride fractals apart. With transpose
	// elements and fractals change rows and columns: (i, j) becomes (j, i).
	// The other operands derive that from a matrix of m x k, k x n or, without
	// transpose, n x k elements at start_row and start_col.
	LoadOperand struct{}

	// LoadScales copies the scales of an operand from L1: units of 32 bytes
	// (16 rows of 2 scales), x_step along the rows by y_step along k, from
	// (x_start, y_start), src_stride and dst_stride units apart. The other
	// operands derive that from the shape of the operand. They land next to
	// the operand at destination.
	LoadScales struct{}

	// LoadParams copies n_burst bursts of len_burst units from L1 to the buffer
	// of biases (units of 64 bytes there) or of factors (units of 128 bytes),
	// with gaps in the same units. f16 and bf16 become f32 in a buffer of f32.
	LoadParams struct{}

	// FillWords writes raw_value, or its low 16 bits, again and again:
	// repeat_times times block_num_32b blocks of 32 bytes with gaps of
	// dst_gap_32b blocks, from byte_offset bytes behind dst.
	FillWords struct{}

	// StoreProduct copies an m x n matrix out of L0C, where columns of fractals
	// are src_stride rows apart. Each element is converted as pre_quant_mode
	// says: multiplied by a factor, in f32 from f32 and exactly from i32.
	// pre_relu_mode replaces what is below zero, clip_value bounds it, and the
	// result is rounded to nearest even (hif8: away from zero) into the type of
	// the destination. Integers saturate; for floats sat_mode decides about
	// what does not fit, or CTRL: bit 48 says nosat, bit 50 sat_preserve_nan,
	// neither sat. mode says where element (i, j) goes: nz2nd and no mode to
	// i*dst_stride + j, nz2dn to j*dst_stride + i, where rows of the source are
	// loop0_src_stride apart, nz2nz to fractals whose columns are dst_stride
	// elements apart and have 16 elements of f32, or 8 with split. loop3
	// repeats that, loop3_src_stride rows of 16 elements and loop3_dst_stride
	// elements apart. atomic_op combines with what is in global memory.
	// dst_mode says which unified buffer: sub_blockid, or both, split along m
	// or n.
	//
	// A factor of its own per column lies in FB in a word of 64 bits: an f32 of
	// 10 bits of fraction from bit 13 on, an offset of 9 bits for integers
	// from bit 37 on. Slopes below zero are f32.
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

// MadStart is what a product is added to.
type MadStart uint8

// The starts.
const (
	MadZero MadStart = iota // nothing
	MadAcc                  // what dst holds
	MadBias                 // the vector bias along the rows
)
