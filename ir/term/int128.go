// This file defines Int, an integer of 128 bits.

package term

import (
	"math/big"
	"math/bits"
)

// Int is a signed integer of 128 bits in two's complement. It holds the values of terms,
// the bounds of their ranges and the coefficients of linear forms. Int is comparable with
// ==. Operations that can overflow have a variant that reports the overflow.
type Int struct {
	hi int64
	lo uint64
}

// IntOf returns v as an Int.
func IntOf(v int64) Int { return Int{v >> 63, uint64(v)} }

// UintOf returns v as an Int, which is not negative.
func UintOf(v uint64) Int { return Int{0, v} }

var (
	zero   = Int{}
	one    = IntOf(1)
	minInt = Int{-1 << 63, 0}
	maxInt = Int{1<<63 - 1, 1<<64 - 1}
)

// Uint64 returns the low 64 bits of a.
func (a Int) Uint64() uint64 { return a.lo }

// Int64 returns a as an int64. The bool result is false if a does not fit.
func (a Int) Int64() (int64, bool) { return int64(a.lo), a.hi == int64(a.lo)>>63 }

// Sign returns -1, 0 or 1.
func (a Int) Sign() int {
	switch {
	case a.hi < 0:
		return -1
	case a == zero:
		return 0
	}
	return 1
}

func (a Int) less(b Int) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func minOf(a, b Int) Int {
	if b.less(a) {
		return b
	}
	return a
}

func maxOf(a, b Int) Int {
	if a.less(b) {
		return b
	}
	return a
}

// add returns a + b modulo 2^128.
func (a Int) add(b Int) Int {
	lo, c := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(uint64(a.hi), uint64(b.hi), c)
	return Int{int64(hi), lo}
}

// sub returns a - b modulo 2^128.
func (a Int) sub(b Int) Int {
	lo, c := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(uint64(a.hi), uint64(b.hi), c)
	return Int{int64(hi), lo}
}

// neg returns -a modulo 2^128.
func (a Int) neg() Int { return zero.sub(a) }

// mul returns a * b modulo 2^128.
func (a Int) mul(b Int) Int {
	hi, lo := bits.Mul64(a.lo, b.lo)
	hi += uint64(a.hi)*b.lo + a.lo*uint64(b.hi)
	return Int{int64(hi), lo}
}

// addOK returns a + b. The bool result is false if the sum overflows.
func (a Int) addOK(b Int) (Int, bool) {
	s := a.add(b)
	return s, (a.hi^s.hi)&(b.hi^s.hi) >= 0
}

// subOK returns a - b. The bool result is false if the difference overflows.
func (a Int) subOK(b Int) (Int, bool) {
	s := a.sub(b)
	return s, (a.hi^b.hi)&(a.hi^s.hi) >= 0
}

// mulOK returns a * b. The bool result is false if the product overflows. It is also
// false for the product -2^127, which fits.
func (a Int) mulOK(b Int) (Int, bool) {
	if a.hi == int64(a.lo)>>63 && b.hi == int64(b.lo)>>63 { // both fit an int64
		return a.mul(b), true
	}
	if a == zero || b == zero {
		return zero, true
	}
	negative := (a.hi < 0) != (b.hi < 0)
	x, y := a.abs(), b.abs()
	if x.hi < 0 || y.hi < 0 || x.hi != 0 && y.hi != 0 {
		return zero, false
	}
	if x.hi != 0 {
		x, y = y, x
	}
	h1, l1 := bits.Mul64(x.lo, y.lo)
	h2, l2 := bits.Mul64(x.lo, uint64(y.hi))
	hi, c := bits.Add64(h1, l2, 0)
	if h2 != 0 || c != 0 || hi>>63 != 0 {
		return zero, false
	}
	p := Int{int64(hi), l1}
	if negative {
		p = p.neg()
	}
	return p, true
}

// abs returns |a|; the smallest integer is its own absolute value.
func (a Int) abs() Int {
	if a.hi < 0 {
		return a.neg()
	}
	return a
}

