// This file defines quantization to MX formats.

package tile

import (
	"cmp"
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TQuantMX is pto.tquant.mx, which quantizes groups of 32 elements. The elements of a
// group share an exponent.
var TQuantMX = Define("tquant.mx", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TQUANT"), Family: irregular, Pipe: sem.PipeV, On: sem.OnA5,
		Doc: "Quantizes groups of 32 elements to 8-bit or 4-bit floats with a shared exponent; also returns exponents, maxima and scales.",
		Ins: Args{In("src", VecTile(On{A5: F16 | BF16 | F32}))},
		Outs: Args{
			Out("dst", VecTile(On{A5: Ints8 | F4E2M1})), Out("exp", VecTile(On{A5: Ints8 | F8E8M0})),
			Out("max", LikeTile("src")), Out("scaling", LikeTile("src")),
			{Name: "exp_zz", Type: VecTile(On{A5: Ints8 | F8E8M0}), Arity: ir.Optional},
		},
		Attrs: []ir.AttrDef{
			{Name: "quant_type", Type: QuantTypeEnum, Doc: "MXFP8 or MXFP4_E2M1"},
			{Name: "quantScaleAlg", Type: QuantScaleAlgEnum, Default: QuantScaleAlgEnum.Attr("ocp"), Doc: "how the shared exponent follows from the maximum"},
			{Name: "storeMode", Type: VecStoreModeEnum, Optional: true, Doc: "goes with exp_zz"},
			{Name: "grpAxis", Type: MxGroupAxisEnum, Default: MxGroupAxisEnum.Attr("axis1"), Doc: "groups of columns (axis1) or rows (axis0)"},
			{Name: "interleave", Type: ir.AnyBool, Default: ir.BoolAttr(false), Doc: "interleave the exponents of two groups, along axis0"},
		},
		Sem: sem.TileQuantMX{},
		Disjoint: func(op *ir.Op) []string {
			if !convertsByColumns(op) {
				return []string{"dst", "exp", "max", "scaling", "exp_zz"}
			}
			return []string{"src", "dst", "exp", "max", "scaling", "exp_zz"}
		},
		Clobbers: func(op *ir.Op) []string {
			// Padding of 16-bit elements is cleared in place.
			if src, _ := TileArg(op, "src"); ByteSize(src.Elem) == 2 && src.VCols < src.Cols {
				return []string{"src"}
			}
			return nil
		},
		Rules: []Rule{StaticValid(sem.OnA5, "src", "dst", "exp", "max", "scaling", "exp_zz"), Check(mxForm), Check(mxShapes), Check(mxLibraryForms), Apart{On: sem.OnA5, A: "src", B: "dst", When: convertsByColumns, Late: true}},
		Notes: []string{
			"The ISA page gives e2m1 a greatest exponent of 1 and rounds stochastically; golden data have 2, which 6 needs, and nearest even.",
			"exp of f8E8M0: the pages have i8 and ui8, a device test of the library has f8E8M0; accepted, since the exponent is such a number.",
			"dst at the address of src: a device test of the library quantizes f32 in place. The headers convert to 8 bits from left to right, row by row, so that this is legal with groups along rows (axis1).",
			"Tiles of one row may have more valid elements than there are groups: the headers write one for each group.",
			"Exponents of 16-bit elements in rows, or in one row with quantScaleAlg nv, and interleaved exponents of f32: the pages have none of them, tests of the public compiler refuse them, the headers and device tests have all; accepted in programs for the device library.",
			"max and scaling of f16 are numbers of f16 here and in the simulator; the headers leave bits of bf16 there for OCP. The manual calls both scratch; dst and exp are the same.",
		},
		Examples: []string{
			"%d, %e, %m, %c = pto.tquant.mx %s {quant_type = #pto<quant_type MXFP8>} : !pto.tile<64x128xf32> -> (!pto.tile<64x128xi8>, !pto.tile<1x256xui8>, !pto.tile<1x256xf32>, !pto.tile<1x512xf32, valid=1x256>)",
		},
	})
})

// convertsByColumns reports whether op, a tquant.mx, may write an element of dst before it has
// read the elements of src that precede it in memory: the headers convert groups along
// columns, and to 4 bits, in other orders.
func convertsByColumns(op *ir.Op) bool {
	return attrIs(op, "grpAxis", "axis0") || !attrIs(op, "quant_type", "MXFP8")
}

