// This file emits tensor views as library tensors.

package cpp

import (
	"strconv"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// extent is a size, a stride or an offset in elements: a constant n, or a C++ expression.
type extent struct {
	n int64
	// expr is the expression of a value that is known only at run time, or "".
	expr string
}

// constant returns the constant n as an extent.
func constant(n int64) extent { return extent{n: n} }

// known reports whether the extent is a constant.
func (e extent) known() bool { return e.expr == "" }

// String returns the extent as a C++ expression.
func (e extent) String() string {
	if e.known() {
		return strconv.FormatInt(e.n, 10)
	}
	return e.expr
}

// times returns the product of two extents.
func (e extent) times(o extent) extent {
	switch {
	case e.known() && o.known():
		return constant(e.n * o.n)
	case e.known() && e.n == 0 || o.known() && o.n == 0:
		return constant(0)
	case e.known() && e.n == 1:
		return o
	case o.known() && o.n == 1:
		return e
	}
	return extent{expr: e.String() + " * " + o.String()}
}

// plus returns the sum of two extents.
func (e extent) plus(o extent) extent {
	switch {
	case e.known() && o.known():
		return constant(e.n + o.n)
	case e.known() && e.n == 0:
		return o
	case o.known() && o.n == 0:
		return e
	}
	return extent{expr: e.String() + " + " + o.String()}
}

// view is a tensor in global memory: its base address, sizes and strides.
type view struct {
	// base is a C++ expression of pointer type.
	base    string
	elem    ir.Type
	sizes   []extent
	strides []extent
	// layout is the library's name of the layout, such as ND.
	layout string
	// open reports that the layout is unknown, because the view comes from another
	// function.
	open bool
	// cppType is the type of the variable for the view, or "" if it has none.
	cppType string
}

// extentOf returns an index value as an extent, which is constant if the value is.
func (f *function) extentOf(v *ir.Value) extent {
	if n, ok := arith.ConstantInt(v); ok {
		return constant(n)
	}
	return extent{expr: f.value(v)}
}

// extents returns the extents that the values in vs represent, as constants or C++
// expressions.
func (f *function) extents(vs []*ir.Value) []extent {
	es := make([]extent, len(vs))
	for i, v := range vs {
		es[i] = f.extentOf(v)
	}
	return es
}

// makeView records the description of a view: its address, sizes, strides and layout. It
// emits the declaration of a C++ variable only if an operation needs the complete view.
// Operations that select a rectangular part of the view, or that read its dimensions, use
// the description.
func (f *function) makeView(op *ir.Op, _ sem.MakeView) {
	v := op.Result(0)
	t, _ := ir.As[pto.TensorView](v.Type())
	dims := sem.ViewingOf(op)
	w := &view{base: f.value(op.Operand(0)), elem: t.Elem, sizes: f.extents(dims.Shape), strides: f.extents(dims.Strides)}
	w.layout = layoutOf(op.Attr("layout").Keyword(), v, w)
	f.views[v] = w
	for u := range v.Uses() {
		switch u.Owner().Def().Sem.(type) {
		case sem.PartView, sem.ViewDim:
		default:
			f.declareView(op, v, w, constant(0))
			return
		}
	}
}

// viewMemrefs declares a C++ view for each memref parameter that is the source of a tile
// load or the destination of a tile store. The reason is that the library does not accept
// pointers in these calls.
func (f *function) viewMemrefs() {
	for _, v := range f.op.Region(0).Entry().Args() {
		m, ok := ir.As[ir.MemRefType](v.Type())
		copied := len(tileLayouts(v)) > 0
		switch {
		case !ok || !copied:
			continue
		case !m.Layout.IsZero() || m.Unranked || !m.Shape.Static() || m.Shape.Len() > pto.ViewRank || !onlyCopied(v):
			f.errorf(f.op, "copies tiles from or to %s, which is only possible in C++ if the memref is contiguous, has constant extents and is only used in copies; use pto.make_tensor_view on a pointer instead", v.Type())
			continue
		}
		w := &view{base: f.value(v), elem: m.Elem}
		w.sizes, w.strides = denseExtents(m.Shape)
		w.layout = layoutOf("", v, w)
		f.views[v] = w
		f.declareView(f.op, v, w, constant(0))
	}
}

// onlyCopied reports whether all uses of the view v are instructions that copy a tile
// from or to global memory.
func onlyCopied(v *ir.Value) bool {
	for u := range v.Uses() {
		if !sem.CopiesTile(u.Owner()) {
			return false
		}
	}
	return true
}

// partView emits the declaration of a variable for a rectangular part of a view.
func (f *function) partView(op *ir.Op, _ sem.PartView) {
	src := f.viewOf(op, op.Operand(0))
	if src == nil {
		return
	}
	part := sem.ViewingOf(op)
	w := &view{base: src.base, elem: src.elem, sizes: f.extents(part.Sizes), strides: src.strides, layout: src.layout}
	if wanted := tileLayouts(op.Result(0)); src.open && len(wanted) == 1 && strings.HasPrefix(wanted[0], "MX_") {
		w.layout = wanted[0]
	}
	at := constant(0)
	for i, o := range f.extents(part.Offsets) {
		at = at.plus(o.times(src.strides[i]))
	}
	f.views[op.Result(0)] = w
	f.declareView(op, op.Result(0), w, at)
}

// viewOf returns the description of the view v, or nil after an error. A view that
// another function has created is a C++ variable in this function; its description has
// the strides of a contiguous tensor.
func (f *function) viewOf(op *ir.Op, v *ir.Value) *view {
	if w := f.views[v]; w != nil {
		return w
	}
	shape, elem, ok := shapeOf(v.Type())
	if !ok {
		f.errorf(op, "uses a view of type %s, which the C++ emitter does not support", v.Type())
		return nil
	}
	name := f.value(v)
	w := &view{base: name + ".data()", elem: elem, layout: "ND", open: true, cppType: f.typeName(v.Type())}
	w.sizes = make([]extent, shape.Len())
	w.strides = make([]extent, shape.Len())
	next := constant(1)
	for i := shape.Len() - 1; i >= 0; i-- {
		w.strides[i], w.sizes[i] = next, constant(shape.At(i))
		axis := strconv.Itoa(i + pto.ViewRank - shape.Len())
		if shape.At(i) == ir.Dynamic {
			w.sizes[i] = extent{expr: name + ".GetShape(" + axis + ")"}
		}
		if !next.known() {
			w.strides[i] = extent{expr: name + ".GetStride(" + axis + ")"}
		}
		next = next.times(w.sizes[i])
	}
	f.views[v] = w
	return w
}

// shapeOf returns the shape and the element type of a view type. The result ok is false
// for other types.
func shapeOf(t ir.Type) (shape ir.Dims, elem ir.Type, ok bool) {
	switch d := t.Data().(type) {
	case pto.TensorView:
		return d.Shape, d.Elem, true
	case pto.PartitionView:
		return d.Shape, d.Elem, true
	}
	return shape, elem, false
}

// declareView emits the declaration of a C++ variable for the view v with the description
// w. at is the distance in elements from the base address of w to the first element of v.
func (f *function) declareView(op *ir.Op, v *ir.Value, w *view, at extent) {
	elem := elemType(w.elem)
	if elem == "" || len(w.sizes) > pto.ViewRank {
		f.errorf(op, "returns a value of type %s, which the C++ emitter does not support", v.Type())
		return
	}
	sizes, strides := padded(w.sizes), paddedStrides(w.sizes, w.strides)
	if isPair(w.elem) {
		unpack(sizes, strides)
	}
	if w.layout == "ND" && copiesMatrix(v) {
		moveRows(sizes, strides)
	}
	layout := w.layout
	if one := constant(1); layout == "DN" && sizes[0] == one && sizes[1] == one && sizes[2] == one && copiesMatrix(v) && storesOf(v, sem.L0C) {
		// The library stores columns of accumulators to feature maps: a column is a channel.
		layout = "NCHW"
		strides[2], strides[3], strides[4] = strides[4], sizes[3], strides[3]
		sizes[2], sizes[3], sizes[4] = sizes[4], one, sizes[3]
	}
	shape, shapeArgs := fiveDims("pto::Shape", sizes)
	stride, strideArgs := fiveDims("pto::Stride", strides)
	if special := scaleShapes(elem, w); special != nil {
		shape, shapeArgs, stride, strideArgs = special[0], "", special[1], ""
	}
	w.cppType = "GlobalTensor<" + elem + ", " + shape + ", " + stride + ", pto::Layout::" + layout + ">"
	name := f.nameFor(v)
	f.names[v] = name
	start := w.base
	if !at.known() || at.n != 0 {
		start += " + " + at.String()
	}
	args := start
	if shapeArgs != "" || strideArgs != "" {
		args += ", " + shape + "(" + shapeArgs + "), " + stride + "(" + strideArgs + ")"
	}
	f.startLine()
	if f.shared[v] {
		f.declareOnTop(w.cppType, name)
		f.b = append(f.b, name+" = "+w.cppType+"("+args+")"...)
	} else {
		f.b = append(f.b, w.cppType+" "+name+"("+args+")"...)
	}
	f.endLine(op)
	w.base = name + ".data()"
}

// copiesMatrix reports whether view v is copied from or to a tile with boxes that is not in
// the unified buffer. The library then requires that the first three of the five
// dimensions are 1.
func copiesMatrix(v *ir.Value) bool {
	for u := range v.Uses() {
		op := u.Owner()
		if !sem.CopiesTile(op) {
			continue
		}
		tile := sem.TileCopyOf(op).Tile
		if !tile.Given() {
			continue
		}
		t, ok := pto.TileOf(tile.Type())
		if ok && t.SLayout != pto.NoneBox && t.Space != sem.UB {
			return true
		}
	}
	return false
}

// storesOf reports whether an instruction copies a tile in the given memory to view v.
func storesOf(v *ir.Value, space sem.Space) bool {
	for u := range v.Uses() {
		op := u.Owner()
		if !sem.CopiesTile(op) {
			continue
		}
		if c := sem.TileCopyOf(op); c.Tile.Given() {
			if t, ok := pto.TileOf(c.Tile.Type()); ok && t.Space == space {
				return true
			}
		}
	}
	return false
}

// moveRows moves the rows of a view of five dimensions to dimension 3 if a matrix has them
// in dimension 2, as a window [1,16,1,32] of a tensor of four dimensions does
// (pto.WindowRows). It leaves other views unchanged.
func moveRows(sizes, strides []extent) {
	one := constant(1)
	if sizes[0] != one || sizes[1] != one || sizes[2] == one || !sizes[2].known() {
		return
	}
	switch {
	case sizes[3] == one:
		sizes[3], strides[3] = sizes[2], strides[2]
	case sizes[3].known() && strides[2].known() && strides[3].known() && strides[2].n == sizes[3].n*strides[3].n:
		sizes[3] = sizes[3].times(sizes[2])
	default:
		return
	}
	sizes[2], strides[2] = one, sizes[3].times(strides[3])
}

// unpack converts sizes and strides that count pairs of 4-bit numbers to values that
// count single numbers, as the library does. The two numbers of a pair are adjacent along
// the last axis with stride 1.
func unpack(sizes, strides []extent) {
	axis, two := pairAxis(sizes, strides), constant(2)
	for i := range strides {
		if i != axis {
			strides[i] = strides[i].paren().times(two)
		}
	}
	sizes[axis] = sizes[axis].paren().times(two)
}

// pairAxis returns the axis along which a view with the given sizes and strides packs
// 4-bit numbers in pairs, one pair in each byte. It is the last axis whose stride is 1.
func pairAxis(sizes, strides []extent) int {
	last := len(sizes) - 1
	for i := last; i >= 0; i-- {
		if strides[i] == constant(1) && sizes[i] != constant(1) {
			return i
		}
	}
	return last
}

// padded returns sizes with leading dimensions of size 1 added, up to the five dimensions
// that the library requires.
func padded(sizes []extent) []extent {
	all := make([]extent, 0, pto.ViewRank)
	for range pto.ViewRank - len(sizes) {
		all = append(all, constant(1))
	}
	return append(all, sizes...)
}

// paddedStrides returns strides for five dimensions of a view. sizes and strides contain
// the extents and strides of the view, which may have fewer dimensions. Missing leading
// dimensions receive the strides of a dense view, and the remaining dimensions have the
// given strides.
func paddedStrides(sizes, strides []extent) []extent {
	all := make([]extent, pto.ViewRank)
	shift := pto.ViewRank - len(strides)
	copy(all[shift:], strides)
	wide := padded(sizes)
	for i := shift - 1; i >= 0; i-- {
		all[i] = constant(1)
		if i+1 < pto.ViewRank {
			all[i] = wide[i+1].times(all[i+1])
		}
	}
	return all
}

// fiveDims returns the C++ type for the five extents in es. name is the name of its
// class, Shape or Stride. The result args contains constructor arguments for the extents
// that are not constants.
func fiveDims(name string, es []extent) (typ, args string) {
	var b, open strings.Builder
	b.WriteString(name + "<")
	for i, e := range es {
		if i > 0 {
			b.WriteString(", ")
		}
		if e.known() {
			b.WriteString(strconv.FormatInt(e.n, 10))
			continue
		}
		b.WriteString("-1")
		if open.Len() > 0 {
			open.WriteString(", ")
		}
		open.WriteString(e.expr)
	}
	return b.String() + ">", open.String()
}

// scaleShapes returns two C++ types for the view w if it is a view of 8-bit MX scales
// (one factor for each group of 32 elements): first the type of its shape, then the type
// of its strides. The library describes such views by the rows and columns of the scales.
// For other views, scaleShapes returns nil.
func scaleShapes(elem string, w *view) []string {
	if elem != "float8_e8m0_t" || len(w.sizes) != 2 || !strings.HasPrefix(w.layout, "MX_") {
		return nil
	}
	alignRows, alignCols := int64(16), int64(2)
	if w.layout == "MX_B_NN" {
		alignRows, alignCols = alignCols, alignRows
	}
	if !w.sizes[0].known() || !w.sizes[1].known() {
		return nil
	}
	dims := "<" + elem + ", " + strconv.FormatInt(roundUp(w.sizes[0].n, alignRows), 10) + ", " +
		strconv.FormatInt(roundUp(w.sizes[1].n, alignCols), 10) + ", pto::Layout::" + w.layout + ">"
	return []string{"TileShape2D" + dims, "BaseShape2D" + dims}
}

// roundUp returns the smallest number that is a multiple of the second argument and is
// not less than n.
func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }

