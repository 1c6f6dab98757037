// This file emits the loops over lines and registers.

package expand

import (
	"strconv"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// extent is a number of lines or elements: the constant n, or the SSA value v if n is
// ir.Dynamic. A line is a row of a row-major tile or a column of a column-major tile.
type extent struct {
	n int64
	v *ir.Value
}

// nest is the iteration space of a tile instruction: an outer loop over the lines of a
// tile, and an inner loop over the vector registers that hold the elements of a line. A
// line is a row, or a column of a column-major tile.
type nest struct {
	x             *expander
	lines, length extent
	byCols        bool
	// lanes is the number of elements per register, for the widest element type of the
	// instruction.
	lanes int64
	// flat reports that the lines are contiguous in memory, so that one loop covers all
	// of them.
	flat      bool
	ins, outs []*operand
	// written is outs, or the tiles that the body writes if these belong to another
	// iteration space.
	written []*operand
	// bars reports that the body needs a barrier between its loads and its stores.
	bars bool
	// unroll makes along emit the code of each register of a line instead of a loop.
	unroll bool
}

// point is one execution of the inner loop body, which processes one vector register of
// elements.
type point struct {
	line *line
	// at is the index of the first element of the register within its line.
	at *ir.Value
	// count is the number of elements in the register, or ir.Dynamic. A full register,
	// with nest.lanes elements, needs no mask.
	count int64
	// mask selects the lanes that hold elements. Its lanes have the width of the widest
	// element type.
	mask *ir.Value
}

// line is one execution of the loop over the lines of a tile. A line is a row, or a
// column of a column-major tile.
type line struct {
	// number is the index of the line, or nil if the tile has only one line.
	number  *ir.Value
	offsets map[int64]*ir.Value
	// block contains the code of the line. The offsets are computed there, because several
	// loops over registers can share them.
	block *ir.Block
}

// lineOf returns the line with the given number, whose code is in the current block.
func (x *expander) lineOf(number *ir.Value) *line {
	return &line{number: number, offsets: map[int64]*ir.Value{}, block: x.block}
}

// offset returns the distance in elements from the first line to the line l. pitch is the
// distance between consecutive lines.
func (x *expander) offset(l *line, pitch int64) *ir.Value {
	if pitch == 1 {
		return l.number
	}
	if l.offsets[pitch] == nil {
		at := ir.AtEnd(l.block, x.op.Loc())
		l.offsets[pitch] = at.Op(arith.MulI, []*ir.Value{l.number, x.index(pitch)}, []ir.Type{ir.Index}).Result(0)
	}
	return l.offsets[pitch]
}

// nest returns the iteration space for the valid region of a tile operand, the parameter
// over. ins and outs are the tiles to load and to store. If these tiles cannot share an
// iteration space, nest returns the reason.
func (x *expander) nest(over *operand, ins, outs []*operand) (*nest, string) {
	n := &nest{x: x, byCols: over.byCols(), ins: ins, outs: outs, written: outs}
	lines, length := over.extents()
	n.lines, n.length = extent{n: lines}, extent{n: length}
	widest := int64(1)
	n.flat = length != ir.Dynamic
	for _, o := range n.tiles() {
		widest = max(widest, o.size)
		if o.byCols() != n.byCols && lines != 1 {
			return nil, "the lines of \"" + o.name + "\" are not those of \"" + over.name + "\""
		}
		n.flat = n.flat && (o.pitch == length || lines == 1) && o.byCols() == n.byCols
	}
	n.lanes = pto.VectorBytes / widest
	return n, ""
}

// tiles returns all tiles that the loop body loads or stores.
func (n *nest) tiles() []*operand { return append(append([]*operand{}, n.ins...), n.outs...) }

// bits returns the size in bits of the widest element type of the tile instruction that n
// expands.
func (n *nest) bits() int { return int(8 * pto.VectorBytes / n.lanes) }

// open prepares the emission of the loops over the valid region of the tile over. It
// inserts the operations that compute the dynamic extents of this region. It also decides
// whether the code for each register needs a memory barrier between its loads and its
// stores. The barrier is necessary if a loaded tile and a stored tile may share bytes.
func (n *nest) open(over *operand) {
	for _, out := range n.outs {
		for _, in := range n.ins {
			n.bars = n.bars || waits(in, out, n.places(n.lanes), n.spans(in), n.spans(out))
		}
	}
	rows, cols := &n.lines, &n.length
	if n.byCols {
		rows, cols = cols, rows
	}
	for i, e := range []*extent{rows, cols} {
		if e.n != ir.Dynamic {
			continue
		}
		if e.v = over.valid[i]; e.v == nil {
			ask := []*ir.Def{isatile.TileValidRows, isatile.TileValidCols}[i]
			e.v = n.x.before.Op(ask, []*ir.Value{over.value}, []ir.Type{ir.Index}).Result(0)
		}
	}
	if !n.flat {
		return
	}
	total := extent{n: ir.Dynamic}
	if n.lines.n != ir.Dynamic {
		total.n = n.lines.n * n.length.n
	} else {
		total.v = n.x.before.Op(arith.MulI, []*ir.Value{n.lines.v, n.x.index(n.length.n)}, []ir.Type{ir.Index}).Result(0)
	}
	n.lines, n.length = extent{n: 1}, total
}

// begin starts a vector function that iterates over the valid region of the tile operand
// in the parameter over. At the start of the function it computes the addresses of all
// tiles.
func (n *nest) begin(over *operand) {
	n.x.scope()
	n.open(over)
	for _, o := range append(n.tiles(), n.written...) {
		n.x.pointer(o)
	}
}

// eachPoint emits the loops over all lines and registers, and calls body to emit the code
// for one register.
func (n *nest) eachPoint(body func(p *point)) {
	n.eachLine(func(l *line) {
		n.along(l, nil, func(p *point, _ []*ir.Value) []*ir.Value { body(p); return nil })
	})
}

// eachLine emits the loop over the lines (rows, or columns if column-major) of a tile,
// and calls body to emit the code for one line. A single line needs no loop.
func (n *nest) eachLine(body func(l *line)) {
	if n.lines.n == 1 {
		body(&line{})
		return
	}
	n.x.loop(n.x.value(n.lines), 1, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
		body(n.x.lineOf(i))
		return nil
	})
}