// quoRem returns the quotient of a and b, truncated toward zero, and the remainder with
// the sign of a. b must not be zero.
func (a Int) quoRem(b Int) (q, r Int) {
	if a.hi == int64(a.lo)>>63 && b.hi == int64(b.lo)>>63 && (b != IntOf(-1)) {
		x, y := int64(a.lo), int64(b.lo)
		return IntOf(x / y), IntOf(x % y)
	}
	x, y := a.abs(), b.abs()
	if y.hi == 0 {
		qh, rem := bits.Div64(0, uint64(x.hi), y.lo)
		ql, rem := bits.Div64(rem, x.lo, y.lo)
		q, r = Int{int64(qh), ql}, Int{0, rem}
	} else { // rare: divisors of more than 64 bits
		for i := 127; i >= 0; i-- {
			r = r.shl(1)
			if x.bit(i) {
				r.lo |= 1
			}
			if !ult128(r, y) {
				r = r.sub(y)
				q = q.setBit(i)
			}
		}
	}
	if (a.hi < 0) != (b.hi < 0) {
		q = q.neg()
	}
	if a.hi < 0 {
		r = r.neg()
	}
	return q, r
}

// ult128 compares a and b as unsigned integers of 128 bits.
func ult128(a, b Int) bool {
	return uint64(a.hi) < uint64(b.hi) || a.hi == b.hi && a.lo < b.lo
}

// floorDiv returns a / b rounded down; b must not be zero.
func (a Int) floorDiv(b Int) Int {
	q, r := a.quoRem(b)
	if r != zero && (r.hi < 0) != (b.hi < 0) {
		q = q.sub(one)
	}
	return q
}

// ceilDiv returns a / b rounded up; b must not be zero.
func (a Int) ceilDiv(b Int) Int {
	q, r := a.quoRem(b)
	if r != zero && (r.hi < 0) == (b.hi < 0) {
		q = q.add(one)
	}
	return q
}

// mod returns the remainder of a / b that has the sign of b.
func (a Int) mod(b Int) Int { return a.sub(a.floorDiv(b).mul(b)) }

// gcd returns the greatest common divisor of |a| and |b|, and 0 for two zeros.
func gcd(a, b Int) Int {
	a, b = a.abs(), b.abs()
	for b != zero {
		_, r := a.quoRem(b)
		a, b = b, r
	}
	return a
}

// shl returns a << n modulo 2^128.
func (a Int) shl(n int) Int {
	switch {
	case n >= 128:
		return zero
	case n >= 64:
		return Int{int64(a.lo << (n - 64)), 0}
	case n == 0:
		return a
	}
	return Int{a.hi<<n | int64(a.lo>>(64-n)), a.lo << n}
}

// shr returns a >> n with copies of the sign.
func (a Int) shr(n int) Int {
	switch {
	case n >= 128:
		return Int{a.hi >> 63, uint64(a.hi >> 63)}
	case n >= 64:
		return Int{a.hi >> 63, uint64(a.hi >> (n - 64))}
	case n == 0:
		return a
	}
	return Int{a.hi >> n, a.lo>>n | uint64(a.hi)<<(64-n)}
}

func (a Int) and(b Int) Int { return Int{a.hi & b.hi, a.lo & b.lo} }
func (a Int) or(b Int) Int  { return Int{a.hi | b.hi, a.lo | b.lo} }
func (a Int) xor(b Int) Int { return Int{a.hi ^ b.hi, a.lo ^ b.lo} }
func (a Int) not() Int      { return Int{^a.hi, ^a.lo} }

func (a Int) bit(i int) bool { return a.shr(i).lo&1 != 0 }

func (a Int) setBit(i int) Int { return a.or(one.shl(i)) }

// bitLen returns the number of bits of a, which must not be negative.
func (a Int) bitLen() int {
	if a.hi != 0 {
		return 64 + bits.Len64(uint64(a.hi))
	}
	return bits.Len64(a.lo)
}

// trailingZeros returns the number of zero bits below the lowest set bit, and 128 for 0.
func (a Int) trailingZeros() int {
	if a.lo != 0 {
		return bits.TrailingZeros64(a.lo)
	}
	return 64 + bits.TrailingZeros64(uint64(a.hi))
}

// pow2 returns 2^n.
func pow2(n int) Int { return one.shl(n) }

// mask returns 2^w - 1.
func mask(w int) Int { return pow2(w).sub(one) }

// wrap returns the low w bits of a as an unsigned number.
func (a Int) wrap(w int) Int { return a.and(mask(w)) }

// signed reads the unsigned number a of w bits as a signed one.
func (a Int) signed(w int) Int {
	if a.bit(w - 1) {
		return a.sub(pow2(w))
	}
	return a
}

// String returns a in decimal.
func (a Int) String() string {
	b := new(big.Int).Lsh(big.NewInt(a.hi), 64)
	return b.Or(b, new(big.Int).SetUint64(a.lo)).String()
}