// denseExtents returns the sizes of a view with the given shape, and its strides if its
// elements are contiguous in memory. An unknown size becomes the expression "?". A stride
// that depends on an unknown size contains this expression.
func denseExtents(shape ir.Dims) (sizes, strides []extent) {
	sizes, strides = make([]extent, shape.Len()), make([]extent, shape.Len())
	next := constant(1)
	for i := shape.Len() - 1; i >= 0; i-- {
		sizes[i], strides[i] = constant(shape.At(i)), next
		if shape.At(i) == ir.Dynamic {
			sizes[i] = extent{expr: "?"}
		}
		next = next.times(sizes[i])
	}
	return sizes, strides
}

// viewType returns the C++ type for a view that is a parameter, or another value that the
// function does not create. The view has no gaps between rows. viewType returns "" if C++
// has no type for this shape or element type.
func (m *module) viewType(shape ir.Dims, elem ir.Type) string {
	name := elemType(elem)
	if name == "" || shape.Len() > pto.ViewRank {
		return ""
	}
	sizes, strides := denseExtents(shape)
	sizes, strides = padded(sizes), paddedStrides(sizes, strides)
	if isPair(elem) {
		unpack(sizes, strides)
	}
	s, _ := fiveDims("pto::Shape", sizes)
	t, _ := fiveDims("pto::Stride", strides)
	return "GlobalTensor<" + name + ", " + s + ", " + t + ", pto::Layout::ND>"
}

