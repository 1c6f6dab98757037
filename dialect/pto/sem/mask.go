// This file defines the kinds of mask instructions.

package sem

import (
	"strconv"
	"strings"

	"ptogo/ir"
)

// Kinds of meaning of instructions on masks. A mask has one bit for each byte of a
// 256-byte vector register and selects the lanes that an instruction processes.
type (
	// MaskPattern returns a mask with a named pattern, such as the first half of the
	// lanes. Bits is the width of a lane in bits. PatternName returns the name.
	MaskPattern struct{ Bits int }

	// MaskTail returns a mask of the first n lanes, where Bits is the width of a lane in
	// bits. If Loop is not set, n is a scalar operand, and a second result is n minus the
	// number of lanes of a register, at least 0. If Loop is set, the operands are the
	// number of the current iteration and a bound. Lane i is then selected if iteration *
	// lanes + i is below the bound.
	MaskTail struct {
		Bits int
		Loop bool
	}

	// MaskLogic combines two masks bit by bit with Op, and clears the bits that the last
	// operand, another mask, does not select.
	MaskLogic struct{ Op LogicOp }

	// MaskRearrange moves the bits of masks. For the kinds Interleave and Deinterleave,
	// it moves groups of bits: all bits of a lane of Bits bits move together. For the
	// kinds Narrow and WidenZero, it moves each bit alone.
	MaskRearrange struct {
		Kind Rearrangement
		Bits int
	}

	// MaskLoad reads a mask from the unified buffer at an address plus an offset;
	// MaskImageOf returns its format in memory. The offset is in bytes. If Unit is set,
	// it is in units of Unit bytes. If Immediate is set, it is in units whose size
	// follows from attribute dist.
	MaskLoad struct {
		Immediate bool
		Unit      int
	}

	// MaskStore writes a mask to the unified buffer at an address plus an offset. The
	// offset is in bytes. If Unit is set, it is in units of Unit bytes. If Immediate is
	// set, it is in units whose size follows from attribute dist.
	MaskStore struct {
		Immediate bool
		Unit      int
	}
)

// FirstLanes returns a number n such that mask selects only lanes with numbers below n.
// ok is false if neither a pattern nor a constant determines n. The function known
// returns the values of constants.
func FirstLanes(mask *ir.Value, known Known) (n int64, ok bool) {
	if mask.Op() == nil {
		return 0, false
	}
	kind, ok := mask.Op().Def().Sem.(interface {
		firstLanes(op *ir.Op, known Known) (int64, bool)
	})
	if !ok {
		return 0, false
	}
	return kind.firstLanes(mask.Op(), known)
}

func (m MaskTail) firstLanes(op *ir.Op, known Known) (int64, bool) {
	n, ok := known(op.Operand(0))
	return max(n, 0), ok && !m.Loop
}

func (m MaskPattern) firstLanes(op *ir.Op, _ Known) (int64, bool) {
	const maskBits = 256
	lanes := int64(maskBits * 8 / m.Bits)
	switch name := PatternName(op); name {
	case "PAT_ALLF":
		return 0, true
	case "PAT_H":
		return lanes / 2, true
	case "PAT_Q":
		return lanes / 4, true
	default:
		n, err := strconv.ParseInt(strings.TrimPrefix(name, "PAT_VL"), 10, 64)
		return n, err == nil
	}
}

// LogicOp is a Boolean function that combines masks bit by bit.
type LogicOp uint8

// The Boolean functions of masks. MaskSel has three operands, src0, src1 and a selecting
// mask. A bit of its result comes from src0 if the bit of the selecting mask is 1, and
// from src1 if it is 0.
const (
	MaskAnd LogicOp = iota
	MaskOr
	MaskXor
	MaskNot
	MaskSel
)

// What these instructions do, for readers of the reference.

// image is the sentence of reference pages that describes the bits of a mask.
const image = "A mask is an image of 256 bits, one per byte of a register, in which a lane of n bits has one bit for each n: its first. "

func (MaskPattern) Doc() string {
	return "Patterns: PAT_ALL, PAT_ALLF (no lane), PAT_VLn (the first n lanes), PAT_H and PAT_Q (the first half and quarter), " +
		"PAT_M3 and PAT_M4 (lanes 0, 3, 6, ... and 0, 4, 8, ...)."
}

func (m MaskTail) Doc() string {
	if m.Loop {
		return "Lane i is selected where i + loop * lanes < bound, where lanes is the number of lanes of the mask."
	}
	return "What is left is scalar less the number of lanes of the mask, at least zero."
}

func (m MaskLogic) Doc() string {
	if m.Op == MaskSel {
		return "Every bit is set: the mask chooses between the sources."
	}
	return "Bits that the last operand does not select are clear in the result."
}

func (m MaskRearrange) Doc() string {
	switch m.Kind {
	case Interleave:
		return "low is lanes src0[0], src1[0], src0[1], src1[1], and so on; high goes on with the upper halves."
	case Deinterleave:
		return "low has lanes 0, 2, 4, ... of src0 and then of src1, high has lanes 1, 3, 5, ...."
	case Reinterpret:
		return image + "The bits stay as they are."
	}
	return image + "Single bits of the image move. Attribute part names the half: LOWER or HIGHER."
}

func (m MaskLoad) Doc() string {
	text := image + "dist NORM reads 32 bytes, the image; US reads 16 and doubles each bit; DS reads 64 and keeps every second bit."
	if m.Immediate {
		text += " A unit is 16 bytes for US, else 32."
	}
	return text
}

func (m MaskStore) Doc() string {
	text := image + "dist NORM writes 32 bytes, the image; PK writes 16 bytes, with every second bit of it."
	if m.Immediate {
		text += " A unit is 16 bytes for PK, else 32."
	}
	return text
}
