// This file computes the bytes that an instruction touches relative to its pointer
// operand.

package insertsync

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// registerBytes is the size of a vector register in bytes.
	registerBytes = 256
	// maskBytes is the size of a mask register in bytes.
	maskBytes = 32
	// blockBytes is the size in bytes of a block, the unit of local memory.
	blockBytes = sem.BlockBytes
)

// reach narrows p, the location to which the pointer operand v refers, to the bytes that
// the instruction op accesses. It adds the offset operand of the instruction to the start
// of the location. It then sets the size of the location to the maximum number of bytes
// that the instruction accesses.
func (r *resolver) reach(op *ir.Op, v *ir.Value, target ir.Target, p location) location {
	if p.size != 0 || p.ring != nil || !p.from.ok {
		return p
	}
	if kind, ok := op.Def().Sem.(sem.Spanning); ok {
		return spanned(op, kind.Spans(op, target, r.constant), v, p)
	}
	if p, ok := r.unaligned(op, p); ok {
		return p
	}
	if p, ok := r.lanes(op, p); ok {
		return p
	}
	unit, size := r.stepOf(op)
	if size == 0 {
		return p
	}
	if a := sem.PointerAccessOf(op); a.Offset.Given() && a.Updated == nil {
		p.from = p.from.plus(r.number(a.Offset.Value), unit)
	}
	p.size = size
	if kind, ok := op.Def().Sem.(sem.VecBlocks); ok {
		return r.blocks(op, kind, p)
	}
	return p
}

// stepOf returns two sizes for op, a memory access. The result unit is the size in bytes
// of the unit in which the offset operand is counted, for example an element. The result
// size is an upper bound of the number of bytes that op accesses, or 0 if no bound is
// known.
func (r *resolver) stepOf(op *ir.Op) (unit, size int64) {
	unit = elementBytes(op)
	switch kind := op.Def().Sem.(type) {
	case sem.VecLoad, sem.VecStore:
		if op.HasAttr("stride") {
			return unit, 0 // registers in pieces, far apart
		}
		return unit, r.selectedBytes(op, vectorBytes(op))
	case sem.VecBlocks:
		return blockBytes, blockBytes
	case sem.MaskLoad:
		return maskStep(op, kind.Immediate, kind.Unit)
	case sem.MaskStore:
		return maskStep(op, kind.Immediate, kind.Unit)
	case sem.StreamEnd: // the one that stores
		return int64(kind.Scale), 4
	case sem.LoadElement, sem.StoreElement:
		return unit, unit
	}
	return unit, 0
}

// maskStep describes the memory access of a load or store of a mask. The result step is
// the unit of the offset operand: the number of bytes that an offset of 1 means. It is
// the parameter unit if that is not 0. If it is 0, step depends on whether the offset is
// a constant of the instruction, as the parameter immediate states. The result size is
// the number of bytes that the mask occupies in memory: 16, 32 or 64, depending on its
// format.
func maskStep(op *ir.Op, immediate bool, unit int) (step, size int64) {
	size, count := int64(maskBytes), int64(maskBytes)
	switch sem.MaskImageOf(op) {
	case sem.ImageTwice, sem.ImagePacked:
		size, count = maskBytes/2, maskBytes/2
	case sem.ImageHalf:
		size = 2 * maskBytes
	}
	switch {
	case unit > 0:
		return int64(unit), size
	case immediate:
		return count, size
	}
	return 1, size
}

// blocks returns the location of an access to several blocks of 32 bytes, whose starts
// have a constant distance. p is the location of the first block, without the offset that
// the instruction adds.
func (r *resolver) blocks(op *ir.Op, kind sem.VecBlocks, p location) location {
	a := sem.VectorAccessOf(op)
	stride, known := r.constant(a.Stride.Value)
	if !known || stride < 0 {
		p.size, p.from = 0, sum{}
		return p
	}
	if a.Updated == nil && a.Skip.Given() {
		p.from = p.from.plus(r.number(a.Skip.Value), blockBytes)
	}
	count := pto.CeilDiv(r.selectedBytes(op, registerBytes), blockBytes)
	p.size = (count-1)*stride*blockBytes + blockBytes
	if stride > 1 {
		p.width, p.pitch = blockBytes, stride*blockBytes
	}
	return p
}

