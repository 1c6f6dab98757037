// This file emits instructions that create the contents of a tile, and accesses of
// single elements.

package llvm

import (
	"fmt"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tileIndex emits an instruction that fills a tile with consecutive integers, starting at
// a scalar operand.
func (f *function) tileIndex(op *ir.Op, _ sem.TileIndex) {
	dst, ok := f.destinationTile(op)
	if !ok || !dst.e.f.IsInt() || dst.e.packed {
		f.unsupported(op)
		return
	}
	o := sem.TileSeriesOf(op)
	start := f.Resize(f.val(o.Start.Value), ll.I64, false)
	f.over(&dst, func(r, c value.Value) {
		k := f.Add(f.Mul(r, dst.cols), c)
		x := f.Add(start, k)
		if o.Down {
			x = f.Sub(start, k)
		}
		f.put(&dst, r, c, f.Resize(x, dst.e.t, false))
	})
}

// tileTri emits an instruction that fills a tile with a triangular matrix of ones and
// zeros.
func (f *function) tileTri(op *ir.Op, _ sem.TileTri) {
	dst, ok := f.destinationTile(op)
	if !ok || dst.e.packed {
		f.unsupported(op)
		return
	}
	o := sem.TriangleOf(op)
	holds := enum.IPredSLE
	if o.Upper {
		holds = enum.IPredSGE
	}
	k := f.Resize(f.val(o.Diagonal.Value), ll.I64, true)
	one := ll.ConstantOf(dst.e.f, num.Encode(dst.e.f, 1, num.NearestEven, false))
	f.over(&dst, func(r, c value.Value) {
		f.put(&dst, r, c, f.Select(f.ICmp(holds, f.Sub(c, r), k), one, ll.ConstantOf(dst.e.f, 0)))
	})
}

// elements emits the number of elements in the storage of a tile.
func (f *function) elements(t *tile) value.Value {
	if t.box.rows > 0 {
		return ll.Index(t.info.Bytes() / int64(t.e.size))
	}
	lines, length := t.info.Rows, t.info.Cols // a part of a tile has gaps
	if t.byCols() {
		lines, length = length, lines
	}
	return f.Add(f.Mul(ll.Index(lines-1), t.pitch), ll.Index(length))
}

// stored emits the address of the element with index n in storage order. An index out of
// range is a fault.
func (f *function) stored(t *tile, n value.Value) value.Value {
	f.TrapIf(f.ICmp(enum.IPredUGE, n, f.elements(t)))
	return f.At(t.e.mem, t.base, n)
}

// tileGet emits an instruction that reads one element of a tile.
func (f *function) tileGet(op *ir.Op, _ sem.TileGet) {
	o := sem.TileElementOf(op)
	src, ok := f.tileOperand(op, o.Src)
	if !ok {
		return
	}
	f.set(op.Result(0), f.loadElement(src.e, f.stored(&src, f.val(o.Offset.Value))))
}

// tileSet emits an instruction that writes one element of a tile.
func (f *function) tileSet(op *ir.Op, _ sem.TileSet) {
	dst, ok := f.destinationTile(op)
	if !ok {
		return
	}
	o := sem.TileElementOf(op)
	f.storeElement(dst.e, f.val(o.Value.Value), f.stored(&dst, f.val(o.Offset.Value)))
}

// apart replaces each tile in ts that has the same storage as dst by a copy. The
// instruction can then write dst while it still reads these tiles.
func (f *function) apart(dst *tile, ts ...*tile) {
	for i, t := range ts {
		n := f.Mul(f.elements(t), ll.Index(int64(t.e.size)))
		most := int64(t.info.Space.Size(f.opts.Target))
		if k, ok := ll.ConstantInt(n); ok {
			most = k
		}
		scratch := f.workspace(fmt.Sprintf("apart.%d", i), most)
		same := f.ICmp(enum.IPredEQ, t.base, dst.base)
		from := t.base
		f.When("same", same, func() { f.copyBytes(scratch, from, n) })
		t.base = f.Select(same, scratch, from)
	}
}
