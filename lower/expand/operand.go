// This file determines where the lines of a tile operand are.

package expand

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
)

// operand is a tile operand of a tile instruction, with its layout in memory.
type operand struct {
	name  string
	value *ir.Value
	info  pto.TileInfo
	// size is the size of an element in bytes.
	size int64
	// pitch is the distance between consecutive lines, in elements. A line is a row, or a
	// column of a column-major tile.
	pitch int64
	ptr   *ir.Value
	// row and col are the indices of the first element, if the operand is a window of the
	// tile.
	row, col *ir.Value
	window   bool
	// valid holds the numbers of valid rows and columns that are not constant. They are
	// taken from the allocation of the tile; an entry is nil if the number is constant or
	// unknown.
	valid [2]*ir.Value
}

// laneElems is the set of element types of which a register lane holds exactly one
// element. It omits FP4, whose elements are packed in pairs.
const laneElems = (pto.B8 | pto.B16 | pto.B32) &^ pto.FP4

// tile returns the operand with the given name, or the reason why vector registers cannot
// hold its elements.
func (x *expander) tile(name string) (*operand, string) {
	v := x.op.Arg(name)
	if v == nil {
		return nil, fmt.Sprintf("operand \"%s\" is absent", name)
	}
	info, ok := pto.TileOf(v.Type())
	o := &operand{name: name, value: v, info: info, size: info.ElemBytes()}
	switch {
	case !ok:
		return nil, fmt.Sprintf("operand \"%s\" is not a tile", name)
	case info.Space != sem.UB:
		return nil, fmt.Sprintf("\"%s\" is in %s, which vector instructions cannot access", name, info.Space.Loc())
	case info.SLayout != pto.NoneBox:
		return nil, fmt.Sprintf("the elements of \"%s\" are in boxes", name)
	case !laneElems.Has(info.Elem):
		return nil, fmt.Sprintf("vector registers cannot hold %s, the elements of \"%s\"", info.Elem, name)
	}
	o.resolveValid()
	at := storageOf(v)
	if o.pitch = at.pitch; !at.known {
		return nil, fmt.Sprintf("it is not known where the lines of \"%s\" are", name)
	}
	if !at.aligned {
		return nil, fmt.Sprintf("it is not known that the address of \"%s\" is a multiple of %d", name, pto.TileAlign)
	}
	if lines, _ := o.extents(); o.pitch*o.size%pto.TileAlign != 0 && lines != 1 {
		return nil, fmt.Sprintf("the lines of \"%s\" do not start at multiples of %d bytes", name, pto.TileAlign)
	}
	return o, ""
}

// resolveValid sets the valid region of the operand from the allocation of its tile. If
// an instruction changes this region later, resolveValid leaves it unknown.
func (o *operand) resolveValid() {
	op := o.value.Op()
	if op == nil {
		return
	}
	if _, allocates := op.Def().Sem.(sem.AllocTile); !allocates {
		return
	}
	for u := range o.value.Uses() {
		if _, changes := u.Owner().Def().Sem.(sem.SetValid); changes {
			return
		}
	}
	placing := sem.PlacingOf(op)
	for i, e := range []struct {
		n *int64
		v sem.Operand
	}{{&o.info.VRows, placing.Rows}, {&o.info.VCols, placing.Cols}} {
		if *e.n != ir.Dynamic || !e.v.Given() {
			continue
		}
		if n, ok := arith.ConstantInt(e.v.Value); ok {
			*e.n = n
		} else {
			o.valid[i] = e.v.Value
		}
	}
}

// byCols reports whether the tile is column-major, so that its lines are columns.
func (o *operand) byCols() bool { return o.info.BLayout == pto.ColMajor }

// extents returns the number of valid lines and the number of valid elements per line. A
// result is ir.Dynamic if it is not constant.
func (o *operand) extents() (lines, length int64) {
	if o.byCols() {
		return o.info.VCols, o.info.VRows
	}
	return o.info.VRows, o.info.VCols
}

// stored returns the size of the storage of the tile. For a row-major tile, lines is the
// number of rows and length is the number of elements per row. For a column-major tile,
// lines is the number of columns and length is the number of elements per column.
func (o *operand) stored() (lines, length int64) {
	if o.byCols() {
		return o.info.Cols, o.info.Rows
	}
	return o.info.Rows, o.info.Cols
}

// storage describes how the lines (rows, or columns if column-major) of a tile are
// arranged in memory.
type storage struct {
	// pitch is the distance between consecutive lines in elements.
	pitch int64
	// aligned states that the address of the first element is a multiple of 32 bytes.
	aligned bool
	known   bool
}

// storageOf returns how the lines (rows, or columns if column-major) of the tile v are
// arranged in memory. The result is unknown for a tile that the program passes as an
// argument, because this tile may be a part of another one.
func storageOf(v *ir.Value) storage {
	if v.Op() == nil {
		return storage{}
	}
	s, _ := storages.Run(v, v.Op())
	return s
}

