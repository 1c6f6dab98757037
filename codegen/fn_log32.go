package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// The numbers of log32 in ir/scalar.
const sqrtHalf32 = 0x3F3504F3

var logSeries32 = []float64{0x1.55557ap-1, 0x1.995e9ap-2, 0x1.31eaf2p-2}

var log32 = once("log32", func(c *code, x, _, _ value.Value) value.Value {
	f32s := func(v float64) value.Value { return float(f32, v) }
	b := c.bits(x)
	denormal := c.icmp(enum.IPredULT, b, integer(i32, 1<<23))
	b = c.sub(c.sel(denormal, c.bits(c.fmul(x, f32s(1<<24))), b), integer(i32, sqrtHalf32))
	e := c.fadd(c.sel(denormal, f32s(-24), f32s(0)), c.sitofp(c.ashr(b, integer(i32, 23)), f32))
	f := c.fsub(c.asFloat(c.add(c.and(b, integer(i32, 1<<23-1)), integer(i32, sqrtHalf32))), f32s(1))
	s := c.fdiv(f, c.fadd(f32s(2), f))
	z := c.fmul(s, s)
	dd := c.fmul(s, c.fsub(f, c.fmul(z, c.horner(z, logSeries32))))
	r := c.fsub(f, c.fsub(dd, c.fmul(e, f32s(ln2Lo32))))
	return c.logSpecial(x, c.fadd(c.fmul(e, f32s(ln2Hi32)), r))
})
