package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The numbers of exp32 in ir/scalar.
const (
	ln2Hi     = 0x1.62e4p-1
	ln2Lo     = 0x1.7f7d1cp-20
	toNearest = 0x1.8p23
	expMax    = 89
	expMin    = -104
)

var expSeries = [...]float32{0.5, 0x1.5554a2p-3, 0x1.55568ap-5, 0x1.123094p-7, 0x1.6b6df4p-10}

// expState is the numbers of exp: in registers where there are enough of them.
type expState struct {
	most, least                          VecVirtual
	log2E, nearest, hi, lo, one, bias127 Op
	series                               [len(expSeries)]Op
}

// number is a constant in each lane.
func (v isa) number(name string, x float32) Op { return v.lanes(name, math.Float32bits(x)) }

func (v isa) lanes(name string, bits uint32) Op {
	if v.wide() {
		return v.word32(name, bits)
	}
	return whole(name, bits)
}

func newExpState(v isa) *expState {
	s := &expState{
		most: v.word32("expMost", math.Float32bits(expMax)), least: v.word32("expLeast", math.Float32bits(expMin)),
		log2E: v.number("log2E", math.Log2E), nearest: v.number("toNearest", toNearest),
		hi: v.number("ln2Hi", ln2Hi), lo: v.number("ln2Lo", ln2Lo), one: v.number("expOne", 1),
	}
	if !v.wide() {
		s.bias127 = v.lanes("bias127", 127)
	}
	for i, c := range expSeries {
		s.series[i] = v.number(fmt.Sprintf("exp%d", i), c)
	}
	return s
}

// exp computes a vector as ir/scalar does, every step rounded. The bounds let
// NaN pass, because it is their last operand.
func (v isa) exp(s *expState, x VecVirtual) VecVirtual {
	sum, k, t, lo, r, p := v.vec(), v.vec(), v.vec(), v.vec(), v.vec(), v.vec()
	VMINPS(x, s.most, x)
	VMAXPS(x, s.least, x)
	VMULPS(s.log2E, x, sum)
	VADDPS(s.nearest, sum, sum)
	VSUBPS(s.nearest, sum, k)
	VMULPS(s.hi, k, t)
	VSUBPS(t, x, x)
	VMULPS(s.lo, k, lo)
	VSUBPS(lo, x, r)
	VMULPS(s.series[4], r, p)
	for i := 3; ; i-- {
		VADDPS(s.series[i], p, p)
		if i == 0 {
			break
		}
		VMULPS(r, p, p)
	}
	VMULPS(r, r, t)
	VMULPS(p, t, t)
	VSUBPS(lo, t, t)
	VADDPS(x, t, t)
	VADDPS(s.one, t, t)
	if v.wide() {
		VSCALEFPS(k, t, t)
		return t
	}
	// The integer stands in the low bits of the sum, which shifts drop.
	half, rest := v.vec(), v.vec()
	VPSUBD(s.nearest, sum, rest)
	VPSRAD(Imm(1), rest, half)
	VPSUBD(half, rest, rest)
	for _, n := range []VecVirtual{half, rest} {
		VPADDD(s.bias127, n, n)
		VPSLLD(Imm(23), n, n)
		VMULPS(n, t, t)
	}
	return t
}
