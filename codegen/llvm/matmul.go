// This file emits matrix products as blocked loops that LLVM can vectorize, with the
// accumulation order of the target.

package llvm

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/ir/num"
)

// matmul emits a matrix product. First it copies the operands into arrays of 32-bit
// numbers. Then it computes blocks of blockRows x blockCols sums, which stay in registers
// during the loop over k. Each sum accumulates in the order of k. Blocks at the edge can
// extend beyond the result; their surplus sums are not stored.
type matmul struct {
	c             *code
	lhs, rhs, dst *tile
	// in holds the initial values of the sums, or is nil for zeros.
	in *tile
	// bias means that the tile in has a single row, which initializes all rows of the
	// sums.
	bias bool
	// lscale and rscale are MX scales, or nil.
	lscale, rscale *tile
	rules          inputRules
	// roundings are the rounding modes for f32 operands.
	roundings []value.Value

	// a and b are the copied operands.
	a, b value.Value
	// panel is the number of columns in a panel of a, and depth is the number of rows in
	// a panel of b. A panel is the group of rows or columns that one block needs.
	panel, depth value.Value
	// integers means that the sums are integers and not floats.
	integers bool
	// t is the LLVM type of the sums.
	t types.Type
	// sums is a buffer for the sums of a block.
	sums value.Value
	// k is the number of products that are added to each sum.
	k value.Value
}

// inputRules describe how input elements change before they are multiplied. If inputs
// must be finite, the sums are limited to finite numbers, too.
type inputRules struct {
	// tf32 means that f32 elements are rounded to tf32 before the multiplication.
	tf32 bool
	// round is the rounding mode of the conversion to tf32.
	round num.Rounding
	// finite means that infinities become the largest finite number and NaN becomes zero.
	finite bool
}

// adapt emits the change that the rules r prescribe for an input element x of format f,
// for example rounding to tf32.
func (r inputRules) adapt(c *code, f num.Format, x value.Value) value.Value {
	if r.finite {
		x = c.clampFinite(x, num.Decode(f, num.Max(f)))
	}
	if r.tf32 {
		x = c.Decode(num.TF32, c.Encode(num.TF32, x, r.round, r.finite))
	}
	return x
}

// clampFinite emits x limited to the range from -limit to limit. NaN becomes zero.
func (c *code) clampFinite(x value.Value, limit float64) value.Value {
	for _, bound := range []struct {
		beyond enum.FPred
		x      float64
	}{{enum.FPredOGT, limit}, {enum.FPredOLT, -limit}} {
		x = c.Select(c.FCmp(bound.beyond, x, c.Num(x, bound.x)), c.Num(x, bound.x), x)
	}
	return c.Select(c.IsNaN(x), ll.Zero(x.Type()), x)
}

// scaleGroup is the number of elements along k that share an MX scale.
const scaleGroup = 32

const (
	// A block of sums occupies eight vector registers of 16 numbers. The widest machines
	// have 32 such registers.
	blockRows   = 4
	blockCols   = 2 * vectorLanes
	vectorLanes = 16
)

// work allocates the workspaces for the copies of the two operands. The parameters left
// and right are the numbers of elements of the left and the right operand.
func (m *matmul) work(left, right int64) {
	m.a, m.b = m.c.workspace("lhs", 4*left), m.c.workspace("rhs", 4*right)
}

// write emits the complete matrix product: the copies of the operands, the sums, and the
// stores of the results.
func (m *matmul) write() {
	f := m.c
	m.integers = m.dst.e.f.IsInt()
	m.t = ll.F32
	if m.integers {
		m.t = ll.I32
	}
	m.k = f.AtMost(m.lhs.cols, m.rhs.rows)
	m.sums = f.Slot(types.NewArray(blockRows*blockCols, m.t))
	m.layOut()
	// A panel of b stays in the nearest cache while all of a goes by.
	f.Loop("cols", f.CeilQuo(m.rhs.cols, blockCols), func(j value.Value) {
		f.Loop("rows", f.CeilQuo(m.lhs.rows, blockRows), func(i value.Value) {
			m.block(f.Mul(i, ll.Index(blockRows)), f.Mul(j, ll.Index(blockCols)))
		})
	})
}

