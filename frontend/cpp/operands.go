// This file converts tiles, views and scalars in library calls.

package cpp

import (
	"slices"
	"strconv"
	"strings"

	"ptogo/frontend/llir"
)

// element is an element type: its name in the text and its size in bytes.
type element struct {
	name  string
	bytes int64
}

// elements are the element types by the numbers that the header gives them.
var elements = map[int64]element{
	1: {"f32", 4}, 2: {"f16", 2}, 3: {"bf16", 2}, 4: {"f64", 8}, 5: {"i1", 1},
	108: {"i8", 1}, 116: {"i16", 2}, 132: {"i32", 4}, 164: {"i64", 8}, 208: {"ui8", 1}, 216: {"ui16", 2}, 232: {"ui32", 4}, 264: {"ui64", 8},
	20: {"f8E4M3FN", 1}, 21: {"f8E5M2", 1}, 22: {"!pto.hif8", 1}, 23: {"!pto.f8E8M0", 1}, 24: {"!pto.f4E1M2x2", 1}, 25: {"!pto.f4E2M1x2", 1},
}

// byteElement is the element type of a pointer whose use does not determine one.
const byteElement = 208

// spaces are the memory spaces of tiles by their role.
var spaces = list("vec mat left right acc bias scaling scaling scaling")

// argument is an argument of a library call: a tile, a view, a scalar or an enumerator.
type argument struct {
	kind argumentKind
	// name and typ are the name and the type of a tile, view or scalar in the text.
	name, typ string
	// v is the scalar, or nil.
	v *llir.Value
	// exceeds reports that the C++ gives a tile a valid region that exceeds the tile. The
	// valid region in the text is then the whole tile.
	exceeds bool
	// pointer reports that the C++ passes a pointer to the tile.
	pointer bool
	// elem is the number of the element type of an integer, tile or view.
	elem int64
	// tile is the type of a tile. from is the call that describes a tile or a view,
	// and first and last delimit the lines of the text that define it.
	tile *shapeOfTile
	from *llir.Value
	// described is the call that describes a tile, with 4-bit numbers counted one by one, or
	// a view of scales in the layout of the C++.
	described   *llir.Value
	first, last int
	// conv is the type of a ConvTile, or nil.
	conv *shapeOfConv
	// enum and word are the names of an enumeration and its enumerator. word is also the
	// name of another object.
	enum, word string
}

type argumentKind uint8

const (
	tileArgument argumentKind = iota
	viewArgument
	intArgument
	floatArgument
	enumArgument
	typeArgument
	otherArgument
	laneArgument
)

// literal returns argument i of a call, which the library makes a constant.
func (f *function) literal(v *llir.Value, i int) int64 {
	if i >= len(v.Args) || v.Args[i].Op != "int" {
		f.failf(v, "an argument that must be a constant is not one after inlining")
	}
	return v.Args[i].Int
}

// shapeOfTile is the type of a tile, as ptogo_tile describes it. Valid extents that the
// program computes are -1.
type shapeOfTile struct {
	role, elem, rows, cols, blayout, slayout, fractal, pad, compact int64
	validRows, validCols                                            int64
}

// plain reports whether the tile is in the unified buffer and not divided into boxes.
func (t *shapeOfTile) plain() bool { return t.role == 0 && t.slayout == 0 }

// tile converts ptogo_tile: it allocates a tile at its address.
func (f *function) tile(v *llir.Value) argument {
	t, described := f.described(v), v
	if isPair(t.elem) && t.role != 2 && t.role != 3 {
		v = f.packedTile(v, &t)
	}
	a := f.sized(v, t)
	a.described = described
	return a
}

// described returns the type that ptogo_tile describes, without its valid extents.
func (f *function) described(v *llir.Value) shapeOfTile {
	if len(v.Args) != 14 {
		f.failf(v, "the description of a tile is incomplete")
	}
	var n [9]int64
	for i := range n {
		n[i] = f.literal(v, i)
	}
	return shapeOfTile{n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], -1, -1}
}

// sized allocates a tile of type t with the valid extents in v, a call of ptogo_tile.
func (f *function) sized(v *llir.Value, t shapeOfTile) argument {
	t, exceeds := f.withExtents(v, t)
	a := f.allocated(v, t)
	a.exceeds = exceeds
	return a
}

// withExtents returns the type t with the valid extents that are constants in v, a call of
// ptogo_tile. It reports whether these exceed the tile.
func (f *function) withExtents(v *llir.Value, t shapeOfTile) (sized shapeOfTile, exceeds bool) {
	if a := v.Args[12]; a.Op == "int" {
		t.validRows, exceeds = min(a.Int, t.rows), a.Int > t.rows
	}
	if a := v.Args[13]; a.Op == "int" {
		t.validCols, exceeds = min(a.Int, t.cols), exceeds || a.Int > t.cols
	}
	if t.slayout == 1 && t.blayout == 1 && t.rows%16 == 1 && t.rows > t.validRows && t.rows > 1 {
		// The library counts the unused block between columns of boxes as a row.
		t.rows, t.compact = t.rows-1, rowPlusOne
	}
	return t, exceeds
}

