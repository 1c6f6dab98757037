// This file describes the meaning of tile instructions for the reference pages.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// What tile instructions do, for readers of the reference. The summary of an
// instruction precedes these words.

func (TileCompare) Doc() string {
	return "Bit j of a row of dst is 1 where the comparison that cmpMode names holds in column j, else 0. " +
		"The bits of each row begin where a row of dst begins."
}

func (TileSelect) Doc() string {
	return "The mask has a bit per element, as pto.tcmp writes them: bit j of a row belongs to column j."
}

func (TileLoad) DocFor(d *ir.Def) string {
	return given(d, "left_padding_num", "Elements of each row may be padded: left_padding_num pads precede them, and right_padding_num follow. "+
		"A pad is pad_value, or what the pad of the tile's type names, or with pad_mode PadFirstElem the first element of the row. "+
		"init_out_buffer fills all storage of the tile with pads first, unless init_condition is false. ") +
		"A view for a tile of shared exponents (fractal=32) has boxes already: their bytes keep their order."
}

func (TileStore) Doc() string {
	return "With atomicType the elements are added to what is in global memory. " + outOfAcc
}

// outOfAcc is a text for reference pages. It describes how elements are converted when an
// instruction copies a tile out of the accumulator.
const outOfAcc = "Out of acc, elements are converted to the element type of the destination on the way: " +
	"multiplied by a factor if there is one, replaced by zero if they are negative and ReLU is asked for, rounded to nearest even, and saturated. " +
	"A factor for all columns has the bits of an f32. One for a column of src is a float, or a word of 64 bits: those of an f32, of which the last 13 count as 0, " +
	"and from bit 37 on an offset of 9 bits."

func (MakeView) Doc() string {
	return "Element (i, j, ...) is the one i*strides[0] + j*strides[1] + ... elements after ptr. No memory is accessed."
}

func (PartView) Doc() string {
	return "Index i of a dimension is index offset + i of source. No memory is touched."
}

func (AllocTile) Doc() string {
	return "The contents are undefined until they are written. Without addr, planning memory chooses the address."
}

func (m TileReduce) Doc() string {
	row := m.Axis == AlongRow
	to, over, line, place := "dst[0,j]", "the valid rows i", "column j", "row"
	if row {
		to, over, line, place = "dst[i,0]", "the valid columns j", "row i", "column"
	}
	best := "greatest"
	if m.Fn == scalar.Min {
		best = "least"
	}
	switch {
	case m.Arg:
		return to + " is the " + place + " of the " + best + " element of " + line + ", the first of equal ones. " +
			"Zeros are equal whatever their signs, and NaN comes before every number."
	case m.Fn == scalar.Add:
		return to + " is the sum of src[i,j] over " + over + ". Integers keep the low bits of their sum. " + orderOfSum(row)
	case m.Fn == scalar.Mul:
		return to + " is the product of src[i,j] over " + over + ". Integers keep the low bits of their product. " + orderOfProduct(row)
	}
	return to + " is the " + best + " src[i,j] over " + over + ", or NaN if one of them is."
}

// orderOfSum returns the text of reference pages that describes the order in which the
// floats of a row or of a column are added.
func orderOfSum(row bool) string {
	if !row {
		return orderOfColumns + " Without isBinary, A5 adds f16 row by row." + "\n\nWith isBinary, neighbouring rows are added in pairs, and then neighbours among the sums, until one is left; " +
			"an odd last one is added to the first sum of its round on A2/A3, to the last one on A5."
	}
	return "Floats are added in f32 and the sum is rounded once, in an order that follows the target.\n\n" +
		"A2/A3 cut the row into pieces of 256 bytes and add them lane by lane: neighbouring pieces first, " +
		"an odd last one and then the elements after the last whole one to the first sum; then neighbours among the sums, " +
		"an odd last one to the last of its round. The lanes of what is left, or of a row of at most 256 bytes, are added in pairs of neighbours, " +
		"and the sums in pairs, until one is left. " +
		"A whole tile of f32 with 64x128, 32x256, 16x512 or 8x1024 elements, with a dst that is col_major, is added in groups of eight neighbours, " +
		"each in pairs, and so are the sums while more than 32 of them are left; " +
		"then neighbouring eights lane by lane until eight are left, and these in pairs.\n\n" +
		"A5 adds each 256 bytes of the row in pairs of neighbours, and the sums in pairs, until one is left, and these to +0 from left to right."
}

