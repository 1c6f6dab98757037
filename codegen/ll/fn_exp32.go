package ll

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

var exp32 = once("exp32", func(c *Code, a, _, _ value.Value) value.Value {
	f := func(x float64) value.Value { return Float(F32, x) }
	x := c.Select(c.FCmp(enum.FPredOLT, a, f(expMax32)), a, f(expMax32))
	x = c.Select(c.FCmp(enum.FPredOGT, x, f(expMin32)), x, f(expMin32))
	sum := c.mad(x, f(log2E32), f(toNearest))
	k := c.FSub(sum, f(toNearest))
	n := c.Sub(c.Bits(sum), Integer(I32, int64(math.Float32bits(toNearest))))
	hi, lo := c.FSub(x, c.FMul(k, f(ln2Hi32))), c.FMul(k, f(ln2Lo32))
	r := c.FSub(hi, lo)
	p := c.horner(r, expSeries32)
	tail := c.FAdd(hi, c.FSub(c.FMul(c.FMul(r, r), p), lo))
	half := c.AShr(n, Integer(I32, 1))
	y := c.FMul(c.FMul(c.FAdd(f(1), tail), c.pow2of32(half)), c.pow2of32(c.Sub(n, half)))
	return c.Select(c.IsNaN(a), a, y)
})

// pow2of32 is 2^n for n in the range of normal exponents.
func (c *Code) pow2of32(n value.Value) value.Value {
	return c.AsFloat(c.Shl(c.Add(n, Integer(I32, 127)), Integer(I32, 23)))
}