// storages maps kinds of operations to routines. For a tile that an operation of this
// kind defines, the routine returns a description of the memory of the tile.
var storages routine.Table[*ir.Value, storage]

func init() { storages = routine.New(storageRoutines) } // which lead back here

func storageRoutines() []routine.Row[*ir.Value, storage] {
	return []routine.Row[*ir.Value, storage]{
		routine.Makes(func(v *ir.Value, _ *ir.Op, _ sem.AllocTile) storage { return ownLines(v, true) }),
		routine.Makes(func(v *ir.Value, _ *ir.Op, _ sem.Declare) storage { return ownLines(v, true) }),
		routine.Makes(sameStorage[sem.SameStorage]),
		routine.Makes(sameStorage[sem.TileSlot]),
		routine.Makes(func(v *ir.Value, op *ir.Op, _ sem.PlaceTile) storage {
			at, ok := arith.ConstantInt(sem.PlacingOf(op).Address.Value)
			return ownLines(v, ok && at%pto.TileAlign == 0)
		}),
		routine.Makes(partOf),
		routine.Makes(func(v *ir.Value, op *ir.Op, _ sem.QueueEntry) storage {
			buffer, known := entryBytes(v)
			return ownLines(v, known && buffer.From%pto.TileAlign == 0 && isasync.FindQueues(op).Used(op).SlotSize%pto.TileAlign == 0)
		}),
	}
}

// ownLines returns the description of the storage of the tile v, which is not a part of
// another tile. The type of v therefore determines the distance between lines. A line is
// a row, or a column of a column-major tile. aligned states whether the address of the
// tile is known to be a multiple of 32 bytes.
func ownLines(v *ir.Value, aligned bool) storage {
	info, _ := pto.TileOf(v.Type())
	return storage{info.Pitch(), aligned, true}
}

// sameStorage returns a description of the storage of the tile v, the result of op. The
// operation op does not allocate storage: its first operand is a tile or an array of
// equal slots, and v uses the storage of this tile or of one slot.
func sameStorage[S ir.Meaning](v *ir.Value, op *ir.Op, _ S) storage {
	return ownLines(v, storageOf(op.Operand(0)).aligned && pto.StorageOf(v.Type())%pto.TileAlign == 0)
}

// partOf returns a description of the memory of the tile v, which op defines as a part of
// another tile. The distance between rows (or columns, if column-major) is that of the
// other tile. If the position of the part in memory cannot be determined, partOf returns
// the zero storage, which means that nothing is known.
func partOf(v *ir.Value, op *ir.Op, _ sem.SubTile) storage {
	info, _ := pto.TileOf(v.Type())
	s, offsets := storageOf(op.Operand(0)), sem.PlacingOf(op).Offsets
	if !s.known || info.SLayout != pto.NoneBox || len(offsets) != 2 {
		return storage{}
	}
	line, along := offsets[0], offsets[1]
	if info.BLayout == pto.ColMajor {
		line, along = along, line
	}
	s.aligned = s.aligned && isMultiple(line, s.pitch*info.ElemBytes()) && isMultiple(along, info.ElemBytes())
	return s
}

// isMultiple reports whether n elements are known to occupy a multiple of 32 bytes. The
// parameter size is the size of an element in bytes.
func isMultiple(n *ir.Value, size int64) bool {
	at, ok := arith.ConstantInt(n)
	return size%pto.TileAlign == 0 || ok && at*size%pto.TileAlign == 0
}

// pointer returns the address of the first element of the tile o. A constant address
// becomes a constant that does not refer to the tile, so that the vector function itself
// shows which bytes it accesses.
func (x *expander) pointer(o *operand) *ir.Value {
	if o.ptr != nil {
		return o.ptr
	}
	t := []ir.Type{pto.Ptr(o.info.Elem, sem.UB)}
	if b, ok := analysis.BytesOf(o.value); ok && b.Root == nil {
		o.ptr = x.top.Op(isabase.CastPtr, []*ir.Value{x.integer(ir.I64, b.From)}, t).Result(0)
	} else {
		o.ptr = x.top.Op(isabase.TileBufAddr, []*ir.Value{o.value}, t).Result(0)
	}
	if o.window {
		first := x.top.Op(arith.MulI, []*ir.Value{o.row, x.index(o.pitch)}, []ir.Type{ir.Index}).Result(0)
		first = x.top.Op(arith.AddI, []*ir.Value{first, o.col}, []ir.Type{ir.Index}).Result(0)
		o.ptr = x.top.Op(isabase.AddPtr, []*ir.Value{o.ptr, first}, t).Result(0)
	}
	return o.ptr
}
