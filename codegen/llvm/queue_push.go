// This file emits pushing tiles into a queue.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// push emits an instruction that appends a tile, or a slot that was reserved and filled
// before, to a queue.
func (u *queueUse) push() {
	f, op := u.f, u.op
	if !pto.IsTile(u.Entry.Type()) {
		f.TrapIf(f.Not(u.every(lanePushed, laneReserved, 0)))
		u.counted(lanePushed)
		return
	}
	src, ok := f.tileOperand(op, sem.PlacingOf(op).Source)
	if !ok {
		return
	}
	u.reserve()
	entry := u.next()
	x := &tilePush{queueUse: u, src: src}
	if !x.convert() {
		return
	}
	if u.hasMemory() {
		x.toMemory(u.inGlobal(entry))
	} else {
		x.toLocal(u.local(entry))
	}
	u.counted(lanePushed)
}

// tilePush emits the copy of a tile into a queue slot.
type tilePush struct {
	*queueUse
	src tile
	// elem is the element type of the slot, and out the conversion of elements.
	elem ir.Type
	e    element
	out  fixpipe
}

// epilogue returns the conversion that the queue applies to tiles from the accumulator.
// It returns the zero value if the queue does not convert them.
func (e *queueEnd) epilogue() pto.AccPushEpilogue {
	a, _ := e.AccEpilogue()
	return a
}

// byCols reports whether queue entries are stored in column-major order.
func (e *queueEnd) byCols() bool { return e.epilogue().Layout == "nz2dn" }

// convert determines the type of the elements in a queue slot, and how the elements of
// the pushed tile are converted to it. It returns false after an error.
func (x *tilePush) convert() bool {
	a, ok := x.AccEpilogue()
	if !ok || x.src.info.Space != sem.L0C {
		x.elem, x.e, x.out = x.src.info.Elem, x.src.e, func(y, _ value.Value) value.Value { return y }
		return true
	}
	entry := x.f.queuesOf(x.op).Entry(x.Queue)
	if entry.IsZero() {
		x.f.errorf(x.op, analysis.NoEntryType)
		return false
	}
	x.elem = ir.ElementType(entry)
	if x.e, ok = elementOfType(x.elem); !ok {
		x.f.unsupported(x.op)
		return false
	}
	o := a.Fixpipe()
	k := x.f.knownConversion(o, x.src.e.f, x.e.f)
	x.out = k.element
	if !o.Quant.Vector {
		k.factor = x.f.AsFloat(x.f.Trunc(x.f.state(x.key("scale")), ll.I32))
		return true
	}
	factors, ok := x.factorTile()
	if !ok {
		return false
	}
	x.f.TrapIf(x.f.ICmp(enum.IPredUGT, x.src.cols, ll.Index(factors.info.Cols)))
	k.columns = x.f.factorsIn(&factors)
	return true
}

// factorTile returns the tile of quantization factors, one per column, that the program
// has set for the queue. ok is false after an error.
func (x *tilePush) factorTile() (tile, bool) {
	var set *ir.Op
	for _, op := range x.scales() {
		if set != nil && sem.QueueScaleOf(op).Columns.Type() != sem.QueueScaleOf(set).Columns.Type() {
			x.f.errorf(x.op, "uses a queue whose quantization factors are tiles of different types, which the LLVM IR emitter does not support yet")
			return tile{}, false
		}
		set = op
	}
	if set == nil {
		x.f.errorf(x.op, "requires quantization factors, but the program sets none for the queue")
		return tile{}, false
	}
	info, _ := pto.TileOf(sem.QueueScaleOf(set).Columns.Type())
	e, known := tileElement(info)
	b, fits := boxOf(info)
	if !known || !fits {
		x.f.unsupported(x.op)
		return tile{}, false
	}
	base := x.f.state(x.key("scale"))
	x.f.TrapIf(x.f.ICmp(enum.IPredEQ, base, ll.Index(0)))
	return tile{e: e, info: info, box: b, base: x.f.pointer(sem.GM, base), pitch: x.f.state(x.key("pitch"))}, true
}

// scales returns the operations of the program that set the quantization factors of the
// queue.
func (x *tilePush) scales() []*ir.Op {
	q, _ := x.f.queuesOf(x.op).NameOf(x.op)
	return x.f.coreQueues().scales[q]
}

// queueScale emits an instruction that sets a queue's quantization factors: one factor
// for all columns, or the address of a tile with one factor per column.
func (f *function) queueScale(op *ir.Op, kind sem.ConfigSet) {
	q, ok := f.queuesOf(op).NameOf(op)
	e := &queueEnd{f: f, ring: ringName(q, sem.ToVector)}
	scales := sem.QueueScaleOf(op)
	switch {
	case ok && kind.What == "quant_scalar":
		f.setState(e.key("scale"), f.ZExt(f.Resize(f.Bits(f.val(scales.Factor.Value)), ll.I32, false), ll.I64))
	case ok && kind.What == "quant_vector":
		p := f.parts(scales.Columns.Value)
		f.setState(e.key("scale"), f.addressOf(sem.GM, p[0]))
		f.setState(e.key("pitch"), p[1])
	default:
		f.unsupported(op)
	}
}

