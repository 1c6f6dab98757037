// This file converts floats to integers.

package kernels

import (
	"math"

	"ptogo/ir/num"
)

// toIntegerRun converts n floats to integers from low to high, rounded as the
// register control of the machine says, and returns how many: it stops before a
// vector with a number beyond, or with NaN.
type toIntegerRun = func(d, a *byte, n int, low, high int32, control uint32) int

// ToInteger converts floats to integers.
type ToInteger struct {
	run      toIntegerRun
	step     int // elements come in multiples of it
	from, to int // bytes of an element
	low      int32
	high     int32
	control  uint32
}

// roundingControl is the bits of the control register for a rounding: all
// exceptions are masked.
var roundingControl = map[num.Rounding]uint32{
	num.NearestEven: 0x1F80, num.Floor: 0x3F80, num.Ceil: 0x5F80, num.Zero: 0x7F80,
}

// ToIntegerOf returns the conversion between two formats at a level, if there is
// one.
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

// Run converts whole vectors as long as their elements are in the range of the
// integers, and returns the number of converted elements. The caller converts the rest,
// which may saturate.
func (c *ToInteger) Run(d, a []byte) int {
	n := len(d) / c.to &^ (c.step - 1)
	if n == 0 {
		return 0
	}
	return c.run(&d[0], &a[:n*c.from][0], n, c.low, c.high, c.control)
}

// Step is how many elements a vector has.
func (c *ToInteger) Step() int { return c.step }
