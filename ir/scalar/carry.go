// This file defines the carry of additions.

package scalar

import (
	"math/bits"

	"ptogo/ir/num"
)

// Carry is the carry of the unsigned sum a + b: 1 if the sum needs more bits than the
// format of the operands has, and 0 otherwise.
var Carry = &Fn{
	Name: "carry", Doc: "1 if unsigned a + b does not fit, else 0", Arity: 2, Commutative: true, Sign: Unsigned,
	IntBits: func(f num.Format, a, b, _ uint64) uint64 {
		sum, over := bits.Add64(a, b, 0)
		if w := f.Bits(); w < 64 {
			return sum >> w
		}
		return over
	},
}