// orderOfProduct returns the text of reference pages that describes the order in which
// the floats of a row or of a column are multiplied.
func orderOfProduct(row bool) string {
	if !row {
		return orderOfColumns
	}
	return "The order for floats follows the target.\n\n" +
		"A2/A3 multiply blocks of 32 bytes lane by lane, from left to right, and then the lanes from left to right, in f32, rounded once. " +
		"A5 multiplies pieces of 256 bytes lane by lane, from left to right, " +
		"and then the lanes of the lower half by those of the upper half, until one is left."
}

// orderOfColumns is the text of reference pages that describes the order in which the
// floats of a column are combined on each target.
const orderOfColumns = "The order for floats follows the target: A2/A3 go from the first row to the last; " +
	"A5 combines rows 1 and 2 and then row 0 with that, rows 3 and 4 and then what is there with that, and so on."

func (m TileExpand) Doc() string {
	src, vector := "src0[i,j]", "[0,j]"
	if m.Axis == AlongRow {
		vector = "[i,0]"
	}
	var text string
	if m.Fn == nil {
		text = "dst[i,j] = src" + vector + "."
	} else {
		text = "dst[i,j] = " + m.Fn.Formula(src, "src1"+vector) + "."
		if m.Then != nil {
			text = "dst[i,j] = " + m.Then.Formula("("+m.Fn.Formula(src, "src1"+vector)+")") + ", where the difference is rounded first."
		}
		if m.Axis == AlongRow {
			text += " The two may also come the other way round: where src0 has not the valid region of dst, and src1 has, src0 is the column."
		}
	}
	if m.Axis == AlongRow {
		text += " A column that is row_major has 32 bytes per row, "
		if m.InTurn() {
			text += "and element j of a row of dst meets the one at j modulo the valid columns of that tile."
		} else {
			text += "of which the first element counts."
		}
	}
	return text
}

func (m TilePart) Doc() string {
	fn, neither := m.Fn.Formula("src0[i,j]", "src1[i,j]"), "Where neither has an element, dst keeps what it held."
	switch m.Fn {
	case scalar.Max:
		neither = "Where neither has an element, dst becomes the lowest finite number of its type."
	case scalar.Min:
		neither = "Where neither has an element, dst becomes the largest finite number of its type."
	}
	if m.Arg {
		return "Where both are valid, dst[i,j] = " + fn + ", else the one that is. dstIdx[i,j] is the element of src0Idx or src1Idx from the same side, " +
			"that of src0 if both are equal. " + neither
	}
	return "The valid regions of src0 and src1 may be smaller than that of dst. Where both are valid, dst[i,j] = " + fn + ". " + neither
}

func (m TileConvert) Doc() string {
	if m.Cut {
		return "Floats are rounded to nearest even. Integers keep their low bits."
	}
	return "Elements keep their places. Between equal float types, they are rounded to integral values."
}

func (m TileAddReluConvert) Doc() string {
	if m.Deq {
		return "dst[i,j] = saturate(round(max(x, +0))), where x is the sum s = src0[i,j] + src1[i,j] scaled in f32: (s * 2^-17 * deqScale) * 2^17. " +
			"Numbers are rounded to nearest even."
	}
	sign := "+"
	if m.Sub {
		sign = "-"
	}
	return "dst[i,j] = saturate(round(max(src0[i,j] " + sign + " src1[i,j], +0))), rounded to nearest even."
}

func (TilePad) Doc() string {
	return "Elements keep their places. The padding, which the pad of the type of dst names, fills its columns past the valid region of src and, in vec, the rows up to the valid rows of dst (in mat, all rows). " +
		"Where src and dst share their storage, only that is written."
}

