package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// The numbers of log32 in ir/scalar.
const sqrtHalf32 = 0x3F3504F3

var logSeries32 = []float64{0x1.55557ap-1, 0x1.995e9ap-2, 0x1.31eaf2p-2}

var log32 = once("log32", func(c *Code, x, _, _ value.Value) value.Value {
	f32s := func(v float64) value.Value { return Float(F32, v) }
	b := c.Bits(x)
	denormal := c.ICmp(enum.IPredULT, b, Integer(I32, 1<<23))
	b = c.Sub(c.Select(denormal, c.Bits(c.FMul(x, f32s(1<<24))), b), Integer(I32, sqrtHalf32))
	e := c.FAdd(c.Select(denormal, f32s(-24), f32s(0)), c.SIToFP(c.AShr(b, Integer(I32, 23)), F32))
	f := c.FSub(c.AsFloat(c.Add(c.And(b, Integer(I32, 1<<23-1)), Integer(I32, sqrtHalf32))), f32s(1))
	s := c.fdiv(f, c.FAdd(f32s(2), f))
	z := c.FMul(s, s)
	dd := c.FMul(s, c.FSub(f, c.FMul(z, c.horner(z, logSeries32))))
	r := c.FSub(f, c.FSub(dd, c.FMul(e, f32s(ln2Lo32))))
	return c.logSpecial(x, c.FAdd(c.FMul(e, f32s(ln2Hi32)), r))
})
