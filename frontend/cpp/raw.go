// This file converts copies that kernels call without the library.

package cpp

import (
	"strconv"
	"strings"

	"ptogo/frontend/llir"
)

// rawSpaces are the memory spaces between which raw copies move data: source and
// destination. The space of global memory is "".
var rawSpaces = map[string][2]string{
	"copy_cbuf_to_ubuf": {"l1", "ub"}, "copy_ubuf_to_cbuf": {"ub", "l1"}, "copy_ubuf_to_gm": {"ub", ""}, "copy_gm_to_ubuf": {"", "ub"},
}

// rawCopy converts ptogo_copy: its name, a pointer to global memory, the local addresses of
// destination and source, and further numbers.
func (f *function) rawCopy(v *llir.Value) {
	name := f.m.Strings[v.Args[0].Name]
	if name == "copy_cbuf_to_gm" {
		f.copyFromL1(v)
		return
	}
	spaces, known := rawSpaces[name]
	if !known {
		f.failf(v, "'%s' has no counterpart in PTO yet", name)
	}
	var names, types []string
	add := func(name, typ string) { names, types = append(names, name), append(types, typ) }
	for side, address := range []*llir.Value{v.Args[3], v.Args[2]} {
		if spaces[side] == "" {
			add(f.globalPointer(v, v.Args[1], byteElement), f.pointerType(byteElement))
		} else {
			add(f.localPointer(v, address, spaces[side], "ui8"))
		}
	}
	for i, c := range v.Args[4:] {
		if i == 5 && name != "copy_ubuf_to_gm" {
			break
		}
		if i == 3 && name == "copy_gm_to_ubuf" { // no padding, and the default of the cache
			for range 2 {
				add(f.intConst(0, "i64"), "i64")
			}
			add(f.intConst(0, "i1"), "i1")
			add(f.intConst(0, "i64"), "i64")
		}
		add(f.i64(v, c), "i64")
	}
	f.line(v, "pto.%s %s : %s", name, strings.Join(names, ", "), strings.Join(types, ", "))
}

// copyFromL1 converts a copy from L1 to global memory, which PTO has as a store of a tile:
// rows of blocks of 32 bytes, with gaps of blocks between them.
func (f *function) copyFromL1(v *llir.Value) {
	const block = 32
	rows, length, fromGap, toGap := f.literal(v, 5), f.literal(v, 6), f.literal(v, 7), f.literal(v, 8)
	number := func(n int64) *llir.Value {
		return &llir.Value{Op: "int", Int: n, Type: &llir.Type{Kind: llir.Int, Bits: 64}}
	}
	t := shapeOfTile{role: 1, elem: byteElement, rows: rows, cols: block * (length + fromGap), fractal: 512, validRows: rows, validCols: block * length}
	from, to := *v, *v
	from.Args = make([]*llir.Value, 14)
	from.Args[11], from.Args[12], from.Args[13] = v.Args[3], number(t.validRows), number(t.validCols)
	to.Args = append([]*llir.Value{number(byteElement), number(0), v.Args[1]}, append(constants([5]int64{1, 1, 1, rows, block * length}),
		constants([5]int64{0, 0, 0, block * (length + toGap), 1})...)...)
	f.named(v, "TSTORE", map[string]argument{"dst": f.view(&to), "src": f.allocated(&from, t)})
}

// localPointer returns a pointer to the local address v, and its type.
func (f *function) localPointer(at, v *llir.Value, space, elem string) (name, typ string) {
	typ = "!pto.ptr<" + elem + ", " + space + ">"
	name = f.fresh("pointer")
	f.line(at, "%s = pto.castptr %s : i64 -> %s", name, f.i64(at, v), typ)
	return name, typ
}

// fillL1 converts create_cbuf_matrix. The configuration has the number of repeats in bits 0
// to 15, of blocks in bits 16 to 31, and of blocks in a gap in bits 32 to 47.
func (f *function) fillL1(v *llir.Value) {
	bits, config := f.literal(v, 1), v.Args[3]
	if config.Op != "int" || bits != 16 && bits != 32 {
		f.failf(v, "create_cbuf_matrix needs a constant configuration, and elements of 16 or 32 bits")
	}
	to, typ := f.localPointer(v, v.Args[0], "l1", "ui"+strconv.FormatInt(bits, 10))
	value, valueType := f.asType(v, argument{v: v.Args[2]}, 32)
	part := func(shift int) string { return f.intConst(config.Int>>shift&0xFFFF, "i64") }
	f.line(v, "pto.create_cbuf_matrix %s, %s, %s, %s, %s {fill_word_bits = %d : i64} : %s, %s, i64, i64, i64",
		to, value, part(0), part(16), part(32), bits, typ, valueType)
}
