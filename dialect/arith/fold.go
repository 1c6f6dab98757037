// This file folds operations with constant operands.

package arith

import (
	"slices"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Fold evaluates op at compile time. It returns, for each result, the constant or the
// value that the result equals; it returns nil if op cannot be evaluated. Fold passes the
// constants among the operands to the function Fold of the definition.
func Fold(op *ir.Op) []ir.FoldResult {
	if op.Def().Fold == nil {
		return nil
	}
	in := make([]ir.Attr, op.NumOperands())
	for i := range in {
		in[i], _ = ConstantAttr(op.Operand(i))
	}
	return op.Def().Fold(op, in)
}

// FoldElementwise is the Fold of operations with the meaning scalar.Elementwise. It
// computes the result if all operands are constants.
func FoldElementwise(op *ir.Op, in []ir.Attr) []ir.FoldResult {
	kind, ok := op.Def().Sem.(scalar.Elementwise)
	if !ok || op.NumResults() != 1 {
		return nil
	}
	return results(apply(kind.Fn, op.Result(0).Type(), in))
}

// results returns the constant a as the single folded result of an operation, or nil if
// ok is false.
func results(a ir.Attr, ok bool) []ir.FoldResult {
	if !ok {
		return nil
	}
	return []ir.FoldResult{{Const: a}}
}

// apply evaluates fn on the constants in the parameter in, and returns the result as a
// constant of type t. The bool result is false if an operand is not constant or fn fails,
// as for a division by zero.
func apply(fn *scalar.Fn, t ir.Type, in []ir.Attr) (ir.Attr, bool) {
	return each(t, in, func(f num.Format, x []uint64) (uint64, bool) {
		bits, err := fn.Eval(f, x...)
		return bits, err == nil
	})
}

// each computes a constant of type t element by element from the constant operands. The
// parameter fn computes one element: it receives the number format of the first operand,
// and the bits of one element of each operand. The bool result is false if an operand is
// not constant or if fn returns false; the operation is then not folded.
func each(t ir.Type, in []ir.Attr, fn func(f num.Format, x []uint64) (uint64, bool)) (ir.Attr, bool) {
	ls, n, ok := lanesOf(in)
	if !ok {
		return ir.Attr{}, false
	}
	out := make([]uint64, n)
	x := make([]uint64, len(ls))
	for i := range out {
		for k := range ls {
			x[k] = ls[k].at(i)
		}
		if out[i], ok = fn(ls[0].f, x); !ok {
			return ir.Attr{}, false
		}
	}
	return constant(t, out)
}

// lanes holds the elements of a constant, as bits. A scalar, or a constant whose
// elements are all equal, has a single entry.
type lanes struct {
	f    num.Format
	bits []uint64
}

// at returns the bits of lane i. If all lanes are equal, they are stored once.
func (l lanes) at(i int) uint64 {
	if len(l.bits) == 1 {
		return l.bits[0]
	}
	return l.bits[i]
}

// lanesOf decodes the constant operands of an operation; the parameter in contains their
// attributes. The result ls contains the elements of each constant, and n is the number
// of elements of the operation's result. A constant with a single element fits every n.
// The result ok is false if an attribute is not a constant, or if two constants have
// different numbers of elements greater than one.
func lanesOf(in []ir.Attr) (ls []lanes, n int, ok bool) {
	n = 1
	for _, a := range in {
		l, ok := lanesOfOne(a)
		if !ok || len(l.bits) == 0 || n > 1 && len(l.bits) > 1 && len(l.bits) != n {
			return nil, 0, false
		}
		n = max(n, len(l.bits))
		ls = append(ls, l)
	}
	return ls, n, len(ls) > 0
}

// lanesOfOne decodes one constant attribute. It returns the number format and the bits of
// each element: one element for a number, and all elements for an array of numbers. The
// bool result is false if the attribute is neither a number nor an array of numbers.
func lanesOfOne(a ir.Attr) (lanes, bool) {
	if t, bits, ok := a.NumberBits(); ok {
		f, _ := ir.FormatOf(t)
		return lanes{f, []uint64{bits}}, true
	}
	d, ok := ir.AttrAs[ir.DenseAttr](a)
	if !ok {
		return lanes{}, false
	}
	f, known := ir.FormatOf(element(d.Type))
	bits, ok := d.Numbers()
	return lanes{f, bits}, ok && known
}

// constant returns an attribute of type t, which contains one number or, for vectors and
// tensors, several. bits contains each element as bits. The bool result is false if t is
// not a type of numbers.
func constant(t ir.Type, bits []uint64) (ir.Attr, bool) {
	if element(t) == t {
		return ir.NumberAttr(t, bits[0])
	}
	return ir.DenseNumbers(t, bits)
}

// foldExtended folds op, which has a low and a high result, if all its operands are
// constants. The parameter in contains the constants. The result is nil if op cannot be
// folded.
func foldExtended(op *ir.Op, in []ir.Attr) []ir.FoldResult {
	kind := op.Def().Sem.(scalar.Extended)
	low, ok := apply(kind.Low, op.Result(0).Type(), in)
	high, ok2 := apply(kind.High, op.Result(1).Type(), in)
	if !ok || !ok2 {
		return nil
	}
	return []ir.FoldResult{{Const: low}, {Const: high}}
}

// foldCompare folds a comparison of constants, a comparison that is always true or false,
// and a comparison of a value with itself. The parameter in contains the constants among
// the operands of op. The result is nil if op cannot be folded.
func foldCompare(op *ir.Op, in []ir.Attr) []ir.FoldResult {
	rel, ok := RelationOf(op)
	if !ok {
		return nil
	}
	t := op.Result(0).Type()
	holds := func(ok bool) (uint64, bool) {
		if ok {
			return 1, true
		}
		return 0, true
	}
	if a, ok := each(t, in, func(f num.Format, x []uint64) (uint64, bool) {
		return holds(rel.Holds(f, x[0], x[1]))
	}); ok {
		return []ir.FoldResult{{Const: a}}
	}
	lhs := op.Operand(0)
	switch {
	case rel.On == 0:
		return splat(t, 0)
	case rel.On == lt|eq|gt|un:
		return splat(t, 1)
	case lhs != op.Operand(1) || ir.Is[ir.FloatType](element(lhs.Type())) && (rel.On&eq != 0) != (rel.On&un != 0):
		return nil // for a float that is compared with itself, the result depends on NaN
	}
	bit, _ := holds(rel.On&eq != 0)
	return splat(t, bit)
}

// splat returns a list with one result: the constant of type t in which every element has
// the given bits.
func splat(t ir.Type, bits uint64) []ir.FoldResult {
	return results(constant(t, []uint64{bits}))
}

// foldSelect folds a select between equal values or with a constant condition. The
// parameter in contains an attribute for each operand that is constant.
func foldSelect(op *ir.Op, in []ir.Attr) []ir.FoldResult {
	if op.Operand(1) == op.Operand(2) {
		return []ir.FoldResult{{Value: op.Operand(1)}}
	}
	if l, ok := lanesOfOne(in[0]); ok && len(l.bits) == 1 {
		if l.bits[0] != 0 {
			return []ir.FoldResult{{Value: op.Operand(1)}}
		}
		return []ir.FoldResult{{Value: op.Operand(2)}}
	}
	return results(each(op.Result(0).Type(), in, func(_ num.Format, x []uint64) (uint64, bool) {
		if x[0] != 0 {
			return x[1], true
		}
		return x[2], true
	}))
}

// foldCast folds the conversion op in two cases. If the operand is a constant (an
// attribute in the parameter in), the result is the converted constant. If op reverses
// the conversion that defines its operand, the result is the operand of that conversion.
func foldCast(op *ir.Op, in []ir.Attr) []ir.FoldResult {
	c, r, ok := CastOf(op)
	if !ok {
		return nil
	}
	t := op.Result(0).Type()
	to, known := ir.FormatOf(element(t))
	if !known {
		return undone(op)
	}
	if a, ok := each(t, in, func(f num.Format, x []uint64) (uint64, bool) {
		if f.IsFloat() && to.IsInt() && !c.Bits && !InRange(f, c.To.Reading(to), x[0]) {
			return 0, false
		}
		return c.EvalRounded(f, to, x[0], r), true
	}); ok {
		return []ir.FoldResult{{Const: a}}
	}
	return undone(op)
}

// InRange reports whether a float, truncated to an integer, is representable in an
// integer format. f is the format of the float, bits contains its bits, and to is the
// integer format. If the integer is not representable, the conversion is not folded,
// because its result depends on the machine.
func InRange(f, to num.Format, bits uint64) bool {
	if num.IsNaN(f, bits) || num.IsInf(f, bits) {
		return false
	}
	return num.Convert(f, to, bits, num.Zero, true) == num.Convert(f, to, bits, num.Zero, false)
}

// undone returns x if op converts a value back that was converted from x without loss,
// and nil if it does not. The pattern is op(conversion(x)), where x and the result have
// the same type.
func undone(op *ir.Op) []ir.FoldResult {
	def := op.Operand(0).Op()
	if def == nil || def.NumOperands() != 1 || def.Operand(0).Type() != op.Result(0).Type() {
		return nil
	}
	if !undoes(op, def) {
		return nil
	}
	return []ir.FoldResult{{Value: def.Operand(0)}}
}

// exactInverses maps the definition of a conversion to the definitions of other
// conversions. Each of the other conversions is lossless, and the conversion in the key
// restores its operand. The map is filled by the function init. An initializer of the map
// is impossible, because Go rejects cyclic initializations: the definitions refer to
// foldCast, which uses the map.
var exactInverses = map[*ir.Def][]*ir.Def{}

func init() {
	exactInverses[TruncI] = []*ir.Def{ExtSI, ExtUI}
	exactInverses[TruncF] = []*ir.Def{ExtF}
	exactInverses[Bitcast] = []*ir.Def{Bitcast}
	exactInverses[IndexCast] = []*ir.Def{IndexCast}
	exactInverses[IndexCastUI] = []*ir.Def{IndexCastUI}
}

// undoes reports whether the conversion op restores the original value of an earlier
// conversion without loss. def is this earlier conversion, which defines the operand of
// op.
func undoes(op, def *ir.Op) bool {
	if !slices.Contains(exactInverses[op.Def()], def.Def()) {
		return false
	}
	t := ir.ElementType(op.Result(0).Type())
	toIndex := ir.ElementType(op.Operand(0).Type()) == ir.Index
	// An index fits an integer of at least 64 bits, and an index holds an integer
	// of at most 64 bits.
	switch {
	case t == ir.Index:
		return Width(ir.ElementType(op.Operand(0).Type())) >= 64
	case toIndex:
		return Width(t) <= 64
	}
	return true
}