// roundUp returns the smallest multiple of unit that is at least n.
func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// layOut emits the copy of the operands. The left operand is copied in panels of
// blockRows rows, in which the elements of a column are adjacent. The right operand is
// copied in panels of blockCols columns, in which the elements of a row are adjacent.
func (m *matmul) layOut() {
	f := m.c
	a := func(r, k value.Value) value.Value {
		panel := f.Mul(f.Mul(f.Quo(r, blockRows), ll.Index(blockRows)), m.panel)
		return f.At(m.t, m.a, f.Add(f.Add(panel, f.Mul(k, ll.Index(blockRows))), f.Rem(r, blockRows)))
	}
	b := func(k, c value.Value) value.Value {
		panel := f.Mul(f.Mul(f.Quo(c, blockCols), ll.Index(blockCols)), m.depth)
		return f.At(m.t, m.b, f.Add(f.Add(panel, f.Mul(k, ll.Index(blockCols))), f.Rem(c, blockCols)))
	}
	inPanels := m.rhs.box.cols > 0 && blockCols%m.rhs.box.cols == 0
	m.copy(m.lhs, m.lhs.rows, m.k, m.left, panels{blockRows, m.lscale == nil, a})
	m.copy(m.rhs, m.k, m.rhs.cols, m.right, panels{1, m.rscale == nil && inPanels, b})
}

// panels describes the copy of a matrix operand into panels, groups of adjacent rows. The
// field rows is the number of rows in a panel. The field to is a function that returns
// the address of an element in the copy. If wholeBoxes is set, the source can be read one
// box (inner block of its layout) at a time.
type panels struct {
	rows       int64
	wholeBoxes bool
	to         func(r, c value.Value) value.Value
}

// copy emits the copy of rows x cols elements of tile t into panels, which are temporary
// arrays. The parameter into describes the panels. The function element emits the
// conversion of one element. If the tile is stored in boxes, and reading beyond the
// copied elements is harmless, the emitted code reads complete boxes.
func (m *matmul) copy(t *tile, rows, cols value.Value, element func(r, c value.Value) value.Value, into panels) {
	f, panel, to := m.c, into.rows, into.to
	high, wide := t.box.rows, t.box.cols
	if high == 0 || high%panel != 0 || !into.wholeBoxes {
		f.Loop("row", rows, func(r value.Value) {
			f.Loop("col", cols, func(c value.Value) { f.Store(element(r, c), to(r, c), 4) })
		})
		return
	}
	f.Loop("boxes", f.CeilQuo(rows, high), func(i value.Value) {
		f.Loop("box", f.CeilQuo(cols, wide), func(j value.Value) {
			r, c := f.Mul(i, ll.Index(high)), f.Mul(j, ll.Index(wide))
			x := m.number(t, f.Load(ll.VectorOf(int(high*wide), t.e.mem), f.addr(t, r, c), t.e.size))
			for first := int64(0); first < high; first += panel {
				f.Store(f.ShuffleOne(x, t.box.panel(first, panel)), to(f.Add(r, ll.Index(first)), c), 4)
			}
		})
	})
}

// panel returns the order in which matmul reads the elements of some rows of a box:
// column by column. The parameter first is the index of the first of these rows, and rows
// is their number. Each result is the index of an element in the memory of the box.
func (b *box) panel(first, rows int64) []int {
	var order []int
	for c := range b.cols {
		for r := first; r < first+rows; r++ {
			if b.byCols {
				order = append(order, int(c*b.rows+r))
			} else {
				order = append(order, int(r*b.cols+c))
			}
		}
	}
	return order
}

// number emits the conversion of x, the stored bits of one or several elements of tile t,
// to the 32-bit type in which the products are computed: i32 or f32. Floats are rounded
// as the modes of the product require.
func (m *matmul) number(t *tile, x value.Value) value.Value {
	f := m.c
	x = f.Trunc(x, t.e.t)
	if m.integers {
		return f.Resize(x, ll.I32, t.e.f.Signed())
	}
	x = m.rules.adapt(f, t.e.f, f.Decode(t.e.f, x))
	for _, how := range m.roundings {
		x = f.roundOperand(how, x)
	}
	return x
}

