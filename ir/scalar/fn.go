// This file defines Fn, a function of scalars with its meaning for each format.

package scalar

import (
	"errors"
	"strings"

	"ptogo/ir/num"
)

// ErrDivideByZero is the error of an integer division whose divisor is zero.
var ErrDivideByZero = errors.New("integer division by zero")

// errUnsupported is the error of a function that is not defined on a format, such
// as the exponential of an integer.
var errUnsupported = errors.New("function is not defined on this element type")

// Sign determines whether a function treats integers as signed or unsigned.
type Sign uint8

// The constants state whether a function treats integers as signed or unsigned. With
// ByFormat, the number format decides; signless integers count as signed. Signed and
// Unsigned override the format.
const (
	ByFormat Sign = iota
	Signed
	Unsigned
)

// Fn is a function from elements of one format to an element of the same format. Each
// kind of format has its own implementation. For floats it is Flt, or FltBits if the
// function needs the format or the bits. For integers it is Int (signed) and Uint
// (unsigned), or IntBits. If the implementation is nil, the function is not defined for
// this kind of format. Implementations always have three parameters; those beyond the
// arity are zero.
type Fn struct {
	// Name identifies the function in programs and in generated code.
	Name string
	// Doc describes the result in one line.
	Doc string
	// Arity is the number of operands, 1 to 3.
	Arity int

	// Flt computes in float64. The caller rounds the result to the format.
	Flt func(a, b, c float64) float64
	// Flt32 computes in float32 and replaces Flt for all formats except f64.
	// float32 holds all other formats exactly.
	Flt32 func(a, b, c float32) float32
	// FltBits computes the bits of a float result. It replaces Flt and Flt32.
	FltBits func(f num.Format, a, b, c uint64) uint64

	// Int computes on signed integers; the caller truncates the result to the
	// width. If it is nil, Uint serves both signs.
	Int func(a, b, c int64) int64
	// Uint computes on unsigned integers; the caller truncates the result.
	Uint func(a, b, c uint64) uint64
	// IntBits computes the bits of an integer result and replaces Int and Uint. The
	// sign of f is the one with which the operands must be read.
	IntBits func(f num.Format, a, b, c uint64) uint64

	// OfScalar and Rest split a function of two operands into Rest(a, OfScalar(b)).
	// If all elements share one b, OfScalar is computed only once. Both are nil if
	// the function cannot be split.
	OfScalar func(f num.Format, b uint64) uint64
	Rest     *Fn

	// Sign determines whether the function reads integers as signed or unsigned.
	Sign Sign
	// Divisor is the number, counted from 1, of the operand that must not be an integer
	// zero. It is 0 if no such operand exists.
	Divisor int
	// ULP is the largest error of the result for floats up to f32, in units in the last
	// place. 0 means that the result is correctly rounded.
	ULP int
	// Commutative means that the first two operands may be exchanged.
	Commutative bool
}

// String returns the name.
func (fn *Fn) String() string { return fn.Name }

// Supports reports whether fn is defined for elements of format f.
func (fn *Fn) Supports(f num.Format) bool {
	switch {
	case f.IsFloat():
		return fn.Flt != nil || fn.FltBits != nil
	case f.IsInt():
		return fn.Int != nil || fn.Uint != nil || fn.IntBits != nil
	}
	return false
}

// Eval applies fn to operands of format f, whose bits are given. The number of operands
// must equal the arity of fn. The only errors are [ErrDivideByZero] and errUnsupported.
func (fn *Fn) Eval(f num.Format, bits ...uint64) (uint64, error) {
	if len(bits) != fn.Arity {
		return 0, errUnsupported
	}
	var x [3]uint64
	copy(x[:], bits)
	return fn.Eval3(f, x[0], x[1], x[2])
}

// Eval1 returns fn of one operand a of format f, as bits. The only errors are
// [ErrDivideByZero] and errUnsupported.
func (fn *Fn) Eval1(f num.Format, a uint64) (uint64, error) { return fn.Eval3(f, a, 0, 0) }

