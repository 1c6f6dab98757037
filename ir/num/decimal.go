// This file converts floating-point numbers to decimal digits in the way that MLIR prints
// them.

package num

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
)

// digits is a decimal number: an integer, times 10^exp.
type digits struct {
	// neg reports whether the number is negative.
	neg bool
	// text[:n] are the decimal digits of the integer without trailing zeros.
	text [20]byte
	n    int
	// exp is the power of ten by which the integer is multiplied to give the number.
	exp int
}

// decimal returns x, which is finite and not zero, with at most prec digits, up to 17. It
// rounds like LLVM's printer: digits far below the precision are truncated before
// the last digit is rounded half up. So the result can be one unit below the
// nearest number.
func decimal(x float64, prec int) digits {
	d := digits{neg: x < 0}
	var buf [64]byte
	s, exp := appendTruncated(buf[:0], math.Abs(x), prec)
	if drop := len(s) - prec; drop > 0 {
		up := s[prec] >= '5'
		s, exp = s[:prec], exp+drop
		if up && increment(s) {
			s[0], exp = '1', exp+prec // 99...9 became 1 and prec zeros
			s = s[:1]
		}
	}
	n := len(s)
	for n > 0 && s[n-1] == '0' {
		n--
	}
	d.n, d.exp = copy(d.text[:], s[:n]), exp+len(s)-n
	return d
}

// increment adds 1 to a decimal integer in place. It reports whether all digits were 9,
// which become zeros.
func increment(s []byte) bool {
	for i, c := range slices.Backward(s) {
		if c < '9' {
			s[i]++
			return false
		}
		s[i] = '0'
	}
	return true
}

// powers2, powers5 and powers10 are the powers of 2, 5 and 10 that 64 bits can hold.
var powers2, powers5, powers10 = powersOf(2), powersOf(5), powersOf(10)

// powersOf returns the powers of base up to the largest one that 64 bits can hold.
func powersOf(base uint64) (p []uint64) {
	for hi, v := uint64(0), uint64(1); hi == 0; hi, v = bits.Mul64(v, base) {
		p = append(p, v)
	}
	return p
}

// appendTruncated approximates the positive number x by n·10^exp with an integer n. It
// appends the decimal digits of n to b and returns the extended slice and exp. If x has
// more than about prec+1 digits, n contains only the first of them.
func appendTruncated(b []byte, x float64, prec int) (digits []byte, exp int) {
	m, e := parts(x)
	n := uint256{m}
	fits := false
	if e >= 0 {
		fits = n.timesPower(powers2, e)
	} else {
		fits = n.timesPower(powers5, -e) // 2^-k is 5^k times 10^-k
		exp = e
	}
	if !fits {
		return appendTruncatedBig(b, m, e, prec)
	}
	if tens := excessDigits(n.len(), prec); tens > 0 {
		n.over10(tens)
		exp += tens
	}
	return strconv.AppendUint(b, n[0], 10), exp // at most 62 bits are left
}

// excessDigits returns how many decimal digits an integer has beyond those that are
// needed to round it to prec digits. len is the length of the integer in bits.
func excessDigits(len, prec int) int {
	// 196/59 is a little more than the number of bits in a decimal digit.
	return max(len-(prec*196+58)/59, 0) * 59 / 196
}

// parts returns the odd integer m and the exponent e for which x is m·2^e.
func parts(x float64) (m uint64, e int) {
	b := math.Float64bits(x)
	m, e = b&(1<<52-1), int(b>>52&0x7FF)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	zeros := bits.TrailingZeros64(m)
	return m >> zeros, e - 1075 + zeros
}

// appendTruncatedBig appends decimal digits of m·2^e to b. It returns the extended slice
// and a decimal exponent exp. If the appended digits are read as an integer n, then
// n·10^exp is about m·2^e. prec is the number of digits to which the caller rounds the
// result. Digits that are not needed for this are cut off, so about prec+1 digits remain.
// The function computes with big.Int, for numbers that 256 bits cannot hold.
func appendTruncatedBig(b []byte, m uint64, e, prec int) (digits []byte, exp int) {
	n := new(big.Int).SetUint64(m)
	if e >= 0 {
		n.Lsh(n, uint(e))
	} else {
		n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e)), nil))
		exp = e
	}
	if tens := excessDigits(n.BitLen(), prec); tens > 0 {
		n.Quo(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil))
		exp += tens
	}
	return n.Append(b, 10), exp
}

// uint256 is an integer of 256 bits, the lowest 64 bits first.
type uint256 [4]uint64

// len returns the number of bits without leading zeros.
func (n *uint256) len() int {
	for i, w := range slices.Backward(n[:]) {
		if w != 0 {
			return 64*i + bits.Len64(w)
		}
	}
	return 0
}

