package diff

import (
	"math"
	"math/rand/v2"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// region is a tile type together with the valid rows and columns that the tile has at run
// time.
type region struct {
	pto.TileInfo
	rows, cols int64
}

func (p *palette) region(t ir.Type) region {
	info, _ := pto.TileOf(t)
	r := region{info, info.VRows, info.VCols}
	if r.rows == ir.Dynamic {
		r.rows = p.validOf(r.Rows)
	}
	if r.cols == ir.Dynamic {
		r.cols = p.validOf(r.Cols)
	}
	return r
}

// element returns the storage index of a random valid element. The tile must not have
// boxes.
func (t region) element(r *rand.Rand) int64 {
	row, col := r.Int64N(max(t.rows, 1)), r.Int64N(max(t.cols, 1))
	if t.BLayout == pto.ColMajor {
		return col*t.Rows + row
	}
	return row*t.Cols + col
}

// control returns a generator of random values for an operand that controls an access: an
// offset, an index or a size. For any other operand, it returns nil. Only values are
// generated for which the accesses of the instruction stay within its tiles. The
// parameter u is an instruction with its operand types, and arg is the name of the
// operand.
func (p *palette) control(u *use, arg string) func() int64 {
	r := p.r
	src, dst := p.region(u.source()), p.region(u.in("dst"))
	if dst.Rows == 0 && len(u.outs) > 0 {
		dst = p.region(u.outs[0])
	}
	small := func() int64 { return r.Int64N(9) - 4 }
	switch u.def.Sem.(type) {
	case sem.TileGather:
		if arg == "indices" {
			return func() int64 { return src.element(r) }
		}
	case sem.TileGatherBlocks:
		if arg == "offsets" {
			size := int64(pto.ByteSize(src.Elem))
			return func() int64 {
				return (r.Int64N(max(src.rows, 1))*src.Cols*size + 32*r.Int64N(max(src.cols*size/32, 1))) / 32 * 32
			}
		}
	case sem.TileScatter:
		if arg == "indexes" {
			return func() int64 { return r.Int64N(max(dst.Rows*dst.Cols, 1)) }
		}
	case sem.MemGather, sem.MemScatter:
		if arg == "idx" {
			return p.tableIndex(u)
		}
	case sem.TileConcat:
		if arg == "src0Idx" || arg == "src1Idx" {
			size := int64(pto.ByteSize(ir.ElementType(u.in(arg))))
			cols := p.region(u.in("src" + arg[3:4])).cols
			return func() int64 { return size * r.Int64N(cols+1) }
		}
	case sem.SubTile, sem.TileMove:
		return p.place(u, arg, src, dst)
	case sem.TileGet:
		if arg == "offset" {
			return func() int64 { return src.element(r) }
		}
	case sem.TileSet:
		if arg == "offset" {
			return func() int64 { return dst.element(r) }
		}
	case sem.TileTri:
		return small
	case sem.TileMerge:
		if arg == "blockLen" {
			return func() int64 { return max(src.Cols/4/64*64, 64) }
		}
	}
	return p.other(u, arg)
}

// other returns a generator of random values for the operand arg of the instruction u, if
// only certain values are legal or useful. It returns nil if the operand may have any
// value. Operands that are offsets or sizes of rectangles are handled elsewhere.
func (p *palette) other(u *use, arg string) func() int64 {
	r := p.r
	if arg == "preQuantScalar" {
		return func() int64 { return int64(math.Float32bits(float32(r.NormFloat64()))) }
	}
	if t := u.in(arg); t == ir.Index {
		return func() int64 { return r.Int64N(4) }
	}
	return nil
}

// place returns a generator of random values for the operand arg of the instruction u.
// The instruction copies the window of one tile to another tile, or a tile into the
// window of another tile (src and dst). If arg is an offset of the window, the generated
// values keep the window inside the tile that contains it. For all other operands, place
// returns the generator of the method other.
func (p *palette) place(u *use, arg string, src, dst region) func() int64 {
	switch arg {
	case "offsets":
		dst = p.region(u.outs[0])
		return p.within(min(src.Rows-dst.Rows, src.Cols-dst.Cols), 0)
	case "indexRow":
		return p.within(src.Rows-dst.Rows, dst.Rows-src.Rows)
	case "indexCol":
		return p.within(src.Cols-dst.Cols, dst.Cols-src.Cols)
	}
	return p.other(u, arg)
}

// within returns a generator of offsets from 0 to max(a, b, 0). A third of the offsets
// are 0, and another third are multiples of 16.
func (p *palette) within(a, b int64) func() int64 {
	far := max(a, b, 0)
	return func() int64 {
		at := p.r.Int64N(far + 1)
		switch p.r.IntN(3) {
		case 0:
			return 0
		case 1:
			return at / 16 * 16
		}
		return at
	}
}

// tableIndex returns a function that generates random indices into a table in global
// memory, for the instruction u. Some of the indices are out of range if u has an
// attribute that defines the effect of such an index.
func (p *palette) tableIndex(u *use) func() int64 {
	d, _ := ir.As[pto.PartitionView](u.in("mem"))
	dims := d.Shape.Slice()
	n := int64(1)
	for i, d := range dims {
		if d > 0 && (i < len(dims)-1 || u.attr("coalesce") == "#pto<coalesce elem>") {
			n *= d
		}
	}
	oob := u.attr("gatherOob") + u.attr("scatterOob")
	if oob != "" && oob != "#pto<gather_oob undefined>" && oob != "#pto<scatter_oob undefined>" {
		return func() int64 { return p.r.Int64N(2*n + 1) }
	}
	return func() int64 { return p.r.Int64N(n) }
}

// moves reports whether u, an instruction with its operand types, only copies elements
// and computes no new ones.
func moves(u *use) bool {
	switch kind := u.def.Sem.(type) {
	case sem.TileExpand:
		return kind.Fn == nil
	case sem.TileMove, sem.SameStorage, sem.SubTile, sem.TileSelect, sem.TileGather, sem.TileScatter, sem.TileTranspose, sem.TileConcat,
		sem.TileInterleave, sem.TileSort, sem.TileMerge, sem.TilePad, sem.TileLoad, sem.TileGatherBlocks, sem.MemGather, sem.TileSet, sem.TileImg2Col:
		return true
	}
	return false
}

// looksAtBits reports whether the result of the instruction depends on the bits of an
// operand that is NaN. The bits of a computed NaN of f32 are undefined, so such results
// cannot be compared.
func (u *use) looksAtBits() bool {
	if kind, ok := u.def.Sem.(sem.TileMap); ok {
		return bitFunction(kind.Fn)
	}
	if _, store := u.def.Sem.(sem.TileStore); store { // floats through a view of integers
		last := u.ins[len(u.ins)-1]
		return hasOpenNaN(u.ins[0]) && !pto.Floats.Has(ir.ElementType(last))
	}
	return moves(u) && len(u.ins) > 0 && len(u.outs) > 0 && ir.ElementType(u.ins[0]) != ir.ElementType(u.outs[0])
}
