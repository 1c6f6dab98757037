package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The numbers of exp in ir/scalar.
const (
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

var taylorExp = [...]float64{
	1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
	1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
}

// Beyond these every format that is computed in f32 has infinity or zero.
const expMost, expLeast = 130, -150

var wideConsts = map[string]Mem{}

// number is a constant in each lane of the widest vector, in memory: there are
// more of them than registers.
func number(name string, x float64) Mem {
	if m, ok := wideConsts[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64(math.Float64bits(x)))
	}
	wideConsts[name] = m
	return m
}

// expLoop computes as ir/scalar does: in f64, every step rounded. For the
// numbers that are left between the bounds, 2^k is added to the exponent.
// Formats of 16 bits would need to be rounded from f64 at once.
func expLoop(v isa) {
	elems := v.elems() / 2
	size := 4 * elems
	var nan VecVirtual
	v.rowFunc("expF32", "is e to the power of a", func() {
		nan = v.half()
		VBROADCASTSS(word("nan", canonicalNaN), nan)
	}, elems, [4]int{size, size}, func(l *loop, i int) {
		in := v.half()
		VMOVUPS(Mem{Base: l.a, Disp: i * size}, in)
		r := v.exp(in)
		m := v.half()
		VCMPPS(Imm(unordered), in, in, m)
		VBLENDVPS(m, nan, r, r)
		VMOVUPS(r, Mem{Base: l.d, Disp: i * size})
	})
}

// exp computes half a vector of f32.
func (v isa) exp(in VecVirtual) VecVirtual {
	x, k, r, p, t := v.vec(), v.vec(), v.vec(), v.vec(), v.vec()
	VCVTPS2PD(in, x)
	VMINPD(number("expMost", expMost), x, x)
	VMAXPD(number("expLeast", expLeast), x, x)
	VMULPD(number("log2e", math.Log2E), x, k)
	if v.wide() {
		VRNDSCALEPD(Imm(0), k, k)
	} else {
		VROUNDPD(Imm(0), k, k)
	}
	VMULPD(number("ln2Hi", ln2Hi), k, t)
	VSUBPD(t, x, r)
	VMULPD(number("ln2Lo", ln2Lo), k, t)
	VSUBPD(t, r, r)
	last := len(taylorExp) - 1
	v.load(number(fmt.Sprintf("exp%d", last), taylorExp[last]), p)
	for i := last - 1; i >= 0; i-- {
		VMULPD(r, p, p)
		VADDPD(number(fmt.Sprintf("exp%d", i), taylorExp[i]), p, p)
	}
	VMULPD(r, r, t)
	VMULPD(p, t, t)
	VADDPD(r, t, t)
	VADDPD(number("expOne", 1), t, t)
	n := v.vec()
	if v.wide() {
		VCVTPD2QQ(k, n)
	} else {
		h := v.half()
		VCVTPD2DQY(k, h)
		VPMOVSXDQ(h, n)
	}
	VPSLLQ(Imm(52), n, n)
	VPADDQ(n, t, t)
	out := v.half()
	if v.wide() {
		VCVTPD2PS(t, out)
	} else {
		VCVTPD2PSY(t, out)
	}
	return out
}
