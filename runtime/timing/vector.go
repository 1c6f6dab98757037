// This file computes the duration of vector instructions on tiles.

package timing

import (
	"math"
	"strings"
	"sync"

	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// vector returns the cost in cycles of the tile instruction w, if the vector unit
// executes it.
func (m *model) vector(w *work) cost {
	if m.chip.Profile == "a5" {
		return m.vectorA5(w)
	}
	s := sequence{chip: m.chip}
	s.lower(w)
	return s.cost()
}

// sequence models how the public library implements a tile instruction on A2/A3: as
// vector instructions, with barriers between dependent ones. An instruction processes
// repeats of 256 bytes. Consecutive instructions follow each other with a constant gap.
// Only the head (start-up time) of the first instruction and the tail (completion time)
// of the last one before a barrier are visible.
type sequence struct {
	chip  *Chip
	total float64
	// begun means that at least one instruction follows the last barrier.
	begun bool
	// tail is the completion time of the last instruction in cycles, and head the
	// start-up time of the first.
	tail  float64
	head  float64
	class Class
	// weak is the number of cycles of the longest instruction. This instruction
	// determines the reliability class of the cost.
	weak float64
}

const (
	// repeatBytes is the number of bytes that a vector instruction processes per repeat,
	// and repeatMost is its maximum number of repeats.
	repeatBytes = 256
	repeatMost  = 255
)

// run adds times vector instructions o to the cost, each with the given number of repeats.
// A repeat processes 256 bytes.
func (s *sequence) run(o opcode, repeats, times int64) {
	if repeats <= 0 || times <= 0 {
		return
	}
	k := s.chip.must("vec." + string(o))
	times *= (repeats + repeatMost - 1) / repeatMost
	repeats = min(repeats, repeatMost)
	one := float64(repeats) * k.Value
	// The next instruction starts when this one is complete, or after the issue gap,
	// whichever is later.
	work := float64(times) * max(one, s.chip.num("vec.gap"))
	if !s.begun {
		work += min(0, one-s.chip.num("vec.gap"))
		s.total += k.Head
		if s.head == 0 {
			s.head = k.Head
		}
	}
	s.total += work
	s.begun, s.tail = true, k.Tail
	if work > s.weak {
		s.weak, s.class = work, k.Class
	}
}

// barrier adds the cost of a barrier between vector instructions: all instructions after
// it wait for those before it.
func (s *sequence) barrier() {
	if s.begun {
		s.total += s.tail + s.chip.num("barrier.V")
		s.begun = false
	}
}

// cost returns the cost of the complete sequence of vector instructions. The tail, which
// is the completion time of the last instruction, counts separately, because it overlaps
// with the next tile instruction unless that instruction depends on the result.
func (s *sequence) cost() cost {
	if s.total == 0 {
		return cost{class: Assumed}
	}
	if !s.begun {
		return cost{busy: s.total, class: s.class}
	}
	return cost{busy: max(s.total-s.head, 1), rest: s.head + s.tail, class: s.class}
}

// shape describes a tile for the timing model: the extents of its valid region, the
// extents of its storage, and the element size.
type shape struct {
	// rows and cols are the extents of the valid region.
	rows, cols int64
	// ofRows and of are the rows and columns of the storage.
	ofRows, of int64
	// size is the size of an element in bytes.
	size int64
}

// perRepeat returns the number of elements of the tile that a vector instruction
// processes per repeat. A repeat is 256 bytes.
func (s shape) perRepeat() int64 { return repeatBytes / max(s.size, 1) }

// contiguous reports whether the valid elements are adjacent in memory.
func (s shape) contiguous() bool { return s.cols == s.of || s.ofRows == 1 }

// inRow returns the number of repeats that a vector instruction needs for one row of the
// tile. A repeat processes e elements.
func (s shape) inRow(e int64) int64 { return (s.cols + e - 1) / e }

// shapeOf returns the shape of a tile of type t for the timing model. at contains the
// extents of its valid region. If a tile without boxes is column-major, shapeOf exchanges
// rows and columns.
func shapeOf(t pto.TileInfo, at extent) shape {
	s := shape{int64(at.rows), int64(at.cols), t.Rows, t.Cols, int64(pto.ByteSize(t.Elem))}
	if t.BLayout == pto.ColMajor && t.SLayout == pto.NoneBox {
		s.rows, s.cols, s.ofRows, s.of = s.cols, s.rows, s.of, s.ofRows
	}
	return s
}

// first returns the shape and the type of the first of the named operands that is a tile.
// The bool result is false if none of them is a tile.
func (w *work) first(names ...string) (shape, pto.TileInfo, bool) {
	for _, n := range names {
		if t, at, ok := w.tile(n); ok {
			return shapeOf(t, at), t, true
		}
	}
	return shape{}, pto.TileInfo{}, false
}

// elements adds to the sequence the vector instructions that compute an elementwise
// operation on all elements of a tile with shape t. The instructions follow the public
// library (pto-isa include/pto/npu/a2a3/TBinOp.hpp, TUnaryOp.hpp, TBinSOp.hpp).
func (s *sequence) elements(o opcode, t shape) { s.over(o, t, false) }

// over adds vector instructions to the sequence: those with which the C++ library
// executes an elementwise operation on all elements of a tile with shape t. If the
// operation has twoTiles as operands, the library processes short rows one at a time.
func (s *sequence) over(o opcode, t shape, twoTiles bool) {
	e := t.perRepeat()
	if t.rows <= 0 || t.cols <= 0 {
		return
	}
	inRow := t.of / e
	switch {
	case twoTiles && t.ofRows <= repeatMost && t.of < e: // short rows: one repeat each
		s.run(o, t.rows, 1)
	case t.contiguous():
		all := t.rows * t.cols
		if t.of > e && t.of%e != 0 || (all+e-1)/e > repeatMost {
			s.count()
			s.long(o, (all+e-1)/e)
			return
		}
		s.run(o, all/e, 1)
		if all%e > 0 {
			s.run(o, 1, 1)
		}
	case inRow > 1 && t.ofRows*inRow < 4, t.ofRows < inRow+1 && t.cols%e != 0:
		s.count()
		s.run(o, t.inRow(e), t.rows)
	case t.ofRows < inRow+1:
		s.run(o, t.inRow(e), t.rows)
	default:
		s.run(o, t.rows, t.inRow(e))
	}
}

// long adds a vector instruction with any number of repeats, divided into instructions
// with at most repeatMost repeats each.
func (s *sequence) long(o opcode, repeats int64) {
	for ; repeats > 0; repeats -= repeatMost {
		s.run(o, min(repeats, repeatMost), 1)
	}
}

// count adds the cycles for switching the vector unit to counter mode to the total of the
// sequence. In counter mode, the mask holds a number of elements instead of one bit for
// each element.
func (s *sequence) count() { s.total += s.chip.num("vec.count") }

// lower adds vector instructions to the sequence s. They are the instructions with which
// the public library implements w, a tile instruction. The timing model computes the cost
// of w from this sequence.
func (s *sequence) lower(w *work) {
	if _, merges := w.op.Def().Sem.(sem.TileMerge); merges {
		s.merge(w)
		return
	}
	dst, _, ok := w.first("dst", "dst0", "cdst")
	if !ok {
		dst, _, ok = w.first("src", "src0")
	}
	if !ok {
		s.run(unmeasured, max(w.bytes/repeatBytes, 1), 1)
		return
	}
	src, srcType, hasSrc := w.first("src", "src0")
	switch kind := w.op.Def().Sem.(type) {
	case sem.TileConvert:
		wide := dst
		wide.size = max(dst.size, src.size)
		s.elements(vconv, wide)
	case sem.TileReduce:
		s.reduce(w, kind, src)
	case sem.TileExpand:
		s.expand(w, kind, dst)
	case sem.TileSelect:
		s.run(vsel, dst.inRow(dst.perRepeat()), dst.rows)
	case sem.TileSort:
		s.run(vbitsort, max(src.rows*src.cols/32, 1), 1)
	case sem.TileTranspose:
		s.run(vnchwconv, max(src.rows*src.cols*src.size/512, 1), 1)
	case sem.TileGather:
		s.gather(w, dst, src)
	case sem.TileGatherBlocks:
		s.run(vgather, max(dst.rows*dst.cols*dst.size/repeatBytes, 1), 1)
	case sem.TilePart:
		s.elements(partOpcode(kind), dst)
	case sem.TileMap:
		o := opcodeOf(w.op)
		if w.op.Is(isatile.TDivS) && w.op.Arg("src") != w.op.Arg("dst") {
			// TDivS.hpp fills the result with the scalar and then divides tiles, except in
			// place, where it multiplies by the reciprocal.
			s.elements(vdup, dst)
			s.barrier()
			o = vdiv
		}
		_, _, two := w.first("src1")
		s.over(o, dst, two)
		for _, step := range kind.Then {
			s.barrier()
			s.elements(functionOf(step.Fn), dst)
		}
	case sem.TileMove:
		if hasSrc && srcType.Space == sem.UB {
			s.run(vcopy, max(dst.rows*dst.cols*dst.size/repeatBytes, 1), 1)
			return
		}
		s.elements(unmeasured, dst)
	default:
		s.elements(opcodeOf(w.op), dst)
	}
}

// reduce adds the vector instructions of a tile reduction to the sequence
// (TRowReduceOps.hpp, TColReduceOps.hpp). If each column is reduced, the method columns
// adds them. If each row is reduced, the library first reduces the row to the elements of
// one repeat (256 bytes), and then reduces these elements to one.
func (s *sequence) reduce(w *work, kind sem.TileReduce, src shape) {
	fn := functionOf(kind.Fn)
	if kind.Axis == sem.AlongCol {
		s.columns(w, fn, src)
		return
	}
	e := src.perRepeat()
	last, blocks := reductionOf(kind.Fn)
	parts := src.inRow(e)
	if _, t, _ := w.first("dst"); t.BLayout == pto.ColMajor && src.size == 4 && src.contiguous() && src.rows*src.cols*src.size == wholeTileBytes {
		if steps, ok := wholeTiles[src.rows]; ok {
			for _, step := range steps {
				o := blocks
				if step.pairs {
					o = fn
				}
				s.run(o, src.rows*step.eighths/8, 1)
				s.barrier()
			}
			return
		}
	}
	for i := int64(1); i < parts; i++ {
		s.run(fn, src.rows, 1)
		s.barrier()
	}
	s.run(last, src.rows, 1)
	s.barrier()
}

// wholeTileBytes is the size of the tiles for which the public library has a reduction of
// its own, which processes all rows with the same instructions.
const wholeTileBytes = 32 << 10

// rowStep is one vector instruction of a reduction of all rows of a tile.
type rowStep struct {
	// pairs means that the instruction combines two operands. Otherwise, it reduces each
	// block of 32 bytes to one element.
	pairs bool
	// eighths is the number of repeats for 8 rows.
	eighths int64
}

// wholeTiles describes how the public library reduces the rows of a tile of
// wholeTileBytes. The key is the number of rows of the tile. The value lists the vector
// instructions of the reduction in order.
var wholeTiles = map[int64][]rowStep{
	64: {{eighths: 16}, {pairs: true, eighths: 1}, {eighths: 1}},
	32: {{eighths: 32}, {pairs: true, eighths: 2}, {pairs: true, eighths: 1}, {eighths: 1}},
	16: {{eighths: 64}, {eighths: 8}, {eighths: 1}},
	8:  {{eighths: 128}, {eighths: 16}, {pairs: true, eighths: 1}, {eighths: 1}},
}

// columns adds the cost of a reduction along columns to s. The vector instruction fn
// combines two rows. If the tile instruction w has the attribute isBinary,
// the reduction combines pairs of rows, as a tree. If it does not, the reduction combines
// one row after the other with the first row. src is the source tile.
func (s *sequence) columns(w *work, fn opcode, src shape) {
	e := src.perRepeat()
	s.run(copyUB, src.inRow(e), 1)
	s.barrier()
	if src.rows == 1 {
		return
	}
	if isTrue(w.op.Attr("isBinary")) {
		for n := src.rows / 2; n > 0; n /= 2 {
			s.run(fn, src.inRow(e), n)
			s.barrier()
		}
		return
	}
	if kind := w.op.Def().Sem.(sem.TileReduce); kind.Fn == scalar.Add {
		// A single instruction adds all rows to one row, repeat by repeat.
		s.begun = false
		s.total = 0
		s.run(fn, src.rows-1, src.inRow(e))
		s.barrier()
		return
	}
	for range src.rows - 1 {
		s.run(fn, src.inRow(e), 1)
		s.barrier()
	}
}

// isTrue reports whether the attribute a is the boolean true.
func isTrue(a ir.Attr) bool {
	v, ok := a.AsBool()
	return v && ok
}

// expand adds the vector instructions of a broadcast of a row or column. The broadcast
// row or column is the result itself, or a function combines it with the elements of a
// tile (TRowExpand.hpp, TRowExpandBinOp.hpp, TColExpand.hpp).
func (s *sequence) expand(w *work, kind sem.TileExpand, dst shape) {
	e := dst.perRepeat()
	fn := kind.Fn
	switch {
	case fn == nil && kind.Axis == sem.AlongRow:
		s.run(vdup, dst.inRow(e), dst.rows)
	case fn == nil:
		s.run(vcopy, dst.rows, dst.inRow(e))
	default:
		if kind.Axis == sem.AlongRow {
			s.run(vbrcb, (dst.rows+7)/8, 1)
			s.barrier()
		}
		s.run(functionOf(fn), dst.rows, dst.inRow(e))
		if kind.Then != nil {
			s.barrier()
			s.elements(functionOf(kind.Then), dst)
		}
	}
}

// pairBytes is the size in bytes of an element of a sorted list: a value with its index.
const pairBytes = 8

// merge adds the instruction vmrgsort4 to the sequence. This vector instruction merges
// sorted lists; it needs about one cycle per pair of value and index. The size of the
// lists is in w, the work of the tile instruction.
func (s *sequence) merge(w *work) {
	pairs := float64(w.bytes) / pairBytes
	s.run(vmrgsort4, 1, 1)
	s.total += s.chip.num("vec.vmrgsort4") * max(pairs-1, 0)
	s.weak, s.class = math.Inf(1), s.chip.must("vec.vmrgsort4").Class
}

// gather adds the cost of the vector instructions of a gather by a mask pattern or by
// indices.
func (s *sequence) gather(w *work, dst, src shape) {
	if w.op.HasAttr("maskPattern") {
		s.run(vreducev2, src.inRow(src.perRepeat()), src.rows)
		return
	}
	s.run(vgather, dst.inRow(dst.perRepeat()), dst.rows)
}

// a5Fit is a linear model of the time of a tile instruction on A5, fitted to
// measurements: cycles per inner iteration, cycles per row, and cycles at the start.
type a5Fit struct{ inner, row, start float64 }

// a5Key identifies an entry in the table of A5 instruction times, which were fitted to
// measurements: the instruction, its element types, the shape of the tile, and its mode.
type a5Key struct {
	op                    *ir.Def
	from, to, shape, mode string
}

// a5Fits returns a table of the times of tile instructions on A5. Each time is a linear
// model, which was fitted to measurements. a5Fits parses the embedded table on the first
// call.
var a5Fits = sync.OnceValue(func() map[a5Key]a5Fit { return readA5Fits(a5Table) })

// vectorA5 returns the cost of the tile instruction w on A5. It uses the fitted time of
// the instruction if the table contains one, and the time of a similar instruction if
// not.
func (m *model) vectorA5(w *work) cost {
	dst, dstType, ok := w.first("dst", "dst0", "cdst")
	if !ok {
		if dst, dstType, ok = w.first("src", "src0"); !ok {
			return cost{busy: m.scopeTime(1, 1), class: Assumed}
		}
	}
	src, srcType := dst, dstType
	if s, t, ok := w.first("src", "src0"); ok {
		src, srcType = s, t
	}
	wide := dst
	wide.size = max(dst.size, src.size)
	e := wide.perRepeat()
	n, rows := (wide.rows*wide.cols+e-1)/e, int64(1)
	key := a5Key{op: w.op.Def(), from: a5Type(srcType.Elem), shape: "1d"}
	if !wide.contiguous() || !src.contiguous() && src.rows == wide.rows {
		n, rows, key.shape = wide.inRow(e), wide.rows, "2d"
	}
	if key.op == isatile.TCvt {
		key.to = a5Type(dstType.Elem)
		wide.cols = max(dst.cols, src.cols) // numbers, where one of them has pairs
		n = (wide.rows*wide.cols + e - 1) / e
		if key.shape == "2d" {
			n = wide.inRow(e)
		}
		switch {
		case key.shape == "2d" && strings.HasPrefix(key.from, "fp4"):
			n = wide.inRow(2 * narrowLanes)
		case key.shape == "2d" && dst.size < 4:
			n = wide.inRow(narrowLanes)
		}
	}
	key.mode = a5Mode(w.op, key, n)
	f, ok := a5Lookup(key)
	class := SimulatorFit
	if !ok {
		f, class = m.a5Guess(w, key, &n, &rows, src), Assumed
	}
	return cost{busy: (f.inner*float64(n)+f.row)*float64(rows) + f.start, class: class}
}

// narrowLanes is the number of elements that one instruction converts if the rows of the
// tiles are not contiguous and the destination elements are narrower than 32 bits.
const narrowLanes = 128

// a5Mode returns a name for the variant of op, for example "high_precision". The table of
// A5 times contains several fitted times for some instructions, one per variant. The
// result is "" if the table has only one time for the instruction. key is the key of the
// table entry without the variant. The library implements op by nested loops; n is the
// number of iterations of the inner loop.
func a5Mode(op *ir.Op, key a5Key, n int64) string {
	switch key.op {
	case isatile.TRecip:
		if strings.Contains(strings.ToLower(op.Attr("precisionType").Keyword()), "high") {
			return "high_precision"
		}
		return "default"
	case isatile.TSel:
		switch {
		case key.from != "fp32":
			return "TSel_b16_8"
		case key.shape == "2d":
			return "TSel_b32"
		case n%2 == 0:
			return "TSel_b32_even"
		}
		return "TSel_b32_odd"
	}
	return ""
}

// a5Type returns the name of an element type in the table of fitted times, for example
// "fp32".
func a5Type(t ir.Type) string {
	switch s := t.String(); {
	case s == "f32":
		return "fp32"
	case s == "f16":
		return "fp16"
	case strings.HasPrefix(s, "f8E4M3"):
		return "fp8_e4m3"
	case strings.HasPrefix(s, "f8E5M2"):
		return "fp8_e5m2"
	case strings.Contains(s, "hif8"):
		return "hif8"
	case strings.Contains(s, "f4E1M2") || strings.Contains(s, "f4_e1m2"):
		return "fp4_e1m2"
	case strings.Contains(s, "f4E2M1") || strings.Contains(s, "f4_e2m1"):
		return "fp4_e2m1"
	case pto.ByteSize(t) == 1:
		return "int8"
	default:
		return s
	}
}

// a5Lookup returns the fitted time of a tile instruction for the key k. If the table has
// no time for the element types of k, it returns the time that holds for all types. The
// bool result is false if the table has neither of these times.
func a5Lookup(k a5Key) (a5Fit, bool) {
	f, ok := a5Fits()[k]
	if !ok {
		k.from = ""
		f, ok = a5Fits()[k]
	}
	return f, ok
}

// a5Like maps a tile instruction to a similar one, whose time the timing model uses
// instead. It contains instructions that were not measured, so that the table a5Fits has
// no time for them. A similar instruction loads the same number of registers and uses the
// same execution unit.
var a5Like = map[*ir.Def]*ir.Def{
	isatile.TDiv: isatile.TDivS, isatile.TLog: isatile.TExp, isatile.TMax: isatile.TAdd, isatile.TMin: isatile.TAdd, isatile.TAnd: isatile.TAdd, isatile.TOr: isatile.TAdd, isatile.TXor: isatile.TAdd,
	isatile.TAddS: isatile.TMinS, isatile.TSubS: isatile.TMinS, isatile.TMulS: isatile.TMinS, isatile.TMaxS: isatile.TMinS, isatile.TAbs: isatile.TNeg, isatile.TRelu: isatile.TNeg, isatile.TNot: isatile.TNeg,
	isatile.TExpandS: isatile.TNeg, isatile.TMov: isatile.TNeg, isatile.TLRelu: isatile.TMinS, isatile.TColExpandMul: isatile.TAdd, isatile.TRowExpandMul: isatile.TAdd, isatile.TRowExpandSub: isatile.TAdd,
	isatile.TRowExpandDiv: isatile.TDivS, isatile.TCmp: isatile.TAdd, isatile.TCmpS: isatile.TMinS, isatile.TShlS: isatile.TMinS, isatile.TShrS: isatile.TMinS,
}

// a5Copy is the measured instruction with the work of a copy. It supplies the time of
// instructions that are similar to no measured one.
var a5Copy = isatile.TNeg

// a5Guess returns the parameters of a time formula for the tile instruction w. It is
// called if the table of fitted times has no entry for the key k. For most instructions,
// the result is the entry of a similar instruction, or that of a copy if no instruction
// is similar.
//
// For a reduction, the result is a constant estimate for rows or for columns. The time of
// a reduction depends on other iteration counts than the time of an elementwise
// instruction. a5Guess therefore overwrites n, the number of inner iterations, and rows,
// the number of rows.
func (m *model) a5Guess(w *work, k a5Key, n, rows *int64, src shape) a5Fit {
	if kind, ok := w.op.Def().Sem.(sem.TileReduce); ok {
		*rows, *n = src.rows, src.inRow(src.perRepeat())
		if kind.Axis == sem.AlongCol {
			*rows = 1
			*n *= src.rows
			return a5Fit{1.5, 0, 55}
		}
		return a5Fit{2, 22, 60}
	}
	like, ok := a5Like[k.op]
	if !ok {
		like = a5Copy
	}
	k.op, k.mode = like, ""
	f, _ := a5Lookup(k)
	if f == (a5Fit{}) {
		f = a5Fits()[a5Key{op: a5Copy, shape: k.shape}]
	}
	return f
}

// scopeTime estimates the duration in cycles of a vector function with n loads and
// stores. The unit executes perCycle of these per cycle.
func (m *model) scopeTime(n, perCycle float64) float64 {
	return scopeStart + math.Ceil(n/perCycle) + scopeEnd
}