// viewDim emits an expression for a size or a stride of a view.
func (f *function) viewDim(op *ir.Op, kind sem.ViewDim) {
	v := op.Operand(0)
	w := f.viewOf(op, v)
	if w == nil {
		return
	}
	from, method := w.sizes, ".GetShape("
	if kind.Stride {
		from, method = w.strides, ".GetStride("
	}
	dim := f.extentOf(sem.ViewingOf(op).Dim.Value)
	if dim.known() && dim.n >= 0 && dim.n < int64(len(from)) {
		f.define(op.Result(0), from[dim.n].String())
		return
	}
	if w.cppType == "" {
		f.errorf(op, "requests the size of a dynamic dimension, but the C++ code has no variable for this view")
		return
	}
	f.define(op.Result(0), f.value(v), method, dim.plus(constant(int64(pto.ViewRank-len(from)))).String(), ")")
}

// layoutOf returns the library's name of the memory layout of the view w, which
// represents the value v. The string says contains the layout that the program declares.
// If the string is empty, layoutOf infers the layout from the sizes of the view and from
// the tiles that are copied from or to it. The public compiler infers it in the same way
// (PTOAS:lib/PTO/Transforms/InferPTOLayout.cpp).
func layoutOf(says string, v *ir.Value, w *view) string {
	if says != "" {
		return strings.ToUpper(says)
	}
	wanted := tileLayouts(v)
	if len(wanted) == 1 && strings.HasPrefix(wanted[0], "MX_") {
		return wanted[0]
	}
	sizes, strides := padded(w.sizes), paddedStrides(w.sizes, w.strides)
	for i := range sizes {
		if !sizes[i].known() || !strides[i].known() {
			return stridesLayout(wanted, sizes, strides)
		}
	}
	rows, cols, rowStep, colStep := sizes[3].n, sizes[4].n, strides[3].n, strides[4].n
	if sizes[2].n == 16 && 16*rows*int64(pto.ByteSize(w.elem)) == pto.DefaultFractal && colStep == 1 && rowStep == cols {
		return "NZ"
	}
	byRows := (cols == 1 || colStep == 1) && (rows == 1 || cols == 1 && rowStep == 1 || cols != 1 && rowStep == cols)
	byCols := (rows == 1 || rowStep == 1) && (cols == 1 || rows == 1 && colStep == 1 || rows != 1 && colStep == rows)
	switch {
	case byRows && byCols && cols == 1 && len(wanted) == 1:
		return wanted[0]
	case byRows && byCols && cols == 1 && rows != 1, byCols && !byRows:
		return "DN"
	case !byRows:
		return stridesLayout(wanted, sizes, strides)
	}
	return "ND"
}

