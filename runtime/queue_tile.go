// This file pushes and pops tiles. A push copies the tile once a slot is free: into the
// slot in global memory, or directly into the memory of the consumer core. In the
// second case a pop has nothing left to copy, and only sets the address.
//
// The two vector cores of a block may share an entry. Each of them then pushes or pops
// its part: the upper or lower rows, or the left or right columns.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
)

// queuePush compiles a push into a step, a function that adds an entry to a queue: a copy
// of a tile, or a slot that queueAlloc has reserved and the program has filled.
func (p *planner) queuePush(u *queueUse) step {
	op := u.op
	if p.classOf(u.Entry.Type()) != tileClass {
		return u.pushView
	}
	src := p.tileOperand(op, sem.PlacingOf(op).Source)
	if src.l == nil {
		return nil
	}
	if p.listening() {
		u.uses = p.tileUses(op)
	}
	t := &tilePush{queueUse: u, src: src, gm: newPlace(op, "tile", writes), moved: p.moved(op)}
	return t.exec
}

// pushView makes a filled slot visible to the consumer. The producer has already stored
// the data through the view that queueAlloc returned, so pushView copies nothing. A push
// without a preceding allocation is a fault, because the consumer would read old data.
func (u *queueUse) pushView(fr *frame) *Fault {
	r, end, f := u.end(fr)
	if f != nil {
		return f
	}
	if !u.every(fr.core, r, end.info, func(l *lane) bool { return l.pushed < l.reserved }) {
		return faultAt(u.op, "pushes a slot, but %s has already pushed all slots that it allocated", fr.core).
			note(end.info.Init.Loc(), "the queue is set up here")
	}
	u.each(fr.core, r, end.info, func(l *lane) { l.pushed++ })
	u.tell(fr, QueuePush, end, func(l *lane) int { return l.pushed })
	return nil
}

// tilePush executes the push of a tile into a queue: it copies the tile into a slot.
type tilePush struct {
	*queueUse
	src tileOperand
	// gm accesses the slots, if they are in global memory.
	gm pointee
	// moved moves the expression tokens of the tile, in symbolic execution.
	moved *movedOperands
}

// exec copies the tile into a slot of the queue and then counts the entry as pushed. The
// order matters: another core that waits for the entry can continue as soon as it is
// counted.
func (x *tilePush) exec(fr *frame) *Fault {
	r, end, f := x.end(fr)
	if f != nil {
		return f
	}
	c := fr.core
	if f := x.reserve(fr, r, end); f != nil {
		return f
	}
	entry := end.at
	end.at++
	to, f := x.conversion(fr, end)
	switch {
	case f != nil:
		return f
	case end.info.inGlobal:
		f = x.moved.copies(fr, func() *Fault { return x.toGM(fr, end, entry, to) })
	default:
		f = x.moved.copies(fr, func() *Fault { return x.toLocal(fr, end, entry, to) })
	}
	if f == nil {
		x.copied(fr)
		x.each(c, r, end.info, func(l *lane) { l.pushed++ })
		x.tell(fr, QueuePush, end, func(l *lane) int { return l.pushed })
	}
	return f
}

// partOf returns the row and column in a queue entry at which the share of vector core
// sub begins. split states whether the vector cores of a block share an entry by rows or
// by columns; each share has rows x cols elements. An entry that is not split begins at
// row 0 and column 0 for both cores.
func partOf(split isasync.EntrySplit, sub, rows, cols int) (row, col int) {
	switch split {
	case isasync.EntryRows, isasync.EntryRowsOdd:
		return sub * rows, 0
	case isasync.EntryCols, isasync.EntryColsOdd:
		return 0, sub * cols
	}
	return 0, 0
}

