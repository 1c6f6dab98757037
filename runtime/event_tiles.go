// This file converts regions of tiles into byte ranges, for each storage layout.

package runtime

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// tileUse is a tile operand whose memory an instruction reads or writes. Its field region
// is the function that determines which bytes of the tile are accessed.
type tileUse struct {
	// operand is the number of the operand, and at is its slot.
	operand int
	at      slot
	l       *layout
	kind    AccessKind
	region  regionRule
	// part is the half or rectangle that one vector core receives in a move between
	// cores. It is nil for other instructions.
	part *isatile.MovePart
}

// extent is a rectangle of a tile: its first row and column, and the numbers of rows and
// columns.
type extent struct{ row, col, rows, cols int }

// tileUses returns one entry for each tile operand whose memory op reads or writes; an
// operand that is both read and written has two entries.
func (p *planner) tileUses(op *ir.Op) (uses []tileUse) {
	areas, described := p.describedRegions(op)
	for k, a := range op.OperandArgs() {
		v := op.Operand(k)
		if p.classOf(v.Type()) != tileClass || p.nowhere(v) {
			continue
		}
		l := p.layoutOf(op, v.Type())
		if l == nil {
			continue
		}
		if all := p.written[op]; all != nil && a.Role != ir.In {
			for _, u := range all {
				u.operand = k
				uses = append(uses, u)
			}
			continue
		}
		for _, kind := range tileAccess(op, a, v) {
			u := tileUse{operand: k, at: p.slot(v), l: l, kind: kind}
			if described {
				u.region = areaRule(areas, v, kind&WriteAccess != 0)
			} else {
				u.region = p.tileRegion(op, a.Name, kind)
			}
			uses = append(uses, u)
		}
	}
	return uses
}

// nowhere reports whether v is a scratch tile without memory. The program assigns no
// address to such a tile. The runtime assigns none either, because it computes the
// instruction without storing intermediate values.
func (p *planner) nowhere(v *ir.Value) bool {
	op := v.Op()
	return op != nil && op.Def() == isatile.AllocTile && !sem.PlacingOf(op).Address.Given() && onlyScratch(v)
}

// tileAccess states how op accesses the tile v: whether it reads the tile, writes it, or
// uses it as a scratch tile. The result has two entries if the instruction both reads and
// writes the tile.
func tileAccess(op *ir.Op, declaration ir.Arg, v *ir.Value) []AccessKind {
	if _, isTSync := op.Def().Sem.(sem.Barrier); isTSync {
		return []AccessKind{ReadAccess}
	}
	kind := pto.EffectOn(op, declaration, v)
	if m, ok := op.Def().Sem.(sem.KeepsRest); ok && declaration.Role == ir.InOut && m.KeepsRest() {
		kind &^= pto.Reads
	}
	switch {
	case declaration.Role == ir.Scratch && kind != 0:
		return []AccessKind{WriteAccess | ScratchAccess}
	case kind == pto.Reads|pto.Writes:
		return []AccessKind{ReadAccess, WriteAccess}
	case kind == pto.Writes:
		return []AccessKind{WriteAccess}
	case kind == pto.Reads:
		return []AccessKind{ReadAccess}
	}
	return nil
}

// recordUses adds the bytes that the current operation accesses in its tile operands to
// the current event.
func (r *recorder) recordUses(fr *frame) {
	for i := range r.op.uses {
		r.op.uses[i].record(fr, r)
	}
}

// record adds the bytes that this tile operand accesses to the current event of the
// recorder r.
func (u *tileUse) record(fr *frame, r *recorder) {
	t := fr.t[u.at]
	if t == nil || t.declared != nil {
		return
	}
	to := Access{Kind: u.kind, Space: u.l.memory(), Core: r.owner(u.l.memory()), Buffer: -1, Operand: u.operand}
	if u.part != nil {
		to.Core = r.vector(u.part.Sub)
	}
	list := &r.next(nil, to).list
	if u.kind&ScratchAccess != 0 {
		list.add(int64(t.addr), int64(len(t.data)))
		return
	}
	u.region(fr, u, t, list)
}