// along emits the loop over the registers of the line l (a row, or a column of a
// column-major tile). The function body emits the code for one register. carried holds
// values that are passed from iteration to iteration; along returns their final values.
// If carried holds nil, along peels the first iteration, which then computes the initial
// values. Peeling requires a constant length.
func (n *nest) along(l *line, carried []*ir.Value, body func(p *point, carried []*ir.Value) []*ir.Value) []*ir.Value {
	x := n.x
	if n.length.n == ir.Dynamic {
		return n.counted(l, carried, body)
	}
	full := n.length.n / n.lanes
	part := func(at *ir.Value, count int64, carried []*ir.Value) []*ir.Value {
		return body(&point{line: l, at: at, count: count, mask: x.maskOf(n.bits(), count)}, carried)
	}
	first := int64(0)
	for ; n.unroll && first < full; first++ {
		carried = part(x.index(first*n.lanes), n.lanes, carried)
	}
	if first < full && (full == 1 || len(carried) > 0 && carried[0] == nil) {
		carried = part(x.index(0), n.lanes, carried)
		first = 1
	}
	switch {
	case full == first+1:
		carried = part(x.index(first*n.lanes), n.lanes, carried)
	case full > first:
		carried = x.loopFrom(x.index(first*n.lanes), x.index(full*n.lanes), n.lanes, carried, func(at *ir.Value, carried []*ir.Value) []*ir.Value {
			return part(at, n.lanes, carried)
		})
	}
	if rest := n.length.n % n.lanes; rest > 0 {
		carried = part(x.index(full*n.lanes), rest, carried)
	}
	return carried
}

// counted emits the loop of nest.along for a line (a row, or a column of a column-major
// tile) with a dynamic length. In each iteration, the instruction plt creates the mask
// and subtracts the processed elements from the remaining number. The function body emits
// the code for one register, and carried holds the values that are passed from iteration
// to iteration.
func (n *nest) counted(l *line, carried []*ir.Value, body func(p *point, carried []*ir.Value) []*ir.Value) []*ir.Value {
	x := n.x
	left := x.at.Op(arith.IndexCast, []*ir.Value{n.length.v}, []ir.Type{ir.I32}).Result(0)
	all := x.loop(n.length.v, n.lanes, append([]*ir.Value{left}, carried...), func(at *ir.Value, c []*ir.Value) []*ir.Value {
		plt := x.at.Op(tailMasks[n.bits()], []*ir.Value{c[0]}, []ir.Type{pto.MaskType(n.bits()), ir.I32})
		p := &point{line: l, at: at, count: ir.Dynamic, mask: plt.Result(0)}
		return append([]*ir.Value{plt.Result(1)}, body(p, c[1:])...)
	})
	return all[1:]
}

// offset returns the distance from the start of the tile operand o to the element of o at
// the point p, in elements. A point is a row (or column) of the tile and the index of an
// element in it.
func (n *nest) offset(o *operand, p *point) *ir.Value {
	from := n.lineOffset(o, p.line)
	switch at, ok := arith.ConstantInt(p.at); {
	case from == nil:
		return p.at
	case ok && at == 0:
		return from
	}
	return n.x.at.Op(arith.AddI, []*ir.Value{from, p.at}, []ir.Type{ir.Index}).Result(0)
}

// lineOffset returns the distance from the start of the tile o to the line l (a row, or a
// column of a column-major tile), in elements. It returns nil for distance 0.
func (n *nest) lineOffset(o *operand, l *line) *ir.Value {
	if l.number == nil || o.pitch == 0 {
		return nil
	}
	return n.x.offset(l, o.pitch)
}