// toGM writes the rows of the tile to a slot of the queue in global memory, without gaps
// between rows, because the tile of the consumer can have different gaps. If two vector
// cores share the entry, each core writes only its share. If the columns are shared, a
// row of the entry contains the columns of both cores. entry is the number of the entry,
// and elems describes how its elements are stored.
func (x *tilePush) toGM(fr *frame, end *ringEnd, entry int, elems entryElems) *Fault {
	t := fr.t[x.src.at]
	size := pto.ByteSize(elems.t)
	row, col, pitch := 0, 0, t.cols
	if fr.core.unit == vectorUnit {
		row, col = partOf(x.split, x.sub(fr), t.rows, t.cols)
		if x.split == isasync.EntryCols {
			pitch *= vectorCores
		}
	}
	if n := t.rows * t.cols * size; n > end.info.slotSize {
		return x.tooLarge(end, n)
	}
	down, across := pitch, 1 // elements from row to row, and from column to column
	byCols := end.info.converted.byCols()
	if byCols {
		down, across = 1, t.rows
	}
	slot := end.globalSlot(entry)
	return eachRun(byCols, t.rows, t.cols, func(r, c int) int { return x.src.l.runAt(t, byCols, r, c) }, func(r, c, n int) *Fault {
		gm, f := x.gm.bytes(fr.core, slot+uint64(((row+r)*down+(col+c)*across)*size), n*size)
		if f == nil {
			elems.store(gm, x.src.l, t, byCols, r, c, n)
		}
		return f
	})
}

// eachRun calls f for parts of the rows of a rectangle, or of its columns if byCols is set: with
// the row and the column of the first element, and with the number of elements. The function
// length returns the largest number for a part that begins at a row and a column.
func eachRun(byCols bool, rows, cols int, length func(r, c int) int, f func(r, c, n int) *Fault) *Fault {
	lines, n := rows, cols
	if byCols {
		lines, n = n, lines
	}
	for line := range lines {
		for i := 0; i < n; {
			r, c := line, i
			if byCols {
				r, c = c, r
			}
			k := min(n-i, length(r, c))
			if f := f(r, c, k); f != nil {
				return f
			}
			i += k
		}
	}
	return nil
}

// tooLarge returns the fault for a tile whose n bytes do not fit into a slot of the
// queue.
func (x *tilePush) tooLarge(end *ringEnd, n int) *Fault {
	return faultAt(x.op, "writes %d bytes to a queue slot of %d bytes", n, end.info.slotSize).
		note(end.info.Init.Loc(), "the queue is set up here")
}

// toLocal writes the tile into local memory of the consumer, to the queue slot of the
// entry with the given number. elems describes the stored elements. If the cube core
// pushes the tile, toLocal writes one share to the unified buffer of each vector core. If
// a vector core pushes it, toLocal writes the tile to the share of this vector core in
// L1.
func (x *tilePush) toLocal(fr *frame, end *ringEnd, entry int, elems entryElems) *Fault {
	c, t := fr.core, fr.t[x.src.at]
	if c.unit == vectorUnit {
		cube := c.cluster.find(cubeUnit, 0)
		if cube == nil {
			return x.nobody(c, "cube core")
		}
		row, col := partOf(x.split, x.sub(fr), t.rows, t.cols)
		return x.copyPart(c, cube, sem.L1, end, entry, elems, copyRange{t: t, toRow: row, toCol: col, rows: t.rows, cols: t.cols})
	}
	from, to := x.lanes(c, end.info)
	for sub := from; sub < to; sub++ {
		v := c.cluster.find(vectorUnit, sub)
		if v == nil {
			return x.nobody(c, "vector core")
		}
		rows, cols := t.rows, t.cols
		switch x.split {
		case isasync.EntryRows:
			rows /= vectorCores
		case isasync.EntryCols:
			cols /= vectorCores
		}
		row, col := partOf(x.split, sub, rows, cols)
		if f := x.copyPart(c, v, sem.UB, end, entry, elems, copyRange{t: t, row: row, col: col, rows: rows, cols: cols}); f != nil {
			return f
		}
	}
	return nil
}

// nobody returns the fault of a push whose consumer is not part of the launch. The
// parameter who is the name of the missing core. Without this check, the launch would end
// in a deadlock whose report does not name the cause.
func (x *tilePush) nobody(c *core, who string) *Fault {
	return faultAt(x.op, "pushes a tile into a queue, but no %s runs together with %s: launch both kernels with --kernel A,B", who, c)
}