// Eval2 applies the function fn to the operands a and b, which are bits of format f, and
// returns the bits of the result. The only errors are [ErrDivideByZero] and
// errUnsupported.
func (fn *Fn) Eval2(f num.Format, a, b uint64) (uint64, error) { return fn.Eval3(f, a, b, 0) }

// Eval3 returns fn of the operands a, b and c of format f, as bits. It ignores operands
// beyond the arity of fn. The only errors are [ErrDivideByZero] and errUnsupported.
func (fn *Fn) Eval3(f num.Format, a, b, c uint64) (uint64, error) {
	if f.IsFloat() {
		return fn.evalFloat(f, a, b, c)
	}
	return fn.evalInt(fn.Sign.Reading(f), a, b, c)
}

// evalFloat evaluates fn on the operands a, b and c, the bits of floats of format f, and
// returns the bits of the result. Operands beyond the arity are not decoded, which would
// cost time.
func (fn *Fn) evalFloat(f num.Format, a, b, c uint64) (uint64, error) {
	if fn.FltBits != nil {
		return fn.FltBits(f, a, b, c) & f.Mask(), nil
	}
	if fn.Flt == nil {
		return 0, errUnsupported
	}
	x := num.Decode(f, a)
	var y, z float64
	if fn.Arity > 1 {
		y = num.Decode(f, b)
	}
	if fn.Arity > 2 {
		z = num.Decode(f, c)
	}
	if fn.Flt32 != nil && f != num.F64 {
		r := fn.Flt32(float32(x), float32(y), float32(z))
		return num.Encode(f, float64(r), num.NearestEven, false), nil
	}
	return num.Encode(f, fn.Flt(x, y, z), num.NearestEven, false), nil
}

// evalInt evaluates fn on the integers a, b and c, which are given as bits, and returns
// the bits of the result. f is the format of the integers, with the sign that fn
// requires. evalInt returns an error for a zero divisor, and if f is not an integer
// format.
func (fn *Fn) evalInt(f num.Format, a, b, c uint64) (uint64, error) {
	if !f.IsInt() {
		return 0, errUnsupported
	}
	m := f.Mask()
	switch fn.Divisor {
	case 1:
		if a&m == 0 {
			return 0, ErrDivideByZero
		}
	case 2:
		if b&m == 0 {
			return 0, ErrDivideByZero
		}
	}
	switch {
	case fn.IntBits != nil:
		return fn.IntBits(f, a&m, b&m, c&m) & m, nil
	case fn.Int != nil && f.Signed():
		return uint64(fn.Int(num.Int(f, a), num.Int(f, b), num.Int(f, c))) & m, nil
	case fn.Uint != nil:
		return fn.Uint(a&m, b&m, c&m) & m, nil
	}
	return 0, errUnsupported
}

// withSign returns a copy of the function fn, with the given name and description, that
// interprets integers with the sign s, whatever the sign of their format. The copy is
// defined on integers only, even if fn is defined on floats.
func withSign(fn *Fn, s Sign, name, doc string) *Fn {
	v := *fn
	v.Name, v.Doc, v.Sign = name, doc, s
	v.Flt, v.Flt32, v.FltBits = nil, nil, nil
	return &v
}

// Elementwise is the meaning of an instruction that applies one function to every
// element: result[i] = Fn(operand0[i], operand1[i], ...). A scalar operand has the
// same value for all elements.
type Elementwise struct{ Fn *Fn }

// Formula returns the documentation of fn with the operands a, b, c replaced by
// names.
func (fn *Fn) Formula(names ...string) string {
	s := fn.Doc
	var b strings.Builder
	for i := range len(s) {
		alone := (i == 0 || !isLetter(s[i-1])) && (i+1 == len(s) || !isLetter(s[i+1]))
		if k := int(s[i]) - 'a'; alone && k >= 0 && k < fn.Arity && k < len(names) {
			b.WriteString(names[k])
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// isLetter reports whether c is an ASCII letter.
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
