// This file reads the attributes of vector instructions.

package sem

import (
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// This file decodes the attributes of instructions on vector lanes.

// word reads an attribute that is a string.
func word(op *ir.Op, name string) string {
	s, _ := op.Attr(name).AsString()
	return s
}

// UpperHalf reports whether an instruction affects the upper half of a register.
func UpperHalf(op *ir.Op) bool { return word(op, "part") == "HIGHER" }

// LastLane reports whether a VecBroadcast copies the last lane of a register. Otherwise
// it copies the first.
func LastLane(op *ir.Op) bool { return word(op, "position") == "HIGHEST" }

// CountsDown reports whether a VecIndex or GroupIndex counts down.
func CountsDown(op *ir.Op) bool { return word(op, "order") == "DESC" }

// PartOf returns which of the narrow lanes that share a wide lane an instruction uses. It
// returns 0 for EVEN and P0.
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

// LaneRounding returns how a VecConvert or VecWiden rounds, and whether it
// saturates.
func LaneRounding(op *ir.Op) (r num.Rounding, saturates bool) {
	r, ok := num.ParseRounding(word(op, "rnd"))
	if !ok {
		r = num.NearestEven
	}
	return r, word(op, "sat") == "SAT"
}

// integral are the functions that round to integers, by mode.
var integral = map[string]*scalar.Fn{
	"R": scalar.Rint, "A": scalar.Round, "F": scalar.Floor, "C": scalar.Ceil, "Z": scalar.Trunc,
}

// IntegralOf returns the function of a VecRound and its mode. The function is nil if the
// mode is unknown.
func IntegralOf(op *ir.Op) (fn *scalar.Fn, mode string) {
	mode = word(op, "round_mode")
	return integral[mode], mode
}

// LanePredicate returns how a VecCompare compares.
func LanePredicate(op *ir.Op) (p scalar.Predicate, name string, ok bool) {
	name = word(op, "cmp_mode")
	p, ok = scalar.ParsePredicate(name)
	return p, name, ok
}

// PatternName returns the name of the mask that a MaskPattern produces.
func PatternName(op *ir.Op) string { return word(op, "pattern") }

// GroupsOf returns the number of groups into which an instruction divides lanes.
func GroupsOf(op *ir.Op) int {
	for _, name := range []string{"group", "num_groups"} {
		if n, ok := op.Attr(name).AsInt(); ok {
			return max(int(n), 1)
		}
	}
	return 1
}

// LaneSelection describes masked-off lanes. They have the value of Other. If Merges is
// set, they have the value of the first operand with the type of the result.
type LaneSelection struct {
	Mask, Other Operand
	Merges      bool
}

// LaneSelectionOf returns the selection of lanes of result v. If v is itself the mask
// operand, the instruction has no selection.
func LaneSelectionOf(op *ir.Op, v *ir.Value) LaneSelection {
	s := LaneSelection{Other: operand(op, "passthru"), Merges: word(op, "pmode") == "merge"}
	for _, name := range []string{"mask", "seed"} {
		if m := operand(op, name); m.Given() && m.Value != v {
			s.Mask = m
		}
	}
	return s
}

// LaneChoice is a VecSelect with its operands.
type LaneChoice struct{ First, Second, Mask Operand }

// LaneChoiceOf returns the operands of a VecSelect.
func LaneChoiceOf(op *ir.Op) LaneChoice {
	return LaneChoice{operand(op, "src0"), operand(op, "src1"), operand(op, "mask")}
}

// CarryOf returns the operand with the incoming carries.
func CarryOf(op *ir.Op) Operand { return operand(op, "carry_in") }

// Permutation is a PermuteBy with its operands: the lanes are named by Index, or
// by constant Numbers.
type Permutation struct {
	Source, Index Operand
	Numbers       []int64
}

// PermutationOf returns the operands of a PermuteBy.
func PermutationOf(op *ir.Op) Permutation {
	numbers, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("indices"))
	return Permutation{operand(op, "source"), operand(op, "index"), numbers.Ints()}
}

// LaneCounts is a VecHistogram or LaneHistogram with its operands.
type LaneCounts struct{ Counts, Source, Mask, Bin Operand }

// LaneCountsOf returns the operands of a VecHistogram or LaneHistogram.
func LaneCountsOf(op *ir.Op) LaneCounts {
	return LaneCounts{operand(op, "acc"), operand(op, "source"), operand(op, "mask"), operand(op, "bin")}
}