// copyRange is the rectangle of a tile, pushed into a queue, that one consumer core
// receives.
type copyRange struct {
	t *tile
	// row and col are the position of the rectangle in t.
	row, col int
	// toRow and toCol are the position of the rectangle in the tile of the receiver.
	toRow, toCol int
	rows, cols   int
}

// copyPart writes a rectangle of the pushed tile to the memory of the core in the
// parameter owner, in the layout of the receiver's tile: inner blocks (boxes) in L1, rows
// in the unified buffer. The executing core c does not own this memory. The events name
// the owner as the accessed core. They list only the bytes of the rectangle, because the
// two vector cores write their shares at the same time.
func (x *tilePush) copyPart(c, owner *core, space sem.Space, end *ringEnd, entry int, elems entryElems, r copyRange) *Fault {
	info := x.split.Received(x.src.l.info, space, elems.t, end.info.converted.order())
	l, ok := newLayout(info)
	if !ok {
		return faultAt(x.op, "%s", analysis.NoWholeBoxes(info))
	}
	rows, cols := l.stored()
	size := rows * cols * l.size
	if size > end.info.slotSize {
		return x.tooLarge(end, size)
	}
	mem, slot := pointee{op: x.op, name: "tile", how: writes, space: space}, end.localSlot(entry)
	data, f := mem.memory(owner, slot, size)
	if f != nil {
		return f
	}
	to := tile{data: data, pitch: l.pitch()}
	byCols := l.byCols && !l.boxed
	length := func(i, j int) int {
		return min(x.src.l.runAt(r.t, byCols, r.row+i, r.col+j), l.runAt(&to, byCols, r.toRow+i, r.toCol+j))
	}
	return eachRun(byCols, r.rows, r.cols, length, func(i, j, n int) *Fault {
		at := l.offset(&to, r.toRow+i, r.toCol+j)
		if c.rec != nil {
			c.rec.touch(&mem, owner.rec.owner(space), slot+uint64(at), n*l.size)
		}
		elems.store(data[at:][:n*l.size], x.src.l, r.t, byCols, r.row+i, r.col+j, n)
		return nil
	})
}

// queuePop compiles a pop into a step, a function that waits for an entry of a queue and
// returns it as a tile or as a view.
func (p *planner) queuePop(u *queueUse) step {
	op, v := u.op, u.Entry
	if p.classOf(v.Type()) != tileClass {
		entry := p.queueView(u)
		return func(fr *frame) *Fault {
			n, end, f := u.take(fr)
			if f != nil {
				return f
			}
			return entry.fill(fr, u, end, n)
		}
	}
	l := p.layoutOf(op, v.Type())
	if l == nil {
		return nil
	}
	x := &tilePop{queueUse: u, l: l, d: p.slot(v), gm: newPlace(op, "tile", reads), given: op.NumResults() == 0, moved: p.moved(op)}
	x.uses = []tileUse{{operand: -1, at: x.d, l: l, kind: WriteAccess, region: ownRegion}}
	if !x.given {
		x.uses[0].operand = op.NumOperands() // the result
	}
	x.number = p.newTile()
	x.at = pointee{op: op, name: "tile", how: occupies, space: l.info.Space}
	rows, cols := l.valid()
	valid := sem.PlacingOf(op)
	x.rows, x.cols = p.extent(op, valid.Rows, int64(rows), l.rows), p.extent(op, valid.Cols, int64(cols), l.cols)
	return x.exec
}

