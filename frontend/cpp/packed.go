// This file converts tiles and views of 4-bit numbers. The library counts single numbers;
// PTO counts pairs, one in each byte, except in operands of matrix products.

package cpp

import (
	"slices"

	"ptogo/frontend/llir"
)

// isPair reports whether the element type with the given number is a pair of 4-bit
// numbers.
func isPair(elem int64) bool { return elem == 24 || elem == 25 }

// packsRows reports whether the numbers of a pair are in adjacent rows of the tile, and
// not in adjacent columns.
func (t *shapeOfTile) packsRows() bool {
	return t.slayout == 2 || t.slayout == 0 && t.blayout == 1
}

// packedTile changes the type t of a tile of 4-bit numbers to count pairs, and returns the
// description of the tile, a call of ptogo_tile, with valid extents in pairs.
func (f *function) packedTile(v *llir.Value, t *shapeOfTile) *llir.Value {
	packed := *v
	packed.Args = slices.Clone(v.Args)
	extent, valid := &t.cols, &packed.Args[13]
	if t.packsRows() {
		extent, valid = &t.rows, &packed.Args[12]
	}
	if *extent%2 != 0 {
		f.failf(v, "a tile of 4-bit numbers needs an even number of them along the axis of its pairs, but has %d", *extent)
	}
	*extent /= 2
	*valid = f.half(v, *valid)
	return &packed
}

// unpacked returns a tile whose description in C++ counts pairs already.
func (f *function) unpacked(a argument) argument {
	f.drop(a)
	return f.sized(a.described, f.described(a.described))
}

// packedView returns the description of a view of 4-bit numbers, a call of ptogo_view, with
// extents and strides in pairs. Pairs are along the last axis with stride 1.
func (f *function) packedView(v *llir.Value) *llir.Value {
	packed := *v
	packed.Args = slices.Clone(v.Args)
	extents, steps := packed.Args[3:8], packed.Args[8:13]
	axis := 4
	for i := 4; i >= 0; i-- {
		if steps[i].IsConst(1) && !extents[i].IsConst(1) {
			axis = i
			break
		}
	}
	for i := range steps {
		if i == axis {
			extents[i] = f.half(v, extents[i])
		} else {
			steps[i] = f.half(v, steps[i])
		}
	}
	return &packed
}

// half returns half of an even extent, stride or index.
func (f *function) half(at, n *llir.Value) *llir.Value {
	r := &llir.Value{Op: "half", Type: n.Type}
	if n.Op == "int" {
		r.Op, r.Int = "int", (n.Int+n.Int&1)/2
		return r
	}
	f.names[r] = f.fresh("half")
	f.line(at, "%s = arith.divsi %s, %s : %s", f.names[r], f.value(n), f.intConst(2, f.typeOf(n)), f.typeOf(n))
	return r
}