// partOf emits the position of a vector core's share in a queue entry: the row and the
// column at which the share starts. The parameter sub is the index of the vector core.
// The share has rows x cols elements.
func (u *queueUse) partOf(sub, rows, cols value.Value) (row, col value.Value) {
	switch u.split {
	case isasync.EntryRows, isasync.EntryRowsOdd:
		return u.f.Mul(sub, rows), ll.Index(0)
	case isasync.EntryCols, isasync.EntryColsOdd:
		return ll.Index(0), u.f.Mul(sub, cols)
	}
	return ll.Index(0), ll.Index(0)
}

// toMemory emits stores of the rows of the tile to global memory. The parameter at is the
// address of the queue entry. If two vector cores share the entry, each of them writes
// its own share.
func (x *tilePush) toMemory(at value.Value) {
	t, size := &x.src, ll.Index(int64(x.e.size))
	row, col, pitch := value.Value(ll.Index(0)), value.Value(ll.Index(0)), t.cols
	if x.f.unit == vectorUnit {
		row, col = x.partOf(x.part(), t.rows, t.cols)
		if x.split == isasync.EntryCols {
			pitch = x.f.Mul(pitch, ll.Index(vectorCores))
		}
	}
	x.f.TrapIf(x.f.ICmp(enum.IPredUGT, x.f.Mul(x.f.Mul(t.rows, t.cols), size), ll.Index(int64(x.SlotSize))))
	x.inMemory(t, x.e, at, row, col, pitch, func(i, j, p value.Value) { x.f.storeElement(x.e, x.out(x.f.get(t, i, j), j), p) })
}

// toLocal emits the store of the tile into the local memory of the consumer core. The
// parameter at is the address of the queue slot in this memory. The cube core stores one
// share into the unified buffer of each vector core; a vector core stores its share into
// L1.
func (x *tilePush) toLocal(at value.Value) {
	none := x.f.team == nil || x.f.unit == anyUnit
	t := x.src
	switch {
	case none || x.f.unit == vectorUnit && x.f.team.count(cubeUnit) == 0 || x.f.unit == cubeUnit && x.f.team.count(vectorUnit) == 0:
		x.f.TrapIf(ll.ConstantBool(true)) // the launch has no core that could pop the entry
	case x.f.unit == vectorUnit:
		row, col := x.partOf(x.part(), t.rows, t.cols)
		x.copyPart(&t, sem.L1, x.f.module.space(sem.L1), at, ll.Index(0), ll.Index(0), row, col)
	default:
		for k, sub := range x.lanes() {
			part := t
			switch x.split {
			case isasync.EntryRows:
				part.rows = x.f.Quo(t.rows, vectorCores)
			case isasync.EntryCols:
				part.cols = x.f.Quo(t.cols, vectorCores)
			}
			row, col := x.partOf(sub, part.rows, part.cols)
			ub := x.f.module.space(sem.UB)
			if k == 1 {
				ub = x.f.secondBuffer()
			}
			x.copyPart(&part, sem.UB, ub, at, row, col, ll.Index(0), ll.Index(0))
		}
	}
}

// copyPart emits the copy of a rectangle of the pushed tile to a tile in the memory of
// another core. The rectangle starts at (row, col) of the pushed tile and is copied to
// (toRow, toCol) of the destination tile. The parameter part is a tile whose numbers of
// valid rows and columns are the extents of the rectangle. The parameter space is the
// memory space of the destination tile. The parameter start is the address at which this
// memory begins, and at is the byte offset of the destination tile in it.
func (x *tilePush) copyPart(part *tile, space sem.Space, start, at, row, col, toRow, toCol value.Value) {
	to, size, ok := x.received(space)
	if !ok {
		x.f.errorf(x.op, "%s", analysis.NoWholeBoxes(to.info))
		return
	}
	x.f.TrapIf(ll.ConstantBool(size > int64(x.SlotSize)))
	to.base = x.f.offset(start, at)
	x.f.insideOrTrap(start, to.base, ll.Index(size), int64(space.Size(x.f.opts.Target)))
	to.rows, to.cols = part.rows, part.cols
	x.f.over(&to, func(i, j value.Value) {
		c := x.f.Add(col, j)
		x.f.put(&to, x.f.Add(toRow, i), x.f.Add(toCol, j), x.out(x.f.get(&x.src, x.f.Add(row, i), c), c))
	})
}

// received returns a description of the pushed tile with the layout that it has in a
// memory space of the receiving core, and the size of the tile in bytes. The result ok is
// false after an error.
func (x *tilePush) received(space sem.Space) (to tile, size int64, ok bool) {
	info := x.split.Received(x.src.info, space, x.elem, x.epilogue().Layout)
	b, ok := boxOf(info)
	rows, cols := info.Stored()
	return tile{e: x.e, info: info, box: b, pitch: ll.Index(info.Pitch())}, rows * cols * int64(x.e.size), ok
}
