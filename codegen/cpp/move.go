// This file emits copies and moves of tiles.

package cpp

import (
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// This file emits instructions whose C++ overloads differ by more than the optional
// parts of one call template.

// invoke emits a call of the C++ function name with the given template arguments, if any,
// and arguments.
func (f *function) invoke(op *ir.Op, name string, templates, args []string) {
	f.startLine()
	f.b = append(f.b, name...)
	if len(templates) > 0 {
		f.b = append(append(append(f.b, '<'), strings.Join(templates, ", ")...), '>')
	}
	f.b = append(append(append(f.b, '('), strings.Join(args, ", ")...), ')')
	f.endLine(op)
}

// rvalue returns the scalar v as an rvalue expression, for use as an argument of a
// library call. If the argument were a variable, the library would treat it as an event
// to wait for.
func (f *function) rvalue(v *ir.Value) string { return "(uint64_t)" + f.value(v) }

// enumWord returns the C++ enumerator for an enum attribute, such as Mode::AtomicAdd for
// the keyword atomic_add.
func enumWord(enum string, a ir.Attr) string { return enum + "::" + mixedCase(a.Keyword()) }

// special reports whether op has an attribute with a value other than its default. The
// parameter name is the name of this attribute.
func special(op *ir.Op, name string) bool {
	a := op.Attr(name)
	return !a.IsZero() && a != op.Def().Attr(name).Default
}

// moveNames maps each variant of a tile move to its library function. The field Src of
// the variant means that the move copies a window of the source tile. The field Dst means
// that it copies to a window of the destination tile.
var moveNames = map[sem.TileMove]string{{}: "TMOV", {Src: true}: "TEXTRACT", {Dst: true}: "TINSERT"}

// move emits tmov, textract and tinsert, which copy a tile or a rectangular part of it.
func (f *function) move(op *ir.Op, kind sem.TileMove) {
	dst, src := ends(op)
	if isatile.SortsIntoBoxes(op, f.opts.Target) {
		f.sortIntoBoxes(op, dst, src)
		return
	}
	if msg := isatile.NoFactorPath(op, f.opts.Target); msg != "" {
		f.errorf(op, "cannot be written as C++ for %s: %s", sem.ProfileName(f.opts.Target), msg)
		return
	}
	scaling := sem.FixpipeOf(op)
	fp, scalar := scaling.Columns.Value, scaling.Factor.Value
	name := moveNames[kind]
	args := []string{f.value(dst), f.value(src)}
	if isatile.ReordersExponents(op) {
		var axis []string
		if sem.GroupsByColumns(op) {
			axis = []string{"0"}
		}
		f.invoke(op, name, axis, append(args, f.value(fp)))
		return
	}
	mode, relu, phase := op.HasAttr("accToVecMode"), special(op, "reluPreMode"), phaseOf(op)
	split := !op.Attr("tinsertMode").IsZero()
	types := []string{f.typeOf(dst), f.typeOf(src)}
	if fp != nil {
		args, types = append(args, f.value(fp)), append(types, f.typeOf(fp))
		if !mode {
			name += "_FP"
		}
	} else if scalar != nil {
		args = append(args, f.rvalue(scalar))
	}
	if kind.Src || kind.Dst {
		window := src
		if kind.Dst {
			window = dst
		}
		t, _ := pto.TileOf(window.Type())
		perRow, perCol := packedAxis(t)
		row, col := scaled(f.value(op.Arg("indexRow")), perRow), scaled(f.value(op.Arg("indexCol")), perCol)
		if scalar != nil { // or the factor could be the row, the row the column, and the column an event
			col = "(uint16_t)" + col
		}
		args = append(args, row, col)
		if isatile.WindowIntoBoxes(op) { // only the call with two destinations sorts rows into boxes
			args = slices.Concat([]string{args[0]}, args, []string{row, col})
		}
	}
	if mode {
		types = append(types, enumWord("pto::AccToVecMode", op.Attr("accToVecMode")))
	}
	if mode || relu {
		types = append(types, enumWord("ReluPreMode", op.Attr("reluPreMode")))
	}
	switch {
	case split:
		types = []string{"pto::TInsertMode::" + strings.ToUpper(op.Attr("tinsertMode").Keyword())}
	case mode || relu:
	case phase != nil:
	case kind == sem.TileMove{} && (fp != nil || scalar != nil):
	default:
		types = nil
	}
	f.invoke(op, name, append(phase, types...), args)
}

// load emits tload, a copy from global memory to a tile. The C++ library pads a tile only
// as the tile type specifies, so load reports an error for any other padding.
func (f *function) load(op *ir.Op, _ sem.TileLoad) {
	l := sem.TileCopyOf(op)
	if l.Fill || l.Pad.Given() || l.Left.Given() || l.Right.Given() {
		f.errorf(op, "has operands for padding or filling, which the C++ emitter does not support: the C++ library uses the pad of the tile type").
			Note(ir.Loc{}, "give the tile a pad in its type, as in pad=zero, or fill it with pto.tfillpad")
		return
	}
	if l.First && !f.sameExtents(l) {
		f.errorf(op, "pads with the first element of each row, which the C++ emitter does not support: the C++ library uses the pad of the tile type").
			Note(ir.Loc{}, "give the tile a pad in its type, as in pad=zero, or fill it with pto.tfillpad")
		return
	}
	if part := f.validPart(l); part != "" {
		f.invoke(op, "TLOAD", nil, []string{f.value(l.Tile.Value), part})
		return
	}
	if f.boxed(op, l.View.Value, l.Tile.Value, false) && f.paired(op, l.View.Value, l.Tile.Value) {
		if l.BypassL2 {
			f.invoke(op, "TLOAD", []string{"pto::TLoadL2Hint::NotAllocKeep"}, []string{f.value(l.Tile.Value), f.value(l.View.Value)})
			return
		}
		f.call(op)
	}
}

// validPart declares a view of the first rows and columns of the view of a load, as many as
// are valid in the tile, and returns its name. It returns "" if the view has as many. The
// library copies as many rows as the view has, and on A5 requires equal extents
// (pto-isa:include/pto/npu/a5/TLoad.hpp).
func (f *function) validPart(l sem.TileCopy) string {
	w := f.views[l.View.Value]
	t, _ := pto.TileOf(l.Tile.Type())
	if w == nil || w.layout != "ND" || l.BypassL2 || l.Left.Given() || t.Space != sem.UB || t.SLayout != pto.NoneBox || t.BLayout != pto.RowMajor ||
		t.VRows == ir.Dynamic || t.VCols == ir.Dynamic || isPair(w.elem) {
		return ""
	}
	n, one := padded(w.sizes), constant(1)
	larger := n[0] == one && n[1] == one && n[2] == one && n[3].known() && n[4].known() && n[3].n >= t.VRows && n[4].n >= t.VCols
	if !larger || n[3].n == t.VRows && n[4].n == t.VCols {
		return ""
	}
	n[3], n[4] = constant(t.VRows), constant(t.VCols)
	s, _ := fiveDims("pto::Shape", n)
	d, args := fiveDims("pto::Stride", paddedStrides(w.sizes, w.strides))
	name := f.number("v")
	f.line("GlobalTensor<", elemType(w.elem), ", ", s, ", ", d, ", pto::Layout::ND> ", name, "(", w.base, ", ", s, "(), ", d, "(", args, "));")
	return name
}

// sameExtents reports whether the view of a load has as many rows and columns as are valid
// in the tile, so that the load pads nothing.
func (f *function) sameExtents(l sem.TileCopy) bool {
	w := f.views[l.View.Value]
	t, _ := pto.TileOf(l.Tile.Type())
	if w == nil {
		return false
	}
	n, one := padded(w.sizes), constant(1)
	return n[0] == one && n[1] == one && n[2] == one && n[3] == constant(t.VRows) && n[4] == constant(t.VCols)
}

// paired reports whether the view v and the tile pack pairs of 4-bit numbers along the
// same axis. The operation op copies between them. If they pack along different axes,
// paired adds an error about op. The reason is a difference between the instruction and
// the C++ library. The instruction copies complete pairs. The library counts single
// numbers along one axis, and uses the same axis for view and tile. With different axes,
// it would copy other elements than the instruction.
func (f *function) paired(op *ir.Op, v, tile *ir.Value) bool {
	w := f.views[v]
	t, _ := pto.TileOf(tile.Type())
	perRow, perCol := packedAxis(t)
	if w == nil || perRow == perCol {
		return true
	}
	axis := pairAxis(padded(w.sizes), paddedStrides(w.sizes, w.strides))
	if (axis == pto.ViewRank-1) == (perCol == 2) {
		return true
	}
	f.errorf(op, "copies 4-bit elements that the view packs along one axis and the tile along the other axis, which the C++ emitter does not support").
		Note(ir.Loc{}, "give the view the stride 1 along the axis that the tile packs")
	return false
}

// boxed reports whether the C++ library supports a copy between the view v and the tile.
// The copy is a load from the view, or a store to it if store is set. If the library does
// not support it, boxed adds an error about op. For a tile in the unified buffer that has
// a fractal layout (boxes), the library requires a view with boxes. It makes an exception
// for stores of single rows and columns, for which every layout of the view is permitted
// (pto-isa:include/pto/npu/a5/TStore.hpp, CheckStaticVec).
func (f *function) boxed(op *ir.Op, v, tile *ir.Value, store bool) bool {
	t, _ := pto.TileOf(tile.Type())
	if w := f.views[v]; t.Space != sem.UB || t.SLayout == pto.NoneBox || w == nil || w.open || w.layout == "NZ" || store && (t.Rows == 1 || t.Cols == 1) {
		return true
	}
	f.errorf(op, "copies a boxed tile in vec from or to a view that is not boxed, which the C++ emitter does not support").
		Note(ir.Loc{}, "use a boxed view, as in shape = [columns/c0, 1, rows/16, 16, c0], where c0 elements have 32 bytes")
	return false
}

// multiply emits a matrix product. The library requires its operands in the memories L0A
// (left) and L0B (right).
func (f *function) multiply(op *ir.Op, kind sem.TileMatmul) {
	rows := int64(0) // of the left operand
	for _, name := range []string{kind.Rhs, kind.Lhs} {
		t, _ := pto.TileOf(op.Arg(name).Type())
		if rows = t.Rows; t.Space == sem.L1 {
			f.errorf(op, "multiplies \"%s\", a tile in mat, which the C++ emitter does not support: the C++ library multiplies tiles in left and right", name).
				Note(ir.Loc{}, "move it to left or right first, with pto.tmov or pto.textract")
			return
		}
	}
	calls := spellingsOf(op.Def(), op.Form())
	if f.opts.Target == sem.A5 && kind.Vector && rows > 1 {
		// On A5, TGEMV reads the row from consecutive bytes, as a tile of one row has it;
		// TMATMUL reads it from the blocks of a tile with more rows.
		calls = calls[1:]
	}
	f.callFirst(op, calls)
}

// phaseOf returns the phase of a copy out of acc as the first template argument of its call, or
// nil if it has none.
func phaseOf(op *ir.Op) []string {
	if !special(op, "stPhase") {
		return nil
	}
	return []string{enumWord("STPhase", op.Attr("stPhase"))}
}

// store emits tstore, a copy from a tile to global memory.
func (f *function) store(op *ir.Op, _ sem.TileStore) {
	dst, src := ends(op)
	if !f.boxed(op, dst, src, true) || !f.paired(op, dst, src) {
		return
	}
	scaling := sem.FixpipeOf(op)
	fp, scalar := scaling.Columns.Value, scaling.Factor.Value
	phase, atomic, relu := phaseOf(op), special(op, "atomicType"), special(op, "reluPreMode")
	name, args := "TSTORE", []string{f.value(dst), f.value(src)}
	var types []string
	if fp == nil {
		types = phase
	}
	if atomic || relu || scalar != nil {
		types = append(types, f.typeOf(src), f.typeOf(dst))
		if fp != nil {
			types = []string{f.typeOf(src), f.typeOf(dst), f.typeOf(fp)}
		}
		types = append(types, enumWord("AtomicType", op.Attr("atomicType")))
		if relu || scalar != nil || fp != nil {
			types = append(types, enumWord("ReluPreMode", op.Attr("reluPreMode")))
		}
	}
	if fp != nil {
		name, args = name+"_FP", append(args, f.value(fp))
	} else if scalar != nil {
		args = append(args, f.rvalue(scalar))
	}
	f.invoke(op, name, types, args)
}

// fillPad emits tfillpad, which pads a tile. The library has several variants; the
// addresses of the two tiles determine which one applies.
func (f *function) fillPad(op *ir.Op, _ sem.TilePad) {
	dst, src := ends(op)
	from, _ := pto.TileOf(src.Type())
	to, _ := pto.TileOf(dst.Type())
	var types []string
	switch a := op.Attr("padValue"); {
	case !a.IsZero():
		types = []string{f.typeOf(dst), enumWord("pto::PadValue", a)}
	case to.Space == sem.L1:
	case to.Rows != from.Rows || to.Cols != from.Cols:
		types = []string{"pto::TFillPadMode::Expand"}
	case samePlace(dst, src):
		types = []string{"pto::TFillPadMode::InPlace"}
	}
	f.invoke(op, "TFILLPAD", types, []string{f.value(dst), f.value(src)})
}

// samePlace reports whether two tiles are known to start at the same address.
func samePlace(a, b *ir.Value) bool {
	a, b = original(a), original(b)
	if a == b {
		return true
	}
	x, ok := placeOf(a)
	y, ok2 := placeOf(b)
	return ok && ok2 && x == y
}

// original returns the first tile of the storage that v uses. It follows operations that
// return the storage of a tile as another tile, from the result back to the operand.
func original(v *ir.Value) *ir.Value {
	for v.Op() != nil {
		if _, same := v.Op().Def().Sem.(sem.SameStorage); !same {
			break
		}
		v = v.Op().Operand(0)
	}
	return v
}

// placeOf returns the constant address of a tile. The second result is false if the
// address is not constant.
func placeOf(v *ir.Value) (int64, bool) {
	if v.Op() == nil {
		return 0, false
	}
	at := sem.PlacingOf(v.Op()).Address
	if !at.Given() {
		return 0, false
	}
	return arith.ConstantInt(at.Value)
}

// getElement emits an expression that reads one element of a tile.
func (f *function) getElement(op *ir.Op, _ sem.TileGet) {
	element := sem.TileElementOf(op)
	f.define(op.Result(0), f.value(element.Src.Value), ".GetValue(", f.value(element.Offset.Value), ")")
}

// setElement emits a statement that writes one element of a tile.
func (f *function) setElement(op *ir.Op, _ sem.TileSet) {
	dst, _ := ends(op)
	element := sem.TileElementOf(op)
	f.invoke(op, f.value(dst)+".SetValue", nil, []string{f.value(element.Offset.Value), f.value(element.Value.Value)})
}

// random emits trandom, which fills a tile with random numbers. The library expects the
// key and the counter as arrays.
func (f *function) random(op *ir.Op, _ sem.TileRandom) {
	dst, _ := ends(op)
	from := sem.RandomWordsOf(op)
	args := []string{f.value(dst)}
	for _, word := range slices.Concat(from.Key[:], from.Counter[:]) {
		args = append(args, f.value(word.Value))
	}
	f.invoke(op, f.need("PTOAS__TRANDOM"), []string{constant(from.Rounds).String()}, args)
}

// histogram emits thistogram, which counts how often each value of one byte of the source
// elements occurs. The function isatile.HistogramByte returns the index of this byte.
func (f *function) histogram(op *ir.Op, _ sem.TileHistogram) {
	if isatile.NamesHistogramByte(op) {
		f.call(op)
		return
	}
	f.invoke(op, "THISTOGRAM", []string{"HistByte::BYTE_" + strconv.Itoa(isatile.HistogramByte(op))}, f.values(op, "dst", "src", "idx"))
}

// quantMX emits tquant.mx, a quantization with shared exponents. The library expects the
// additional results as pointers.
func (f *function) quantMX(op *ir.Op, _ sem.TileQuantMX) {
	q := sem.GroupQuantizationOf(op)
	args := []string{f.value(q.Dst.Value), f.value(q.Src.Value)}
	types := []string{f.typeOf(q.Dst.Value), f.typeOf(q.Src.Value)}
	for _, further := range []sem.Operand{q.Exponents, q.Greatest, q.Factors} {
		args, types = append(args, "&"+f.value(further.Value)), append(types, f.typeOf(further.Value))
	}
	kind := op.Attr("quant_type").Keyword()
	if q.Boxes.Given() {
		head := []string{"pto::QuantType::" + kind}
		if op.HasAttr("storeMode") {
			head = append(head, "pto::VecStoreMode::"+strings.ToUpper(op.Attr("storeMode").Keyword()))
		}
		f.invoke(op, "TQUANT", append(head, types...), append(args, "&"+f.value(q.Boxes.Value)))
		return
	}
	alg := map[string]string{"MXFP8": "MxFp8E4M3", "MXFP4_E2M1": "MxFp4E2M1"}[kind]
	axis := strings.TrimPrefix(op.Attr("grpAxis").Keyword(), "axis")
	templates := []string{axis, "pto::MxQuantAlg::" + mixedCase(op.Attr("quantScaleAlg").Keyword()) + alg}
	if special(op, "interleave") {
		templates = append(templates, "true")
	}
	f.invoke(op, "TQUANT", templates, args)
}

// scatterMemory emits mscatter, which writes a tile to indexed elements of global memory.
// The first template argument is the mode: whether an index selects a row or an element.
// scatterMemory always writes this argument, because the overloads without it differ
// between targets.
func (f *function) scatterMemory(op *ir.Op, _ sem.MemScatter) {
	table := sem.TableOf(op)
	mode := mixedCase(op.Attr("coalesce").Keyword())
	if mode == "" {
		mode = "Row"
		idx, _ := pto.TileOf(table.Index.Type())
		if src, ok := pto.TileOf(table.Tile.Type()); ok && idx.VRows == src.VRows && idx.VCols == src.VCols {
			mode = "Elem"
		}
	}
	types, n := []string{"pto::Coalesce::" + mode}, 1
	for _, a := range []struct{ attr, enum string }{
		{"scatterAtomicOp", "pto::ScatterAtomicOp"}, {"scatterOob", "pto::ScatterOOB"}, {"scatterConflict", "pto::ScatterConflict"},
	} {
		if op.Attr(a.attr).IsZero() {
			break
		}
		types = append(types, enumWord(a.enum, op.Attr(a.attr)))
		if special(op, a.attr) {
			n = len(types) // what follows the last special one is left out
		}
	}
	f.invoke(op, "MSCATTER", types[:n], []string{f.value(table.Mem.Value), f.value(table.Tile.Value), f.value(table.Index.Value)})
}

// ends returns the destination and the source operand of an instruction on tiles.
func ends(op *ir.Op) (dst, src *ir.Value) {
	e := sem.TileEndsOf(op)
	return e.Dst.Value, e.Src.Value
}
