package diff

import (
	"math"
	"math/rand/v2"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// region is a tile with the region that is valid when the program runs.
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

// element returns the number of a random valid element in the storage.
func (t region) element(r *rand.Rand) int64 {
	return r.Int64N(max(t.rows, 1))*t.Cols + r.Int64N(max(t.cols, 1))
}

// control returns what makes values for an operand that says where something
// is or how much of it, so that a program stays inside its memory. It is nil
// for operands that may have any value.
func (p *palette) control(u *use, arg string) func() int64 {
	r := p.r
	src, dst := p.region(u.in("src")), p.region(u.in("dst"))
	if dst.Rows == 0 && len(u.outs) > 0 {
		dst = p.region(u.outs[0])
	}
	small := func() int64 { return r.Int64N(9) - 4 }
	switch u.def.Sem.(type) {
	case pto.TileGather:
		if arg == "indices" {
			return func() int64 { return src.element(r) }
		}
	case pto.TileGatherBlocks:
		if arg == "offsets" {
			size := int64(pto.ByteSize(src.Elem))
			return func() int64 {
				return (r.Int64N(max(src.rows, 1))*src.Cols*size + 32*r.Int64N(max(src.cols*size/32, 1))) / 32 * 32
			}
		}
	case pto.TileScatter:
		if arg == "indexes" {
			return func() int64 { return r.Int64N(max(dst.Rows, 1)) }
		}
	case pto.MemGather, pto.MemScatter:
		if arg == "idx" {
			return p.tableIndex(u)
		}
	case pto.TileConcat:
		if arg == "src0Idx" || arg == "src1Idx" {
			size := int64(pto.ByteSize(ir.ElementType(u.in(arg))))
			cols := p.region(u.in("src" + arg[3:4])).cols
			return func() int64 { return size * r.Int64N(cols+1) }
		}
	case pto.TileMove:
		switch arg {
		case "indexRow":
			return p.within(src.Rows-dst.Rows, dst.Rows-src.Rows)
		case "indexCol":
			return p.within(src.Cols-dst.Cols, dst.Cols-src.Cols)
		}
	case pto.TileGet:
		if arg == "offset" {
			return func() int64 { return src.element(r) }
		}
	case pto.TileSet:
		if arg == "offset" {
			return func() int64 { return dst.element(r) }
		}
	case pto.TileTri:
		return small
	case pto.TileMerge:
		if arg == "blockLen" {
			return func() int64 { return max(src.Cols/4/64*64, 64) }
		}
	}
	if arg == "preQuantScalar" {
		return func() int64 { return int64(math.Float32bits(float32(r.NormFloat64()))) }
	}
	if t := u.in(arg); t == ir.Index {
		return func() int64 { return r.Int64N(4) }
	}
	return nil
}

// within makes offsets from 0 to the greater of the two distances, often 0
// and often a multiple of 16.
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

// tableIndex makes indices into a table, outside of it too where the
// instruction says what that means.
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

// partWritten reports whether an instruction may leave elements of its
// results as they were: storage that was never written, at Level 1.
func (p *palette) partWritten(u *use) bool {
	if len(u.outs) == 0 {
		return false
	}
	src, dst := p.region(u.in("src")), p.region(u.outs[0])
	switch u.def.Sem.(type) {
	case pto.TileConcat, pto.TilePart, pto.TileMerge, pto.TileQuantMX, pto.TileCompare:
		return true
	case pto.TileGather:
		return !u.in("kValue").IsZero() || u.in("indices").IsZero() && (src.rows < dst.rows || src.cols < 4*dst.cols || u.attr("axis") != "" && src.rows < 4*dst.rows)
	case pto.TileLoad:
		v, _ := ir.As[pto.PartitionView](u.ins[0])
		return v.Shape.Static() && (v.Shape.Elements() != dst.rows*dst.cols || v.Shape.At(v.Shape.Len()-1) != dst.cols)
	case pto.TileExpand:
		return !p.expands(u, dst)
	case pto.TileMap, pto.TileConvert, pto.TileAddReluConvert, pto.TileSelect:
		return !p.covered(u, dst)
	case pto.SameStorage:
		return src.rows != src.Rows || src.cols != src.Cols
	case pto.TileMove:
		return !strings.HasSuffix("<single_mode_vec0>"+u.attr("accToVecMode"), "<single_mode_vec0>") || !sameRegion(src, dst) && u.in("indexRow").IsZero() ||
			u.in("dst").IsZero() && (src.rows != src.Rows || src.cols != src.Cols)
	case pto.TileSort:
		return 4*src.cols != int64(pto.ByteSize(dst.Elem))*dst.cols/2 || src.rows != dst.rows
	case pto.TileTranspose:
		return src.rows != dst.cols || src.cols != dst.rows
	case pto.TileInterleave, pto.TilePairSum, pto.TileGatherBlocks, pto.TileQuant, pto.TileDequant, pto.TileRandom, pto.TileHistogram:
		if dst.cols > 256 {
			return true // there are 256 bins
		}
		return src.Rows == 0 || src.rows != src.Rows || src.cols != src.Cols
	}
	return false
}

// covered reports whether all operands but masks have as many rows as dst and,
// unless elements are packed, as many columns.
func (p *palette) covered(u *use, dst region) bool {
	for i, t := range u.ins {
		at := p.region(t)
		if at.Rows > 0 && !isMask(u, u.args[i]) && (at.rows < dst.rows || 2*at.cols < dst.cols || at.cols < dst.cols && at.Cols == dst.Cols) {
			return false
		}
	}
	return true
}

// expands reports whether the operands of an expansion reach as far as dst: the
// vector in the one direction, the other operand in both.
func (p *palette) expands(u *use, dst region) bool {
	long := func(t region) bool {
		if u.def.Sem.(pto.TileExpand).Axis == pto.AlongRow {
			return t.rows >= dst.rows
		}
		return t.cols >= dst.cols
	}
	if len(u.ins) == 1 {
		return long(p.region(u.ins[0]))
	}
	a, b := p.region(u.ins[0]), p.region(u.ins[1])
	return sameRegion(a, dst) && long(b) || sameRegion(b, dst) && long(a)
}

func sameRegion(a, b region) bool { return a.rows == b.rows && a.cols == b.cols }

// sensible reports whether an instruction reads only what its operands have:
// what lies beyond them may be anything. The verifier asks for that only where
// types and constants tell.
func (p *palette) sensible(u *use) bool {
	if len(u.outs) == 0 {
		return p.reaches(u, "idx", p.region(u.in("src")))
	}
	dst := p.region(u.outs[0])
	switch sem := u.def.Sem.(type) {
	case pto.TileGatherBlocks:
		at := p.region(u.in("offsets"))
		return at.rows >= dst.rows && 32*at.cols >= dst.cols*int64(pto.ByteSize(dst.Elem))
	case pto.TileGather:
		return p.reaches(u, "indices", dst)
	case pto.TileScatter:
		return p.reaches(u, "indexes", p.region(u.in("src")))
	case pto.MemGather:
		return p.reaches(u, "idx", dst)
	case pto.TileSelect:
		mask := p.region(u.ins[0])
		return mask.rows >= dst.rows && 8*mask.cols*int64(pto.ByteSize(mask.Elem)) >= dst.cols
	case pto.TileMerge:
		return wholeRecords(u)
	case pto.TileMove:
		small, big := dst, p.region(u.in("src"))
		if !sem.Src && !sem.Dst {
			return sameRegion(small, big)
		}
		if sem.Dst {
			small, big = big, small
		}
		return small.Rows <= big.Rows && small.Cols <= big.Cols
	}
	return true
}

// reaches reports whether an operand that says where the elements of t are has
// one for each of them, or one for each row where rows are meant.
func (p *palette) reaches(u *use, arg string, t region) bool {
	if u.in(arg).IsZero() {
		return true
	}
	at := p.region(u.in(arg))
	return sameRegion(at, t) || at.rows == 1 && at.cols >= t.rows && u.attr("coalesce") != "#pto<coalesce elem>"
}

// wholeRecords reports whether the valid columns of sorted lists are pairs of a
// value and its index, which take 8 bytes.
func wholeRecords(u *use) bool {
	for _, t := range u.ins {
		if info, ok := pto.TileOf(t); ok && (!info.StaticValid() || info.VCols*int64(pto.ByteSize(info.Elem))%8 != 0) {
			return false
		}
	}
	return true
}

// moves reports whether an instruction takes elements as they are and makes no
// new numbers.
func moves(u *use) bool {
	switch sem := u.def.Sem.(type) {
	case pto.TileExpand:
		return sem.Fn == nil
	case pto.TileMove, pto.SameStorage, pto.TileSelect, pto.TileGather, pto.TileScatter, pto.TileTranspose, pto.TileConcat,
		pto.TileInterleave, pto.TileSort, pto.TileMerge, pto.TilePad, pto.TileLoad, pto.TileGatherBlocks, pto.MemGather, pto.TileSet,
		pto.TileImg2Col:
		return true
	}
	return false
}

// looksAtBits reports whether the result tells the bits of a NaN apart. The
// bits of a NaN of f32 that was computed are not defined.
func (u *use) looksAtBits() bool {
	switch sem := u.def.Sem.(type) {
	case pto.SameStorage:
		return ir.ElementType(u.ins[0]) != ir.ElementType(u.outs[0])
	case pto.TileMap:
		return bitFunction(sem.Fn)
	case pto.TileHistogram, pto.TileGatherBlocks, pto.TileMove:
		return len(u.outs) > 0 && ir.ElementType(u.ins[0]) != ir.ElementType(u.outs[0]) && moves(u)
	}
	return false
}
