package diff

import (
	"math/rand/v2"
	"regexp"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// palette holds the properties that the tiles of a program share, such as the element
// type and the extents. Shared properties let instructions use the results of others as
// operands.
type palette struct {
	r          *rand.Rand
	rows, cols int64
	elem       ir.Type
	// valid maps an extent of tiles (a number of rows or columns) to its valid part, the
	// number of rows or columns that hold data.
	valid map[int64]int64
	// partial reports whether the valid regions are smaller than the tiles.
	partial bool
	// open reports whether the tile types leave the valid region to run time.
	open   bool
	target ir.Target
}

// elemTypes lists the element types of random programs. Common types occur several times,
// so that they are chosen more often.
var elemTypes = parseTypes("f32", "f16", "bf16", "i32", "i16", "i8", "ui8", "ui16", "ui32", "f32", "f16", "i32",
	"i64", "ui64", "f8E4M3FN", "f8E5M2", "!pto.hif8", "!pto.f4E2M1x2", "!pto.f4E1M2x2")

func parseTypes(names ...string) []ir.Type {
	var types []ir.Type
	for _, name := range names {
		var diags ir.Diags
		t := ir.NewParser(&ir.Source{Name: "type", Text: name}, ir.ParseOptions{}, &diags).Type()
		if diags.HasErrors() {
			panic("BUG: no type " + name)
		}
		types = append(types, t)
	}
	return types
}

func newPalette(r *rand.Rand, t ir.Target) *palette {
	p := &palette{r: r, target: t, elem: elemTypes[r.IntN(len(elemTypes))], valid: map[int64]int64{1: 1}}
	rows := []int64{1, 2, 3, 5, 7, 8, 13, 16, 16, 16, 17, 32}
	p.rows = rows[r.IntN(len(rows))]
	unit := int64(32 / pto.ByteSize(p.elem))
	p.cols = unit * int64(1+r.IntN(4))
	for p.cols < 32 && r.IntN(3) > 0 { // wide enough to be halved
		p.cols *= 2
	}
	p.partial = r.IntN(2) == 0
	p.open = p.partial && r.IntN(3) == 0
	return p
}

// widen makes the tiles wider than several vector registers of A5, and limits the number
// of rows so that the tiles of a program fit into memory.
func (p *palette) widen() {
	p.rows = min(p.rows, 8)
	p.cols = int64(32 / pto.ByteSize(p.elem) * (8 + p.r.IntN(32)))
}

// validOf returns the number of valid rows of a tile with n rows, or the number of valid
// columns of a tile with n columns. On the first call for n, it chooses a random number
// from 1 to n (rarely 0) if the program has partly valid tiles, and n otherwise. Later
// calls for n return the same number, so that the tiles of the program fit together.
func (p *palette) validOf(n int64) int64 {
	if v, ok := p.valid[n]; ok {
		return v
	}
	v := n
	if p.partial && p.r.IntN(2) == 0 {
		v = 1 + p.r.Int64N(n)
		if p.open && p.r.IntN(8) == 0 {
			v = 0
		}
	}
	p.valid[n] = v
	return v
}

// variation is the state of one call of palette.vary, which changes the types and
// attributes of an instruction at random.
type variation struct {
	*palette
	elems map[ir.Type]ir.Type
	dims  map[int64]int64
	// scale reports whether extents change in proportion: the examples have tiles of 16
	// rows and 64 columns, and the varied extents keep their ratio to these numbers.
	scale bool
	// wild reports whether the extents and valid regions of different tiles are chosen
	// independently of each other. Many such variations are illegal.
	wild  bool
	legal []ir.Type
}

// elemsOf returns those of elemTypes that the operand or result a may have on the target.
// It returns all of them if the declaration of a does not restrict the type.
func (v *variation) elemsOf(a *ir.Arg) []ir.Type {
	if a == nil {
		return elemTypes
	}
	set, ok := pto.Legal(a.Type, v.target)
	if !ok {
		return elemTypes
	}
	var legal []ir.Type
	for _, t := range elemTypes {
		if set.Has(t) {
			legal = append(legal, t)
		}
	}
	return legal
}

// vary returns a copy of u (an instruction with its types and attributes) with random
// changes. The copy may be illegal, and then the caller calls vary again. tries is the
// number of illegal copies so far. After more than 8 illegal copies, vary changes less.
func (p *palette) vary(u *use, tries int) *use {
	v := &variation{palette: p, elems: map[ir.Type]ir.Type{}, dims: map[int64]int64{1: 1}}
	v.scale, v.wild = p.r.IntN(5) == 0, p.r.IntN(6) == 0
	w := &use{def: u.def, args: u.args}
	keep := func(n int) bool { return tries > 8 && p.r.IntN(n) == 0 }
	elems, dims := !keep(2), !keep(3)
	for i, t := range u.ins {
		v.legal = v.elemsOf(u.argOf(i))
		w.ins = append(w.ins, v.typ(t, elems, dims))
	}
	for i, t := range u.outs {
		v.legal = v.elemsOf(u.resultOf(i))
		w.outs = append(w.outs, v.typ(t, elems, dims))
	}
	w.attrs = u.attrs
	if !keep(3) {
		w.attrs = v.attrsOf(u)
	}
	return w
}

func (v *variation) typ(t ir.Type, elems, dims bool) ir.Type {
	switch d := t.Data().(type) {
	case pto.Tile:
		return ir.TypeOf(pto.Tile{TileInfo: v.tile(d.TileInfo, elems, dims)})
	case pto.PartitionView:
		if elems {
			d.Elem = v.elem(d.Elem)
		}
		if dims {
			d.Shape = v.shape(d.Shape)
		}
		return ir.TypeOf(d)
	}
	if elems && (ir.Is[ir.FloatType](t) || ir.Is[ir.IntegerType](t)) {
		return ir.WithoutSign(v.elem(t))
	}
	return t
}

func (v *variation) elem(from ir.Type) ir.Type {
	if len(v.legal) == 0 || v.r.IntN(16) == 0 {
		return elemTypes[v.r.IntN(len(elemTypes))]
	}
	if _, ok := v.elems[from]; !ok {
		switch {
		case len(v.elems) == 0 && v.r.IntN(4) > 0 && slices.Contains(v.legal, v.palette.elem):
			v.elems[from] = v.palette.elem
		case v.r.IntN(4) == 0:
			v.elems[from] = from
		default:
			v.elems[from] = v.legal[v.r.IntN(len(v.legal))]
		}
	}
	return v.elems[from]
}

func (v *variation) tile(t pto.TileInfo, elems, dims bool) pto.TileInfo {
	cutRows, cutCols := t.VRows != t.Rows, t.VCols != t.Cols
	rows, cols := t.VRows, t.VCols
	if elems {
		t.Elem = v.elem(t.Elem)
	}
	if !dims {
		return t
	}
	t.Rows, t.Cols = v.dim(t.Rows, 16, v.rows, t.Space), v.dim(t.Cols, 64, v.cols, t.Space)
	t.VRows, t.VCols = v.part(t.Rows, rows, cutRows), v.part(t.Cols, cols, cutCols)
	return t
}

// dim returns the replacement for n, the number of rows or columns of a tile in an
// example; space is the memory space of the tile. An extent of 1 is not changed.
//
// If the field scale is set, all extents of tiles in UB are multiplied by the same
// factor, to/unit. unit is the extent that most examples have (16 rows or 64 columns),
// and to is the extent that replaces it. In all other cases the replacement is random,
// and equal extents have equal replacements.
func (v *variation) dim(n, unit, to int64, space sem.Space) int64 {
	if n == 1 {
		return 1
	}
	if v.scale && space == sem.UB {
		return max(1, n*to/unit)
	}
	if _, ok := v.dims[n]; !ok {
		switch {
		case space != sem.UB:
			v.dims[n] = []int64{16, 32, 48, 64, n}[v.r.IntN(5)]
		case v.wild:
			v.dims[n] = []int64{v.rows, v.cols, 8, 16, 32, 64}[v.r.IntN(6)]
		case n == 16:
			v.dims[n] = v.rows
		default:
			v.dims[n] = max(1, n*v.cols/64)
		}
	}
	return v.dims[n]
}

// part returns a random number of valid rows or columns for a tile with n rows or
// columns. This tile is a variation of a tile in an example. The other parameters
// describe the tile in the example: old is its number of valid rows or columns, and cut
// states whether its valid region is smaller than the tile along this axis.
func (v *variation) part(n, old int64, cut bool) int64 {
	switch {
	case old == ir.Dynamic:
		return old
	case cut && old == 1:
		return 1
	case cut || v.wild && v.partial && v.r.IntN(2) == 0:
		return 1 + v.r.Int64N(n)
	case v.open && n > 1:
		return ir.Dynamic
	}
	return v.validOf(n)
}

func (v *variation) shape(d ir.Dims) ir.Dims {
	var dims []int64
	for i := range d.Len() {
		n := d.At(i)
		switch {
		case n == ir.Dynamic:
		case i == d.Len()-1:
			n = v.extent(v.dim(n, 64, v.cols, sem.UB))
		case i == d.Len()-2:
			n = v.extent(v.dim(n, 16, v.rows, sem.UB))
		}
		dims = append(dims, n)
	}
	return ir.MakeDims(dims...)
}

func (v *variation) extent(n int64) int64 {
	if v.open && n > 1 {
		return ir.Dynamic
	}
	return v.validOf(n)
}

var choice = regexp.MustCompile(`"[^"]*"`)

// attrsOf returns the attributes of the instruction u with random changes: it changes the
// values of some attributes, omits some attributes, and adds others that u does not have.
func (v *variation) attrsOf(u *use) []attr {
	var attrs []attr
	for i := range u.def.Attrs {
		d := &u.def.Attrs[i]
		old := u.attr(d.Name)
		if old == "" && v.r.IntN(3) > 0 {
			continue
		}
		if text := v.attrText(d, old); text != "" {
			attrs = append(attrs, attr{d.Name, text})
		}
	}
	return attrs
}

// attrText returns the text of a random value for the attribute d, or "" to omit the
// attribute. old is the value in the example from which the variation is made.
func (v *variation) attrText(d *ir.AttrDef, old string) string {
	if old != "" && v.r.IntN(3) == 0 {
		return old
	}
	if e, ok := d.Type.(*ir.Enum); ok {
		return e.Attr(e.Cases[v.r.IntN(len(e.Cases))].Name).String()
	}
	want := d.Type.WantAttr()
	if want == ir.AnyBool.WantAttr() {
		return []string{"true", "false"}[v.r.IntN(2)]
	}
	if words := choice.FindAllString(want, -1); len(words) > 0 {
		return words[v.r.IntN(len(words))]
	}
	return old
}