// record adds the byte ranges of a rectangle of tile t to the list of accessed bytes. The
// parameter e describes the rectangle by its first row and column and its extents.
func (l *layout) record(list *runList, t *tile, e extent) {
	if e.rows <= 0 || e.cols <= 0 {
		return
	}
	lines, n := e.rows, e.cols
	if l.byCols {
		lines, n = n, lines
	}
	if !l.boxed && !l.half {
		list.addRun(Run{
			Start:  int64(t.addr) + int64(l.offset(t, e.row, e.col)),
			Length: int64(n * l.size), Stride: int64(t.pitch * l.size), Count: int64(lines),
		})
		return
	}
	l.recordBoxes(list, t, e)
}

// recordWhole adds the byte ranges of the rectangle e of tile t to list. The rectangle
// must consist of complete boxes (blocks of the inner layout). Boxes of the same column
// (or row) of boxes are adjacent in memory, so one range covers them.
func (l *layout) recordWhole(list *runList, t *tile, e extent) {
	lines, inLine, apart := e.cols/l.boxCols, e.rows, l.boxCols
	if !l.byCols {
		lines, inLine, apart = e.rows/l.boxRows, e.cols, l.boxRows
	}
	list.addRun(Run{
		Start:  int64(t.addr) + int64(l.offset(t, e.row, e.col)),
		Length: int64(inLine * apart * l.size), Stride: int64(t.pitch * apart * l.size), Count: int64(lines),
	})
}

// wholeBoxes reports whether the layout stores elements in boxes (inner blocks) and the
// rectangle e consists of complete boxes.
func (l *layout) wholeBoxes(e extent) bool {
	return l.boxed && !l.half && e.row%l.boxRows == 0 && e.rows%l.boxRows == 0 && e.col%l.boxCols == 0 && e.cols%l.boxCols == 0
}

// recordBoxes adds the byte ranges of the rectangle e of tile t to list, for tiles with
// boxes (an inner layout of blocks).
func (l *layout) recordBoxes(list *runList, t *tile, e extent) {
	if l.wholeBoxes(e) {
		l.recordWhole(list, t, e)
		return
	}
	byCols := l.byCols
	if l.boxed {
		byCols = l.boxByCols
	}
	step := max(l.boxCols, 1)
	outer, inner := e.rows, e.cols
	if byCols {
		step = max(l.boxRows, 1)
		outer, inner = inner, outer
	}
	if !l.boxed {
		step = inner
	}
	for i := range outer {
		for j := 0; j < inner; {
			r, c := e.row+i, e.col+j
			if byCols {
				r, c = e.row+j, e.col+i
			}
			at := c
			if byCols {
				at = r
			}
			n := min(inner-j, step-at%step)
			if !l.boxed {
				n = inner
			}
			l.recordLine(list, t, r, c, n)
			j += n
		}
	}
}

// recordLine adds the byte range of n adjacent elements to the list of accessed bytes.
// The first element is in row r and column c of tile t. Two elements of 4 bits share a
// byte; the range then includes every byte that contains at least one of the elements.
func (l *layout) recordLine(list *runList, t *tile, r, c, n int) {
	at := int64(t.addr)
	if l.half {
		k := l.number(t, r, c)
		list.add(at+int64(k/2), int64((k+n+1)/2-k/2))
		return
	}
	list.add(at+int64(l.offset(t, r, c)), int64(n*l.size))
}

// uses describes which bytes of the unified buffers a move from the accumulator writes:
// one access for each vector core that receives a rectangle of the accumulator.
func (m *tileMove) uses(p *planner) (all []tileUse) {
	parts := m.parts
	if parts == nil {
		parts = []isatile.MovePart{{Rows: 1, Cols: 1}}
	}
	for _, part := range parts {
		u := tileUse{at: m.dst.at, l: m.dst.l, kind: WriteAccess, region: func(fr *frame, u *tileUse, t *tile, list *runList) {
			rows, cols := m.copied(fr.t[m.src.at])
			u.window(list, t, min(t.rows, rows/part.Rows), min(t.cols, cols/part.Cols))
		}}
		if m.kind.Dst {
			u.region = (&regions{p, m.op}).placed(m.kind)
		}
		if m.parts != nil {
			u.part = &part
		}
		all = append(all, u)
	}
	return all
}
