// This file reads the attributes of vector instructions.

package sem

import (
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// This file decodes the attributes of instructions on vector lanes.

// word returns the value of the string attribute with the given name, or "" if op does
// not have it.
func word(op *ir.Op, name string) string {
	s, _ := op.Attr(name).AsString()
	return s
}

// UpperHalf reports whether attribute part of a vector instruction is HIGHER. Such an
// instruction accesses the upper half of a register, and other instructions access the
// lower half.
func UpperHalf(op *ir.Op) bool { return word(op, "part") == "HIGHER" }

// LastLane reports whether an instruction that broadcasts a register (kind VecBroadcast)
// copies its last lane. Otherwise, it copies the first lane.
func LastLane(op *ir.Op) bool { return word(op, "position") == "HIGHEST" }

// CountsDown reports whether an instruction that numbers lanes (kinds VecIndex and
// GroupIndex) decreases the number from lane to lane.
func CountsDown(op *ir.Op) bool { return word(op, "order") == "DESC" }

// PartOf decodes attribute part, which selects one of the narrow lanes that occupy the
// same bytes as a wide lane. It returns 0 for EVEN and P0, 1 for ODD and P1, and so on.
func PartOf(op *ir.Op) int {
	part := word(op, "part")
	switch {
	case part == "ODD":
		return 1
	case len(part) == 2 && strings.HasPrefix(part, "P"):
		return int(part[1] - '0')
	}
	return 0
}

// LaneRounding decodes how an instruction that converts lanes (kinds VecConvert and
// VecWiden) rounds, and whether it saturates results that are out of range. The default
// is rounding to nearest even.
func LaneRounding(op *ir.Op) (r num.Rounding, saturates bool) {
	r, ok := num.ParseRounding(word(op, "rnd"))
	if !ok {
		r = num.NearestEven
	}
	return r, word(op, "sat") == "SAT"
}

// integral maps the values of attribute round_mode to the functions that round a float to
// an integral value.
var integral = map[string]*scalar.Fn{
	"R": scalar.Rint, "A": scalar.Round, "F": scalar.Floor, "C": scalar.Ceil, "Z": scalar.Trunc,
}

// IntegralOf returns the function that rounds each lane to an integral value (kind
// VecRound), and the value of attribute round_mode. The function is nil if the mode is
// unknown.
func IntegralOf(op *ir.Op) (fn *scalar.Fn, mode string) {
	mode = word(op, "round_mode")
	return integral[mode], mode
}

// LanePredicate decodes attribute cmp_mode of a comparison of lanes (kind VecCompare). It
// returns the predicate and the attribute value; ok is false if the value is unknown.
func LanePredicate(op *ir.Op) (p scalar.Predicate, name string, ok bool) {
	name = word(op, "cmp_mode")
	p, ok = scalar.ParsePredicate(name)
	return p, name, ok
}

// PatternName returns attribute pattern of an instruction that creates a mask (kind
// MaskPattern), for example PAT_ALL or PAT_VL16.
func PatternName(op *ir.Op) string { return word(op, "pattern") }

// GroupsOf returns the number of groups of adjacent lanes into which an instruction
// divides a vector. It is at least 1.
func GroupsOf(op *ir.Op) int {
	for _, name := range []string{"group", "num_groups"} {
		if n, ok := op.Attr(name).AsInt(); ok {
			return max(int(n), 1)
		}
	}
	return 1
}

// LaneSelection describes the mask of a vector instruction and the lanes of the result
// that the mask does not select. If operand Other is present, such a lane is copied from
// Other. If Merges is set, it is copied from the first operand that has the type of the
// result.
type LaneSelection struct {
	Mask, Other Operand
	Merges      bool
}

// LaneSelectionOf decodes the mask that selects the lanes of v, a result of op, and the
// source of its unselected lanes. The field Mask stays empty if v is itself the mask.
func LaneSelectionOf(op *ir.Op, v *ir.Value) LaneSelection {
	s := LaneSelection{Other: operand(op, "passthru"), Merges: word(op, "pmode") == "merge"}
	for _, name := range []string{"mask", "seed"} {
		if m := operand(op, name); m.Given() && m.Value != v {
			s.Mask = m
		}
	}
	return s
}

// LaneChoice holds the operands of an instruction that selects lanes of First where Mask
// is set, and lanes of Second elsewhere (kind VecSelect).
type LaneChoice struct{ First, Second, Mask Operand }

// LaneChoiceOf decodes the operands of op, which selects each lane from one of two
// registers (kind VecSelect).
func LaneChoiceOf(op *ir.Op) LaneChoice {
	return LaneChoice{operand(op, "src0"), operand(op, "src1"), operand(op, "mask")}
}

// CarryOf returns operand carry_in, the mask of incoming carry bits of an addition or
// subtraction.
func CarryOf(op *ir.Op) Operand { return operand(op, "carry_in") }

// Permutation holds the operands of an instruction that permutes lanes (kind PermuteBy).
// Source lanes are selected by the register Index or by the constants Numbers.
type Permutation struct {
	Source, Index Operand
	Numbers       []int64
}

// PermutationOf decodes the operands of op, which permutes the lanes of a vector (kind
// PermuteBy).
func PermutationOf(op *ir.Op) Permutation {
	numbers, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("indices"))
	return Permutation{operand(op, "source"), operand(op, "index"), numbers.Ints()}
}

// LaneCounts holds the operands of a histogram of bytes (kinds VecHistogram and
// LaneHistogram): the counts to which it adds, the counted bytes, and the mask that
// selects bytes. A VecHistogram also has Bin: 0 counts the byte values 0 to 127, and 1
// counts the values 128 to 255.
type LaneCounts struct{ Counts, Source, Mask, Bin Operand }

// LaneCountsOf decodes the operands of op, which computes a histogram of bytes (kinds
// VecHistogram and LaneHistogram).
func LaneCountsOf(op *ir.Op) LaneCounts {
	return LaneCounts{operand(op, "acc"), operand(op, "source"), operand(op, "mask"), operand(op, "bin")}
}
