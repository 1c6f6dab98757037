// This file defines the kinds of DMA instructions.

package sem

import "ptogo/ir"

// The kinds of meaning of instructions that copy memory.
type (
	// CopyBursts copies bursts of bytes, in loops (BurstsOf).
	CopyBursts struct {
		// Blocks says that len_burst counts blocks of 32 bytes and the strides
		// of bursts are the gaps between the end of one and the start of the
		// next, in the same blocks.
		Blocks bool
		// Loops names registers that hold two further loops: LOOP_SIZE_,
		// LOOP1_STRIDE_ and LOOP2_STRIDE_ followed by this name. The operand
		// pad says whether the value of register MOV_PAD_VAL pads.
		Loops string
	}

	// StoreAtomic makes later copies to global memory combine with what is
	// there (Change): as elements of the type What names, with its operation, or
	// not at all (none).
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
