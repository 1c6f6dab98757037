// This file defines the kinds of DMA instructions.

package sem

import "ptogo/ir"

// Kinds of meaning of DMA instructions, which copy between memories.
type (
	// CopyBursts copies bursts, which are contiguous runs of bytes, in nested loops.
	// BurstsOf decodes its operands.
	CopyBursts struct {
		// Blocks means that len_burst counts blocks of 32 bytes, and that the strides are
		// gaps between the end of one burst and the start of the next, also in blocks.
		Blocks bool
		// Loops is the suffix in the names of the three registers that configure two
		// further loops: LOOP_SIZE_, LOOP1_STRIDE_ and LOOP2_STRIDE_. For such
		// instructions, the operand pad enables padding with the value of register
		// MOV_PAD_VAL.
		Loops string
	}

	// StoreAtomic sets how later copies to global memory combine their elements with the
	// contents of memory. What is the name of an element type, the name of an operation,
	// or "none", which restores plain stores.
	StoreAtomic struct{ What string }
)

// What these instructions do, for readers of the reference.

func (m CopyBursts) DocFor(d *ir.Def) string {
	const pads = " left_padding_count padding values precede each burst in the destination, and right_padding_count follow it, " +
		"and then as many as fill up the last block of 32 bytes."
	text := "There are n_burst bursts, whose starts are nburst_src_stride and nburst_dst_stride bytes apart."
	switch {
	case m.Blocks:
		text = "A block has 32 bytes. There are n_burst bursts of len_burst blocks, with gaps of blocks between the end of one and the start of the next on both sides."
	case m.Loops != "":
		text += " Registers hold two loops around that: LOOP_SIZE_" + m.Loops + " how often each runs, LOOP1_STRIDE_" + m.Loops + " and LOOP2_STRIDE_" + m.Loops +
			" how many bytes the inner and the outer one move both sides."
	}
	text += given(d, "loop_counts", " The loops of loop_counts run around that, the first the innermost, loop_src_strides and loop_dst_strides bytes per round.")
	switch {
	case has(d, "pad_value"):
		text += " If there is a pad_value," + pads
	case has(d, "pad"):
		text += " If operand pad is true," + pads + " The value is that of register " + RegPadValue + "."
	}
	return text
}

func (m StoreAtomic) Doc() string {
	switch {
	case m.What == "none":
		return "Stores and copies that follow replace what is in global memory."
	case m.Change().Fn != nil:
		return "It holds for the stores and copies that follow. The type of the elements is the one that was set last."
	}
	return "It holds for the stores and copies that follow. The operation is the one that was set last, an addition at first."
}
