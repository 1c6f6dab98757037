// Package nest describes what tile instructions compute: one Go function per kind of
// meaning (sem), written over a machine. A machine decides what a tile, an index and an
// element are, and what a loop does. Engines execute the same description on machines of
// their own:
//
//   - codegen/llvm emits LLVM IR: an index and an element are LLVM values, and a loop calls
//     its body once, to emit it;
//   - package runtime computes expressions for proofs of equivalence, and shadows of
//     rounding errors: an index is an int, and an element is an expression;
//   - package runtime computes which bytes an instruction reads and writes: an index is a
//     range of numbers, and a loop calls its body once, with all of them.
//
// The Go engine executes instructions with loops of its own, and test/diff has a third
// meaning of its own. Random programs compare these with the emitted code, so a mistake in
// a description has two witnesses.
//
// Start reading at Map.
package nest

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
)

// Machine executes descriptions. T is a tile with its valid region, I is an index or
// another number of rows, columns or elements, and V is an element.
//
// A description calls Tile, Input, Fn and the other methods that prepare an instruction
// before its first loop, and in the same order each time. A machine can therefore resolve
// operands when it first executes the description. If it does not support an operand or a
// function, it ends the execution of the description.
type Machine[T, I, V any] interface {
	Target() ir.Target

	// Tile returns the tile in the operand o.
	Tile(o sem.Operand) T
	// Input returns the elements of v, which is a tile or a scalar. They are converted to
	// the number format of the tile like.
	Input(v *ir.Value, like T) Input[T, I, V]
	// Whole returns the tile t with its complete storage as valid region.
	Whole(t T) T

	// Fn returns the function fn on elements of the number format of the tile like.
	Fn(fn *scalar.Fn, like T) func(xs ...V) V
	// Conversion returns the conversion of elements of src to the number format of dst. If
	// both have the same float format, it rounds them to integers.
	Conversion(src, dst T, c Conversion) func(x V) V
	// Holds returns the comparison rel of elements of the tile like. Its result is a bit.
	Holds(rel scalar.Relation, like T) func(x, y V) V
	// Reduction returns the reduction of one row or column of src, whose index is line, to
	// an element of dst.
	Reduction(src, dst T, how Reduction) func(line I) V
	// FirstWins returns a comparison of two elements of the tile like, from two sources of
	// a TilePart with indices. Its result is a bit: 1 if the element of the first source is
	// the result.
	FirstWins(fn *scalar.Fn, like T) func(x, y V) V
	// Constant returns the element of the tile like with the given bits.
	Constant(bits uint64, like T) V

	// Covers requires that the storage of t is at least as large as the valid region of
	// the tile region.
	Covers(t, region T)

	// Each calls body for each element of the valid region of t. The order of the elements
	// does not matter.
	Each(t T, body func(r, c I))
	// EachBit stores bit(r, c) of each element of the valid region of src in the mask dst.
	// The last byte of a row is filled with zeros.
	EachBit(src, dst T, bit func(r, c I) V)
	// Lines calls body for each row (AlongRow) or column (AlongCol) of the valid region of
	// t, unless its rows or columns are empty.
	Lines(t T, axis sem.Axis, body func(line I))
	// Broadcast calls body for each element of dst, with an element x of the vector v: that
	// of the same row (AlongRow) or column (AlongCol). If cyclic is set and v is row-major,
	// v has several columns, and x is the element in column c modulo their number.
	Broadcast(dst, v T, axis sem.Axis, cyclic bool, body func(x V, r, c I))
	// Vector determines which of two sources of a broadcast along rows is the vector, and
	// calls combine with its index: the source whose valid region differs from that of dst,
	// or the second one if that is true of both or of none.
	Vector(dst T, src [2]T, combine func(vector int))
	// Among calls the function for the sources in whose valid regions the position (r, c)
	// is: both, the first one, the second one, or none, if this function is not nil.
	Among(a, b T, r, c I, both, first, second, none func(r, c I))

	// Get returns an element of t, and Put stores one.
	Get(t T, r, c I) V
	Put(t T, r, c I, x V)
	// Bit returns the bit of a mask for the element (r, c).
	Bit(mask T, r, c I) V
	// Choose returns yes if bit is 1, and no if it is 0.
	Choose(bit, yes, no V) V

	// Number returns n as an index.
	Number(n int64) I
}

