// This file determines the exact bytes of masked and strided vector accesses, for
// events.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/ir"
)

// hearLanes ensures that the events of a masked or strided vector access contain exactly the bytes
// of the accessed lanes. By default, an event lists the range from the first to the last
// lane, which would appear to race with accesses to the bytes in between. The function
// lanes adds the byte ranges to list; its parameter at is the offset of the first lane.
func (p *planner) hearLanes(op *ir.Op, mem *vecAccess, lanes func(fr *frame, list *runList, at int64)) {
	if !p.listening() {
		return
	}
	mem.quiet = true
	p.link(op, func(fr *frame, r *recorder) {
		addr := fr.x[mem.ptr]
		if !mem.moves {
			addr += mem.distance(fr)
		}
		list, at := r.runsAt(&mem.pointee, addr)
		lanes(fr, list, at)
	})
}

// hearLoad ensures that the events of a vector load contain exactly the bytes that the
// load reads. The distribution mode dist determines these bytes, for example every second
// element.
func (p *planner) hearLoad(op *ir.Op, memory *vecAccess, dist lanemap.Dist, elemBytes int) {
	if dist.Pattern != lanemap.Every || dist.Pair {
		return // all that is between the first byte and the last
	}
	step := dist.Factor * elemBytes
	p.hearLanes(op, memory, func(_ *frame, list *runList, at int64) {
		list.addRun(Run{Start: at, Length: int64(elemBytes), Stride: int64(step), Count: int64(pto.VectorBytes / elemBytes)})
	})
}

// hearStore ensures that the events of a vector store contain exactly the bytes that the
// distribution mode dist writes, for example every second element. The function mask
// returns the mask of the stored lanes.
func (p *planner) hearStore(op *ir.Op, memory *vecAccess, dist lanemap.Dist, elemBytes int, mask func(fr *frame) *mask) {
	if dist.Pattern == lanemap.OneToAll {
		return
	}
	k := dist.Factor
	p.hearLanes(op, memory, func(fr *frame, list *runList, at int64) {
		m := mask(fr)
		for i := 0; i < pto.VectorBytes; i += elemBytes {
			lane, to := i/elemBytes, i
			on := false
			switch dist.Pattern {
			case lanemap.Every:
				on, to = m.has(lane, elemBytes), i*k
			case lanemap.Spaced:
				if i >= pto.VectorBytes/k {
					return
				}
				on = m.has(lane, elemBytes*k)
			case lanemap.Channels:
				on = m.has(i/(dist.Mask/8), dist.Mask/8)
			default:
				if lane == 0 && m.all(elemBytes) {
					list.add(at, pto.VectorBytes)
					return
				}
				on = m.has(lane, elemBytes)
			}
			if on {
				list.add(at+int64(to), int64(elemBytes))
			}
		}
	})
}
