// This file converts tiles of up to six dimensions, and patches of feature maps.

package cpp

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/frontend/llir"
)

// shapeOfConv is the type of a ConvTile, as ptogo_conv describes it. An extent that the
// program computes is -1. size is the size that the type states, in bytes or in elements.
type shapeOfConv struct {
	role, elem, layout, size int64
	extents                  []int64
}

// The numbers of layouts in the header.
const (
	layoutNC1HWC0  = 12
	layoutGNC1HWC0 = 13
	layoutNCHW     = 14
	layoutGNCHW    = 15
	layoutFractalZ = 19
)

// layoutName returns the name of a layout.
func layoutName(n int64) string {
	_, word := enumerator(int64(slices.IndexFunc(enums, func(e enum) bool { return e.name == "Layout" })), n)
	return word
}

// conv converts ptogo_conv. The tiles that instructions access are made by rows.
func (f *function) conv(v *llir.Value) argument {
	t := &shapeOfConv{f.literal(v, 0), f.literal(v, 1), f.literal(v, 2), f.literal(v, 3), nil}
	dims := f.literal(v, 4)
	if dims < 1 || dims > 6 || elements[t.elem].name == "" || isPair(t.elem) {
		f.failf(v, "a ConvTile has a type without counterpart in PTO")
	}
	for i := range dims {
		t.extents = append(t.extents, f.literal(v, 5+int(i)))
	}
	return argument{kind: tileArgument, conv: t, elem: t.elem, from: v, first: len(f.out), last: len(f.out)}
}

// last returns the last extent of the tile, or 0 if the program computes it.
func (t *shapeOfConv) last() int64 { return max(t.extents[len(t.extents)-1], 0) }

// rows returns the product of all extents but the last, or -1 if the program computes one.
func (t *shapeOfConv) rows() int64 {
	n := int64(1)
	for _, e := range t.extents[:len(t.extents)-1] {
		if e < 0 {
			return -1
		}
		n *= e
	}
	return n
}

// tileAt allocates a tile of type t at the distance of some bytes from the start of a
// ConvTile. Valid extents of -1 are the rows that the program computes.
func (f *function) tileAt(a argument, t shapeOfTile, bytes int64) argument {
	at := *a.from
	number := func(n int64) *llir.Value {
		return &llir.Value{Op: "int", Int: n, Type: &llir.Type{Kind: llir.Int, Bits: 64}}
	}
	address, rows := a.from.Args[11], a.from.Args[12]
	if bytes != 0 {
		if address.Op == "int" {
			address = number(address.Int + bytes)
		} else {
			sum := &llir.Value{Op: "sum", Name: "address", Type: address.Type}
			f.names[sum] = f.fresh("address")
			f.line(a.from, "%s = arith.addi %s, %s : i64", f.names[sum], f.i64(a.from, address), f.intConst(bytes, "i64"))
			address = sum
		}
	}
	if t.validRows >= 0 {
		rows = number(t.validRows)
	}
	at.Args = make([]*llir.Value, 14)
	at.Args[11], at.Args[12], at.Args[13] = address, rows, number(t.validCols)
	return f.allocated(&at, t)
}

// byRows allocates the tile whose rows are the last dimension of a ConvTile.
func (f *function) byRows(v *llir.Value, a argument) argument {
	t, cols := a.conv, a.conv.last()
	rows := t.rows()
	if cols == 0 {
		f.failf(v, "the last extent of a ConvTile must be constant")
	}
	most := rows
	if rows < 0 {
		most = t.size / elements[t.elem].bytes / cols
	}
	return f.tileAt(a, shapeOfTile{role: t.role, elem: t.elem, rows: most, cols: cols, fractal: 512, validRows: rows, validCols: cols}, 0)
}

