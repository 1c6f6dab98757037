package insertsync

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// registerBytes is the size of a vector register, maskBytes that of a mask.
const (
	registerBytes = 256
	maskBytes     = 32
)

// reach narrows the place behind a pointer to what an instruction touches of
// it: the offset that the instruction adds, and a bound for the bytes.
func (r *resolver) reach(op *ir.Op, v *ir.Value, target ir.Target, p place) place {
	if p.size != 0 || p.ring != nil || !p.from.ok {
		return p
	}
	if kind, ok := op.Def().Sem.(sem.Spanning); ok {
		return spanned(op, kind.Spans(op, target, r.constant), v, p)
	}
	offset := op.Arg("offset")
	if offset == nil {
		return p
	}
	unit := elementBytes(op)
	size := unit
	switch kind := op.Def().Sem.(type) {
	case sem.VecLoad, sem.VecStore:
		if op.HasAttr("stride") {
			return p // registers in pieces, far apart
		}
		size = vectorBytes(op)
	case sem.MaskLoad:
		if kind.Immediate || kind.Unit > 0 {
			return p
		}
		unit, size = 1, maskBytes
	case sem.MaskStore:
		if kind.Immediate || kind.Unit > 0 {
			return p
		}
		unit, size = 1, maskBytes
	case sem.LoadElement, sem.StoreElement:
	default:
		return p
	}
	if op.NumResults() > 0 && ir.Is[pto.PtrType](op.Result(op.NumResults()-1).Type()) {
		unit = 0 // the access is at the pointer, which moves on by the offset
	}
	p.from = p.from.plus(r.number(offset), unit)
	p.size = size
	return p
}

// spanned narrows the place behind v to the span of it. An instruction may have
// a pointer twice; then all that it touches of both counts.
func spanned(op *ir.Op, spans []sem.Span, v *ir.Value, p place) place {
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

// elementBytes is the size of what the pointer of an instruction points to.
func elementBytes(op *ir.Op) int64 {
	for _, v := range op.Operands() {
		if ir.Is[pto.PtrType](v.Type()) {
			return max(1, int64(pto.ByteSize(ir.ElementType(v.Type()))))
		}
	}
	return 1
}

// vectorBytes bounds the bytes that registers are spread over in memory.
func vectorBytes(op *ir.Op) int64 {
	d := pto.DistOf(op)
	switch d.Spread {
	case pto.OneToAll:
		return max(1, int64(d.Bits)/8)
	case pto.BlockToAll:
		return 32
	case pto.Repeat, pto.Spaced:
		return registerBytes / int64(d.Factor)
	case pto.Every, pto.BlockEvery:
		return registerBytes * max(2, int64(d.Factor))
	}
	if d.Pair {
		return 2 * registerBytes
	}
	return registerBytes
}