// mxForm returns a message if the attributes and element types of op, a tquant.mx, are
// inconsistent, and "" otherwise.
func mxForm(op *ir.Op, _ ir.Target) string {
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	kind := op.Attr("quant_type").Keyword()
	interleave, _ := op.Attr("interleave").AsBool()
	_, zz := TileArg(op, "exp_zz")
	axis0 := attrIs(op, "grpAxis", "axis0")
	switch {
	case kind != "MXFP8" && kind != "MXFP4_E2M1":
		return "quant_type must be MXFP8 or MXFP4_E2M1, but is " + kind
	case interleave && !axis0:
		return "interleave requires grpAxis axis0"
	case zz && axis0:
		return "\"exp_zz\" requires grpAxis axis1"
	case zz != op.HasAttr("storeMode"):
		return "\"exp_zz\" and storeMode must be given together"
	case zz && op.HasAttr("quantScaleAlg"):
		return "\"exp_zz\" and quantScaleAlg cannot be used together"
	case kind == "MXFP8" && !Ints8.Has(dst.Elem):
		return "\"dst\" must have elements of type i8 or ui8 for MXFP8, but has " + dst.Elem.String()
	case kind == "MXFP4_E2M1" && !F4E2M1.Has(dst.Elem):
		return "\"dst\" must have elements of type !pto.f4E2M1x2 for MXFP4_E2M1, but has " + dst.Elem.String()
	case kind == "MXFP4_E2M1" && src.Elem == ir.F32:
		return "\"src\" must have elements of type f16 or bf16 for MXFP4_E2M1, but has f32"
	}
	return ""
}

// mxTiles holds the types of the tiles of a tquant.mx, which quantizes groups of elements
// with a shared exponent. The field pack is the number of elements of src for each
// element of dst.
type mxTiles struct {
	src, dst, exp, max, scaling TileInfo
	pack                        int64
	interleave                  bool
}

// mxLibraryForms returns a message if op, a tquant.mx, has a form that only the device library
// has, and "" otherwise.
func mxLibraryForms(op *ir.Op, _ ir.Target) string {
	src, _ := TileArg(op, "src")
	exp, _ := TileArg(op, "exp")
	interleave, _ := op.Attr("interleave").AsBool()
	switch {
	case interleave && src.Elem == ir.F32:
		return OnlyInLibrary(op, "exponents of f32 cannot be interleaved")
	case exp.Rows == 1 && src.Elem != ir.F32 && attrIs(op, "grpAxis", "axis1") && !attrIs(op, "quantScaleAlg", "ocp"):
		return OnlyInLibrary(op, "16-bit elements with exponents in one row need quantScaleAlg ocp")
	case exp.Rows > 1 && exp.VRows > 1 && src.Elem != ir.F32 && attrIs(op, "grpAxis", "axis1"):
		return OnlyInLibrary(op, "16-bit elements need exponents in one row")
	}
	return ""
}

// mxShapes returns a message if the shape of an operand of op does not follow from the
// shape of src, and "" otherwise.
func mxShapes(op *ir.Op, _ ir.Target) string {
	m := mxTiles{pack: 1}
	for name, t := range map[string]*TileInfo{"src": &m.src, "dst": &m.dst, "exp": &m.exp, "max": &m.max, "scaling": &m.scaling} {
		*t, _ = TileArg(op, name)
		if !t.StaticValid() {
			return ""
		}
	}
	if attrIs(op, "quant_type", "MXFP4_E2M1") {
		m.pack = 2
	}
	m.interleave, _ = op.Attr("interleave").AsBool()
	if m.src.VRows == 0 || m.src.VCols == 0 {
		return "valid region of \"src\" must not be empty"
	}
	if zz, ok := TileArg(op, "exp_zz"); ok && zz.VRows*zz.VCols != m.groups() {
		return fmt.Sprintf("\"exp_zz\" must have %d valid elements, one per group, but has %d", m.groups(), zz.VRows*zz.VCols)
	}
	msg := m.Common()
	switch {
	case msg != "":
		return msg
	case attrIs(op, "grpAxis", "axis0"):
		msg = m.columns()
	default:
		msg = m.rows()
	}
	if msg != "" {
		return msg
	}
	// Padded 16-bit rows are cleared in whole registers of 128 elements.
	if s := m.src; s.Elem != ir.F32 && s.VCols < s.Cols && 128%s.Cols == 0 && s.VRows*s.Cols%128 != 0 {
		return "\"src\" with padded rows must fill whole registers of 128 elements"
	}
	return ""
}

