// This file computes ranges of integers, with which bounds checks are removed or moved
// out of loops.

package ll

import (
	"math"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// interval is the set of signed integers from lo to hi, both included.
type interval struct{ lo, hi int64 }

// anything is the interval of a number that may have any value.
var anything = interval{math.MinInt64, math.MaxInt64}

// mostExact is the largest magnitude that a known interval may contain. Sums of two such
// numbers do not overflow int64.
const mostExact = 1 << 61

// known reports whether the magnitudes of both bounds are at most mostExact. The interval
// describes the possible values of an integer. If known returns true, the additions and
// multiplications that compute this integer cannot overflow.
func (r interval) known() bool { return -mostExact <= r.lo && r.hi <= mostExact }

// orAnything returns r if its bounds are known. If they are not, it returns the interval
// of all numbers, because the computation may have overflowed.
func (r interval) orAnything() interval {
	if r.known() {
		return r
	}
	return anything
}

// plus returns the interval of the sums of a number in r and a number in s.
func (r interval) plus(s interval) interval {
	if !r.known() || !s.known() {
		return anything
	}
	return interval{r.lo + s.lo, r.hi + s.hi}.orAnything()
}

// minus returns the interval of the differences x - y, for all numbers x in r and y in s.
func (r interval) minus(s interval) interval {
	if !s.known() {
		return anything
	}
	return r.plus(interval{-s.hi, -s.lo})
}

// times returns the interval of the products of a number in r and a number in s. If a
// product may be too large, the result is the interval of all numbers.
func (r interval) times(s interval) interval {
	if !r.known() || !s.known() || float64(r.most())*float64(s.most()) > mostExact {
		return anything
	}
	ps := [...]int64{r.lo * s.lo, r.lo * s.hi, r.hi * s.lo, r.hi * s.hi}
	out := interval{ps[0], ps[0]}
	for _, p := range ps[1:] {
		out = interval{min(out.lo, p), max(out.hi, p)}
	}
	return out
}

// most returns the largest magnitude of a number in the interval r. The caller must have
// checked that r is known.
func (r interval) most() int64 { return max(r.hi, -r.lo) }

// intervals computes bounds of the integer values in one function. The bounds of a vector
// hold for each lane. The bounds of a type narrower than i64 hold modulo the number of
// its values.
type intervals struct {
	m *Module
	// seen caches the intervals of values. An entry also ends the recursion in a loop.
	seen map[value.Value]interval
}

// of returns an interval that contains every value of x at run time.
func (s *intervals) of(x value.Value) interval {
	if n, ok := ConstantInt(x); ok {
		return interval{n, n}.orAnything()
	}
	if r, ok := s.seen[x]; ok {
		return r
	}
	s.seen[x] = anything // what a cycle of phis sees
	r := s.compute(x)
	s.seen[x] = r
	return r
}

// compute derives the interval of the integer value x from the intervals of its operands.
func (s *intervals) compute(x value.Value) interval {
	switch x := x.(type) {
	case *constant.ZeroInitializer:
		return interval{0, 0}
	case *constant.Vector:
		out := anything
		for i, e := range x.Elems {
			if r := s.of(e); i == 0 {
				out = r
			} else {
				out = interval{min(out.lo, r.lo), max(out.hi, r.hi)}
			}
		}
		return out
	case *llir.InstAdd:
		return s.of(x.X).plus(s.of(x.Y))
	case *llir.InstSub:
		return s.of(x.X).minus(s.of(x.Y))
	case *llir.InstMul:
		return s.of(x.X).times(s.of(x.Y))
	case *llir.InstZExt:
		return s.extended(x.From, s.of(x.From), false)
	case *llir.InstSExt:
		return s.extended(x.From, s.of(x.From), true)
	case *llir.InstAnd:
		return s.masked(x.X, x.Y)
	case *llir.InstShl:
		if n, ok := ConstantInt(x.Y); ok && 0 <= n && n < 61 {
			return s.of(x.X).times(interval{1 << n, 1 << n})
		}
	case *llir.InstLShr:
		return s.shifted(x)
	case *llir.InstURem:
		if n, ok := ConstantInt(x.Y); ok && 0 < n && n <= mostExact {
			return interval{0, n - 1}
		}
	case *llir.InstUDiv:
		if r := s.of(x.X); r.known() && r.lo >= 0 {
			if n, ok := ConstantInt(x.Y); ok && n > 0 {
				return interval{r.lo / n, r.hi / n}
			}
			return interval{0, r.hi}
		}
	case *llir.InstSelect:
		return s.either(x.ValueTrue, x.ValueFalse)
	case *llir.InstPhi:
		if n := s.m.counters[x]; n != nil { // rounds check that they are below n, and n was checked
			if r := s.of(n); 0 <= r.hi && r.hi <= mostRounds {
				return interval{0, max(r.hi-1, 0)}
			}
			return interval{0, mostRounds}
		}
	case *llir.InstCall:
		return s.call(x)
	}
	return anything
}

// extended returns the interval of an integer that has been extended from a narrower
// type. from is the integer before the extension, and r is its interval. If signed is
// set, the extension copies the sign bit.
func (s *intervals) extended(from value.Value, r interval, signed bool) interval {
	t, ok := ElementOf(from.Type()).(*types.IntType)
	if !ok || t.BitSize > 32 {
		return anything
	}
	whole := interval{0, 1<<t.BitSize - 1}
	if signed {
		whole = interval{-1 << (t.BitSize - 1), 1<<(t.BitSize-1) - 1}
	}
	if r.known() && whole.lo <= r.lo && r.hi <= whole.hi {
		return r
	}
	return whole
}

// masked returns the interval of the bitwise and of x and y.
func (s *intervals) masked(x, y value.Value) interval {
	out := anything
	for _, r := range []interval{s.of(x), s.of(y)} {
		if r.known() && r.lo >= 0 && r.hi < out.hi {
			out = interval{0, r.hi}
		}
	}
	return out
}

// shifted returns the interval of the result of x, a logical right shift.
func (s *intervals) shifted(x *llir.InstLShr) interval {
	n, ok := ConstantInt(x.Y)
	t, isInt := x.X.Type().(*types.IntType)
	if !ok || !isInt || n < 0 || n >= int64(t.BitSize) {
		return anything
	}
	if r := s.of(x.X); r.known() && r.lo >= 0 {
		return interval{0, r.hi >> n}
	}
	if left := int64(t.BitSize) - n; left <= 60 {
		return interval{0, 1<<left - 1}
	}
	return anything
}

// either returns the interval of a value that equals x or y.
func (s *intervals) either(x, y value.Value) interval {
	a, b := s.of(x), s.of(y)
	return interval{min(a.lo, b.lo), max(a.hi, b.hi)}.orAnything()
}

// call returns the interval of the result of x, a call of an LLVM intrinsic.
func (s *intervals) call(x *llir.InstCall) interval {
	f, ok := x.Callee.(*llir.Func)
	if !ok || len(x.Args) < 2 {
		return anything
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Name(), "llvm."), ".")
	switch name {
	case "smin", "smax", "umin", "umax":
	default:
		return anything
	}
	a, b := s.of(x.Args[0]), s.of(x.Args[1])
	if name != "umin" && WidthOf(x.Type()) < 64 { // a narrow number may have wrapped, which changes its sign
		return anything
	}
	switch name {
	case "smin":
		return interval{min(a.lo, b.lo), min(a.hi, b.hi)}.orAnything()
	case "smax":
		return interval{max(a.lo, b.lo), max(a.hi, b.hi)}.orAnything()
	case "umin": // the smaller one is at most any operand that is not negative
		return s.masked(x.Args[0], x.Args[1])
	}
	if a.lo < 0 || b.lo < 0 {
		return anything
	}
	return interval{max(a.lo, b.lo), max(a.hi, b.hi)}.orAnything()
}