// Input is an operand of an elementwise instruction: a tile, or a scalar, which counts as
// a tile of equal elements.
type Input[T, I, V any] struct {
	Tile   T
	Scalar bool
	At     func(r, c I) V
}

// Conversion states how a conversion rounds, whether it replaces numbers out of range by
// the nearest number of the destination format (Saturate), and whether it converts NaN to
// zero.
type Conversion struct {
	Round     num.Rounding
	Saturate  bool
	ZeroesNaN bool
}

// Reduction states how the elements of a row or column become one: combined by Fn in the
// given order, or, if Arg is set, as the position of the first maximum or minimum.
type Reduction struct {
	Axis  sem.Axis
	Fn    *scalar.Fn
	Arg   bool
	Order scalar.Sequence
}

// Table has the descriptions for machines of one type, by kind of meaning.
type Table[T, I, V any] struct {
	routine.Table[Machine[T, I, V], routine.Done]
}

// Descriptions returns all descriptions, for machines of one type.
func Descriptions[T, I, V any]() Table[T, I, V] {
	return Table[T, I, V]{routine.New(func() []routine.Row[Machine[T, I, V], routine.Done] {
		return []routine.Row[Machine[T, I, V], routine.Done]{
			routine.Does(Map[T, I, V]),
			routine.Does(Compare[T, I, V]),
			routine.Does(Select[T, I, V]),
			routine.Does(Convert[T, I, V]),
			routine.Does(Reduce[T, I, V]),
			routine.Does(Expand[T, I, V]),
			routine.Does(Part[T, I, V]),
		}
	})}
}

// ended is the panic with which a machine ends the execution of a description.
type ended struct{}

// End ends the execution of a description. A machine calls it if it does not support an
// operand or a function, after it has recorded the reason.
func End() { panic(ended{}) }

// Describes reports whether the table has a description of op. Conversions from or to
// numbers of 4 bits, two of which share a byte, have none.
func (t Table[T, I, V]) Describes(op *ir.Op) bool {
	if _, converts := op.Def().Sem.(sem.TileConvert); converts {
		o := sem.TileEndsOf(op)
		from, _ := ir.FormatOf(ir.ElementType(o.Src.Type()))
		to, _ := ir.FormatOf(ir.ElementType(o.Dst.Type()))
		return from.Bits() >= 8 && to.Bits() >= 8
	}
	return t.Has(op.Def().Sem)
}

// Run executes the description of op on the machine m, until its end or a call of End. It
// returns false if the table does not describe op.
func (t Table[T, I, V]) Run(m Machine[T, I, V], op *ir.Op) (found bool) {
	if !t.Describes(op) {
		return false
	}
	defer func() {
		if x := recover(); x != nil && x != any(ended{}) {
			panic(x)
		}
	}()
	t.Table.Run(m, op)
	return true
}

// Written returns the first operand that op writes, or reads and writes.
func Written(op *ir.Op) sem.Operand {
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); (a.Role == ir.Out || a.Role == ir.InOut) && from < to {
			return sem.Operand{Name: a.Name, Value: op.Operand(from)}
		}
	}
	return sem.Operand{}
}

// read returns the operands with the given names that contain elements. If names is nil,
// these are all operands that op reads and does not write.
func read(op *ir.Op, names []string) []*ir.Value {
	var vs []*ir.Value
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); names == nil && a.Role == ir.In {
			vs = append(vs, op.Operands()[from:to]...)
		}
	}
	for _, name := range names {
		vs = append(vs, op.Args(name)...)
	}
	return slices.DeleteFunc(vs, func(v *ir.Value) bool {
		_, ok := ir.FormatOf(ir.ElementType(v.Type()))
		return !ok
	})
}

// cover requires that the tiles among the inputs cover the valid region of the tile
// region.
func cover[T, I, V any](m Machine[T, I, V], region T, ins ...Input[T, I, V]) {
	for _, in := range ins {
		if !in.Scalar {
			m.Covers(in.Tile, region)
		}
	}
}