func (TileGather) Doc() string {
	return "There are three forms:\n\n" +
		"- With indices, dst[i,j] is element number indices[i,j] of the storage of src.\n" +
		"- With kValue, for every row of src: the numbers that elements with src[i,j] cmpMode kValue have in that storage, plus offset, " +
		"are written one after the other to the row of dst, and cdst[i] receives how many they are.\n" +
		"- With maskPattern, the elements of each row whose place in a group of 2 or 4 the pattern marks, read from the right (P0001 marks the first), " +
		"are written one after the other to the row of dst."
}

func (TileGatherBlocks) Doc() string {
	return "Block number k of dst is the one that starts offsets[k] bytes into src."
}

func (TileScatter) Doc() string {
	return "All storage of dst is filled with zeros first, unless maskPattern is P1111. " +
		"With indexes, element number indexes[i,j] of the storage of dst receives src[i,j], row after row, so that later elements win. " +
		"With maskPattern, the elements of src go to the places that the pattern marks along the axis \"row\" or \"col\"."
}

func (MemGather) Doc() string {
	return "With coalesce row, row i of dst is row idx[i] of mem; with coalesce elem, dst[i,j] is element number idx[i,j] of mem, counted from the start of mem and without the gaps between its rows. " +
		"gatherOob selects the meaning of an index outside of mem: undefined (a fault), clamp, wrap, or zero."
}

func (MemScatter) Doc() string {
	return "With coalesce row, row idx[i] of mem becomes row i of src; with coalesce elem, element number idx[i,j] of mem, counted as for pto.mgather, becomes src[i,j]. " +
		"Rows and columns are written in order: of elements for one place the last wins. scatterAtomicOp combines elements with what is in mem. " +
		"scatterOob selects the meaning of an index outside of mem: undefined (a fault), skip, clamp, or wrap."
}

func (TileSort) Doc() string {
	return "Each 32 neighbours of a row of src are sorted together with those of idx. Equal values stay in the order of their places. " +
		"A pair has eight bytes: an f32 value and an index of 4 bytes, or an f16 value, 2 bytes that are unused, and the index. " +
		"A rest shorter than 32 counts as followed by minus infinity, which is not written."
}

func (TileMerge) Doc() string {
	return "Pairs are those of pto.tsort32. Of equal values, that of the earlier list comes first. " +
		"With blockLen, the row of src holds lists of blockLen elements of its type, of which each four neighbours are merged; what follows the last four is left unchanged. " +
		"With two to four sources, these are merged into dst, and excuted receives how many pairs were taken from each; " +
		"exhausted stops at the end of the first list that runs out."
}

func (TileTranspose) Doc() string { return "dst[j,i] = src[i,j]." }

func (m TileMove) Doc() string {
	if m.Src || m.Dst {
		at := "dst[indexRow + i, indexCol + j] = src[i,j]"
		if m.Src {
			at = "dst[i,j] = src[indexRow + i, indexCol + j]"
		}
		return at + ". Layouts follow the types. " + outOfAcc
	}
	return "dst[i,j] = src[i,j]. Layouts follow the types. " + outOfAcc +
		" accToVecMode selects the vector core that receives the tile, or makes each receive half of its columns (dual_mode_split_n) or rows (dual_mode_split_m).\n\n" +
		"With a workspace, exponents of MX groups go into boxes of 16x2: those of groups along rows as they are, padded with zeros; " +
		"those along columns (grpAxis axis0) transposed."
}

func (m TileConcat) Doc() string {
	if m.Counts {
		return "src0Idx[i,0] and src1Idx[i,0] are the numbers of elements of src0 and src1 that row i of dst receives, limited by the columns of the operands and of dst: " +
			"their number times the bytes of an index."
	}
	return "Row i of dst is row i of src0 and then row i of src1."
}

