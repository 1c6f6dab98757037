// This file compiles vector gathers and scatters.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// vecGather compiles op into a step, a function that loads elements or blocks from the
// addresses that an index register selects.
func (p *planner) vecGather(op *ir.Op, kind sem.VecGather) step {
	lane := p.elemSize(op.Result(0))
	d := sem.VectorAccessOf(op)
	size := p.elemSize(d.Pointer.Value)
	align := size
	if kind.Unit == sem.GatherBlocks {
		align = blockBytes
	}
	mem := p.vecAccess(op, d.PointerAccess, reads, align)
	if mem == nil {
		return nil
	}
	g := &gatherLanes{
		mem: mem, offsets: p.slot(d.Offsets.Value), offsetSize: p.elemSize(d.Offsets.Value),
		m: p.slot(d.Mask.Value), reg: p.slot(op.Result(0)), lane: lane, maskLane: lane, size: size, unit: uint64(size),
	}
	if kind.Unit == sem.GatherBlocks {
		g.lane, g.size, g.unit = blockBytes, blockBytes, 1
		g.maskLane = 4 // its mask has one bit for each block, at the place of a 32-bit lane
	}
	return g.exec
}

// gatherLanes executes a vector gather. Lane i of the index register and of the mask
// determine lane i of the result.
type gatherLanes struct {
	mem        *vecAccess
	offsets, m slot
	offsetSize int
	reg        slot
	// lane is the size in bytes of a result lane.
	lane int
	// maskLane is the size in bytes of the lanes that the mask refers to.
	maskLane int
	// size is the number of bytes to read for a lane, and unit the number of bytes that
	// an index counts.
	size int
	unit uint64
}

// exec loads the selected lanes; all other lanes become zero. It returns a fault if an
// access is out of bounds.
func (g *gatherLanes) exec(fr *frame) *Fault {
	active, at := fr.m[g.m], fr.v[g.offsets]
	d := fr.v[g.reg].bytes()
	clear(d)
	for i := range pto.VectorBytes / g.lane {
		if !active.has(i, g.maskLane) {
			continue
		}
		addr := fr.x[g.mem.ptr] + at.lane(i, g.offsetSize)*g.unit
		b, f := g.mem.aligned(fr.core, addr, g.size)
		if f != nil {
			return f
		}
		copy(d[i*g.lane:(i+1)*g.lane], b)
	}
	return nil
}

// lane returns the bits of lane i of the register.
func (v *vreg) lane(i, laneBytes int) uint64 {
	return v[i*laneBytes/8] >> (i * laneBytes % 8 * 8) & (^uint64(0) >> (64 - 8*laneBytes))
}

// setLane stores the given bits in lane i of the register.
func (v *vreg) setLane(i, laneBytes int, bits uint64) {
	shift := i * laneBytes % 8 * 8
	m := ^uint64(0) >> (64 - 8*laneBytes) << shift
	w := &v[i*laneBytes/8]
	*w = *w&^m | bits<<shift&m
}

// vecScatter compiles op into a step, a function that stores lanes to the addresses that
// an index register selects.
func (p *planner) vecScatter(op *ir.Op, _ sem.VecScatter) step {
	d := sem.VectorAccessOf(op)
	size := p.elemSize(d.Value.Value)
	mem := p.vecAccess(op, d.PointerAccess, writes, size)
	if mem == nil {
		return nil
	}
	from, at, m := p.slot(d.Value.Value), p.slot(d.Offsets.Value), p.slot(d.Mask.Value)
	wide := p.elemSize(d.Offsets.Value) // the distance of the lanes that are stored
	return func(fr *frame) *Fault {
		v, to := &fr.v[from], &fr.v[at]
		active := &fr.m[m]
		for i := range pto.VectorBytes / wide {
			if !active.has(i, wide) {
				continue
			}
			b, f := mem.aligned(fr.core, fr.x[mem.ptr]+to.lane(i, wide)*uint64(size), size)
			if f != nil {
				return f
			}
			copy(b, v.bytes()[i*wide:i*wide+size])
		}
		return nil
	}
}
