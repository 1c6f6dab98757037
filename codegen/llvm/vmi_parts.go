// This file emits the conversion of logical vectors to and from registers.

package llvm

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
)

// partLanes is the number of lanes that are computed at a time for long vectors. LLVM
// splits a vector into registers, and the time for that grows faster than their number.
// Without smaller parts, LLVM would need minutes for thirty functions of a thousand
// lanes.
const partLanes = 64

// inParts emits a computation on the vectors xs, which have equal numbers of lanes. An
// element of xs can also be a scalar, which applies to all lanes. The function each emits
// the computation for vectors with fewer lanes. If the vectors have more than partLanes
// lanes, inParts emits a loop that processes partLanes lanes per iteration. The result
// has as many lanes as the vectors, with elements of type t.
func (f *function) inParts(t types.Type, xs []value.Value, each func(xs []value.Value) value.Value) value.Value {
	n := 0
	for _, x := range xs {
		n = max(n, ll.Lanes(x.Type()))
	}
	if n <= partLanes || t.Equal(ll.I1) {
		return each(xs)
	}
	parts := (n + partLanes - 1) / partLanes
	scratch := func(t types.Type) array { return f.emptyArray(t, parts*partLanes) }
	ins := make([]array, len(xs))
	for i, x := range xs {
		if ll.Lanes(x.Type()) > 0 {
			ins[i] = scratch(ll.ElementOf(x.Type()))
			f.Store(x, ins[i].p, ins[i].align())
		}
	}
	out := scratch(t)
	f.Loop("part", ll.Index(int64(parts)), func(i value.Value) {
		first, part := f.Mul(i, ll.Index(partLanes)), make([]value.Value, len(xs))
		for k, x := range xs {
			if part[k] = x; ll.Lanes(x.Type()) > 0 {
				part[k] = f.Load(ll.VectorOf(partLanes, ins[k].t), ins[k].at(first), ins[k].align())
			}
		}
		f.Store(f.Like(each(part), ll.Zero(ll.VectorOf(partLanes, t))), out.at(first), out.align())
	})
	return f.Load(ll.VectorOf(n, t), out.p, out.align())
}