// groups returns the number of groups of 32 elements with a shared exponent.
func (m mxTiles) groups() int64 { return m.src.VRows * m.src.VCols / 32 }

// Common checks a quantization in which groups of elements share a scale. The groups can
// be along rows or along columns; Common checks the conditions that hold for both. It
// returns a message if dst violates one of them, and "" otherwise.
func (m mxTiles) Common() string {
	rows, cols := m.src.VRows, m.src.VCols/m.pack
	switch {
	case m.src.Cols%m.pack != 0:
		return "\"src\" must have an even number of columns"
	case m.dst.VRows != rows || m.dst.VCols != cols:
		return fmt.Sprintf("\"dst\" must have a valid region of %dx%d, but has %dx%d", rows, cols, m.dst.VRows, m.dst.VCols)
	}
	return ""
}

// needs returns a message if the named tile t has fewer than n elements, and ""
// otherwise.
func needs(name string, t TileInfo, n int64) string {
	if t.Rows*t.Cols >= n {
		return ""
	}
	return fmt.Sprintf("\"%s\" must hold %d elements, but holds %d", name, n, t.Rows*t.Cols)
}

// grouped returns a message unless tile t has one valid element for each group of 32
// quantized elements. The valid region must be rows x cols, or a single row with all
// groups, and possibly more elements, if flat is set. The message calls the tile name.
func (m mxTiles) grouped(name string, t TileInfo, rows, cols int64, flat bool) string {
	if t.VRows == rows && t.VCols == cols || flat && t.VRows == 1 && t.VCols >= m.groups() {
		return ""
	}
	return fmt.Sprintf("\"%s\" must have a valid region of %dx%d, but has %dx%d", name, rows, cols, t.VRows, t.VCols)
}

// columns checks the tiles of a tquant.mx with groups of 32 rows (grpAxis axis0). It
// returns a message if a tile has the wrong shape, and "" otherwise.
func (m mxTiles) columns() string {
	s := m.src
	if s.VRows%32 != 0 {
		return fmt.Sprintf("\"src\" must have a multiple of 32 valid rows, but has %d", s.VRows)
	}
	need := s.VRows / 32 * s.Cols
	for _, aux := range []struct {
		name string
		t    TileInfo
	}{{"max", m.max}, {"scaling", m.scaling}, {"exp", m.exp}} {
		if aux.name == "exp" && m.interleave {
			return cmp.Or(m.interleaved(), m.columnsDst())
		}
		msg := m.grouped(aux.name, aux.t, s.VRows/32, s.VCols, false)
		if msg == "" && aux.t.Cols != s.Cols {
			msg = fmt.Sprintf("\"%s\" must have the %d columns of \"src\", but has %d", aux.name, s.Cols, aux.t.Cols)
		}
		if msg = cmp.Or(msg, needs(aux.name, aux.t, need)); msg != "" {
			return msg
		}
	}
	return m.columnsDst()
}

// columnsDst returns a message if dst has the wrong shape for groups of 32 rows, and ""
// otherwise.
func (m mxTiles) columnsDst() string {
	s, stride := m.src, m.src.Cols/m.pack
	switch {
	case m.pack == 2 && m.dst.Cols != stride:
		return fmt.Sprintf("\"dst\" must have %d columns, half of those of \"src\", but has %d", stride, m.dst.Cols)
	case m.pack == 2 && stride%32 != 0 && s.Elem == ir.F16:
		return "rows of packed f16 must have a multiple of 32 bytes"
	case m.pack == 1:
		stride = m.dst.Cols
	}
	return needs("dst", m.dst, (s.VRows-1)*stride+m.dst.VCols)
}

