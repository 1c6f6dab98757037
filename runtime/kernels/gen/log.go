package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The numbers of log32 in ir/scalar.
const sqrtHalf = 0x3F3504F3

var logSeries = [...]float32{0x1.55557ap-1, 0x1.995e9ap-2, 0x1.31eaf2p-2}

// logState is the numbers of log.
type logState struct {
	base, mantissa, normal, scale, scaled, one, two, hi, lo, inf, least Op
	series                                                              [len(logSeries)]Op
}

func newLogState(v isa) *logState {
	s := &logState{
		base: v.lanes("sqrtHalf", sqrtHalf), mantissa: v.lanes("mantissa", 1<<23-1),
		normal: v.number("normal", 0x1p-126), scale: v.number("scale", 1<<24), scaled: v.number("scaled", -24),
		one: v.number("one32", 1), two: v.number("two32", 2), hi: v.number("ln2Hi", ln2Hi), lo: v.number("ln2Lo", ln2Lo),
		inf: v.number("inf32", float32(math.Inf(1))), least: v.number("least32", float32(math.Inf(-1))),
	}
	for i, c := range logSeries {
		s.series[i] = v.number(fmt.Sprintf("log%d", i), c)
	}
	return s
}

// log computes a vector as ir/scalar does, every step rounded.
func (v isa) log(s *logState, nan, zero, x VecVirtual) VecVirtual {
	b, e, f, d := v.vec(), v.vec(), v.vec(), v.vec()
	VMULPS(s.scale, x, f)
	VMOVAPS(x, b)
	v.choose(below, x, s.normal, f, b)
	v.xor(e, e, e)
	v.choose(below, x, s.normal, s.scaled, e)
	VPSUBD(s.base, b, b)
	VPSRAD(Imm(23), b, d)
	VCVTDQ2PS(d, d)
	VADDPS(d, e, e)
	v.and(s.mantissa, b, b)
	VPADDD(s.base, b, f)
	VSUBPS(s.one, f, f)
	q, z, p := v.vec(), v.vec(), v.vec()
	VADDPS(s.two, f, q)
	VDIVPS(q, f, q)
	VMULPS(q, q, z)
	VMULPS(s.series[2], z, p)
	VADDPS(s.series[1], p, p)
	VMULPS(z, p, p)
	VADDPS(s.series[0], p, p)
	VMULPS(p, z, p)
	VSUBPS(p, f, p)
	VMULPS(p, q, d)
	VMULPS(s.lo, e, q)
	VSUBPS(q, d, d)
	VSUBPS(d, f, d)
	VMULPS(s.hi, e, e)
	VADDPS(d, e, d)
	v.choose(notBelow, x, s.inf, x, d) // infinity and NaN
	v.choose(below, x, zero, nan, d)
	v.choose(equal, x, zero, s.least, d)
	return d
}
