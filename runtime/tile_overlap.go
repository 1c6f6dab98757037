// This file checks tile instructions whose operands share bytes.

package runtime

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// shares executes an instruction whose tile operands may share bytes. Before each
// execution it checks which operands overlap. An overlap that the instruction does not
// permit is a fault. For a permitted overlap, the result must be as if the instruction
// read everything before it wrote. If necessary, shares therefore replaces an operand by
// a copy for this execution.
type shares struct {
	op    *ir.Op
	pairs []share
	run   step
}

// share is a pair of tile operands of an instruction that may share bytes. One tile is
// written (the field written); the other one (the field other) is read or written.
type share struct {
	analysis.Sharing
	other, written area
}

// area is a region of a tile operand, for the check whether two operands share bytes.
type area struct {
	at  slot
	l   *layout
	typ ir.Type
	// lines returns the address ranges of the region at run time.
	lines func(fr *frame) analysis.Lines
}

// withOverlapCheck wraps s, the step of op, with a check at run time whether tile
// operands share bytes. If the planner can prove that they share no bytes, it returns s
// unchanged.
func (p *planner) withOverlapCheck(op *ir.Op, s step) step {
	if s == nil || p.failed {
		return s
	}
	all := &shares{op: op, run: s}
	for _, pair := range analysis.SharingsOf(op, p.target) {
		if pair.Harmless() {
			continue
		}
		sh := share{Sharing: pair}
		sh.other, sh.written = p.areasOf(op, pair)
		all.pairs = append(all.pairs, sh)
	}
	if len(all.pairs) == 0 || p.failed {
		return s
	}
	return all.exec
}

// exec executes the instruction after it has checked all pairs of operands for overlaps.
// If an overlap is legal, but the instruction would overwrite bytes of an operand before
// it reads them, exec executes it on a copy of this operand. It returns a fault for an
// overlap that is not legal.
func (all *shares) exec(fr *frame) *Fault {
	for i := range all.pairs {
		p := &all.pairs[i]
		x, y := fr.t[p.other.at], fr.t[p.written.at]
		if x.addr >= y.addr+uint64(len(y.data)) || y.addr >= x.addr+uint64(len(x.data)) {
			continue
		}
		r, w := p.other.lines(fr), p.written.lines(fr)
		if !r.Meets(w) {
			continue
		}
		if p.Both || !p.Allows(r, w, fr.core.prog.target) {
			return p.fault(all.op, r, w)
		}
		if (r != w || p.Order == sem.ReadFirst) && p.other.at != p.written.at {
			return all.fromCopies(fr, i)
		}
	}
	return all.run(fr)
}

// fromCopies executes the instruction on a copy of one operand. Each element of all.pairs
// is a pair of operands that can overlap. For the pair with index i, the instruction
// would overwrite bytes of one operand before it reads them. fromCopies replaces this
// operand by a copy in the frame, checks the pairs after index i for overlaps, executes
// the instruction, and restores the operand.
func (all *shares) fromCopies(fr *frame, i int) *Fault {
	p := &all.pairs[i]
	t := fr.t[p.other.at]
	from := *t
	from.data = bytesOf(make([]uint64, (len(t.data)+7)/8))[:len(t.data)]
	copy(from.data, t.data)
	fr.t[p.other.at] = &from
	rest := shares{op: all.op, pairs: all.pairs[i+1:], run: all.run}
	f := rest.exec(fr)
	fr.t[p.other.at] = t
	return f
}

// fault returns the fault for two operands that share bytes. The parameter r holds the
// address ranges that op reads, and the parameter w holds those that op writes.
func (p *share) fault(op *ir.Op, r, w analysis.Lines) *Fault {
	if p.Both {
		return faultAt(op, "uses \"%s\" (%s) and \"%s\" (%s) at the same time, but they share bytes",
			p.OtherName, bytesAt(r), p.WrittenName, bytesAt(w))
	}
	f := faultAt(op, "writes \"%s\" (%s) over \"%s\" (%s), which it may not have completely read yet", p.WrittenName, bytesAt(w), p.OtherName, bytesAt(r))
	switch p.Order {
	case sem.Unordered:
		return f.note(ir.Loc{}, "these two must not share bytes on %s", sem.ProfileName(ir.TargetOf(op)))
	case sem.ColumnByColumn:
		return f.note(ir.Loc{}, "the result may overlap only the first row of its source")
	}
	return f.note(ir.Loc{}, "they must be at the same address, element for element, or must not overlap")
}

