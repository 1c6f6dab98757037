package sem

// The kinds of meaning of instructions that copy memory.
type (
	// CopyBursts copies bursts of len_burst bytes from source to destination:
	// n_burst of them, whose starts are nburst_src_stride and
	// nburst_dst_stride bytes apart. Around that are the loops of loop_counts,
	// loop_src_strides and loop_dst_strides, the first the innermost. If there
	// is a pad_value, left_padding_count of it stand in front of each burst
	// in the destination and right_padding_count behind, and then as many as
	// fill up the last block of 32 bytes.
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
	// there. What is none, which copies again; the type of the elements (f32,
	// f16, bf16, s32, s16, s8), which keeps the operation; or the operation
	// (add, max, min), which keeps the type. The operation is add at first.
	StoreAtomic struct{ What string }
)