// rowPlusOne is the compact mode of tiles with an unused block between columns of boxes.
const rowPlusOne = 2

// tileType returns the type of a tile in the text. v is the place of errors.
func (f *function) tileType(v *llir.Value, t shapeOfTile) string {
	e := elements[t.elem]
	if t.role < 0 || t.role >= int64(len(spaces)) || e.name == "" {
		f.failf(v, "a tile has a role or an element type without counterpart in PTO")
	}
	extent := func(n int64) string {
		if n < 0 {
			return "?"
		}
		return strconv.FormatInt(n, 10)
	}
	var b strings.Builder
	b.WriteString("!pto.tile_buf<" + spaces[t.role] + ", " + extent(t.rows) + "x" + extent(t.cols) + "x" + e.name)
	if t.validRows != t.rows || t.validCols != t.cols {
		b.WriteString(", valid=" + extent(t.validRows) + "x" + extent(t.validCols))
	}
	if t.blayout == 1 {
		b.WriteString(", blayout=col_major")
	}
	if t.slayout > 0 {
		b.WriteString(", slayout=" + []string{"", "row_major", "col_major"}[min(t.slayout, 2)])
	}
	if t.fractal != 512 {
		b.WriteString(", fractal=" + strconv.FormatInt(t.fractal, 10))
	}
	if t.pad != 0 {
		if t.pad < 0 || t.pad > 3 {
			f.failf(v, "a tile with a pad value of its own is not supported")
		}
		b.WriteString(", pad=" + strconv.FormatInt(t.pad, 10))
	}
	if t.compact != 0 {
		if t.compact > 2 {
			f.failf(v, "CompactMode::RowAlignedPadding is not supported")
		}
		b.WriteString(", compact=" + strconv.FormatInt(t.compact, 10))
	}
	b.WriteString(">")
	return b.String()
}

// allocated allocates a tile of type t at the address in v, a call of ptogo_tile.
func (f *function) allocated(v *llir.Value, t shapeOfTile) argument {
	switch address := v.Args[11]; {
	case isPlace(address):
		return f.planned(v, t)
	case f.auto && f.notPlaced(address):
		f.failf(v, "this tile needs an address, which TASSIGN assigns")
	case !f.notPlaced(address):
		f.placed = v
	}
	typ, start := f.tileType(v, t), len(f.out)
	if p, ok := f.popped[v.Args[11]]; ok && p.typ == typ {
		p.from, p.first, p.last = v, len(f.out), len(f.out)
		return p
	}
	text := "pto.alloc_tile addr = " + f.i64(v, v.Args[11])
	if t.validRows < 0 {
		text += " valid_row = " + f.index(v, v.Args[12], false)
	}
	if t.validCols < 0 {
		text += " valid_col = " + f.index(v, v.Args[13], false)
	}
	name := f.fresh("tile")
	f.line(v, "%s = %s : %s", name, text, typ)
	return argument{kind: tileArgument, name: name, typ: typ, elem: t.elem, tile: &t, from: v, first: start, last: len(f.out)}
}

// layouts are the layouts of views by their number in the header, as attributes.
var layouts = map[int64]string{0: "", 1: "dn", 2: "nz", 6: "mx_a_zz", 9: "mx_b_nn"}

// scaleLayout describes a layout of scales in rows of pairs.
type scaleLayout struct {
	boxes       int64
	along, pair int
}

// scaleLayouts are the layouts of scales in rows of pairs, by their number in the header:
// the layout in boxes of 16x2 that describes the same memory, and the dimensions of the
// view that count rows of scales and pairs. The last box may be incomplete: a load copies
// no more rows than are valid in the tile.
var scaleLayouts = map[int64]scaleLayout{4: {6, 2, 3}, 5: {6, 3, 2}, 7: {9, 3, 2}, 8: {9, 2, 3}}

// view converts ptogo_view.
func (f *function) view(v *llir.Value) argument {
	if len(v.Args) != 13 {
		f.failf(v, "the description of a view is incomplete")
	}
	if isPair(f.literal(v, 0)) {
		v = f.packedView(v)
	}
	extents, steps := v.Args[3:8], v.Args[8:13]
	if s, ok := scaleLayouts[f.literal(v, 1)]; ok {
		a := f.scaleView(v, s, extents[s.along], extents[s.pair])
		a.described = v
		return a
	}
	return f.viewOf(v, extents, steps)
}