// bytesAt returns the text for the byte range of the tile region l in messages, for
// example "bytes 0..31".
func bytesAt(l analysis.Lines) string {
	return span(l.Addr, int(l.End()-l.Addr))
}

// areasOf returns the regions of two tile operands of op that could share memory. The
// parameter s describes this pair. The result read is the region of one tile that op
// reads, and the result written is the region of the other tile that op writes.
func (p *planner) areasOf(op *ir.Op, s analysis.Sharing) (read, written area) {
	read, written = p.areaOf(op, s.Other), p.areaOf(op, s.Written)
	if read.l != nil && written.l != nil {
		read.lines = p.regionOf(op, s.Read, &read, &written, "src")
		written.lines = p.regionOf(op, s.Write, &written, &read, "dst")
	}
	return read, written
}

// areaOf returns a description of the tile operand v for overlap checks. The description
// does not contain the region of the tile that the instruction accesses; the caller adds
// it.
func (p *planner) areaOf(op *ir.Op, v *ir.Value) area {
	return area{at: p.slot(v), l: p.layoutOf(op, v.Type()), typ: v.Type()}
}

// regionOf returns a function that computes, at run time, the address ranges that op
// accesses in its operand a. The checks for overlap compare these ranges with those of a
// second operand, the parameter partner. The parameter region selects the formula for the
// ranges, which may use the extents of the partner. The parameter side is "src" if op
// reads a, and "dst" if op writes a. It is used only for a tile move that copies a
// rectangle of a larger tile, because the position of the rectangle applies to one of the
// two operands.
func (p *planner) regionOf(op *ir.Op, region sem.Region, a, partner *area, side string) func(fr *frame) analysis.Lines {
	at, other, size := a.at, partner.at, a.l.size
	switch region {
	case sem.OfPartner:
		return func(fr *frame) analysis.Lines { return a.part(fr.t[at], fr.t[other].rows, fr.t[other].cols) }
	case sem.BitsOfPartner:
		return func(fr *frame) analysis.Lines {
			l := a.part(fr.t[at], fr.t[other].rows, (fr.t[other].cols+8*size-1)/(8*size))
			l.Step = 0
			return l
		}
	case sem.AllStorage:
		return func(fr *frame) analysis.Lines { return a.part(fr.t[at], a.l.rows, a.l.cols) }
	case sem.FirstRow:
		return func(fr *frame) analysis.Lines { return a.part(fr.t[at], min(fr.t[at].rows, 1), fr.t[at].cols) }
	case sem.CopiedWindow:
		return p.windowOf(op, a, partner, side)
	}
	return func(fr *frame) analysis.Lines { return a.part(fr.t[at], fr.t[at].rows, fr.t[at].cols) }
}

// part returns the address ranges of the rectangle of tile t that starts at element (0,
// 0). The parameters rows and cols are the numbers of rows and columns of this rectangle.
func (a *area) part(t *tile, rows, cols int) analysis.Lines {
	return analysis.LinesOf(a.typ, int64(t.addr), int64(t.pitch), int64(rows), int64(cols))
}

// windowOf returns a function that computes, at run time, which bytes of the tile operand
// a are accessed. A tile move reads a rectangle of its source (if side is "src") or
// writes a rectangle of its destination (if side is "dst"). The result of the function
// lists the bytes of each row of this rectangle. The parameter partner is the other tile
// of the move; its size can determine the size of the rectangle.
func (p *planner) windowOf(op *ir.Op, a, partner *area, side string) func(fr *frame) analysis.Lines {
	kind, _ := op.Def().Sem.(sem.TileMove)
	at := sem.WindowOf(op)
	row, col := p.index(at.Row), p.index(at.Col)
	moved := !a.l.boxed && !a.l.half && (side == "src" && kind.Src || side == "dst" && kind.Dst)
	ofSource := (side == "src") == kind.Dst // whose extents count
	return func(fr *frame) analysis.Lines {
		t, size := *fr.t[a.at], fr.t[partner.at]
		if ofSource {
			size = fr.t[a.at]
		}
		if moved {
			t.addr += uint64(a.l.offset(&t, row(fr), col(fr)))
		}
		return a.part(&t, size.rows, size.cols)
	}
}
