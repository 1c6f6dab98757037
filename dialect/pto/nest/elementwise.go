// This file describes elementwise instructions.

package nest

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Map describes sem.TileMap: each element of dst is a function of the elements of the
// inputs at the same index. Further functions follow, each of the result so far and of an
// element of another input.
func Map[T, I, V any](m Machine[T, I, V], op *ir.Op, kind sem.TileMap) {
	dst := m.Tile(Written(op))
	var ins []Input[T, I, V]
	for _, v := range read(op, kind.Args) {
		ins = append(ins, m.Input(v, dst))
	}
	type step struct {
		fn   func(xs ...V) V
		with Input[T, I, V]
		args []V
	}
	first := m.Fn(kind.For(op, m.Target()), dst)
	args := make([]V, len(ins))
	var then []step
	for _, s := range kind.Then {
		next := step{fn: m.Fn(s.Fn, dst), args: make([]V, 1)}
		if s.Arg != "" {
			next.with, next.args = m.Input(op.Arg(s.Arg), dst), make([]V, 2)
			ins = append(ins, next.with)
		}
		then = append(then, next)
	}
	area := dst
	if kind.AllOfMat && pto.SpaceOf(Written(op).Type()) == sem.L1 {
		area = m.Whole(dst)
	}
	cover(m, area, ins...)
	m.Each(area, func(r, c I) {
		for i := range args {
			args[i] = ins[i].At(r, c)
		}
		y := first(args...)
		for i := range then {
			s := &then[i]
			s.args[0] = y
			if len(s.args) > 1 {
				s.args[1] = s.with.At(r, c)
			}
			y = s.fn(s.args...)
		}
		m.Put(dst, r, c, y)
	})
}

// Compare describes sem.TileCompare: a bit of the mask dst for each element of src.
func Compare[T, I, V any](m Machine[T, I, V], op *ir.Op, _ sem.TileCompare) {
	ins := read(op, nil)
	src := m.Tile(sem.Operand{Name: op.Form().Operands[0].Name, Value: ins[0]})
	dst := m.Tile(Written(op))
	other := m.Input(ins[1], src)
	pred, _ := sem.TilePredicate(op)
	holds := m.Holds(pred.Relation(), src)
	cover(m, src, other)
	m.EachBit(src, dst, func(r, c I) V { return holds(m.Get(src, r, c), other.At(r, c)) })
}

// Select describes sem.TileSelect: each element of dst is an element of the first input
// where the mask has a 1, and of the second input where it has a 0.
func Select[T, I, V any](m Machine[T, I, V], op *ir.Op, _ sem.TileSelect) {
	dst := m.Tile(Written(op))
	by := sem.TileEndsOf(op).Mask
	mask := m.Tile(by)
	var ins []Input[T, I, V]
	for _, v := range read(op, nil) {
		if v != by.Value {
			ins = append(ins, m.Input(v, dst))
		}
	}
	cover(m, dst, ins...)
	m.Each(dst, func(r, c I) {
		m.Put(dst, r, c, m.Choose(m.Bit(mask, r, c), ins[0].At(r, c), ins[1].At(r, c)))
	})
}

// Convert describes sem.TileConvert for elements of whole bytes: each element of dst is
// the element of src in another number format.
func Convert[T, I, V any](m Machine[T, I, V], op *ir.Op, _ sem.TileConvert) {
	o := sem.TileEndsOf(op)
	src, dst := m.Tile(o.Src), m.Tile(o.Dst)
	how := Conversion{isatile.ConvertRounding(op), isatile.ConvertSaturates(op), isatile.ConvertZeroesNaN(op)}
	convert := m.Conversion(src, dst, how)
	m.Covers(src, dst)
	m.Each(dst, func(r, c I) { m.Put(dst, r, c, convert(m.Get(src, r, c))) })
}
