// This file converts floats to integers.

package kernels

import (
	"math"

	"ptogo/ir/num"
)

// toIntegerRun is an assembly loop that converts n floats to integers between low and
// high. control is the value of the processor's rounding control register. The loop stops
// before a vector that contains NaN or a number out of range, and returns the number of
// converted elements.
type toIntegerRun = func(d, a *byte, n int, low, high int32, control uint32) int

// ToInteger converts floats to integers with vector instructions.
type ToInteger struct {
	// run is the assembly loop.
	run toIntegerRun
	// step is the number of elements of a vector.
	step int
	// from and to are the numbers of bytes of an operand element and of a result element.
	from, to int
	// low and high are the smallest and the largest value of the integer format.
	low  int32
	high int32
	// control is the value of the processor's rounding control register during the loop.
	control uint32
}

// roundingControl contains the value of the processor's control register (MXCSR) for each
// rounding mode. All exceptions are masked.
var roundingControl = map[num.Rounding]uint32{
	num.NearestEven: 0x1F80, num.Floor: 0x3F80, num.Ceil: 0x5F80, num.Zero: 0x7F80,
}

// ToIntegerOf returns a vector loop that converts floats to integers with rounding mode
// r. from is the float format, and to is the integer format. The bool result is false if
// this package has no such loop at the given level.
func ToIntegerOf(from, to num.Format, r num.Rounding, level Level) (ToInteger, bool) {
	control, ok := roundingControl[r]
	if level == None || !ok || !to.IsInt() || to.Bits() < 8 || to.Bits() > 32 || to == num.U32 {
		return ToInteger{}, false
	}
	run := toIntegers[level-1][from][to.Bytes()/2]
	c := ToInteger{run, 8 << (level - 1), from.Bytes(), to.Bytes(), 0, int32(num.Max(to)), control}
	if to.Signed() {
		c.low = int32(num.Int(to, num.Lowest(to)))
		c.low = max(c.low, math.MinInt32+1) // the machine means what it cannot convert by the lowest
	}
	return c, run != nil
}

// Run converts complete vectors of elements of a and stores the results in d. It stops
// before the first vector with an element outside the range of the integer format. It
// returns the number of converted elements. The caller converts the remaining elements,
// some of which can be out of range.
func (c *ToInteger) Run(d, a []byte) int {
	n := len(d) / c.to &^ (c.step - 1)
	if n == 0 {
		return 0
	}
	return c.run(&d[0], &a[:n*c.from][0], n, c.low, c.high, c.control)
}

// Step returns the number of elements in a vector, which Run converts together.
func (c *ToInteger) Step() int { return c.step }