// interleaved checks the tiles of a tquant.mx in which the exponents of two groups of
// rows alternate. It returns a message if a tile has the wrong shape, and "" otherwise.
func (m mxTiles) interleaved() string {
	s := m.src
	cols := (2*s.Cols + 31) / 32 * 32
	switch {
	case s.VRows%64 != 0 || s.Rows%64 != 0:
		return "to interleave, \"src\" must have a multiple of 64 rows and a multiple of 64 valid rows"
	case m.exp.VRows != s.VRows/64 || m.exp.VCols != 2*s.VCols:
		return fmt.Sprintf("\"exp\" must have a valid region of %dx%d, but has %dx%d", s.VRows/64, 2*s.VCols, m.exp.VRows, m.exp.VCols)
	case m.exp.Rows != s.Rows/64 || m.exp.Cols != cols:
		return fmt.Sprintf("\"exp\" must be %dx%d, but is %dx%d", s.Rows/64, cols, m.exp.Rows, m.exp.Cols)
	}
	return ""
}

// rows checks the tiles of a tquant.mx with groups of 32 columns (grpAxis axis1). It
// returns a message if a tile has the wrong shape, and "" otherwise.
func (m mxTiles) rows() string {
	s, stride := m.src, m.src.Cols/m.pack
	if s.VCols%32 != 0 {
		return fmt.Sprintf("\"src\" must have a multiple of 32 valid columns, but has %d", s.VCols)
	}
	if m.dst.Cols != stride {
		return fmt.Sprintf("\"dst\" must have %d columns, but has %d", stride, m.dst.Cols)
	}
	msg := cmp.Or(
		needs("dst", m.dst, (s.VRows-1)*stride+m.dst.VCols),
		m.grouped("max", m.max, s.VRows, s.VCols/32, true), compact("max", m.max), needs("max", m.max, m.groups()),
		m.grouped("scaling", m.scaling, s.VRows, s.VCols/32, true), compact("scaling", m.scaling),
	)
	switch {
	case msg != "":
		return msg
	case m.exp.Rows == 1:
		return m.flat()
	}
	return m.canonical()
}

// compact returns a message unless the valid elements of tile t are adjacent in memory.
// name is the operand name of the tile in the message.
func compact(name string, t TileInfo) string {
	if t.VRows == 1 || t.Cols == t.VCols {
		return ""
	}
	return fmt.Sprintf("valid elements of \"%s\" must be contiguous", name)
}

// flat checks the tiles of a tquant.mx that stores all exponents in a single row. It
// returns a message if a tile has the wrong shape, and "" otherwise.
func (m mxTiles) flat() string {
	s, g := m.src, m.groups()
	bytes := CeilDiv(g, 64) * 256
	unrolled := s.Rows*s.Cols > 1024 && s.Rows*s.Cols%256 == 0 && s.VRows*s.Cols%256 == 0
	switch {
	case s.Cols != s.VCols:
		return "\"src\" must have no padded columns for exponents in one row"
	case m.exp.VRows != 1 || m.exp.VCols < g:
		return fmt.Sprintf("\"exp\" must have a valid region of at least 1x%d, but has %dx%d", g, m.exp.VRows, m.exp.VCols)
	case s.Elem != ir.F32:
		bytes = CeilDiv(g, 128) * 256
	case unrolled:
		bytes = CeilDiv(2*g, 64) * 256
	}
	if m.scaling.Bytes() < bytes {
		return fmt.Sprintf("\"scaling\" must hold %d bytes, but holds %d", bytes, m.scaling.Bytes())
	}
	return needs("exp", m.exp, g)
}

// canonical checks the tiles of a tquant.mx in one of the two layouts of the exponents.
// In this layout, the exponents have as many rows as src; in the other one, all exponents
// are in a single row. canonical returns a message if a tile has the wrong shape, and ""
// otherwise.
func (m mxTiles) canonical() string {
	s := m.src
	cols := s.VCols / 32
	switch {
	case m.exp.VRows == 1:
		return "\"exp\" with one valid row must have one row"
	case m.exp.Rows < s.VRows || m.exp.Cols < cols:
		return fmt.Sprintf("\"exp\" must be at least %dx%d, but is %dx%d", s.VRows, cols, m.exp.Rows, m.exp.Cols)
	}
	return cmp.Or(m.grouped("exp", m.exp, s.VRows, cols, false), needs("scaling", m.scaling, m.groups()))
}