// asRight allocates the tile for a filter in FRACTAL_Z as the right operand of a product:
// boxes of 16 columns of a matrix with a block of channels in each.
func (f *function) asRight(a argument) (argument, bool) {
	t := a.conv
	rows, cols, block := t.rows(), int64(0), t.last()
	switch n := len(t.extents); {
	case rows < 0 || block*elements[t.elem].bytes != 32:
		return a, false
	case n == 4 && t.extents[2] == 16: // C1*H*W, N/16, 16, C0
		cols = t.extents[1] * 16
	case n == 5: // C1, H, W, N, C0
		cols = t.extents[3]
	default:
		return a, false
	}
	if cols%16 != 0 {
		return a, false
	}
	rows = rows / cols * block
	return f.tileAt(a, shapeOfTile{role: t.role, elem: t.elem, rows: rows, cols: cols, slayout: 2, fractal: 512, validRows: rows, validCols: cols}, 0), true
}

// convolution converts calls with a ConvTile, and stores of accumulators to views in
// NC1HWC0. It reports whether c is one of them.
func (f *function) convolution(v *llir.Value, c *libraryCall) bool {
	if len(c.args) < 2 {
		return false
	}
	dst, src := &c.args[0], &c.args[1]
	switch c.name {
	case "TLOAD":
		if dst.conv == nil || src.kind != viewArgument {
			return false
		}
		if f.literal(src.from, 1) != dst.conv.layout {
			return f.loadMaps(v, *dst, src.from)
		}
		f.named(v, "TLOAD", map[string]argument{"dst": f.byRows(v, *dst), "src": f.viewAs(src.from, 0, src.from.Args[3:8], src.from.Args[8:13])})
		return true
	case "TSTORE", "TSTORE_FP":
		if dst.kind == viewArgument && dst.typ == "" && src.tile != nil && src.tile.role == 4 {
			f.storeMaps(c)
		}
	case "TEXPANDS":
		if dst.conv != nil {
			c.args[0] = f.byRows(v, *dst)
		}
	case "TMOV", "TEXTRACT":
		if src.conv != nil && src.conv.layout == layoutFractalZ {
			*src, _ = f.asRight(*src)
		}
	case "TTRANS":
		if dst.conv != nil && src.conv != nil && len(c.args) == 3 {
			return f.transposed(v, c)
		}
	}
	return false
}

// viewAs makes the view that v describes with another layout, extents and strides.
func (f *function) viewAs(v *llir.Value, layout int64, extents, steps []*llir.Value) argument {
	as := *v
	as.Args = slices.Clone(v.Args)
	as.Args[1] = &llir.Value{Op: "int", Int: layout, Type: v.Args[1].Type}
	copy(as.Args[3:], extents)
	copy(as.Args[8:], steps)
	return f.viewOf(&as, as.Args[3:8], as.Args[8:13])
}

// storeMaps replaces the view in a store of an accumulator to feature maps by the view of a
// matrix that the headers for devices store: the rows of the accumulator are the places of
// the maps, and its columns are the channels. It does nothing for other views.
func (f *function) storeMaps(c *libraryCall) {
	tile, at := c.args[1].tile, c.args[0].from
	n, s, known := constantExtents(at)
	if !known {
		return
	}
	rows, cols := tile.validRows, tile.validCols
	if rows < 0 || cols < 0 {
		return
	}
	matrix := func(layout, row, col int64) {
		c.args[0] = f.viewAs(at, layout, constants([5]int64{1, 1, 1, rows, cols}), constants([5]int64{rows * row, rows * row, rows * row, row, col}))
	}
	switch layoutName(f.literal(at, 1)) {
	case "NC1HWC0":
		if n[0] == 1 && s[2] == n[3]*s[3] {
			f.storeBoxes(c, n, s)
		}
	case "NDC1HWC0": // the distance of blocks of channels is the same in all depths
		if rows == n[0]*n[3]*n[4] {
			f.storeBoxes(c, [5]int64{1, n[1] * n[2], rows, 1, s[4]}, [5]int64{s[0], s[2], s[4], s[4], 1})
		}
	case "NHWC":
		if n[0] == 1 && cols == n[4] && rows == n[1]*n[2]*n[3] {
			matrix(0, s[3], 1)
		}
	case "NCHW":
		if cols == n[2] && rows == n[1]*n[3]*n[4] {
			matrix(1, 1, s[2])
		}
	case "NCDHW":
		if cols == n[1] && rows == n[0]*n[3]*n[4] {
			matrix(1, 1, s[1])
		}
	}
}