// block emits the code that computes one block of the result matrix and stores it. The
// parameters r and c are the row and the column of the first element of the block.
func (m *matmul) block(r, c value.Value) {
	f := m.c
	rows := f.MinInt(f.Sub(m.lhs.rows, r), ll.Index(blockRows))
	cols := f.MinInt(f.Sub(m.rhs.cols, c), ll.Index(blockCols))
	sum := func(i, j value.Value) value.Value { return f.At(m.t, m.sums, f.Add(f.Mul(i, ll.Index(blockCols)), j)) }
	each := func(name string, body func(i, j value.Value)) {
		f.Loop(name, rows, func(i value.Value) { f.Loop(name, cols, func(j value.Value) { body(i, j) }) })
	}
	vector := ll.VectorOf(vectorLanes, m.t)
	whole := f.And(f.ICmp(enum.IPredEQ, rows, ll.Index(blockRows)), f.ICmp(enum.IPredEQ, cols, ll.Index(blockCols)))
	if m.in != nil {
		one := func() {
			each("start", func(i, j value.Value) { f.Store(m.start(f.Add(r, i), f.Add(c, j)), sum(i, j), 4) })
		}
		m.moveBlock(whole, m.wholeRows(m.in) && !m.bias, one, func(i int64, at func(t *tile) value.Value) {
			f.Store(f.Load(vector, at(m.in), 4), f.At(vector, m.sums, ll.Index(i)), 4)
		}, r, c)
	}
	done := m.products(r, c)
	if m.rules.finite && !m.integers {
		for i, x := range done {
			done[i] = f.clampFinite(x, math.MaxFloat32)
		}
	}
	m.moveBlock(whole, m.wholeRows(m.dst), func() { m.finish(done, each, sum, r, c) }, func(i int64, at func(t *tile) value.Value) {
		f.Store(done[i], at(m.dst), 4)
	}, r, c)
}

// products emits a loop that computes one block of the result matrix. The first element
// of the block is at row r and column c. The loop runs over k, the common dimension of
// the operands. The result contains two vector registers with sums for each row of the
// block.
func (m *matmul) products(r, c value.Value) []value.Value {
	f, vector := m.c, ll.VectorOf(vectorLanes, m.t)
	start := make([]value.Value, 2*blockRows)
	for i := range start {
		start[i] = ll.Zero(vector)
		if m.in != nil {
			start[i] = f.Load(vector, f.At(vector, m.sums, ll.Index(int64(i))), 4)
		}
	}
	left := f.At(m.t, m.a, f.Mul(r, m.panel))
	right := f.At(m.t, m.b, f.Mul(c, m.depth))
	return f.Reduce("k", m.k, start, func(k value.Value, acc []value.Value) []value.Value {
		row := f.At(m.t, right, f.Mul(k, ll.Index(blockCols)))
		column := f.At(m.t, left, f.Mul(k, ll.Index(blockRows)))
		ys := [2]value.Value{f.Load(vector, row, 4), f.Load(vector, f.At(vector, row, ll.Index(1)), 4)}
		next := make([]value.Value, len(acc))
		for i := range int64(blockRows) {
			x := f.Load(m.t, f.At(m.t, column, ll.Index(i)), 4)
			for h := range ys {
				at := int(i)*2 + h
				next[at] = m.step(acc[at], f.Splat(x, vectorLanes), ys[h])
			}
		}
		return next
	})
}

// moveBlock emits code for a block of sums of a matrix product. The code loads the block
// from a tile into registers, or stores it to a tile; the functions in the parameters
// determine which. The first element of the block is element (r, c) of the tile.
//
// Two callbacks emit the two possible copies. The callback one emits a copy of individual
// elements. The callback register emits the copy of the complete register i; its
// parameter at returns the address in a tile of the register's first element.
//
// The parameter asTheyAre is false if the tile stores elements in another format than the
// registers. moveBlock then calls only the callback one. Otherwise it calls both
// callbacks, and the i1 value whole selects at run time which of the two copies is
// executed.
func (m *matmul) moveBlock(whole value.Value, asTheyAre bool, one func(), register func(i int64, at func(t *tile) value.Value), r, c value.Value) {
	f := m.c
	if !asTheyAre {
		one()
		return
	}
	f.Choose("whole", whole, func() value.Value {
		for i := range int64(blockRows * 2) {
			register(i, func(t *tile) value.Value {
				return f.addr(t, f.Add(r, ll.Index(i/2)), f.Add(c, ll.Index(i%2*vectorLanes)))
			})
		}
		return ll.Index(0)
	}, func() value.Value { one(); return ll.Index(0) })
}