// take waits for the next entry of the queue. It returns the number of the entry and the
// state of the ring on this core. If the entry is missing and no other core can run, the
// entry can never arrive; in this case, take returns a fault.
func (u *queueUse) take(fr *frame) (int, *ringEnd, *Fault) {
	r, end, f := u.end(fr)
	if f != nil {
		return 0, nil, f
	}
	c := fr.core
	filled := func() bool {
		return u.every(c, r, end.info, func(l *lane) bool { return l.popped < l.pushed })
	}
	if f := c.await(filled, func() *Fault {
		f := faultAt(u.op, "waits for an entry that is never pushed: %s would wait forever", c)
		if u.split == isasync.WholeEntry && end.info.oneCore && c.sub > 0 {
			f.note(u.op.Loc(), "on a5 an entry with split = 0 goes to vector core 0 alone: use split = 1 or 2 in push, pop and free, or let only vector core 0 execute them")
		}
		return f.note(end.info.Init.Loc(), "the queue is set up here")
	}); f != nil {
		return 0, nil, f
	}
	u.each(c, r, end.info, func(l *lane) { l.popped++ })
	u.tell(fr, QueuePop, end, func(l *lane) int { return l.popped })
	n := end.at
	end.at++
	return n, end, nil
}

// tilePop executes the pop of a tile from a queue.
type tilePop struct {
	*queueUse
	l *layout
	// d is the slot (frame index) of the popped tile.
	d slot
	// number is the index of the tile's storage in the frame.
	number int
	moved  *movedOperands
	// given means that the tile already has a valid region.
	given bool
	// rows and cols return the extents of the tile's valid region. They are used unless
	// given is set.
	rows, cols func(fr *frame) (int, *Fault)
	// gm accesses the slots in global memory, and at the local memory of the tile.
	gm, at pointee
}

// exec binds the tile to the local memory of the next queue entry. If the slots of the
// queue are in global memory, it first copies the entry to a slot in local memory.
// Consecutive entries use these local slots in rotation; there can be fewer of them than
// slots in global memory.
func (x *tilePop) exec(fr *frame) *Fault {
	n, end, f := x.take(fr)
	if f != nil {
		return f
	}
	t := &fr.tiles[x.number]
	t.addr, t.pitch = end.localSlot(n), x.l.pitch()
	if t.data, f = x.at.bytes(fr.core, t.addr, x.l.bytes()); f != nil {
		return f
	}
	if old := fr.t[x.d]; x.given && old != nil {
		t.rows, t.cols = old.rows, old.cols
	} else {
		if t.rows, f = x.rows(fr); f != nil {
			return f
		}
		if t.cols, f = x.cols(fr); f != nil {
			return f
		}
	}
	fr.t[x.d] = t
	if end.info.inGlobal {
		if f := x.moved.copies(fr, func() *Fault { return x.fromGM(fr, end, fr.t[x.d], n) }); f != nil {
			return f
		}
		x.copied(fr)
	}
	return nil
}

// fromGM copies the rows of an entry from global memory to the tile t. entry is the
// number of the entry. If two vector cores share the entry, each core copies only its
// share, which has the size of t. If the number of shared rows or columns is odd, the
// share of the first core has one row or column more than that of the second core. The
// second core therefore adds 1 to the extent of its own share to compute where the share
// starts. If the cores share columns, a complete row of the entry is as long as the rows
// of both shares together.
func (x *tilePop) fromGM(fr *frame, end *ringEnd, t *tile, entry int) *Fault {
	row, col, pitch := 0, 0, t.cols
	if fr.core.unit == vectorUnit {
		sub := x.sub(fr)
		row, col = partOf(x.split, sub, t.rows, t.cols)
		switch x.split {
		case isasync.EntryCols:
			pitch = vectorCores * t.cols
		case isasync.EntryRowsOdd: // the first core has one row more
			row = sub * (t.rows + 1)
		case isasync.EntryColsOdd:
			col, pitch = sub*(t.cols+1), vectorCores*t.cols+2*sub-1
		}
	}
	down, across := pitch, 1
	byCols := end.info.converted.byCols()
	if byCols {
		down, across = 1, t.rows
	}
	size, slot := x.l.size, end.globalSlot(entry)
	return eachRun(byCols, t.rows, t.cols, func(r, c int) int { return x.l.runAt(t, byCols, r, c) }, func(r, c, n int) *Fault {
		gm, f := x.gm.bytes(fr.core, slot+uint64(((row+r)*down+(col+c)*across)*size), n*size)
		if f == nil {
			copy(t.data[x.l.offset(t, r, c):], gm)
		}
		return f
	})
}
