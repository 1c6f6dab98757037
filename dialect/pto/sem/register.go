// This file names the special registers.

package sem

// The names of special registers whose contents affect other instructions. Programs use
// the same names in the instructions that set the registers.
const (
	// RegCtrl is the control register.
	RegCtrl = "CTRL"
	// RegPadValue holds the value of the elements with which copies pad rows.
	RegPadValue = "MOV_PAD_VAL"
	// RegFractals holds the number of matrices and the destination strides of a
	// LoadFractals instruction.
	RegFractals = "MTE2_NZ_PARA"
	// RegQuantFactor holds the factor by which FIXPIPE multiplies the elements of all
	// columns, and RegReluSlope holds the slope for negative elements; both are bits of
	// an f32. RegReluClip holds the upper bound of elements after ReLU.
	RegQuantFactor = "QUANT_PRE"
	RegReluSlope   = "RELU_ALPHA"
	RegReluClip    = "FIX_CLIP_RELU"
	// RegColumnTables holds the addresses of the tables with a factor and with a slope
	// for each column.
	RegColumnTables = "FPC"
	// RegStoreLoop configures the outer loop of a StoreProduct, which copies matrices out
	// of L0C. RegStoreChannel holds the distance of its rows. Instructions set each
	// register in two parts; the second part starts at bit SecondPart.
	RegStoreLoop    = "LOOP3_PARA"
	RegStoreChannel = "CHANNEL_PARA"
)

// SecondPart is a bit position. Instructions set certain 64-bit registers in two parts,
// and the second part of the value begins at this bit.
const SecondPart = 40

// Bit numbers in register CTRL (pto-isa:include/pto/npu). They select the treatment of
// NaN and of floats that exceed the range of the destination type.
const (
	CtrlNoSat   = 48
	CtrlKeepNaN = 50
)

// Doc returns a sentence for reference pages. It states that the result of the
// instruction contains all 64 bits of the register.
func (ReadRegister) Doc() string { return "All 64 bits are given." }

// Doc returns a text for reference pages. It describes the meaning of the written values
// for the instructions that read the register.
func (m WriteRegister) Doc() string {
	switch m.Name {
	case "LOOP_SIZE_OUTTOUB", "LOOP_SIZE_UBTOOUT":
		return "first is how often the inner loop runs, second how often the outer one does. A count of 0 means once."
	case "LOOP1_STRIDE_OUTTOUB", "LOOP2_STRIDE_OUTTOUB", "LOOP1_STRIDE_UBTOOUT", "LOOP2_STRIDE_UBTOOUT":
		return "first is the distance in the source, second that in the destination."
	case RegCtrl:
		return "Bits 48 and 50 decide about floats that do not fit where results are rounded and no attribute says it: " +
			"with bit 48 they become infinite, else the largest finite number; NaN stays with either bit and becomes zero with neither."
	case RegPadValue:
		return "The value fills up bursts, as far as the copy asks for padding."
	case RegFractals:
		return "Bits 0 to 15 are the number of matrices, 16 to 31, 32 to 47 and 48 to 63 the strides in the destination along n, along d and from matrix to matrix, in blocks of 32 bytes."
	case RegQuantFactor, RegReluSlope:
		return "The value has the bits of an f32 and holds for all columns."
	case RegReluClip:
		return "Results above the bound become the bound."
	case RegColumnTables:
		return "Bits 0 to 7 are the address of the slopes in units of 64 bytes, bits 8 to 15 that of the factors in units of 128 bytes."
	case RegStoreLoop:
		return "The loop runs as often as bits 0 to 15 say. Bits 16 to 31 are the distance in the source, in rows of 16 elements; bits 32 to 63 that in the destination, in elements. " +
			"first has the bits below 40, and second has bits 40 and above."
	case RegStoreChannel:
		return "Bits 48 to 63 are the distance from row to row of the source. first has the bits below 40, and second has bits 40 and above."
	}
	return "pto-run only stores the value, because the address of signals does not change what signals do."
}
