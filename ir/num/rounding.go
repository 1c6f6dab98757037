// This file defines the rounding modes.

package num

import "strings"

// Rounding is a rounding mode: it selects the result for a number that a format cannot
// represent exactly.
type Rounding uint8

// The rounding modes. The letter in each comment is the one with which vector
// instructions select the mode.
const (
	NearestEven Rounding = iota // R: to the nearest, a tie to the even code
	NearestAway                 // A: to the nearest, a tie away from zero
	Floor                       // F: down
	Ceil                        // C: up
	Zero                        // Z: toward zero
	Odd                         // O: toward zero, but to the odd code when inexact
	HalfUp                      // H: to the nearest, a tie up
	numRoundings
)

// roundingLetters holds the letters that the vector instructions use.
var roundingLetters = [numRoundings]string{"R", "A", "F", "C", "Z", "O", "H"}

// String returns the letter of the mode in vector instructions, such as "R".
func (r Rounding) String() string {
	if r >= numRoundings {
		return "?"
	}
	return roundingLetters[r]
}

// roundingNames maps the names of rounding modes in instructions to the modes. The names
// are in upper case and without the prefix CAST_.
var roundingNames = map[string]Rounding{
	"NONE": NearestEven, "RINT": NearestEven, "RNE": NearestEven, "R": NearestEven,
	"ROUND": NearestAway, "RNA": NearestAway, "A": NearestAway,
	"FLOOR": Floor, "F": Floor,
	"CEIL": Ceil, "C": Ceil,
	"TRUNC": Zero, "RTZ": Zero, "Z": Zero,
	"ODD": Odd, "O": Odd,
	"H": HalfUp,
}

// ParseRounding returns the rounding mode with the given name. It accepts the letter of a
// vector instruction (R), the name of a tile conversion (RINT or CAST_RINT), and the name
// of a VMI conversion (rne). The name may be in upper or lower case. NONE is the default
// mode. The bool result is false if the name is unknown.
func ParseRounding(name string) (Rounding, bool) {
	r, ok := roundingNames[strings.TrimPrefix(strings.ToUpper(name), "CAST_")]
	return r, ok
}

// roundShift returns m / 2^shift as an integer, rounded once with mode r. m is the
// magnitude of a number, and neg reports whether the number is negative. The caller adds
// the result to base. Some modes depend on whether this sum is odd.
func roundShift(m uint64, shift int, r Rounding, neg bool, base uint64) uint64 {
	if shift <= 0 {
		return m << -shift
	}
	n, cmp := split(m, shift)
	if cmp == exact {
		return n
	}
	odd := (base+n)&1 == 1
	var up bool
	switch r {
	case NearestAway:
		up = cmp >= atHalf
	case HalfUp:
		up = cmp > atHalf || cmp == atHalf && !neg
	case Floor:
		up = neg
	case Ceil:
		up = !neg
	case Zero:
		up = false
	case Odd:
		up = !odd
	default:
		up = cmp > atHalf || cmp == atHalf && odd
	}
	if up {
		n++
	}
	return n
}

// rest describes the bits that a right shift drops, as rounding needs them: they are
// zero, less than half of the lowest remaining bit, exactly half of it, or more.
type rest int8

const (
	// The sizes of the part that a shift drops.
	exact rest = iota
	belowHalf
	atHalf
	aboveHalf
)

// split divides m by 2^shift, where the parameter shift is positive. It returns the
// quotient, rounded down. The second result compares the dropped bits with half a unit of
// the quotient: zero, less, equal or more.
func split(m uint64, shift int) (uint64, rest) {
	if m == 0 {
		return 0, exact
	}
	if shift > 64 {
		return 0, belowHalf
	}
	half := uint64(1) << (shift - 1)
	dropped := m & (half<<1 - 1) // half<<1 is 0 for a shift of 64, so the mask has all bits
	n := m >> shift
	switch {
	case dropped == 0:
		return n, exact
	case dropped < half:
		return n, belowHalf
	case dropped == half:
		return n, atHalf
	}
	return n, aboveHalf
}

// towardZero reports whether, in this rounding mode, a number beyond the range becomes
// the largest finite number instead of infinity. IEEE 754 requires a finite result for
// the directed modes. The mode Odd also stays finite, because its result is meant to be
// rounded a second time.
func (r Rounding) towardZero(negative bool) bool {
	switch r {
	case Zero, Odd:
		return true
	case Floor:
		return !negative
	case Ceil:
		return negative
	}
	return false
}
