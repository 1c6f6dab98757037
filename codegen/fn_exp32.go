package codegen

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// The numbers of exp32 in ir/scalar.
const (
	ln2Hi32   = 0x1.62e4p-1
	ln2Lo32   = 0x1.7f7d1cp-20
	toNearest = 0x1.8p23
	expMax32  = 89
	expMin32  = -104
)

var log2E32 = float64(float32(math.Log2E))

var expSeries32 = []float64{0.5, 0x1.5554a2p-3, 0x1.55568ap-5, 0x1.123094p-7, 0x1.6b6df4p-10}

var exp32 = once("exp32", func(c *code, a, _, _ value.Value) value.Value {
	f := func(x float64) value.Value { return float(f32, x) }
	x := c.sel(c.fcmp(enum.FPredOLT, a, f(expMax32)), a, f(expMax32))
	x = c.sel(c.fcmp(enum.FPredOGT, x, f(expMin32)), x, f(expMin32))
	sum := c.mad(x, f(log2E32), f(toNearest))
	k := c.fsub(sum, f(toNearest))
	n := c.sub(c.bits(sum), integer(i32, int64(math.Float32bits(toNearest))))
	hi, lo := c.fsub(x, c.fmul(k, f(ln2Hi32))), c.fmul(k, f(ln2Lo32))
	r := c.fsub(hi, lo)
	p := c.horner(r, expSeries32)
	tail := c.fadd(hi, c.fsub(c.fmul(c.fmul(r, r), p), lo))
	half := c.ashr(n, integer(i32, 1))
	y := c.fmul(c.fmul(c.fadd(f(1), tail), c.pow2of32(half)), c.pow2of32(c.sub(n, half)))
	return c.sel(c.isNaN(a), a, y)
})

// pow2of32 is 2^n for n in the range of normal exponents.
func (c *code) pow2of32(n value.Value) value.Value {
	return c.asFloat(c.shl(c.add(n, integer(i32, 127)), integer(i32, 23)))
}
