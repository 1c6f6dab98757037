package codegen

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// partLanes is how many lanes are computed at a time where there are many. LLVM
// takes a vector apart into registers, and the time it takes for that grows
// faster than their number: without parts, thirty functions of a thousand lanes
// would take it minutes.
const partLanes = 64

// inParts computes vectors of elements of type t from others with as many
// lanes, in a loop if they are long. Numbers stand for all lanes.
func (f *function) inParts(t types.Type, xs []value.Value, each func(xs []value.Value) value.Value) value.Value {
	n := 0
	for _, x := range xs {
		n = max(n, lanes(x.Type()))
	}
	if n <= partLanes || t.Equal(i1) {
		return each(xs)
	}
	parts := (n + partLanes - 1) / partLanes
	room := func(t types.Type) array { return f.emptyArray(t, parts*partLanes) }
	ins := make([]array, len(xs))
	for i, x := range xs {
		if lanes(x.Type()) > 0 {
			ins[i] = room(elementOf(x.Type()))
			f.store(x, ins[i].p, ins[i].align())
		}
	}
	out := room(t)
	f.loop("part", index(int64(parts)), func(i value.Value) {
		first, part := f.mul(i, index(partLanes)), make([]value.Value, len(xs))
		for k, x := range xs {
			if part[k] = x; lanes(x.Type()) > 0 {
				part[k] = f.load(vectorOf(partLanes, ins[k].t), ins[k].at(first), ins[k].align())
			}
		}
		f.store(f.like(each(part), zero(vectorOf(partLanes, t))), out.at(first), out.align())
	})
	return f.load(vectorOf(n, t), out.p, out.align())
}
