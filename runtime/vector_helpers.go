// This file compiles instructions that sort or transpose small blocks of memory.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// These instructions read and write the unified buffer and have a control word. They read
// all operands before they write results.

// helper returns accessors for the destination and the source of op, a sort or transpose
// instruction. It also returns a function that reads the control word of the instruction.
// known is a number of bits: the lowest bits of the control word, which have no
// documented meaning. The returned function faults if one of these bits is set, and
// shifts them out of the control word that it returns.
func (p *planner) helper(op *ir.Op, known uint) (dst, src *vecAccess, config func(fr *frame) (uint64, *Fault)) {
	d := sem.HelperOf(op)
	dst = p.vecAccess(op, sem.PointerAccess{Pointer: d.Destination}, writes, blockBytes)
	src = p.vecAccess(op, sem.PointerAccess{Pointer: d.Source}, reads, blockBytes)
	at := p.slot(d.Configuration.Value)
	return dst, src, func(fr *frame) (uint64, *Fault) {
		if word := fr.x[at]; word&(1<<known-1) != 0 {
			return 0, faultAt(op, "has the control word %#x, but its bits 0 to %d have no known meaning and must be 0", word, known-1)
		}
		return fr.x[at] >> known, nil
	}
}

// sortValues compiles op into a step, a function that sorts groups of elements in memory
// by descending value. The control word of op determines the number of groups.
func (p *planner) sortValues(op *ir.Op) step {
	f, ok := p.laneFormat(op, sem.HelperOf(op).Source.Type())
	dst, src, groups := p.helper(op, sem.SortedGroupsFrom)
	if !ok || dst == nil || src == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		n, fault := groups(fr)
		if fault != nil {
			return fault
		}
		return dst.rewrite(fr, src, int(n)*sem.SortedGroup*f.Bytes(), func(to, from []byte) {
			group := sem.SortedGroup * f.Bytes()
			for at := 0; at < len(from); at += group {
				sortValues(f, to[at:at+group], from[at:at+group])
			}
		})
	}
}

// sortValues sorts one group of elements of format f by descending value. It reads the
// elements from the source buffer (the parameter from) and writes them to the destination
// buffer (the parameter to).
func sortValues(f num.Format, to, from []byte) {
	var group [sem.SortedGroup]record
	for i := range group {
		bits := num.Load(f, from[i*f.Bytes():])
		group[i] = record{score: num.Decode(f, bits), bits: uint32(bits)}
	}
	sortRecords(group[:])
	for i, r := range group {
		num.Store(f, to[i*f.Bytes():], uint64(r.bits))
	}
}

// blockSide is the number of rows, and the number of columns, of the matrix that
// transposeBlock transposes.
const blockSide = 16

// transposeBlock compiles op into a step, a function that transposes a block of 16 x 16
// elements in memory.
func (p *planner) transposeBlock(op *ir.Op, _ sem.TransposeBlock) step {
	dst, src, check := p.helper(op, 64)
	if dst == nil || src == nil {
		return nil
	}
	size := int(src.scale)
	return func(fr *frame) *Fault {
		if _, fault := check(fr); fault != nil {
			return fault
		}
		return dst.rewrite(fr, src, blockSide*blockSide*size, func(to, from []byte) {
			for i := range blockSide {
				for j := range blockSide {
					copy(to[(j*blockSide+i)*size:], from[(i*blockSide+j)*size:][:size])
				}
			}
		})
	}
}

// rewrite calls fill with the n bytes at the destination operand a and with a copy of the
// n bytes at the source operand src. Because of this copy, source and destination may be
// the same memory. It returns a fault if an access is out of bounds.
func (a *vecAccess) rewrite(fr *frame, src *vecAccess, n int, fill func(to, from []byte)) *Fault {
	from, fault := src.next(fr, n)
	if fault != nil {
		return fault
	}
	to, fault := a.next(fr, n)
	if fault != nil {
		return fault
	}
	before := fr.core.bytes(n)
	copy(before, from)
	fill(to, before)
	return nil
}