// storeBoxes replaces the view in a store of an accumulator to feature maps with blocks of
// channels, whose extents are n and whose strides are s. 16 places of the maps make a box of
// the layout NZ.
func (f *function) storeBoxes(c *libraryCall, n, s [5]int64) {
	rows, at := c.args[1].tile.validRows, c.args[0].from
	if s[3] != n[4] || n[4] != 16 && n[4] != 32 && n[4] != 8 || rows > n[2]*n[3] {
		return
	}
	box := int64(16)
	if rows%16 != 0 {
		box = rows
	}
	n, s = [5]int64{1, n[1], rows / box, box, n[4]}, [5]int64{s[0], s[1], box * s[3], s[3], 1}
	c.args[0] = f.viewAs(at, 2, constants(n), constants(s))
}

// unroll converts TIMG2COL, whose arguments precede the call v with the settings of the
// patch engine.
func (f *function) unroll(v *llir.Value) {
	c := f.callAt(v)
	f.call = nil
	if len(c.args) != 4 || c.args[1].conv == nil || c.args[2].v == nil || c.args[3].v == nil {
		f.failf(v, "a call of TIMG2COL is incomplete")
	}
	dst, src, row, col := c.args[0], f.byRows(v, c.args[1]), c.args[2], c.args[3]
	settings := func(from, to int) string {
		var names []string
		for _, a := range v.Args[from:to] {
			names = append(names, f.index(v, a, false))
		}
		return strings.Join(names, ", ")
	}
	config := f.fresh("patches")
	text := fmt.Sprintf("fmap(%s) pads(%s) filter(%s) strides(%s) dilations(%s) channels(%s)",
		settings(0, 2), settings(2, 6), settings(6, 8), settings(8, 10), settings(10, 12), settings(12, 13))
	if pad := v.Args[13]; !pad.IsConst(0) {
		text += fmt.Sprintf(" pad_value(%s)", f.padding(v, pad, src.elem))
	}
	text += fmt.Sprintf(" repeat(%s)", settings(14, 17))
	f.line(v, "%s = pto.make_fmatrix_config %s : !pto.fmatrix_config", config, text)
	for _, set := range list("setfmatrix set_img2col_rpt set_img2col_padding") {
		f.line(v, "pto.%s %s : !pto.fmatrix_config -> ()", set, config)
	}
	operands := map[string]argument{"dst": dst, "src": src}
	if !row.v.IsConst(0) || !col.v.IsConst(0) {
		operands["posM"], operands["posK"] = row, col
	}
	f.named(v, "TIMG2COL", operands)
}

// padding returns the element with the bits in pad, and its type.
func (f *function) padding(v, pad *llir.Value, elem int64) string {
	e := elements[elem]
	bits := fmt.Sprintf("i%d", 8*e.bytes)
	name := f.i64(v, pad)
	if e.bytes < 8 {
		narrow := f.fresh("pad")
		f.line(v, "%s = arith.trunci %s : i64 to %s", narrow, name, bits)
		name = narrow
	}
	if strings.Contains(e.name, "f") {
		number := f.fresh("pad")
		f.line(v, "%s = arith.bitcast %s : %s to %s", number, name, bits, e.name)
		return number + " : " + e.name
	}
	return name + " : " + bits
}

