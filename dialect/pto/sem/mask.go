package sem

// The kinds of meaning of predicate instructions. What a mask is stands at the
// kinds of vector instructions.
type (
	// MaskPattern makes the mask of a named pattern for lanes of Bits bits:
	// PAT_ALL, PAT_ALLF (none), PAT_VLn (the first n), PAT_H and PAT_Q (the
	// first half and quarter), PAT_M3 and PAT_M4 (lanes 0, 3, 6, ... and 0, 4,
	// 8, ...).
	MaskPattern struct{ Bits int }

	// MaskTail makes a mask of the first scalar lanes, all if there are not as
	// many, and gives scalar less their number, at least zero. With Loop it
	// makes the mask of the lanes i with i + loop*lanes < bound.
	MaskTail struct {
		Bits int
		Loop bool
	}

	// MaskLogic combines masks bit by bit and clears what the last operand
	// does not select.
	MaskLogic struct{ Op LogicOp }

	// MaskRearrange moves the bits of masks. Interleave and Deinterleave move
	// lanes of Bits bits; Narrow and WidenZero move single bits of the image.
	MaskRearrange struct {
		Kind Rearrangement
		Bits int
	}

	// MaskLoad reads a mask as an image from the unified buffer. Attribute
	// dist: NORM reads 32 bytes; US reads 16 and doubles each bit; DS reads 64
	// and keeps every second bit. The offset counts bytes, or, for Immediate,
	// units that dist selects: 32, 16 and 32 bytes; or units of Unit bytes.
	// With a result updated_base it reads at source itself and gives the
	// advanced address.
	MaskLoad struct {
		Immediate bool
		Unit      int
	}

	// MaskStore writes a mask as MaskLoad reads it: NORM writes 32 bytes, PK
	// 16 with every second bit.
	MaskStore struct {
		Immediate bool
		Unit      int
	}
)

// LogicOp combines masks.
type LogicOp uint8

// The ways to combine masks. MaskSel takes bits from src0 where the last
// operand is set, else from src1.
const (
	MaskAnd LogicOp = iota
	MaskOr
	MaskXor
	MaskNot
	MaskSel
)
