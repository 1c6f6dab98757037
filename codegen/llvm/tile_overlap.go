// This file emits checks for tile operands that share bytes.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// checkSharing emits a check for op, whose destination may share bytes with a tile that it
// reads (see pto.SharingsOf). The check traps if op would overwrite elements before it
// reads them. If addresses are only known at run time, the check may also trap in
// harmless cases. After a trap, the exact test of the runtime decides whether there is a
// fault.
func (f *function) checkSharing(op *ir.Op) {
	for _, s := range analysis.SharingsOf(op, f.opts.Target) {
		if s.Harmless() {
			continue
		}
		x, known := analysis.BytesOf(s.Other)
		y, both := analysis.BytesOf(s.Written)
		r, ok1 := f.tileOf(op, s.Other)
		w, ok2 := f.tileOf(op, s.Written)
		if !ok1 || !ok2 {
			return
		}
		p := tilePair{f: f, op: op, Sharing: s, fixed: known && both && x.Root == y.Root}
		if kind, ok := op.Def().Sem.(sem.TileExpand); ok {
			p.again = kind.InTurn() && inTurn(&r)
		}
		p.read, p.written = p.lines(&r, &w, s.Read, true), p.lines(&w, &r, s.Write, false)
		if p.fixed {
			p.read.addr, p.written.addr = f.Add(p.read.addr, ll.Index(x.From)), f.Add(p.written.addr, ll.Index(y.From))
		} else {
			p.read.addr, p.written.addr = f.Add(p.read.addr, f.Emit(llir.NewPtrToInt(r.base, ll.I64))), f.Add(p.written.addr, f.Emit(llir.NewPtrToInt(w.base, ll.I64)))
		}
		f.demand(p.allowed())
	}
}

// tilePair is a pair of tiles, one read and one written, that can share bytes.
type tilePair struct {
	f  *function
	op *ir.Op
	analysis.Sharing
	// fixed means that the addresses of both tiles are known at compile time.
	fixed bool
	// again means that a row which is shorter than the written row is read repeatedly.
	again         bool
	read, written tileLines
}

// tileLines describes the rows (or columns) of a tile region by LLVM values. The type
// analysis.Lines describes the same by constants.
type tileLines struct {
	typ ir.Type
	// addr is the address of the first element, in bytes; for a known window, it is
	// relative to the start of the tile.
	addr value.Value
	// pitch is the distance between rows, rows is their number, and cols is their length.
	// All are in elements.
	pitch, rows, cols value.Value
	// step is the size of an element in bytes.
	step int64
	// byCols means that the region consists of columns instead of rows. bits means that
	// it contains one bit per element, like a mask.
	byCols, bits bool
	// whole is the size of the tile in bytes if the tile is stored in boxes or has 4-bit
	// elements, so that the order of its rows in memory is not defined. It is 0 for other
	// tiles.
	whole int64
}

// lines returns a description of the bytes of tile t that the instruction of the pair
// accesses. The parameter region selects the accessed elements, for example those of the
// valid region or of the first row. The parameter partner is the second tile of the pair;
// some regions have the size of that tile. The parameter read states whether the
// instruction reads t or writes it.
func (p *tilePair) lines(t, partner *tile, region sem.Region, read bool) tileLines {
	f := p.f
	l := tileLines{addr: ll.Index(0), pitch: t.pitch, rows: t.rows, cols: t.cols, step: int64(t.info.ElemBytes()), byCols: t.byCols()}
	if t.box.rows > 0 || t.halves {
		l.whole = t.info.Footprint()
	}
	if l.typ = p.Written.Type(); read {
		l.typ = p.Other.Type()
	}
	switch region {
	case sem.OfPartner:
		l.rows, l.cols = partner.rows, partner.cols
	case sem.BitsOfPartner:
		l.rows, l.cols, l.bits = partner.rows, f.CeilQuo(partner.cols, 8*l.step), true
	case sem.AllStorage:
		l.rows, l.cols = ll.Index(t.info.Rows), ll.Index(t.info.Cols)
	case sem.FirstRow:
		l.rows = f.AtMost(l.rows, ll.Index(1))
	case sem.CopiedWindow:
		kind, _ := p.op.Def().Sem.(sem.TileMove)
		if read != kind.Dst {
			l.rows, l.cols = partner.rows, partner.cols
		}
		if l.whole == 0 && (read && kind.Src || !read && kind.Dst) {
			from := sem.WindowOf(p.op)
			at := f.place(t, f.index(from.Row), f.index(from.Col))
			l.addr = f.Mul(at, ll.Index(l.step))
		}
	}
	return l
}