// wholeRows reports whether 16 neighboring elements of a row of t are adjacent in memory
// and have the type in which the product is summed. The 16 sums in a register can then be
// stored with one instruction.
func (m *matmul) wholeRows(t *tile) bool {
	sideBySide := t.box.rows == 0 && !t.byCols() || t.box.cols == vectorLanes && !t.box.byCols
	return sideBySide && t.e.mem.Equal(m.t)
}

// finish emits code that stores a block of results in the result tile. First, the code
// stores the sums, which are in the registers of the list done, in the buffer m.sums.
// Then a loop over the elements of the block loads each sum, converts it to the element
// type of the result, and stores it in the tile.
//
// The function each emits such a loop with the given name and body. The function sum
// returns the address of sum (i, j) in m.sums. The first element of the block is at row r
// and column c of the tile.
func (m *matmul) finish(done []value.Value, each func(name string, body func(i, j value.Value)), sum func(i, j value.Value) value.Value, r, c value.Value) {
	f := m.c
	for i, x := range done {
		f.Store(x, f.At(x.Type(), m.sums, ll.Index(int64(i))), 4)
	}
	each("end", func(i, j value.Value) {
		x := f.Load(m.t, sum(i, j), 4)
		if !m.integers {
			x = f.Encode(m.dst.e.f, x, num.NearestEven, false)
		}
		f.put(m.dst, f.Add(r, i), f.Add(c, j), x)
	})
}

// start emits the value with which the sum for element (r, c) of the product begins.
func (m *matmul) start(r, c value.Value) value.Value {
	f := m.c
	switch {
	case m.in == nil && m.integers:
		return ll.Integer(ll.I32, 0)
	case m.in == nil:
		return ll.Float(ll.F32, 0)
	case m.bias:
		r = ll.Index(0)
	}
	x := f.get(m.in, r, c)
	if m.integers {
		return f.Resize(x, ll.I32, m.in.e.f.Signed())
	}
	return f.FPTrunc(f.ToDouble(m.in.e.f, x), ll.F32)
}

// fused reports whether all products are exact in f32. In that case a fused multiply-add
// has the same result as a multiplication followed by an addition.
func (m *matmul) fused() bool {
	return m.lscale == nil && m.lhs.e.f == num.F16 && m.rhs.e.f == num.F16
}

// step emits sum + x*y with a single rounding. Products of narrow formats are exact in
// f32; for other formats it emits a fused multiply-add. Integers are computed modulo
// 2^32.
func (m *matmul) step(sum, x, y value.Value) value.Value {
	f := m.c
	switch {
	case m.integers:
		return f.Add(sum, f.Mul(x, y))
	case m.lhs.e.f.Bits() < 32 && m.rhs.e.f.Bits() < 32 && !m.fused():
		return f.FAdd(sum, f.FMul(x, y))
	}
	return f.FMA(num.F32, x, y, sum)
}

// left emits element (r, k) of the left operand as a number. If the operand has MX
// scales, the element is multiplied by its scale.
func (m *matmul) left(r, k value.Value) value.Value {
	return m.scaled(m.lhs, m.lscale, r, k, func() (value.Value, value.Value) { return r, m.c.Quo(k, scaleGroup) })
}

// right emits element (k, c) of the right operand as a number. If the operand has MX
// scales, the element is multiplied by its scale.
func (m *matmul) right(k, c value.Value) value.Value {
	return m.scaled(m.rhs, m.rscale, k, c, func() (value.Value, value.Value) { return m.c.Quo(k, scaleGroup), c })
}

// scaled emits the value of element (r, c) of tile t. If scale is not nil, the element is
// multiplied by its MX scale. The scale is an element of the tile in the parameter scale,
// at the position that the function in the parameter at returns.
func (m *matmul) scaled(t, scale *tile, r, c value.Value, at func() (value.Value, value.Value)) value.Value {
	f := m.c
	x := f.get(t, r, c)
	if m.integers || scale == nil {
		return m.number(t, x)
	}
	sr, sc := at()
	s := f.ToDouble(num.F8E8M0, f.get(scale, sr, sc))
	return f.FPTrunc(f.FMul(f.FPExt(m.number(t, x), ll.F64), s), ll.F32)
}
