// This file maps scalar functions to LLVM code.

package ll

import (
	"maps"
	"sync"

	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// formula is a function that emits the LLVM code of a mathematical function of up to
// three operands. The operands x, y and z are scalars or vectors of one type; operands
// beyond the arity are nil. It returns the LLVM value of the result.
type formula func(c *Code, x, y, z value.Value) value.Value

// bitFormula is a formula whose emitted code depends on f, the number format of the
// elements. It receives elements in their encoded form. Operands beyond the arity of the
// function are nil.
type bitFormula func(c *Code, f num.Format, x, y, z value.Value) value.Value

// fnCode holds the functions that emit LLVM code for a scalar.Fn, a mathematical function
// on numbers. Each field applies to some element types; fields that are nil do not apply.
type fnCode struct {
	// flt emits the function on operands of type float or double.
	flt formula
	// wide reports that flt computes in double even for narrower formats.
	wide bool
	// flt32 emits the function on float, for all formats but f64.
	flt32 formula
	// fltBits emits the function on floats in their encoded form, instead of on decoded
	// values of type float or double.
	fltBits bitFormula

	// sint emits the function on signed integers, uint on unsigned ones.
	sint formula
	uint formula
	// intBits emits the function on integers whose format matters.
	intBits bitFormula
}

// Apply emits fn applied to elements of number format f. The second result is false if fn
// is not defined for this format. A zero integer divisor traps.
func (c *Code) Apply(fn *scalar.Fn, f num.Format, args ...value.Value) (value.Value, bool) {
	how, ok := fnCodes()[fn]
	if !ok || !fn.Supports(f) || len(args) != fn.Arity {
		return nil, false
	}
	var x [3]value.Value
	copy(x[:], args)
	if f.IsFloat() {
		return c.applyFloat(how, f, x), true
	}
	f = fn.Sign.Reading(f)
	if fn.Divisor > 0 {
		x[fn.Divisor-1] = c.divisor(x[fn.Divisor-1])
	}
	switch {
	case how.intBits != nil:
		return how.intBits(c, f, x[0], x[1], x[2]), true
	case how.sint != nil && f.Signed():
		return how.sint(c, x[0], x[1], x[2]), true
	case how.uint != nil:
		return how.uint(c, x[0], x[1], x[2]), true
	}
	return nil, false
}

// applyFloat emits a function of floats on the operands x of format f. The parameter how
// contains the functions that emit its code. If one of them emits code for the bits of
// format f, applyFloat uses it directly. Otherwise the emitted code converts the operands
// to float or double, computes the result, and converts it to format f.
func (c *Code) applyFloat(how fnCode, f num.Format, x [3]value.Value) value.Value {
	if how.fltBits != nil {
		return how.fltBits(c, f, x[0], x[1], x[2])
	}
	narrow := how.flt32 != nil && f != num.F64
	for i, v := range x {
		switch {
		case v == nil:
		case how.wide && !narrow:
			x[i] = c.ToDouble(f, v)
		default:
			x[i] = c.Decode(f, v)
		}
	}
	flt := how.flt
	if narrow {
		flt = how.flt32
	}
	return c.Encode(f, flt(c, x[0], x[1], x[2]), num.NearestEven, false)
}

// once returns a formula that calls f. The code of f is emitted as a separate internal
// function with the given name, so that a module contains it only once.
func once(name string, f formula) formula {
	return func(c *Code, x, y, z value.Value) value.Value {
		var params []types.Type
		var args []value.Value
		for _, v := range []value.Value{x, y, z} {
			if v != nil {
				params = append(params, v.Type())
				args = append(args, v)
			}
		}
		fn := c.m.helper(name+"."+Suffix(x.Type()), x.Type(), params, func(c *Code, args []value.Value) value.Value {
			var p [3]value.Value
			copy(p[:], args)
			return f(c, p[0], p[1], p[2])
		})
		return c.Call(fn, args...)
	}
}

// perLane returns a formula that calls f for each lane of a vector. The code of f is
// emitted as a separate function with the given name. Formulas that contain branches or
// loops must be called in this way, because lanes can take different branches.
func perLane(name string, f formula) formula {
	return func(c *Code, x, y, z value.Value) value.Value {
		var args []value.Value
		for _, v := range []value.Value{x, y, z} {
			if v != nil {
				args = append(args, v)
			}
		}
		return c.eachLane(name, ElementOf(x.Type()), args, func(args []value.Value) value.Value {
			params := make([]types.Type, len(args))
			for i, a := range args {
				params[i] = a.Type()
			}
			fn := c.m.Private(name+"."+Suffix(args[0].Type()), args[0].Type(), params, func(c *Code, args []value.Value) value.Value {
				var p [3]value.Value
				copy(p[:], args)
				return f(c, p[0], p[1], p[2])
			})
			return c.Call(fn, args...)
		})
	}
}

// Has reports whether this package can emit LLVM code for a function of ir/scalar.
func Has(fn *scalar.Fn) bool {
	_, ok := fnCodes()[fn]
	return ok
}

// fnCodes returns the LLVM code for every function of ir/scalar.
var fnCodes func() map[*scalar.Fn]fnCode

func init() { // formulas apply functions, so they lead back here
	fnCodes = sync.OnceValue(func() map[*scalar.Fn]fnCode {
		all := arithCodes()
		for _, group := range []func() map[*scalar.Fn]fnCode{
			divisionCodes, extremeCodes, bitCodes, activationCodes, roundingCodes, moveCodes, elementaryCodes,
		} {
			maps.Copy(all, group())
		}
		return all
	})
}
