// This file parses the types of the dialect.

package pto

import (
	"maps"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// How the types of the dialect are read. A tile type is written in several ways in
// public files: by position, by key, with a space in front or as loc=. All of them
// are read; printing uses one.

// typeParsers returns the parsers of the dialect's types by name. A parser reads the text
// that follows the name.
func typeParsers() map[string]func(p *ir.Parser) ir.Type {
	m := map[string]func(p *ir.Parser) ir.Type{
		"tile": func(p *ir.Parser) ir.Type { return tileType(p, false) },
		"tile_buf": func(p *ir.Parser) ir.Type {
			return tileType(p, true)
		},
		"multi_tile_buf": parseMultiTileBuf,
		"ptr":            parsePtr,
		"tensor_view":    parseTensorView,
		// What PTO-AS calls a tensor in global memory.
		"memref": func(p *ir.Parser) ir.Type { s, e := shaped(p); return ir.TypeOf(TensorView{s, e}) },
		"partition_tensor_view": func(p *ir.Parser) ir.Type {
			s, e := shaped(p)
			return ir.TypeOf(PartitionView{s, e})
		},
		// An old name of a part of a tensor view.
		"tile_view": func(p *ir.Parser) ir.Type {
			s, e := shaped(p)
			return ir.TypeOf(PartitionView{s, e})
		},
		"vreg":        parseVReg,
		"mask":        parseMask,
		"local_array": parseLocalArray,
		"struct":      parseStruct,
	}
	maps.Copy(m, microTypes)
	maps.Copy(m, vmiTypes)
	for i, k := range elemKinds {
		t := ir.TypeOf(ElemType{ElemKind(i)})
		m[k.name] = func(*ir.Parser) ir.Type { return t }
	}
	for _, name := range []string{"align", "pipe", "async_event", "fmatrix_config"} {
		t := ir.TypeOf(Handle{name})
		m[name] = func(*ir.Parser) ir.Type { return t }
	}
	for _, name := range []string{"async_session", "prefetch_async_context"} {
		t := ir.TypeOf(Handle{name})
		m[name] = func(p *ir.Parser) ir.Type {
			p.MayBeOld() // copies with it may have memrefs
			return t
		}
	}
	return m
}

// shaped parses a shape with an element type, such as <4x?xf32>.
func shaped(p *ir.Parser) (ir.Dims, ir.Type) {
	p.Expect("<")
	dims := p.Dims()
	elem := parseElem(p)
	p.Expect(">")
	return dims, elem
}

// parseElem parses an element type and replaces deprecated names by current ones.
func parseElem(p *ir.Parser) ir.Type {
	off := p.Offset()
	return elemToday(p, off, p.Type())
}

// parsePtr parses <elem> or <elem, space>, the rest of a pointer type after its name. The
// default memory space is gm.
func parsePtr(p *ir.Parser) ir.Type {
	t := PtrType{Space: sem.GM}
	p.Expect("<")
	t.Elem = parseElem(p)
	if p.Accept(",") {
		t.Space = parseSpace(p)
	}
	p.Expect(">")
	return ir.TypeOf(t)
}

// parseSpace parses the name of a memory space, or an #pto.address_space attribute that
// names one.
func parseSpace(p *ir.Parser) sem.Space {
	off := p.Offset()
	// The space may also be given as its attribute.
	if p.At("#pto.address_space") {
		if s := SpaceOfAttr(p.Attr()); s != sem.NoSpace {
			return s
		}
	}
	name := p.Ident()
	s, ok := sem.ParseSpace(name)
	if !ok && !p.Failed() {
		p.ErrorAt(off, "unknown memory space '%s': expected gm, ub, l1, l0a, l0b, l0c, bt or fb", name)
	}
	return s
}

// SpaceOfAttr returns the memory space that an #pto.address_space attribute names, or
// NoSpace for other attributes.
func SpaceOfAttr(a ir.Attr) sem.Space {
	if d, ok := ir.AttrAs[ir.EnumAttr](a); ok && d.Enum == AddressSpaceEnum {
		return sem.Space(d.Value)
	}
	return sem.NoSpace
}

// parseVReg parses the rest of !pto.vreg<64xf32> after the name, and checks that the
// lanes fill a register.
func parseVReg(p *ir.Parser) ir.Type {
	off := p.Offset()
	s, e := shaped(p)
	if p.Failed() {
		return ir.Type{}
	}
	if s.Len() != 1 || s.At(0) <= 0 {
		p.ErrorAt(off, "a vector register must have one positive number of lanes, as in !pto.vreg<64xf32>")
		return ir.Type{}
	}
	if size := s.At(0) * int64(ByteSize(e)); size != VectorBytes {
		p.ErrorAt(off, "a vector register holds %d bytes, but %dx%s needs %d", VectorBytes, s.At(0), e, size)
		return ir.Type{}
	}
	return ir.TypeOf(VReg{s.At(0), e})
}

// VectorBytes is the size of a vector register in bytes.
const VectorBytes = 256

// parseMask parses the rest of !pto.mask<b32> after the name. Without a lane width, it
// reports deprecated syntax and returns OpenMask.
func parseMask(p *ir.Parser) ir.Type {
	if !p.At("<") {
		p.Old(p.PrevEnd()-len("!pto.mask"), "!pto.mask", "!pto.mask<b32>, with the width of what it masks")
		return OpenMask
	}
	p.Expect("<")
	bits := map[string]uint8{"b8": 8, "b16": 16, "b32": 32}[p.Keyword("b8", "b16", "b32")]
	p.Expect(">")
	return ir.TypeOf(Mask{bits})
}

// parseMultiTileBuf parses the rest of !pto.multi_tile_buf<...> after the name.
func parseMultiTileBuf(p *ir.Parser) ir.Type {
	off := p.Offset()
	var t MultiTileBuf
	p.Expect("<")
	if p.At("!pto.tile_buf") {
		t.Slot = p.Type()
		for p.Accept(",") {
			if p.Keyword("count") != "" && p.Expect("=") {
				t.Count = p.Integer()
			}
		}
	} else {
		r := tileReader{p: p, off: off, t: newTileInfo()}
		r.body()
		t.Slot, t.Count = ir.TypeOf(TileBuf{r.finish()}), r.count
	}
	p.Expect(">")
	if !p.Failed() && (t.Count < 2 || t.Count > 16) {
		p.ErrorAt(off, "a multi_tile_buf must have 2 to 16 slots, but count is %d", t.Count)
	}
	return ir.TypeOf(t)
}

// newTileInfo returns a TileInfo with the defaults of a tile type. Extents are -1 until
// they are parsed.
func newTileInfo() TileInfo {
	return TileInfo{Space: sem.UB, Rows: -1, Cols: -1, VRows: -1, VCols: -1, BLayout: RowMajor, Fractal: DefaultFractal}
}

// tileType parses the rest of a tile type after its name, in any of the public syntaxes.
// The type is !pto.tile_buf if buf is true, and !pto.tile if it is false.
func tileType(p *ir.Parser, buf bool) ir.Type {
	r := tileReader{p: p, off: p.Offset(), t: newTileInfo()}
	p.Expect("<")
	r.body()
	p.Expect(">")
	t := r.finish()
	if p.Failed() {
		return ir.Type{}
	}
	if r.count != 0 {
		p.ErrorAt(r.off, "only a multi_tile_buf can have a count")
	}
	if buf {
		return ir.TypeOf(TileBuf{t})
	}
	return ir.TypeOf(Tile{t})
}

// tileReader parses the items of a tile type. There are three public forms: a compact one
// (vec, 32x64xf32, key=value ...), a verbose one (only key=value), and a positional one
// in the ISA manual (loc=vec, f32, 32, 64, RowMajor, NoneBox, None, Zero).
type tileReader struct {
	p     *ir.Parser
	off   int
	t     TileInfo
	count int64
	// pos is the index of the next positional item after the element type, in the
	// positional form.
	pos int
}

// body parses the items of a tile type, separated by commas.
func (r *tileReader) body() {
	r.item()
	for r.p.Accept(",") {
		r.item()
	}
}

// item parses one item of a tile type: a shape with its element type, a number, or a
// word.
func (r *tileReader) item() {
	p := r.p
	switch {
	case p.AtInteger() && r.t.Elem.IsZero(): // 32x64xf32
		dims := p.Dims()
		r.t.Elem = p.Type()
		if !p.Failed() && (dims.Len() != 2 || !dims.Static()) {
			p.ErrorAt(r.off, "a tile must have static rows and columns, as in 32x64xf32")
			return
		}
		if !p.Failed() {
			r.t.Rows, r.t.Cols = dims.At(0), dims.At(1)
		}
	case p.AtInteger():
		r.positionalExtent()
	case p.AtIdent():
		r.word()
	default:
		r.t.Elem = p.Type()
	}
}

// word parses an item that starts with a word: key=value, a memory space, an element
// type, or a keyword of the positional form.
func (r *tileReader) word() {
	p, off := r.p, r.p.Offset()
	word := p.Text()
	if s, ok := sem.ParseSpace(word); ok && s != sem.NoSpace {
		p.Ident()
		r.t.Space = s
		return
	}
	if t := p.OptionalType(); !t.IsZero() {
		r.t.Elem = t
		return
	}
	p.Ident()
	if p.Accept("=") {
		r.key(off, word)
		return
	}
	r.positionalWord(off, word)
}

// key parses the value of one item key=value of a tile type, and stores it in the type
// that is being read. The parser has already read the key and the equals sign; off is the
// byte offset of the key in the text, for errors.
func (r *tileReader) key(off int, key string) {
	p := r.p
	switch key {
	case "loc":
		r.t.Space = parseSpace(p)
	case "dtype":
		r.t.Elem = p.Type()
	case "rows":
		r.t.Rows = p.Integer()
	case "cols":
		r.t.Cols = p.Integer()
	case "v_row":
		r.t.VRows = extent(p)
	case "v_col":
		r.t.VCols = extent(p)
	case "valid":
		if ds := p.Extents(); len(ds) == 2 {
			r.t.VRows, r.t.VCols = ds[0], ds[1]
		} else if !p.Failed() {
			p.ErrorAt(off, "valid must have rows and columns, as in valid=16x?")
		}
	case "blayout":
		r.t.BLayout = r.layout(false)
	case "slayout":
		r.t.SLayout = r.layout(true)
	case "fractal":
		n := p.Integer()
		if r.t.Fractal = int32(n); !p.Failed() && n != 32 && n != 512 && n != 1024 {
			p.ErrorAt(off, "fractal must be 32, 512 or 1024, but is %d", n)
		}
	case "pad":
		r.t.Pad = r.pad(off)
	case "compact":
		r.t.Compact = r.compact(off)
	case "count":
		r.count = p.Integer()
	default:
		p.ErrorAt(off, "unknown key '%s' in a tile type", key).As(ir.CodeUnknownWord).Suggest(p.LocAt(off), key, tileKeys...)
	}
}

// tileKeys are the known keys of key=value items in tile types, for error messages.
var tileKeys = []string{"loc", "dtype", "rows", "cols", "v_row", "v_col", "valid", "blayout", "slayout", "fractal", "pad", "compact"}

// extent parses the number of rows or columns: an integer, or ? for a number that is only
// known at run time.
func extent(p *ir.Parser) int64 {
	if p.Accept("?") {
		return ir.Dynamic
	}
	return p.Integer()
}

// number parses the integer value of a key in a tile type. It reports an error if the
// integer is not between lo and hi.
func (r *tileReader) number(off int, key string, lo, hi int64) int64 {
	v := r.p.Integer()
	if !r.p.Failed() && (v < lo || v > hi) {
		r.p.ErrorAt(off, "%s must be between %d and %d, but is %d", key, lo, hi, v)
	}
	return v
}

// layout parses the layout row_major or col_major. If box is set, it parses the layout of
// the elements inside a box (slayout), which can have the value none_box, too.
func (r *tileReader) layout(box bool) Layout {
	choices := []string{"row_major", "col_major"}
	if box {
		choices = append(choices, "none_box")
	}
	switch r.p.Keyword(choices...) {
	case "col_major":
		return ColMajor
	case "none_box":
		return NoneBox
	}
	return RowMajor
}

// pad parses the padding policy of a tile type: a number or a keyword, which follows the
// key "pad".
func (r *tileReader) pad(off int) Pad {
	if r.p.AtInteger() {
		return Pad(r.number(off, "pad", 0, 3))
	}
	a := r.p.EnumCase(PadValueEnum)
	d, _ := ir.AttrAs[ir.EnumAttr](a)
	return Pad(d.Value)
}

// compact parses the value of the key compact in a tile type. The value, a number or a
// keyword, is the compact mode of the tile.
func (r *tileReader) compact(off int) uint8 {
	if r.p.AtInteger() {
		return uint8(r.number(off, "compact", 0, 2))
	}
	d, _ := ir.AttrAs[ir.EnumAttr](r.p.EnumCase(CompactModeEnum))
	return uint8(d.Value)
}

// positionalExtent parses a number in the positional form of a tile type, where the
// extents follow the element type. The first number is the number of rows, and the second
// is the number of columns.
func (r *tileReader) positionalExtent() {
	off, v := r.p.Offset(), r.p.Integer()
	switch {
	case r.t.Rows < 0:
		r.t.Rows = v
	case r.t.Cols < 0:
		r.t.Cols = v
	default:
		if !r.p.Failed() {
			r.p.ErrorAt(off, "unexpected number %d in a tile type", v)
		}
	}
}

// positionalWord parses word, an item of a tile type in the old syntax without keys,
// where the position of an item determines its meaning. The items are, in this order, the
// layout (such as RowMajor), the inner layout (such as NoneBox), the fractal size and the
// padding.
func (r *tileReader) positionalWord(off int, word string) {
	i := r.pos
	r.pos++
	switch w := strings.ToLower(word); {
	case i == 0 && w == "rowmajor":
		r.t.BLayout = RowMajor
	case i == 0 && w == "colmajor":
		r.t.BLayout = ColMajor
	case i == 1 && w == "nonebox":
		r.t.SLayout = NoneBox
	case i == 1 && w == "rowmajor":
		r.t.SLayout = RowMajor
	case i == 1 && w == "colmajor":
		r.t.SLayout = ColMajor
	case i == 2 && w == "none":
	case i == 3 && (w == "null" || w == "zero" || w == "max" || w == "min"):
		r.t.Pad = map[string]Pad{"null": PadNull, "zero": PadZero, "max": PadMax, "min": PadMin}[w]
	default:
		r.p.ErrorAt(off, "unexpected '%s' in a tile type", word).
			Suggest(r.p.LocAt(off), word, tileSpaces...).
			Note(r.p.LocAt(off), "a tile is written as in !pto.tile_buf<vec, 32x64xf32, valid=16x?, blayout=col_major>")
	}
}

// finish completes the parsing of a tile type. It sets the defaults of omitted items,
// reports an error for a missing element type or illegal numbers of rows and columns, and
// returns the description of the type.
func (r *tileReader) finish() TileInfo {
	p, t := r.p, r.t
	if p.Failed() {
		return t
	}
	t.Elem = elemToday(p, r.off, t.Elem)
	switch {
	case t.Elem.IsZero():
		p.ErrorAt(r.off, "a tile type needs an element type")
	case ByteSize(t.Elem) == 0 || t.Elem == ir.Index || ir.Is[PtrType](t.Elem):
		p.ErrorAt(r.off, "a tile cannot hold elements of type %s", t.Elem).
			Suggest(p.LocAt(r.off), t.Elem.String(), elementWords()...)
	case t.Rows <= 0 || t.Cols <= 0:
		p.ErrorAt(r.off, "a tile type needs positive rows and cols")
	case t.Rows > 1<<24 || t.Cols > 1<<24:
		p.ErrorAt(r.off, "a tile of %dx%d does not fit any memory", t.Rows, t.Cols)
	}
	if t.VRows == -1 {
		t.VRows = t.Rows
	}
	if t.VCols == -1 {
		t.VCols = t.Cols
	}
	if !p.Failed() {
		r.checkValid("rows", t.VRows, t.Rows)
		r.checkValid("cols", t.VCols, t.Cols)
	}
	return t
}

// checkValid reports an error if a tile type has more valid rows (or columns) than rows
// (or columns) in its storage. valid is the number of valid ones, and all is the number
// in the storage. The parameter what is "rows" or "columns", for the message.
func (r *tileReader) checkValid(what string, valid, all int64) {
	if valid != ir.Dynamic && (valid < 0 || valid > all) {
		r.p.ErrorAt(r.off, "the valid region must be inside the tile: valid %s %d, tile %s %d", what, valid, what, all)
	}
}

// tileSpaces are the names of the memory spaces that can contain tiles.
var tileSpaces = []string{"vec", "mat", "left", "right", "acc", "bias", "scaling"}

// elementWords returns the names of all element types, for error messages.
func elementWords() []string {
	words := make([]string, len(elemNames))
	for i, e := range elemNames {
		words[i] = e.name
	}
	return words
}

// OpenMask is the type of a mask whose lane width the program omits, which is deprecated.
var OpenMask = ir.TypeOf(Mask{})

// elemToday replaces the element type t if the text names it by a deprecated name, such
// as f8E4M3. It returns the type with the current name, and reports the deprecated name
// at byte offset off. It returns any other element type unchanged.
func elemToday(p *ir.Parser, off int, t ir.Type) ir.Type {
	if f, ok := ir.As[ir.FloatType](t); ok && f.Name == "f8E4M3" {
		p.Old(off, "f8E4M3", "f8E4M3FN")
		return ir.TypeOf(ir.FloatType{Name: "f8E4M3FN"})
	}
	return t
}

// parseTensorView parses the shape and element type of a view. A single number may be the
// number of dimensions, in a deprecated form.
func parseTensorView(p *ir.Parser) ir.Type {
	dims, elem := shaped(p)
	if dims.Len() == 1 && dims.At(0) > 1 && dims.At(0) <= ViewRank {
		p.MayBeOld()
	}
	return ir.TypeOf(TensorView{dims, elem})
}