// mul multiplies n by m. It reports whether the result fits.
func (n *uint256) mul(m uint64) bool {
	carry := uint64(0)
	for i := range n {
		hi, lo := bits.Mul64(n[i], m)
		var c uint64
		n[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	return carry == 0
}

// timesPower multiplies n by the k-th power of a base, and reports whether the product
// fits into 256 bits. The table powers contains small powers of the base: powers[i] is
// the base raised to i.
func (n *uint256) timesPower(powers []uint64, k int) bool {
	for ; k > 0; k -= len(powers) - 1 {
		if !n.mul(powers[min(k, len(powers)-1)]) {
			return false
		}
	}
	return true
}

// over10 divides n by 10^k and rounds down.
func (n *uint256) over10(k int) {
	for ; k > 0; k -= len(powers10) - 1 {
		by, rest := powers10[min(k, len(powers10)-1)], uint64(0)
		for i := len(n) - 1; i >= 0; i-- {
			n[i], rest = bits.Div64(rest, n[i], by)
		}
	}
}

// readsBack reports whether the text of d denotes the number x of format f. want is the
// encoding of x. A text for f32 or f64 is rounded once, directly to the format. A text
// for a smaller format is first rounded to f64 and then to the format, as the parser
// does.
func (d *digits) readsBack(f Format, want uint64, x float64) bool {
	if y, ok := d.float64(); ok {
		// With f32, the second rounding matters only for a number next to the middle of
		// two f32 numbers, and next to numbers that f32 stores with fewer bits.
		middle := math.Float64bits(y)&(1<<29-1) - 1<<28
		if f != F32 || middle+4 > 8 && math.Abs(x) >= 0x1p-126 {
			return Encode(f, y, NearestEven, false) == want
		}
	}
	var buf [32]byte
	text := string(d.appendPadded(buf[:0], 6))
	if f == F32 {
		y, err := strconv.ParseFloat(text, 32)
		return err == nil && Encode(F32, y, NearestEven, false) == want
	}
	back, err := ParseFloat(f, text)
	return err == nil && back == want
}

// float64 returns the number as a correctly rounded float64. It handles only numbers with
// few digits and a small exponent, for which a single multiplication or division by a
// power of ten is sufficient. For all other numbers, ok is false.
func (d *digits) float64() (x float64, ok bool) {
	if d.n > 15 || d.exp < -22 || d.exp > 22 {
		return 0, false
	}
	for _, c := range d.text[:d.n] {
		x = 10*x + float64(c-'0')
	}
	if d.neg {
		x = -x
	}
	if d.exp < 0 {
		return x / math.Pow10(-d.exp), true
	}
	return x * math.Pow10(d.exp), true
}

// appendPadded appends the decimal number d to b in scientific notation. If d has fewer
// than n digits after the point, zeros follow.
func (d *digits) appendPadded(b []byte, n int) []byte {
	b = append(append(d.appendSign(b), d.text[0], '.'), d.text[1:d.n]...)
	for range n - d.n + 1 {
		b = append(b, '0')
	}
	return appendExponent(append(b, 'e'), d.exp+d.n-1, 2)
}

// appendNatural appends d without padding. It usually writes plain digits, and uses an
// exponent in two cases, as LLVM does. In the first case, the decimal point is more than
// three places away from the digits. In the second case, the plain form would need zeros
// between the last digit and the decimal point, and would then have more than prec
// digits. These zeros would look like known digits.
func (d *digits) appendNatural(b []byte, prec int) []byte {
	first := d.exp + d.n - 1 // power of ten of the first digit
	switch {
	case d.exp >= 0:
		if d.exp > 3 || d.n+d.exp > prec {
			return d.appendScientific(b, first)
		}
		b = append(d.appendSign(b), d.text[:d.n]...)
		return append(b, "000"[:d.exp]...)
	case first >= 0:
		b = append(append(d.appendSign(b), d.text[:first+1]...), '.')
		return append(b, d.text[first+1:d.n]...)
	case first >= -3:
		b = append(append(d.appendSign(b), "0."...), "00"[:-first-1]...)
		return append(b, d.text[:d.n]...)
	}
	return d.appendScientific(b, first)
}

// appendScientific appends d in scientific notation, with an exponent. first is the power
// of ten of the first digit.
func (d *digits) appendScientific(b []byte, first int) []byte {
	b = append(d.appendSign(b), d.text[0], '.')
	if d.n == 1 {
		b = append(b, '0')
	}
	b = append(append(b, d.text[1:d.n]...), 'E')
	return appendExponent(b, first, 1)
}

// appendExponent appends the exponent e to b: a sign and an integer. width is the minimum
// number of digits of the integer; a shorter one gets a leading zero.
func appendExponent(b []byte, e, width int) []byte {
	sign := byte('+')
	if e < 0 {
		sign, e = '-', -e
	}
	b = append(b, sign)
	if width == 2 && e < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(e), 10)
}

// appendSign appends the sign of the printed number: "-" or "".
func (d *digits) appendSign(b []byte) []byte {
	if d.neg {
		return append(b, '-')
	}
	return b
}
