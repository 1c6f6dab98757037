// This file describes the meaning of cube instructions for the reference pages.

package sem

import "ptogo/ir"

// What instructions of the cube unit do, for readers of the reference.

func (m Mad) Doc() string {
	text := "dst[i,j] = sum over k of lhs[i,k] * rhs[k,j]"
	switch m.Start {
	case MadAcc:
		text = "dst[i,j] = dst[i,j] + sum over k of lhs[i,k] * rhs[k,j]"
	case MadBias:
		text += " + bias[j]"
	}
	text += ", in the format of dst. lhs is in L0A, rhs in L0B, dst in L0C."
	if m.Scaled {
		text += " Each 32 elements along k have a scale on both sides, which pto.mte_l1_l0a_mx and pto.mte_l1_l0b_mx put next to the operands."
	}
	if m.Packed {
		return text + "\n\nOperand xt holds m in bits 0 to 11, k in bits 12 to 23, n in bits 24 to 35 and the unit flag in bits 55 and 56 (2 waits for it, 3 changes it too). " +
			unitFlags
	}
	return text + " tf32_mode rounds operands of f32 to 10 bits of fraction first, to nearest even or to nearest away from zero. " +
		"sat_mode sat keeps operands and sums finite, with NaN as zero. n_dir only orders the work.\n\n" + unitFlags +
		" unit_flag_mode check_only waits, check_and_set raises them, too."
}

// unitFlags is the text of reference pages on unit flags, with which matrix products and
// the stores of their results wait for each other.
const unitFlags = "Each fractal of L0C has a unit flag. A product may wait until the flags of what it writes are down, and then raise them; " +
	"a store may wait until those of what it reads are up, and then lower them."

// fractals is the text of reference pages on fractals, the blocks in which matrices are
// stored.
const fractals = "A fractal has 16 rows of 32 bytes, which are C0 columns. Element (i, j) of a matrix whose columns of fractals are s rows apart " +
	"is element ((j / C0) * s + i) * C0 + j mod C0."

func (m LoadFractals) Doc() string {
	source := "Matrix g has n_value rows of d_value elements."
	if m.Transposed {
		source = "Matrix g has d_value rows of n_value elements and is transposed."
	}
	if !m.Registers {
		return fractals + "\n\nThere are group_count matrices, src_outer_stride bytes apart. With mode nd2nz each has n_value rows of d_value elements, src_inner_stride bytes apart; " +
			"with dn2nz it has d_value rows of n_value elements and is transposed. " +
			"The 32 bytes that hold element (n, d) of matrix g are unit g*dst_loop4_stride + (d/C0)*dst_loop3_stride + n*dst_loop2_stride of the destination. " + unitsOfFractals
	}
	return fractals + "\n\n" + source + " Its rows are loop1_src_stride bytes apart, matrices loop4_src_stride bytes. " +
		"The 32 bytes that hold element (n, d) of matrix g are unit g*s4 + (d/C0)*s3 + n*s2 of the destination: pto.set_mte2_nz_para sets the number of matrices and s2, s3 and s4. " +
		unitsOfFractals
}

// unitsOfFractals is a text for reference pages about copies of matrices into fractals. A
// row of a fractal holds a unit of C0 columns. The text describes the last unit of a row
// of the matrix, which the matrix may fill only partly.
const unitsOfFractals = "Elements of a unit beyond d_value become zero. With smallc0_en units have 4 elements and follow each other."

func (LoadOperand) DocFor(d *ir.Def) string {
	return fractals + "\n\n" +
		given(d, "m_start", "Fractal (i, j) of m_step x k_step ones comes from fractal (m_start+i, k_start+j); in a row, they are src_stride and dst_stride fractals apart. ") +
		given(d, "start_row", "Without such operands, they are those of a matrix of m x k, k x n or, without transpose, n x k elements at start_row and start_col. ") +
		"With transpose, elements and fractals change rows and columns."
}

func (LoadScales) DocFor(d *ir.Def) string {
	return "A unit is 32 bytes, 16 rows of 2 scales. " +
		given(d, "x_start", "x_step units along the rows by y_step along k are copied from (x_start, y_start) on, src_stride and dst_stride units apart. ") +
		given(d, "start_row", "Without such operands, they are those of the operand that starts at start_row and start_col. ") +
		"They land next to the operand at destination."
}

func (LoadParams) Doc() string {
	return "There are n_burst bursts of len_burst units, with gaps in the same units. A unit is 64 bytes of biases there, or 128 bytes of factors. " +
		"f16 and bf16 become f32 in a buffer of f32."
}

func (FillWords) DocFor(d *ir.Def) string {
	return "repeat_times times, block_num_32b blocks of 32 bytes are filled with raw_value, or with its low 16 bits, with gaps of dst_gap_32b blocks." +
		given(d, "byte_offset", " They begin byte_offset bytes after dst.")
}

func (m StoreProduct) DocFor(d *ir.Def) string {
	if m.Packed {
		return converted + columnFactors + "\n\n" + packedStore
	}
	return "The matrix has m x n elements; its columns of fractals are src_stride rows apart. " + converted +
		"pre_quant_mode names the conversion, pre_relu_mode what becomes of elements below zero, clip_value the bound; " +
		"sat_mode decides about floats that do not fit.\n\n" +
		"mode selects the place of element (i, j): nz2nd, or no mode, to i*dst_stride + j; nz2dn to j*dst_stride + i, where rows of the source are loop0_src_stride apart; " +
		"nz2nz to fractals whose columns are dst_stride elements apart and have 16 elements of f32, or 8 with split. " +
		"loop3 repeats that, loop3_src_stride rows of 16 elements and loop3_dst_stride elements apart. " +
		given(d, "atomic_op", "atomic_op combines elements with what is in global memory. ") +
		given(d, "dst_mode", "dst_mode selects the unified buffer: that of sub_blockid, or both, split along m or n. ") + columnFactors
}

// converted is the text of reference pages on the conversion of elements that are copied
// out of L0C.
const converted = "Each element may be multiplied by a factor, in f32 from f32 and exactly from i32; then set to zero or multiplied by a slope if it is below zero, " +
	"and bounded; the result is rounded to nearest even (hif8: away from zero) into the type of the destination. Integers saturate. "

// columnFactors is a text for reference pages. It describes the format of quantization
// factors in memory, if each column has its own factor.
const columnFactors = "Factors of columns are in FB, in words of 64 bits: an f32 with 10 bits of fraction from bit 13 on, " +
	"and from bit 37 on an offset of 9 bits for integers. Slopes of columns are f32."

// packedStore is the text of reference pages on the two 64-bit control words of a packed
// store out of L0C.
const packedStore = "The first word holds sid in bits 0 to 3, n in 4 to 15, m in 16 to 31 and the stride of the destination in 32 to 63; " +
	"the second that of the source in 0 to 15, for the unified buffers the split in 16 and 17 (1 along m, 2 along n) and the vector core in 18, " +
	"whether to clip in 30, the unit flag in 32 and 33, the conversion in 34 to 38 and 29, what becomes of elements below zero in 39 to 41, the split of fractals in 42, storing by rows in 43 and by columns in 62. " +
	"Registers hold the rest: QUANT_PRE and RELU_ALPHA the values that are the same for all columns, FPC the address of values that differ between columns, FIX_CLIP_RELU the bound, " +
	"LOOP3_PARA the loop around the matrix, CHANNEL_PARA the distance of rows, CTRL what becomes of floats that do not fit."
