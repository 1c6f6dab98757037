package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// tileIndex writes counting from a scalar, row after row.
func (f *function) tileIndex(op *ir.Op) {
	dst, ok := f.destinationTile(op)
	if !ok || !dst.e.f.IsInt() || dst.e.packed {
		f.unsupported(op)
		return
	}
	down, _ := op.Attr("descending").AsBool()
	start := f.resize(f.val(op.Arg("S")), i64, false)
	f.over(&dst, func(r, c value.Value) {
		k := f.add(f.mul(r, dst.cols), c)
		x := f.add(start, k)
		if down {
			x = f.sub(start, k)
		}
		f.put(&dst, r, c, f.resize(x, dst.e.t, false))
	})
}

// tileTri writes a triangle of ones.
func (f *function) tileTri(op *ir.Op) {
	dst, ok := f.destinationTile(op)
	if !ok || dst.e.packed {
		f.unsupported(op)
		return
	}
	which, _ := op.Attr("upperOrLower").AsInt()
	holds := enum.IPredSLE
	if which == 1 {
		holds = enum.IPredSGE
	}
	k := f.resize(f.arg(op, "diagonal"), i64, true)
	one := constantOf(dst.e.f, num.Encode(dst.e.f, 1, num.NearestEven, false))
	f.over(&dst, func(r, c value.Value) {
		f.put(&dst, r, c, f.sel(f.icmp(holds, f.sub(c, r), k), one, constantOf(dst.e.f, 0)))
	})
}

// stored is the address of element number n of the storage of a tile, which
// must have as many.
func (f *function) stored(t *tile, n value.Value) value.Value {
	all := value.Value(index(t.info.Bytes() / int64(t.e.size)))
	if t.box.rows == 0 { // a part of a tile has gaps
		lines, length := t.info.Rows, t.info.Cols
		if t.byCols() {
			lines, length = length, lines
		}
		all = f.add(f.mul(index(lines-1), t.pitch), index(length))
	}
	f.trapIf(f.icmp(enum.IPredUGE, n, all))
	return f.at(t.e.mem, t.base, n)
}

// tileGet writes reading one element.
func (f *function) tileGet(op *ir.Op) {
	src, ok := f.tileArg(op, "src")
	if !ok {
		return
	}
	f.set(op.Result(0), f.loadElement(src.e, f.stored(&src, f.arg(op, "offset"))))
}

// tileSet writes writing one element.
func (f *function) tileSet(op *ir.Op) {
	dst, ok := f.destinationTile(op)
	if !ok {
		return
	}
	f.storeElement(dst.e, f.arg(op, "val"), f.stored(&dst, f.arg(op, "offset")))
}

// apart makes t a copy of itself if it has the storage of dst.
func (f *function) apart(t, dst *tile) {
	n := t.info.Bytes()
	room := f.workspace("apart", n)
	same := f.icmp(enum.IPredEQ, t.base, dst.base)
	from := t.base
	f.when("same", same, func() { f.copyBytes(room, from, index(n)) })
	t.base = f.sel(same, room, from)
}

// position reads an index: of 32 bits and more with its sign, narrower ones
// without, so that they reach every element.
func (f *function) position(t *tile, r, c value.Value) value.Value {
	signed := t.e.f.Bits() >= 32 && t.e.f != t.e.f.Unsigned()
	return f.resize(f.get(t, r, c), i64, signed)
}

// tileGather writes taking elements from places that others name.
func (f *function) tileGather(op *ir.Op) {
	src, ok := f.tileArg(op, "src")
	dst, ok2 := f.tileArg(op, "dst")
	if !ok || !ok2 {
		return
	}
	if op.Arg("indices") == nil || src.e.size != dst.e.size {
		f.unsupported(op)
		return
	}
	idx, ok := f.tileArg(op, "indices")
	if !ok {
		return
	}
	f.apart(&src, &dst)
	f.over(&dst, func(r, c value.Value) {
		from := f.stored(&src, f.position(&idx, r, c))
		f.copyBytes(f.addr(&dst, r, c), from, index(int64(src.e.size)))
	})
}