// stridesLayout returns the layout of a view with gaps or unknown numbers: the layout
// that the tiles of all copies need, if the strides permit it, or else ND. wanted
// contains the layouts that the tiles need.
func stridesLayout(wanted []string, sizes, strides []extent) string {
	adjacent := func(axis int) bool {
		return sizes[axis] == constant(1) || !strides[axis].known() || strides[axis].n == 1
	}
	switch {
	case len(wanted) == 1 && wanted[0] == "DN" && adjacent(3):
		return "DN"
	case len(wanted) == 1 && wanted[0] == "ND" && adjacent(4):
		return "ND"
	case adjacent(3) && strides[3].known() && !adjacent(4):
		return "DN"
	}
	return "ND"
}

// tileLayouts returns the layouts that a view can have in C++. They follow from the tiles
// that are copied from or to the view, or from or to a part of it. Each layout occurs
// once.
func tileLayouts(v *ir.Value) []string {
	var all []string
	add := func(word string) {
		for _, w := range all {
			if w == word {
				return
			}
		}
		if word != "" {
			all = append(all, word)
		}
	}
	for u := range v.Uses() {
		op := u.Owner()
		switch op.Def().Sem.(type) {
		case sem.PartView:
			for _, word := range tileLayouts(op.Result(0)) {
				add(word)
			}
		case sem.TileLoad, sem.TileStore:
			add(suits(sem.TileCopyOf(op).Tile.Value))
		}
	}
	return all
}

// suits returns the layout that a view must have in a copy to or from the tile v, as the
// layout of the tile determines. It returns "" if the tile permits every view layout.
func suits(v *ir.Value) string {
	if v == nil {
		return ""
	}
	t, ok := pto.TileOf(v.Type())
	switch {
	case !ok:
	case (t.Space == sem.L1 || t.Space == sem.FB) && ir.Is[pto.ElemType](t.Elem) && elemType(t.Elem) == "float8_e8m0_t":
		switch {
		case t.BLayout == pto.RowMajor && t.SLayout == pto.RowMajor && t.Rows != 1:
			return "MX_A_ZZ"
		case t.BLayout == pto.ColMajor && t.SLayout == pto.ColMajor:
			return "MX_B_NN"
		}
	case t.Space == sem.UB && t.BLayout == pto.ColMajor:
		return "DN"
	case t.Space == sem.UB:
		return "ND"
	}
	return ""
}