// loop emits a loop from 0 to end with the given step. It calls body to emit the loop
// body, with the loop counter i and the carried values of the current iteration; body
// returns the values for the next iteration. carried holds the values for the first
// iteration, and loop returns the values after the last one.
func (x *expander) loop(end *ir.Value, step int64, carried []*ir.Value, body func(i *ir.Value, carried []*ir.Value) []*ir.Value) []*ir.Value {
	return x.loopFrom(x.index(0), end, step, carried, body)
}

// loopFrom emits a loop from start to end with the given step. The function body emits
// the code for the loop counter i. carried holds values that are passed from iteration to
// iteration; loopFrom returns their final values.
func (x *expander) loopFrom(start, end *ir.Value, step int64, carried []*ir.Value, body func(i *ir.Value, carried []*ir.Value) []*ir.Value) []*ir.Value {
	block := ir.NewBlock(ir.Index)
	var types []ir.Type
	for _, v := range carried {
		types = append(types, v.Type())
		block.AddArg(v.Type())
	}
	outside := x.block
	x.enter(block)
	yielded := body(block.Arg(0), block.Args()[1:])
	x.at.Op(scf.Yield, yielded, nil)
	x.enter(outside)
	return x.at.Create(ir.State{
		Def: scf.For, Results: types, Regions: []*ir.Region{ir.NewRegion(block)},
		Operands: append([]*ir.Value{start, end, x.index(step)}, carried...),
	}).Results()
}

// segment emits a loop over the full registers that hold the first n elements of a line
// (a row or column). The number n must be a multiple of lanes, the number of elements in
// a register. body is a function that emits the code for one register. Its argument is
// the index of the first element of the register.
func (x *expander) segment(n, lanes int64, body func(at *ir.Value)) {
	if n == lanes {
		body(x.index(0))
		return
	}
	x.loop(x.index(n), lanes, nil, func(at *ir.Value, _ []*ir.Value) []*ir.Value { body(at); return nil })
}

// shifted returns a description of another line (row or column) of the iteration space.
// Its index is the index of l plus the constant in the parameter by.
func (x *expander) shifted(l *line, by int64) *line {
	to := x.index(by)
	if l.number != nil {
		to = x.at.Op(arith.AddI, []*ir.Value{l.number, to}, []ir.Type{ir.Index}).Result(0)
	}
	return x.lineOf(to)
}

// constant is the key under which an expander caches an integer constant: its type and
// value.
type constant struct {
	t ir.Type
	n int64
}

// index returns the constant n of type index.
func (x *expander) index(n int64) *ir.Value { return x.integer(ir.Index, n) }

// integer returns the constant n of type t. It inserts each constant once, before the
// vector function.
func (x *expander) integer(t ir.Type, n int64) *ir.Value {
	c := constant{t, n}
	if x.consts[c] == nil {
		x.consts[c] = arith.Int(x.before, t, n)
	}
	return x.consts[c]
}

// value returns an extent as an SSA value; a constant extent becomes a constant
// operation.
func (x *expander) value(e extent) *ir.Value {
	if e.n == ir.Dynamic {
		return e.v
	}
	return x.index(e.n)
}

// tail is the key under which an expander caches a mask of vector lanes. The field count
// is the number of lanes at the start of the vector that the mask selects. The field bits
// is the width of a lane in bits.
type tail struct {
	bits  int
	count int64
}

// patternMasks and tailMasks map the width of a lane in bits to the instruction that
// creates a mask: from a named pattern, or from the number of set lanes.
var (
	patternMasks = map[int]*ir.Def{8: isavector.PSetB8, 16: isavector.PSetB16, 32: isavector.PSetB32}
	tailMasks    = map[int]*ir.Def{8: isavector.PLtB8, 16: isavector.PLtB16, 32: isavector.PLtB32}
)

// maskOf returns a mask that selects the first lanes of a register. count is the number
// of these lanes, and bits is the width of a lane in bits. On the first call for a mask,
// maskOf emits the instruction that creates it; later calls return the same mask.
func (x *expander) maskOf(bits int, count int64) *ir.Value {
	key := tail{bits, count}
	if m := x.masks[key]; m != nil {
		return m
	}
	t := pto.MaskType(bits)
	if pattern, ok := pattern(bits, count); ok {
		x.masks[key] = x.top.Op(patternMasks[bits], nil, []ir.Type{t}, ir.NamedAttr{Name: "pattern", Attr: ir.Str(pattern)}).Result(0)
	} else {
		x.masks[key] = x.top.Op(tailMasks[bits], []*ir.Value{x.integer(ir.I32, count)}, []ir.Type{t, ir.I32}).Result(0)
	}
	return x.masks[key]
}

// pattern returns the name of the mask pattern that sets the first lanes of a register.
// count is the number of lanes to set, and bits is the width of a lane. It returns false
// if the hardware has no such pattern.
func pattern(bits int, count int64) (string, bool) {
	if count == int64(8*pto.VectorBytes/bits) {
		return "PAT_ALL", true
	}
	name := "PAT_VL" + strconv.FormatInt(count, 10)
	for _, p := range isavector.Patterns {
		if p == name {
			return name, true
		}
	}
	return "", false
}
