package pto

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
	// sums finite, with NaN as zero. Unit flags and n_dir only order the work.
	Mad struct {
		Start MadStart
		// Scaled says that each group of 32 along k has a scale on both sides,
		// which LoadScales has put next to the operands.
		Scaled bool
		// Packed says that the one operand xt holds m in bits 0 to 11, k in
		// bits 12 to 23 and n in bits 24 to 35.
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
	LoadFractals struct{ Registers bool }

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
	// says, pre_relu_mode replaces what is below zero, clip_value bounds it,
	// and sat_mode decides about what does not fit. mode says where element
	// (i, j) goes: nz2nd to i*dst_stride + j, nz2dn to j*dst_stride + i, nz2nz
	// and no mode to fractals whose columns are dst_stride elements apart.
	// loop3 repeats that. atomic_op combines with what is in global memory.
	// dst_mode says which unified buffer: sub_blockid, or both, split along m
	// or n.
	StoreProduct struct {
		// Registers says that the operands pack all that into words.
		Registers bool
	}
)

// MadStart is what a product is added to.
type MadStart uint8

// The starts: nothing, what dst holds, the vector bias along the rows.
const (
	MadZero MadStart = iota
	MadAcc
	MadBias
)
