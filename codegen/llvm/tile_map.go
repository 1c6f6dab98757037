// This file emits elementwise tile instructions.

package llvm

import (
	"slices"

	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// tileInput is an operand of an elementwise instruction: a tile, or a scalar that applies
// to all elements.
type tileInput struct {
	tile   tile
	scalar value.Value
}

// inputAt emits element (r, c) of an operand, the parameter in. The parameter to is the
// number format of the result. The conversion is exact: it converts to a wider float, or
// between integers of the same width.
func (f *function) inputAt(in *tileInput, to num.Format, r, c value.Value) value.Value {
	if in.scalar != nil {
		return in.scalar
	}
	return f.toFormat(in.tile.e.f, to, f.get(&in.tile, r, c))
}

// toFormat emits a conversion of x between two number formats: from the format in the
// parameter from to the format in the parameter to. It emits no code if the formats
// differ only in signedness.
func (c *code) toFormat(from, to num.Format, x value.Value) value.Value {
	if from.Signless() == to.Signless() {
		return x
	}
	return c.Convert(from, to, x, num.NearestEven, false)
}

// argument emits the conversion of the scalar operand x between two number formats, the
// parameters from and to. It converts like a function call in C++: floats are rounded to
// the nearest value, and floats become integers by truncation.
func (c *code) argument(from, to num.Format, x value.Value) value.Value {
	if from.IsFloat() && to.IsInt() {
		return c.Convert(from, to, x, num.Zero, false)
	}
	return c.toFormat(from, to, x)
}

// inputOf returns a description of v, an operand of the elementwise instruction op. A
// scalar is converted to the number format of the parameter to, in which the instruction
// computes. The result ok is false after an error.
func (f *function) inputOf(op *ir.Op, v *ir.Value, to num.Format) (tileInput, bool) {
	if pto.IsTile(v.Type()) {
		t, ok := f.tileOf(op, v)
		return tileInput{tile: t}, ok
	}
	e, ok := elementOfType(v.Type())
	if !ok {
		f.errorf(op, "has an operand or result of type %s, which the LLVM IR emitter does not support yet", v.Type())
		return tileInput{}, false
	}
	return tileInput{scalar: f.argument(e.f, to, f.val(v))}, true
}

// destination returns the first operand that op writes, or reads and writes.
func destination(op *ir.Op) *ir.Value {
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); (a.Role == ir.Out || a.Role == ir.InOut) && from < to {
			return op.Operand(from)
		}
	}
	return nil
}

// mapInputs returns the arguments of an elementwise function. These are the operands with
// the given names. If names is nil, they are all operands that op reads. The result omits
// operands that do not contain elements.
func mapInputs(op *ir.Op, names []string) []*ir.Value {
	var vs []*ir.Value
	for i, a := range op.Form().Operands {
		from, to := op.ArgRange(i)
		if names == nil && a.Role == ir.In {
			vs = append(vs, op.Operands()[from:to]...)
		}
	}
	for _, n := range names {
		vs = append(vs, op.Args(n)...)
	}
	return slices.DeleteFunc(vs, func(v *ir.Value) bool {
		_, ok := elementOfType(ir.ElementType(v.Type()))
		return !ok
	})
}

// destinationTile returns a description of the tile that op writes. If op does not write
// a tile, it reports an error and ok is false.
func (f *function) destinationTile(op *ir.Op) (tile, bool) {
	v := destination(op)
	if v == nil || !pto.IsTile(v.Type()) {
		f.unsupported(op)
		return tile{}, false
	}
	return f.tileOf(op, v)
}

// sourceAndDestination returns descriptions of the source tile of op and of the tile that
// it writes. The result ok is false after an error.
func (f *function) sourceAndDestination(op *ir.Op) (src, dst tile, ok bool) {
	src, ok = f.tileOperand(op, sem.TileEndsOf(op).Src)
	dst, written := f.destinationTile(op)
	return src, dst, ok && written
}

// supports reports whether the emitter can compute fn on elements of type e. If it
// cannot, supports adds an error about op to the diagnostics and returns false.
func (f *function) supports(op *ir.Op, fn *scalar.Fn, e element) bool {
	if !ll.Has(fn) || e.packed && fn != scalar.Copy || !bitwise(fn, e.f) && !fn.Supports(e.f) {
		f.errorf(op, "applies the function %s to elements of type %s, which the LLVM IR emitter does not support", fn, e.f)
		return false
	}
	return true
}

// bitwise reports whether fn treats floats of format f as integers with the same bits.
func bitwise(fn *scalar.Fn, f num.Format) bool {
	return f.IsFloat() && fn.Flt == nil && fn.FltBits == nil
}

// applyTo emits fn applied to the elements xs of type e.
func (f *function) applyTo(op *ir.Op, fn *scalar.Fn, e element, xs ...value.Value) value.Value {
	format := e.f
	if bitwise(fn, format) {
		format, _ = num.ParseFormat("ui" + ll.Suffix(ll.IntType(8 * e.size))[1:])
		for i := range xs {
			xs[i] = f.Bits(xs[i])
		}
	}
	y, ok := f.Apply(fn, format, xs...)
	if !ok {
		f.errorf(op, "applies the function %s to elements of type %s, which the LLVM IR emitter does not support", fn, e.f)
		return ll.Poison(ll.Shaped(e.t, xs[0]))
	}
	return f.Bitcast(y, ll.Shaped(e.t, y))
}