// scaleView makes a view of the boxes of scales in v, a call of ptogo_view. The parameters
// rows and pairs are the numbers of rows of scales and of pairs in a row.
func (f *function) scaleView(v *llir.Value, s scaleLayout, rows, pairs *llir.Value) argument {
	steps := v.Args[8:13]
	step := steps[s.along]
	if rows.Op != "int" || step.Op != "int" {
		f.failf(v, "scales of MX formats need a constant number of rows")
	}
	if pair := steps[s.pair]; rows.Int%16 != 0 && step.IsConst(2) && (pair.Op != "int" || pair.Int%32 == 0) {
		// A load copies such boxes as a whole, with the rows after the last one.
		f.failf(v, "%d rows of scales are not a multiple of 16, the rows of a box, and the rows of pairs are a multiple of 32 elements apart, which is not supported in this layout", rows.Int)
	}
	number := func(x int64) *llir.Value { return &llir.Value{Op: "int", Int: x, Type: rows.Type} }
	boxed := *v
	boxed.Args = slices.Clone(v.Args)
	boxed.Args[1] = number(s.boxes)
	copy(boxed.Args[3:], []*llir.Value{v.Args[3], number((rows.Int + 15) / 16), pairs, number(16), number(2),
		steps[0], number(16 * step.Int), steps[s.pair], step, steps[4]})
	return f.viewOf(&boxed, boxed.Args[3:8], boxed.Args[8:13])
}

// viewOf makes the view with the given extents and strides at the address in v, a call of
// ptogo_view. Leading dimensions of extent 1 are left out, as programs in PTO leave them
// out.
func (f *function) viewOf(v *llir.Value, extents, steps []*llir.Value) argument {
	return f.viewFrom(v, extents, steps, 0)
}

// constantExtents returns the extents and the strides of a view, a call of ptogo_view. The
// result known is false if the program computes one of them.
func constantExtents(view *llir.Value) (extents, strides [5]int64, known bool) {
	for i := range extents {
		n, s := view.Args[3+i], view.Args[8+i]
		if n.Op != "int" || s.Op != "int" {
			return extents, strides, false
		}
		extents[i], strides[i] = n.Int, s.Int
	}
	return extents, strides, true
}

// viewFrom is viewOf for a view that starts at a distance in elements from the address.
func (f *function) viewFrom(v *llir.Value, extents, steps []*llir.Value, distance int64) argument {
	elem, layout := f.literal(v, 0), f.literal(v, 1)
	e := elements[elem]
	word, known := layouts[layout]
	if e.name == "" {
		f.failf(v, "a view has an element type that is not supported")
	}
	if !known {
		return argument{kind: viewArgument, elem: elem, from: v, first: len(f.out), last: len(f.out)}
	}
	start := len(f.out)
	ptr := f.globalPointer(v, v.Args[2], elem)
	if distance != 0 {
		part := f.fresh("part_at")
		f.line(v, "%s = pto.addptr %s, %s : %s -> %s", part, ptr, f.intConst(distance, "index"), f.pointerType(elem), f.pointerType(elem))
		ptr = part
	}
	first := 0
	if layout < 2 {
		for first < 3 && extents[first].IsConst(1) {
			first++
		}
	}
	var sizes, strides, zeros, dims []string
	for i := first; i < 5; i++ {
		sizes, strides = append(sizes, f.index(v, extents[i], false)), append(strides, f.index(v, steps[i], false))
		zeros = append(zeros, f.intConst(0, "index"))
		d := "?"
		if extents[i].Op == "int" {
			d = strconv.FormatInt(extents[i].Int, 10)
		}
		dims = append(dims, d)
	}
	shape := strings.Join(dims, "x") + "x" + e.name
	attr := ""
	if word != "" {
		attr = " {layout = #pto.layout<" + word + ">}"
	}
	whole, name := f.fresh("view"), f.fresh("part")
	f.line(v, "%s = pto.make_tensor_view %s, shape = [%s], strides = [%s]%s : !pto.tensor_view<%s>", whole, ptr, strings.Join(sizes, ", "), strings.Join(strides, ", "), attr, shape)
	typ := "!pto.partition_tensor_view<" + shape + ">"
	f.line(v, "%s = pto.partition_view %s, offsets = [%s], sizes = [%s] : !pto.tensor_view<%s> -> %s", name, whole, strings.Join(zeros, ", "), strings.Join(sizes, ", "), shape, typ)
	return argument{kind: viewArgument, name: name, typ: typ, elem: elem, from: v, first: start, last: len(f.out)}
}

// drop removes the lines that define a tile or a view which another one replaces.
func (f *function) drop(a argument) {
	clear(f.out[a.first:a.last])
}

// asType returns the name and the type of an integer argument as an integer of the given
// width, or as an index for width 0.
func (f *function) asType(at *llir.Value, a argument, width int64) (name, typ string) {
	if width == 0 {
		return f.index(at, a.v, false), "index"
	}
	typ = "i" + strconv.FormatInt(width, 10)
	if a.v.Op == "int" {
		n := a.v.Int
		if width < 64 {
			n = n << (64 - width) >> (64 - width)
		}
		return f.intConst(n, typ), typ
	}
	name = f.value(a.v)
	if width == 64 {
		return name, typ
	}
	r := f.fresh("n")
	f.line(at, "%s = arith.trunci %s : i64 to %s", r, name, typ)
	return r, typ
}