// allowed emits an i1 that is true if the overlap of the two tiles is legal. It is legal
// if the tiles share no bytes. It is also legal if the instruction reads every shared
// byte before it overwrites the byte, as the pair's rule states.
func (p *tilePair) allowed() value.Value {
	if r, w, ok := p.known(); ok {
		return ll.ConstantBool(!r.Meets(w) || !p.Both && p.Order != sem.ReadFirst && p.Allows(r, w, p.f.opts.Target) && forward(r, w) && (!p.again || r.Len >= w.Len))
	}
	f := p.f
	r, w := p.bytes(&p.read), p.bytes(&p.written)
	fine := f.Or(f.ICmp(enum.IPredULE, r.end, p.written.addr), f.ICmp(enum.IPredULE, w.end, p.read.addr))
	fine = f.Or(fine, f.Or(f.ICmp(enum.IPredEQ, r.length, ll.Index(0)), f.ICmp(enum.IPredEQ, w.length, ll.Index(0))))
	fine = f.Or(fine, p.beside(r, w))
	if p.Both || p.Order == sem.Unordered || p.Order == sem.ReadFirst { // compiled code has no copy of the sources
		return fine
	}
	ordered := p.inOrder(r, w)
	if p.again {
		ordered = f.And(ordered, f.ICmp(enum.IPredUGE, r.length, w.length))
	}
	return f.Or(fine, ordered)
}

// forward reports whether a single loop in increasing order may process the read rows r
// and the written rows w, which overlap. If r and w are single rows, the loop must read
// every element before it overwrites it. Therefore, w must not start after r, and the
// elements of w must not be larger than those of r. If there are several rows, forward
// always returns true, because the callers also check the overlap rule of the instruction
// (Allows). The hardware has fewer restrictions: it reads a complete short row into a
// register before it writes.
func forward(r, w analysis.Lines) bool {
	return r.Count > 1 || w.Count > 1 || w.Addr <= r.Addr && w.Step <= r.Step
}

// known returns the read and the written region as constants. The result ok is false
// unless all values of the two regions are constants.
func (p *tilePair) known() (r, w analysis.Lines, ok bool) {
	r, ok = p.read.known()
	w, both := p.written.known()
	return r, w, ok && both && p.fixed
}

// known returns the bytes of the tile region l as a set of rows with constant address and
// extents. The second result is false if one of the values of the region is not an LLVM
// constant.
func (l *tileLines) known() (analysis.Lines, bool) {
	var n [4]int64
	for i, v := range []value.Value{l.addr, l.pitch, l.rows, l.cols} {
		k, ok := ll.ConstantInt(v)
		if !ok {
			return analysis.Lines{}, false
		}
		n[i] = k
	}
	lines := analysis.LinesOf(l.typ, n[0], n[1], n[2], n[3])
	if l.bits {
		lines.Step = 0
	}
	return lines, true
}

// tileBytes holds the length of a row, the distance between rows, and the end address of
// the last row, all in bytes.
type tileBytes struct{ length, pitch, end value.Value }

// bytes emits three numbers that describe the region l of a tile, all in bytes: the
// length of a row, the distance between rows, and the address after the last byte.
func (p *tilePair) bytes(l *tileLines) tileBytes {
	f := p.f
	if l.whole > 0 {
		n := ll.Index(l.whole)
		return tileBytes{n, n, f.Add(l.addr, n)}
	}
	count, length := l.rows, l.cols
	if l.byCols {
		count, length = length, count
	}
	b := tileBytes{length: f.Mul(length, ll.Index(l.step)), pitch: f.Mul(l.pitch, ll.Index(l.step))}
	b.end = f.Add(l.addr, f.Add(f.Mul(f.Sub(count, ll.Index(1)), b.pitch), b.length))
	return b
}

// beside emits a test for two regions of tiles in memory, the read region r and the
// written region w. The test is true if both regions have the same distance between their
// rows and use different columns of these rows. Such regions share no byte, even if their
// address ranges overlap. In all other cases the test is false.
func (p *tilePair) beside(r, w tileBytes) value.Value {
	f := p.f
	some := f.And(f.ICmp(enum.IPredEQ, r.pitch, w.pitch), f.ICmp(enum.IPredNE, r.pitch, ll.Index(0)))
	pitch := f.Select(some, r.pitch, ll.Index(1))
	at := f.URem(f.Sub(f.Select(f.ICmp(enum.IPredUGE, p.written.addr, p.read.addr), p.written.addr, f.Add(p.written.addr, f.Mul(pitch, ll.Index(1<<20)))), p.read.addr), pitch)
	return f.And(some, f.And(f.ICmp(enum.IPredUGE, at, r.length), f.ICmp(enum.IPredULE, f.Add(at, w.length), r.pitch)))
}

// inOrder emits a test, an i1, of two regions with common bytes. The test is true if
// every element of the region r is read before a write to the region w overwrites its
// bytes. It recognizes only the usual cases, such as equal start addresses, and is false
// in all other cases.
func (p *tilePair) inOrder(r, w tileBytes) value.Value {
	f := p.f
	same := f.ICmp(enum.IPredEQ, p.read.addr, p.written.addr)
	if p.read.whole+p.written.whole > 0 {
		if p.read.typ == p.written.typ {
			return same
		}
		return ll.ConstantBool(false)
	}
	if p.Order == sem.RowByRow || p.Order == sem.ColumnByColumn {
		return same
	}
	if p.read.byCols != p.written.byCols {
		return ll.ConstantBool(false)
	}
	if p.Order == sem.SamePlace {
		return f.And(same, f.ICmp(enum.IPredEQ, r.pitch, w.pitch))
	}
	if !p.written.bits && (p.read.bits || p.read.step < p.written.step) {
		return ll.ConstantBool(false)
	}
	return f.And(same, f.ICmp(enum.IPredUGE, r.pitch, w.pitch))
}