// tileScatter writes sending elements to rows that others name.
func (f *function) tileScatter(op *ir.Op) {
	src, ok := f.tileArg(op, "src")
	dst, ok2 := f.destinationTile(op)
	if !ok || !ok2 {
		return
	}
	if op.Arg("indexes") == nil || src.e.size != dst.e.size {
		f.unsupported(op)
		return
	}
	idx, ok := f.tileArg(op, "indexes")
	if !ok {
		return
	}
	f.apart(&src, &dst)
	f.loop("row", src.rows, func(r value.Value) {
		f.loop("col", src.cols, func(c value.Value) {
			to := f.position(&idx, r, c)
			f.trapIf(f.or(f.icmp(enum.IPredUGE, to, index(dst.info.Rows)), f.icmp(enum.IPredUGE, c, index(dst.info.Cols))))
			f.copyBytes(f.addr(&dst, to, c), f.addr(&src, r, c), index(int64(src.e.size)))
		})
	})
}

// perRow returns how to read the f32 that a tile has for a row; without the
// tile it is absent.
func (f *function) perRow(op *ir.Op, name string, absent float64) (func(r value.Value) value.Value, bool) {
	if op.Arg(name) == nil {
		return func(value.Value) value.Value { return float(f32, absent) }, true
	}
	t, ok := f.tileArg(op, name)
	return func(r value.Value) value.Value {
		return f.fptrunc(f.toDouble(t.e.f, f.get(&t, r, index(0))), f32)
	}, ok && !t.e.packed
}

// tileQuant writes quantizing to integers of 8 bits. The kind of quantization
// decides about the range.
func (f *function) tileQuant(op *ir.Op) {
	to := num.S8
	if op.Attr("quant_type").Keyword() == "INT8_ASYM" {
		to = num.U8
	}
	f.byRows(op, "fp", func(src, _ *tile, x, scale, offset value.Value) (value.Value, bool) {
		n, ok := f.apply(scalar.Rint, num.F32, f.fmul(x, scale))
		if !ok || src.e.f != num.F32 {
			return nil, false
		}
		return f.convert(num.F32, to, f.fadd(n, offset), num.NearestEven, true), true
	})
}

// tileDequant writes the reverse.
func (f *function) tileDequant(op *ir.Op) {
	f.byRows(op, "scale", func(src, dst *tile, x, scale, offset value.Value) (value.Value, bool) {
		if !src.e.f.IsInt() || dst.e.f != num.F32 {
			return nil, false
		}
		y := f.convert(src.e.f, num.F32, x, num.NearestEven, false)
		return f.fmul(f.fsub(y, offset), scale), true
	})
}

// byRows writes computing each element of dst from that of src, with two
// numbers for each row: that of the operand scale, and of offset.
func (f *function) byRows(op *ir.Op, scale string, each func(src, dst *tile, x, scale, offset value.Value) (value.Value, bool)) {
	src, ok := f.tileArg(op, "src")
	dst, ok2 := f.destinationTile(op)
	if !ok || !ok2 {
		return
	}
	a, ok := f.perRow(op, scale, 1)
	b, ok2 := f.perRow(op, "offset", 0)
	if !ok || !ok2 || src.e.packed || dst.e.packed {
		f.unsupported(op)
		return
	}
	if src.info.Bytes() < dst.info.Bytes() || src.e.size != dst.e.size {
		f.apart(&src, &dst)
	}
	f.loop("row", dst.rows, func(r value.Value) {
		u, v := a(r), b(r)
		f.loop("col", dst.cols, func(c value.Value) {
			y, ok := each(&src, &dst, f.get(&src, r, c), u, v)
			if !ok {
				f.unsupported(op)
				return
			}
			f.put(&dst, r, c, y)
		})
	})
}
