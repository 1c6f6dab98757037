package codegen

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// decode returns the number that an element of format f is, as float, or as
// double for f64; both hold it exactly.
func (c *code) decode(f num.Format, x value.Value) value.Value {
	switch f {
	case num.F32, num.F64:
		return x
	case num.BF16:
		return c.asFloat(c.shl(c.zext(x, i32), integer(i32, 16)))
	case num.TF32:
		return c.asFloat(c.shl(x, integer(i32, 13)))
	case num.F16:
		return c.decodeF16(x)
	}
	if lanes(x.Type()) == 0 {
		return c.lookUp(f, x)
	}
	return c.gather(f, x)
}

// asFloat reads an i32 as a float.
func (c *code) asFloat(x value.Value) value.Value { return c.bitcast(x, shaped(f32, x)) }

// asDouble reads an i64 as a double.
func (c *code) asDouble(x value.Value) value.Value { return c.bitcast(x, shaped(f64, x)) }

// decodeF16 moves the fields of an f16 to their places in a float. There the
// exponent has the bias of f16; a factor corrects that, and normalizes
// denormals on the way.
func (c *code) decodeF16(x value.Value) value.Value {
	t := shaped(f32, x)
	if c.opts.Half {
		return c.fpext(c.bitcast(x, shaped(types.Half, x)), f32)
	}
	fn := c.helper("f16_to_f32."+suffix(x.Type()), t, []types.Type{x.Type()}, func(c *code, args []value.Value) value.Value {
		w := c.zext(args[0], i32)
		mag := c.shl(c.and(w, c.int(w, 0x7FFF)), c.int(w, 13))
		finite := c.bits(c.fmul(c.asFloat(mag), float(f32, 0x1p112)))
		special := c.or(mag, c.int(w, 0x7F800000))
		isFinite := c.icmp(enum.IPredULT, mag, c.int(w, 0x7C00<<13))
		sign := c.shl(c.and(w, c.int(w, 0x8000)), c.int(w, 16))
		return c.asFloat(c.or(c.sel(isFinite, finite, special), sign))
	})
	return c.call(fn, x)
}

// lookUp reads the value of a short format from a table.
func (c *code) lookUp(f num.Format, x value.Value) value.Value {
	return c.load(f32, c.at(f32, c.valuesOf(f), c.zext(x, i64)), 4)
}

// gather is lookUp for the lanes of a vector.
func (c *code) gather(f num.Format, x value.Value) value.Value {
	n := lanes(x.Type())
	ptrs := types.NewVector(uint64(n), ptr)
	at := add(c, &llir.InstGetElementPtr{ElemType: f32, Src: c.valuesOf(f), Indices: []value.Value{c.zext(x, i64)}, Typ: ptrs})
	t := vectorOf(n, f32)
	fn := c.intrinsic("llvm.masked.gather."+suffix(t)+"."+suffix(ptrs), t, ptrs, i32, vectorOf(n, i1), t)
	return c.call(fn, at, integer(i32, 4), c.splat(integer(i1, 1), n), constant.NewPoison(t))
}

// valuesOf is a table of all values of a short format.
func (c *code) valuesOf(f num.Format) value.Value {
	return c.table("values."+f.String(), func() []value.Value {
		vs := make([]value.Value, 1<<f.Bits())
		for code := range vs {
			vs[code] = float32Bits(uint32(num.Convert(f, num.F32, uint64(code), num.NearestEven, false)))
		}
		return vs
	})
}

// toDouble is decode to double.
func (c *code) toDouble(f num.Format, x value.Value) value.Value { return c.fpext(c.decode(f, x), f64) }

// eachLane computes a vector lane by lane, for functions whose branches and
// loops differ from lane to lane. With numbers it computes one number.
func (c *code) eachLane(name string, elem types.Type, args []value.Value, one func(args []value.Value) value.Value) value.Value {
	n := lanes(args[0].Type())
	if n == 0 {
		return one(args)
	}
	t := vectorOf(n, elem)
	body := func(i value.Value, acc []value.Value) []value.Value {
		xs := make([]value.Value, len(args))
		for k, a := range args {
			xs[k] = c.extract(c.like(a, args[0]), i)
		}
		return []value.Value{c.insert(acc[0], one(xs), i)}
	}
	return c.reduce(name+".lane", index(int64(n)), []value.Value{poison(t)}, body)[0]
}