func (m TileInterleave) Doc() string {
	if m.Inverse {
		return "dst0[i,k] is element 2k, and dst1[i,k] element 2k+1, of row i of src0 followed by that of src1. With one source these are the elements of its row."
	}
	return "Row i of dst0 followed by that of dst1 is src0[i,0], src1[i,0], src0[i,1], src1[i,1], and so on."
}

func (TilePairSum) Doc() string {
	return "dst[i,k] = src[i,2k] + src[i,2k+1] for the first half of the columns, rounded down. Other columns of dst are unchanged."
}

func (m TileMatmul) Doc() string {
	lhs, rhs := m.Lhs+"[m,k]", m.Rhs+"[k,n]"
	text := "dst[m,n] = "
	if m.Acc {
		text += m.In + "[m,n] + "
	}
	text += "sum over k of " + lhs + " * " + rhs
	if m.Bias {
		text += " + " + m.In + "[0,n]"
	}
	if m.Vector {
		text += ", where " + m.Lhs + " has one row"
	}
	text += ". Products are added in the order of k in the type of dst, each sum rounded once. " +
		"Products of floats of less than 32 bits are rounded to f32 first, which shows only beyond its range."
	if m.Scaled {
		text += "\n\nEach 32 elements along k have a scale: they are multiplied by 2^(e-127), " +
			"where e is the element of " + m.LhsScale + " or " + m.RhsScale + " for their group."
	}
	return text
}

func (TileIndex) Doc() string {
	return "Element k of the valid region, counted row after row, becomes S + k, or S - k if descending."
}

func (TileTri) Doc() string {
	return "dst[i,j] = 1 where j <= i + diagonal (upperOrLower 0) or j >= i + diagonal (upperOrLower 1), else 0."
}

func (TileRandom) Doc() string {
	return "The words are those of Philox 4x32: the counter (four words, the lowest first) is encrypted with the key (two words) in as many rounds as asked. " +
		"Counter + k determines elements 4k to 4k+3 of a row. Each 256 columns use 64 counters; the last columns of a row of n columns use (n-1) mod 64 + 1 counters."
}

func (TileHistogram) Doc() string {
	return "dst[i,b] is how many elements of row i of src have b or less as byte number byte (0 is the lowest) and, as the bytes above it, those of idx: " +
		"for 16-bit elements the one of row i, for 32-bit elements those of column 0, the highest byte in row 0."
}

func (TileQuant) Doc() string {
	return "dst[i,j] = round(src[i,j] * fp[i,0] + offset[i,0]). Product and sum are each rounded to f32; then the number is rounded to nearest even and saturated. " +
		"NaN becomes 0. Without offset nothing is added."
}

func (TileQuantMX) Doc() string {
	return "Each group consists of 32 neighbouring elements along grpAxis. max receives the greatest magnitude of each group. " +
		"exp receives the shared exponent, with a bias of 127: that of max less that of the largest number of dst's format (8 for MXFP8, which is e4m3; 2 for MXFP4_E2M1), " +
		"from 0 to 254; with quantScaleAlg nv that of max divided by this number, rounded up. NaN becomes 255. " +
		"scaling receives 2^(127-exp), and dst the elements times that in f32, rounded to nearest even and saturated; " +
		"NaN, for which 4 bits have no code, counts as infinity there. " +
		"exp_zz receives the exponents in boxes of 16x2; interleave alternates those of two groups of rows."
}

func (TileDequant) Doc() string {
	return "dst[i,j] = (src[i,j] - offset[i,0]) * scale[i,0] in f32."
}

func (TileGet) Doc() string {
	return "Elements are numbered from 0, in the order of their addresses."
}

func (TileSet) Doc() string {
	return "Elements are numbered from 0, in the order of their addresses."
}

func (m OperandRounding) Doc() string {
	text := "It holds for the products that follow. Attribute enable turns it on or off, mode names the rounding."
	if m.NoSubnormals {
		text += " Subnormal operands become zero."
	}
	return text
}

func (m ConfigSet) Doc() string { return "It holds for the pushes into the queue that follow." }
