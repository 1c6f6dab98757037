// This file emits the decoding of elements to floats.

package ll

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// Decode emits the conversion of x, an element of float format f, to LLVM's float, or to
// double for f64. The conversion is exact.
func (c *Code) Decode(f num.Format, x value.Value) value.Value {
	switch f {
	case num.F32, num.F64:
		return x
	case num.BF16:
		return c.AsFloat(c.Shl(c.ZExt(x, I32), Integer(I32, 16)))
	case num.TF32:
		return c.AsFloat(c.Shl(x, Integer(I32, 13)))
	case num.F16:
		return c.decodeF16(x)
	}
	if Lanes(x.Type()) == 0 {
		return c.lookUp(f, x)
	}
	return c.gather(f, x)
}

// AsFloat emits the float whose bits are the i32 x.
func (c *Code) AsFloat(x value.Value) value.Value { return c.Bitcast(x, Shaped(F32, x)) }

// asDouble emits the double whose bits are the i64 x.
func (c *Code) asDouble(x value.Value) value.Value { return c.Bitcast(x, Shaped(F64, x)) }

// decodeF16 emits the conversion of f16 bits to float. It moves the fields of the f16 to
// their positions in a float, where the exponent still has the bias of f16. A
// multiplication then corrects the bias and normalizes subnormal numbers at the same
// time.
func (c *Code) decodeF16(x value.Value) value.Value {
	t := Shaped(F32, x)
	if c.m.half {
		c.m.halves++
		return c.FPExt(c.Bitcast(x, Shaped(types.Half, x)), F32)
	}
	fn := c.m.helper("f16_to_f32."+Suffix(x.Type()), t, []types.Type{x.Type()}, func(c *Code, args []value.Value) value.Value {
		w := c.ZExt(args[0], I32)
		mag := c.Shl(c.And(w, c.Int(w, 0x7FFF)), c.Int(w, 13))
		finite := c.Bits(c.FMul(c.AsFloat(mag), Float(F32, 0x1p112)))
		special := c.Or(mag, c.Int(w, 0x7F800000))
		isFinite := c.ICmp(enum.IPredULT, mag, c.Int(w, 0x7C00<<13))
		sign := c.Shl(c.And(w, c.Int(w, 0x8000)), c.Int(w, 16))
		return c.AsFloat(c.Or(c.Select(isFinite, finite, special), sign))
	})
	return c.Call(fn, x)
}

// lookUp emits a load from a table that contains the value of each possible element. The
// element x has a format f of at most 8 bits, and its bits are the index into the table.
func (c *Code) lookUp(f num.Format, x value.Value) value.Value {
	return c.Load(F32, c.At(F32, c.valuesOf(f), c.ZExt(x, I64)), 4)
}

// gather emits code that converts the elements of the vector x to f32 by a table of the
// values of all codes. The format f of the elements has at most 8 bits.
func (c *Code) gather(f num.Format, x value.Value) value.Value {
	n := Lanes(x.Type())
	ptrs := types.NewVector(uint64(n), Ptr)
	at := c.Emit(&llir.InstGetElementPtr{ElemType: F32, Src: c.valuesOf(f), Indices: []value.Value{c.ZExt(x, I64)}, Typ: ptrs})
	t := VectorOf(n, F32)
	fn := c.m.Intrinsic("llvm.masked.gather."+Suffix(t)+"."+Suffix(ptrs), t, ptrs, I32, VectorOf(n, I1), t)
	return c.Call(fn, at, Integer(I32, 4), c.Splat(Integer(I1, 1), n), constant.NewPoison(t))
}

// valuesOf returns the address of a table that holds the value of each bit pattern of a
// format of at most 8 bits.
func (c *Code) valuesOf(f num.Format) value.Value {
	return c.m.table("values."+f.String(), func() []value.Value {
		vs := make([]value.Value, 1<<f.Bits())
		for code := range vs {
			vs[code] = float32Bits(uint32(num.Convert(f, num.F32, uint64(code), num.NearestEven, false)))
		}
		return vs
	})
}

// ToDouble emits the conversion of x, an element of float format f, to double. The
// conversion is exact.
func (c *Code) ToDouble(f num.Format, x value.Value) value.Value {
	return c.FPExt(c.Decode(f, x), F64)
}

// eachLane emits a loop over the lanes of the vectors args. Such a loop is necessary for
// code whose branches or inner loops differ between lanes. one is a function that
// receives the elements of a single lane, and emits and returns their result. The
// results, of type elem, form the vector that eachLane returns. If args are scalars,
// eachLane calls this function once and emits no loop. The names of the LLVM blocks begin
// with the string name.
func (c *Code) eachLane(name string, elem types.Type, args []value.Value, one func(args []value.Value) value.Value) value.Value {
	n := Lanes(args[0].Type())
	if n == 0 {
		return one(args)
	}
	t := VectorOf(n, elem)
	body := func(i value.Value, acc []value.Value) []value.Value {
		xs := make([]value.Value, len(args))
		for k, a := range args {
			xs[k] = c.Extract(c.Like(a, args[0]), i)
		}
		return []value.Value{c.Insert(acc[0], one(xs), i)}
	}
	return c.Reduce(name+".lane", Index(int64(n)), []value.Value{Poison(t)}, body)[0]
}
