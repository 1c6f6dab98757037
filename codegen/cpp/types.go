// This file maps types to C++ types.

package cpp

import (
	"strconv"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// elemNames are the C++ names of floating-point types.
var elemNames = map[string]string{
	"f16": "half", "bf16": "bfloat16_t", "f32": "float", "f64": "double",
	"f8E4M3FN": "float8_e4m3_t", "f8E4M3": "float8_e4m3_t", "f8E5M2": "float8_e5m2_t",
}

// ownNames are the C++ names of the element types of the pto dialect.
var ownNames = map[pto.ElemKind]string{
	pto.KindHiF8: "hifloat8_t", pto.KindF8E8M0: "float8_e8m0_t",
	pto.KindF4E1M2x2: "float4_e1m2x2_t", pto.KindF4E2M1x2: "float4_e2m1x2_t",
}

// elemType returns the C++ type of the scalar type t, or "" if C++ has no such type.
func elemType(t ir.Type) string {
	switch d := t.Data().(type) {
	case ir.FloatType:
		return elemNames[d.Name]
	case pto.ElemType:
		return ownNames[d.Kind]
	case ir.IndexType:
		return "int64_t"
	case ir.IntegerType:
		switch d.Width {
		case 1:
			return "bool"
		case 8, 16, 32, 64:
			return intType(int(d.Width), d.Sign == ir.Unsigned)
		}
	}
	return ""
}

// intType returns the C++ integer type with the given width in bits, such as int32_t, or
// uint32_t if unsigned is set.
func intType(width int, unsigned bool) string {
	name := "int" + strconv.Itoa(width) + "_t"
	if unsigned {
		return "u" + name
	}
	return name
}

// spaceWords are the C++ qualifiers of pointers, by memory space. The library uses
// integers for addresses in the bias buffer and has no pointer type for it; such pointers
// use the qualifier of global memory.
var spaceWords = map[sem.Space]string{
	sem.GM: "__gm__", sem.UB: "__ubuf__", sem.L1: "__cbuf__", sem.L0A: "__ca__", sem.L0B: "__cb__",
	sem.L0C: "__cc__", sem.FB: "__fbuf__", sem.BT: "__gm__",
}

// typeName returns the C++ type of values of type t, or "" if C++ cannot express the
// type. The result is cached.
func (m *module) typeName(t ir.Type) string {
	name, known := m.types[t]
	if !known {
		name = m.spell(t)
		m.types[t] = name
	}
	return name
}

// spell returns the C++ type of values of type t, or "" if C++ has no such type. Unlike
// the method typeName, it computes the text anew in each call.
func (m *module) spell(t ir.Type) string {
	switch d := t.Data().(type) {
	case pto.PtrType:
		return pointerTo(d.Elem, d.Space)
	case ir.MemRefType:
		return pointerTo(d.Elem, pto.SpaceOf(t))
	case pto.TileBuf:
		return m.tileType(d.TileInfo)
	case pto.TensorView:
		return m.viewType(d.Shape, d.Elem)
	case pto.PartitionView:
		return m.viewType(d.Shape, d.Elem)
	case pto.Struct:
		return m.structName(d)
	case pto.EventIDArray:
		return m.need("PTOAS_EventIdArray") + "<" + strconv.FormatInt(d.Size, 10) + ">"
	case ir.VectorType: // the only one is what tmrgsort counts in
		if d.Shape.Elements() == 4 && d.Elem == ir.Int(16) {
			return "pto::MrgSortExecutedNumList"
		}
		return ""
	case pto.Handle:
		return handleTypes[d.Name]
	}
	return elemType(t)
}

// handleTypes are the C++ types of opaque handles.
var handleTypes = map[string]string{
	"async_session": "pto::comm::AsyncSession", "async_event": "pto::comm::AsyncEvent",
	"prefetch_async_context": "pto::PrefetchAsyncContext", "pipe": "auto",
}

// pointerTo returns the C++ type of a pointer into a memory space, or "" if C++ has no
// such type. elem is the element type to which the pointer refers.
func pointerTo(elem ir.Type, space sem.Space) string {
	name := elemType(elem)
	if name == "" || spaceWords[space] == "" {
		return ""
	}
	return spaceWords[space] + " " + name + "*"
}

// These variables map memory spaces, layouts and padding of tiles to the names that the
// C++ library uses.
var (
	roles     = map[sem.Space]string{sem.UB: "Vec", sem.L1: "Mat", sem.L0A: "Left", sem.L0B: "Right", sem.L0C: "Acc", sem.BT: "Bias", sem.FB: "Scaling"}
	blayouts  = map[pto.Layout]string{pto.RowMajor: "RowMajor", pto.ColMajor: "ColMajor"}
	slayouts  = map[pto.Layout]string{pto.NoneBox: "NoneBox", pto.RowMajor: "RowMajor", pto.ColMajor: "ColMajor"}
	pads      = map[pto.Pad]string{pto.PadNull: "Null", pto.PadZero: "Zero", pto.PadMax: "Max", pto.PadMin: "Min"}
	compactly = [...]string{"Null", "Normal", "RowPlusOne", spaced: "Null"}
)

// role returns the library's name for the kind of tile t. In general, the memory of the
// tile determines this name. A tile of MX scales has one of two other names, ScaleLeft
// for scales of the left operand and ScaleRight for scales of the right operand. The
// layout of the tile determines which operand it belongs to.
func role(t pto.TileInfo) string {
	if t.Exponents() {
		switch {
		case t.BLayout == pto.RowMajor && t.SLayout == pto.RowMajor:
			return "ScaleLeft"
		case t.BLayout == pto.ColMajor && t.SLayout == pto.ColMajor:
			return "ScaleRight"
		}
	}
	return roles[t.Space]
}

// packedAxis returns two factors. The first is the number of rows that the C++ library
// uses for a tile of type t, divided by the number of rows in t. The second is the same
// for columns. For pairs of 4-bit numbers, one factor is 2, because the library counts
// single numbers, while t counts pairs. This is the factor of the axis along which the
// two numbers of a pair are adjacent. In a tile with boxes, the order of the elements
// inside a box determines this axis. Both factors are 1 for operands of matrix products,
// because for such tiles t counts single numbers as well. The public compiler selects the
// axis by the order of the boxes instead. We do not follow it, because the library
// rejects the resulting type.
func packedAxis(t pto.TileInfo) (rows, cols int64) {
	switch {
	case !isPair(t.Elem), t.Space == sem.L0A, t.Space == sem.L0B:
		return 1, 1
	case t.SLayout == pto.ColMajor, t.SLayout == pto.NoneBox && t.BLayout == pto.ColMajor:
		return 2, 1
	}
	return 1, 2
}

// isPair reports whether an element consists of two 4-bit numbers.
func isPair(elem ir.Type) bool {
	d, own := ir.As[pto.ElemType](elem)
	return own && (d.Kind == pto.KindF4E1M2x2 || d.Kind == pto.KindF4E2M1x2)
}

// tileType returns the C++ type of a tile with all parameters, as in the output of the
// public compiler. It returns "" if the elements have no C++ type.
func (m *module) tileType(t pto.TileInfo) string {
	elem := elemType(t.Elem)
	if elem == "" {
		return ""
	}
	if t.Space == sem.L0A && t.SLayout == pto.RowMajor { // the order of boxes follows from the target
		t.BLayout = pto.RowMajor
		if m.opts.Target == sem.A5 {
			t.BLayout = pto.ColMajor
		}
	}
	if t.Compact == 0 && t.SpareBlocks() {
		// The cube unit expects the blocks of the valid region without gaps.
		t.Compact = pto.CompactNormal
	}
	perRow, perCol := packedAxis(t)
	vrows, vcols := t.VRows, t.VCols
	if t.Compact == pto.CompactRowPlusOne && t.BLayout == pto.ColMajor && t.SLayout == pto.RowMajor {
		t.Rows++ // the library counts the unused block between columns of boxes as a row
	}
	// Operands of 8 and 4 bits are read in full along the axis that is summed
	// over, so the library wants the storage there.
	if small := smallFloat(t.Elem); small && t.Space == sem.L0A && t.Rows != 1 && !isOpen(vcols) {
		vcols = t.Cols
	} else if small && t.Space == sem.L0B && !isOpen(vrows) {
		vrows = t.Rows
	}
	b := append(make([]byte, 0, 160), "Tile<TileType::"...)
	b = append(append(b, role(t)...), ", "...)
	b = append(append(b, elem...), ", "...)
	b = append(strconv.AppendInt(b, t.Rows*perRow, 10), ", "...)
	b = append(strconv.AppendInt(b, t.Cols*perCol, 10), ", BLayout::"...)
	b = append(append(b, blayouts[t.BLayout]...), ", "...)
	b = append(appendValid(b, vrows, perRow), ", "...)
	b = append(appendValid(b, vcols, perCol), ", SLayout::"...)
	b = append(append(b, slayouts[t.SLayout]...), ", "...)
	b = append(strconv.AppendInt(b, int64(t.Fractal), 10), ", PadValue::"...)
	b = append(append(b, pads[t.Pad]...), ", CompactMode::"...)
	return string(append(append(b, compactly[min(int(t.Compact), spaced)]...), '>'))
}

// appendValid appends the valid extent n, multiplied by factor, to b as a template
// argument. For a dynamic extent, it appends -1, because the extent is then an argument
// of the constructor.
func appendValid(b []byte, n, factor int64) []byte {
	if isOpen(n) {
		return append(b, "-1"...)
	}
	return strconv.AppendInt(b, n*factor, 10)
}

// smallFloat reports whether t is a floating-point type of 8 or 4 bits.
func smallFloat(t ir.Type) bool {
	if d, own := ir.As[pto.ElemType](t); own {
		return d.Kind == pto.KindHiF8 || d.Kind == pto.KindF4E1M2x2 || d.Kind == pto.KindF4E2M1x2
	}
	return ir.Is[ir.FloatType](t) && pto.ByteSize(t) == 1
}