// unaligned returns the location of an access to unaligned memory. Such an access uses an
// alignment register, which buffers part of a 32-byte block, so it can touch bytes before
// the pointer. ok is false for all other instructions.
func (r *resolver) unaligned(op *ir.Op, p location) (location, bool) {
	switch kind := op.Def().Sem.(type) {
	case sem.AlignInit: // of a load
		p.from, p.size = p.from.plus(number(1-blockBytes), 1), 2*blockBytes-2
	case sem.AlignLoad:
		p.size = registerBytes
	case sem.AlignStore:
		if kind.Count == sem.ByCompact {
			return p, true
		}
		if a := sem.AlignAccessOf(op); a.From.Given() {
			p.from = p.from.plus(r.number(a.From.Value), elementBytes(op))
		}
		p.from, p.size = p.from.plus(number(1-blockBytes), 1), registerBytes+blockBytes-1
	case sem.AlignFlush:
		a := sem.AlignAccessOf(op)
		if !a.Offset.Given() {
			return p, true
		}
		p.from, p.size = p.from.plus(r.number(a.Offset.Value), elementBytes(op)).plus(number(1-blockBytes), 1), blockBytes-1
	default:
		return p, false
	}
	return p, true
}

// moved returns the location of the pointer v that op returns, if op is a memory access
// that advances its pointer (post-update). The location is that of the old pointer plus
// the offset. The result is nil if op does not return v in this way.
func (r *resolver) moved(op *ir.Op, v *ir.Value) []location {
	a := sem.PointerAccessOf(op)
	if a.Updated != v || !a.Pointer.Given() {
		return nil
	}
	unit, _ := r.stepOf(op)
	by := a.Offset
	if _, blocks := op.Def().Sem.(sem.VecBlocks); blocks {
		by = sem.VectorAccessOf(op).Skip
	}
	if !by.Given() {
		return nil
	}
	var ps []location
	for _, p := range pointers(r.places(a.Pointer.Value)) {
		p.from = p.from.plus(r.number(by.Value), unit)
		ps = append(ps, p)
	}
	return ps
}

// spanned narrows the location p of the operand v to the bytes that the instruction
// touches. spans lists byte ranges relative to the operands of op. If several of them
// belong to v, the result covers all of them.
func spanned(op *ir.Op, spans []sem.Span, v *ir.Value, p location) location {
	var all sem.Span
	missing := 0
	for _, o := range op.Operands() {
		if o == v {
			missing++
		}
	}
	for _, s := range spans {
		switch {
		case s.Pointer != v:
			continue
		case all.Size == 0:
			all = s
		default:
			from := min(all.From, s.From)
			all = sem.Span{From: from, Size: max(all.From+all.Size, s.From+s.Size) - from}
		}
		missing--
	}
	if all.Size == 0 || missing > 0 {
		return p
	}
	p.from = p.from.plus(number(all.From), 1)
	p.size, p.width, p.pitch = all.Size, all.Width, all.Pitch
	return p
}

// elementBytes returns the size in bytes of the element type of the instruction's pointer
// operand, or 1 if it has none.
func elementBytes(op *ir.Op) int64 {
	for _, v := range op.Operands() {
		if ir.Is[pto.PtrType](v.Type()) {
			return max(1, int64(pto.ByteSize(ir.ElementType(v.Type()))))
		}
	}
	return 1
}

// selectedBytes returns an upper bound of the number of bytes that an access of a vector
// register reads or writes. size is the bound for an access without a mask. The mask can
// lower this bound if two conditions hold. It selects the first lanes, and the
// instruction stores lanes that are adjacent or equally spaced in memory, or accesses
// blocks. In all other cases, the result is size.
func (r *resolver) selectedBytes(op *ir.Op, size int64) int64 {
	mask := sem.VectorAccessOf(op).Mask
	d := lanemap.DistOf(op)
	_, blocks := op.Def().Sem.(sem.VecBlocks)
	if !mask.Given() || !blocks && d.Pattern != lanemap.Contiguous && d.Pattern != lanemap.Spaced {
		return size
	}
	t, _ := ir.As[pto.Mask](mask.Type())
	n, ok := sem.FirstLanes(mask.Value, r.constant)
	if !ok {
		return size
	}
	bytes := n * int64(t.Bits) / 8
	if d.Pattern == lanemap.Spaced {
		bytes /= int64(d.Factor)
	}
	return max(min(bytes, size), 1)
}

// vectorBytes returns an upper bound of the bytes of memory that a vector load or store
// touches. The bound depends on the distribution mode, which maps lanes to memory.
func vectorBytes(op *ir.Op) int64 {
	d := lanemap.DistOf(op)
	switch d.Pattern {
	case lanemap.OneToAll:
		return max(1, int64(d.Bits)/8)
	case lanemap.BlockToAll:
		return blockBytes
	case lanemap.ElementToBlock:
		return registerBytes / blockBytes * int64(d.Bits) / 8
	case lanemap.Repeat, lanemap.Spaced:
		return registerBytes / int64(d.Factor)
	case lanemap.Every, lanemap.BlockEvery:
		return registerBytes * max(2, int64(d.Factor))
	}
	if d.Pair {
		return 2 * registerBytes
	}
	return registerBytes
}