// transposed converts TTRANS between layouts of feature maps and filters, map by map.
func (f *function) transposed(v *llir.Value, c *libraryCall) bool {
	dst, src, tmp := c.args[0], c.args[1], c.args[2]
	to, from := dst.conv, src.conv
	size := elements[to.elem].bytes
	matrix := func(a argument, rows, cols, stride, start int64) argument {
		return f.tileAt(a, shapeOfTile{role: a.conv.role, elem: a.conv.elem, rows: rows, cols: stride, fractal: 512, validRows: rows, validCols: cols}, start*size)
	}
	if slices.Contains(to.extents, -1) || slices.Contains(from.extents, -1) || to.elem != from.elem || size > 8 {
		return false
	}
	d, s := to.extents, from.extents
	blocks, split, maps := from, from.layout == layoutNCHW || from.layout == layoutGNCHW, to.layout == layoutFractalZ
	if split {
		blocks = to
	}
	b := blocks.extents // [groups,] maps, blocks of channels, lines, places, channels of a block
	if n := len(b); n < 5 || n > 6 || blocks.layout != layoutNC1HWC0 && blocks.layout != layoutGNC1HWC0 {
		return false
	}
	groups, b := product(b[:len(b)-5]), b[len(b)-5:]
	places, channels := b[2]*b[3], b[4]
	switch n := groups * b[0] * b[1]; {
	case n > 1<<12:
		return false
	case maps && len(d) == 4: // the rows of all maps alternate
		places *= b[1]
		count := d[1] * d[2]
		if b[0] > count || d[0] != groups*places {
			return false
		}
		for g := range groups {
			start := g * count * places * channels
			for i := range b[0] {
				f.copyRows(v, dst, src, (start+i*channels)*size, (start+i*places*channels)*size, places, channels*size, count*channels*size)
			}
			if rest := count - b[0]; rest > 0 && from.layout == layoutGNC1HWC0 {
				f.instruction(v, &libraryCall{name: "TEXPANDS", block: v.Block, args: []argument{matrix(dst, places, rest*channels, count*channels, start+b[0]*channels), zeroArgument()}})
			}
		}
	case split && product(s) == product(d):
		for i := range n { // a block of channels
			f.transpose(v, matrix(dst, places, channels, channels, i*places*channels), matrix(src, channels, places, places, i*places*channels), tmp)
		}
	case (to.layout == layoutNCHW || to.layout == layoutGNCHW) && product(s) == product(d):
		for i := range n {
			f.transpose(v, matrix(dst, channels, places, places, i*places*channels), matrix(src, places, channels, channels, i*places*channels), tmp)
		}
	default:
		return false
	}
	return true
}

// copyRows copies rows inside the unified buffer. They are contiguous in src, and in dst as
// many bytes apart as step says.
func (f *function) copyRows(v *llir.Value, dst, src argument, to, from, rows, bytes, step int64) {
	if bytes%32 != 0 || step%32 != 0 || dst.conv.role != 0 || src.conv.role != 0 {
		f.failf(v, "TTRANS of rows that are not a multiple of 32 bytes has no counterpart in PTO yet")
	}
	pointer := func(a argument, bytes int64) string {
		at := f.fresh("address")
		f.line(v, "%s = arith.addi %s, %s : i64", at, f.i64(v, a.from.Args[11]), f.intConst(bytes, "i64"))
		name := f.fresh("pointer")
		f.line(v, "%s = pto.castptr %s : i64 -> !pto.ptr<ui8, ub>", name, at)
		return name
	}
	number := func(n int64) string { return f.intConst(n, "i64") }
	f.line(v, "pto.copy_ubuf_to_ubuf %s, %s, %s, %s, %s, %s, %s : !pto.ptr<ui8, ub>, !pto.ptr<ui8, ub>, i64, i64, i64, i64, i64",
		pointer(src, from), pointer(dst, to), number(0), number(rows), number(bytes/32), number(0), number((step-bytes)/32))
}

// product returns the product of numbers.
func product(all []int64) int64 {
	n := int64(1)
	for _, x := range all {
		n *= x
	}
	return n
}

// zeroArgument returns the integer argument 0.
func zeroArgument() argument {
	return argument{kind: intArgument, v: &llir.Value{Op: "int", Type: &llir.Type{Kind: llir.Int, Bits: 64}}}
}

// transpose writes one transposition of a matrix.
func (f *function) transpose(v *llir.Value, dst, src, tmp argument) {
	operands := map[string]argument{"dst": dst, "src": src, "tmp": tmp}
	f.named(v, "TTRANS", operands)
}
