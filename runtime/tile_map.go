// This file executes elementwise tile instructions.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// tileMap executes an elementwise instruction: each element of dst is a function of the
// elements at the same position of the operands. It computes the elements in the valid
// region of dst.
type tileMap struct {
	op  *ir.Op
	dst tileOperand
	ins []mapOperand
	// steps are the functions to apply in order, and rules the checks of valid regions at
	// run time.
	steps []mapStep
	rules []extentRule
	// plain means that the instruction has a single function, and that all tiles are
	// row-major or all are column-major. Such instructions need no copies to scratch
	// memory.
	plain bool
	// all means that elements outside the valid region are also computed.
	all bool
}

// mapOperand is an operand of an elementwise instruction: a tile, or a scalar that is
// used for all elements.
type mapOperand struct {
	tileOperand
	// scalar means that the operand is a scalar, which is used for all elements.
	scalar bool
	// conv converts the bits of a scalar operand to the number format of the elements.
	conv func(bits uint64) uint64
	// widen converts the elements of a tile to a wider format; it is nil if that is not
	// necessary.
	widen convertFunc
}

// mapStep is one function of an elementwise instruction. Its arguments are operands or
// the result of the previous step.
type mapStep struct {
	loop *rowLoop
	// args are the indices of the operands; the constant before represents the result of
	// the previous step. n is their number.
	args [3]int
	n    int
}

// before is a number that an argument of a mapStep can have. It means that the argument
// is the result of the preceding mapStep. Numbers from 0 are indices of operands of the
// instruction.
const before = -1

// tileMap compiles an elementwise tile instruction into a step, the function that
// computes all elements.
func (p *planner) tileMap(op *ir.Op, kind sem.TileMap) step {
	m := &tileMap{op: op, rules: p.extentRules(op), dst: p.tileOut(op)}
	if m.dst.l == nil {
		return nil
	}
	m.all = kind.AllOfMat && m.dst.l.info.Space == sem.L1
	names := kind.Args
	if names == nil {
		names = inputNames(op)
	}
	number := map[string]int{"": before}
	for _, name := range names {
		number[name] = p.mapInput(m, name)
	}
	first := mapStep{n: len(names)}
	for i, name := range names {
		first.args[i] = number[name]
	}
	if !p.mapStep(m, p.hoisted(m, kind.For(op, p.target), first), first) {
		return nil
	}
	for _, then := range kind.Then {
		next := mapStep{args: [3]int{before}, n: 1}
		if then.Arg != "" {
			next.args[1], next.n = p.mapInput(m, then.Arg), 2
		}
		if !p.mapStep(m, then.Fn, next) {
			return nil
		}
	}
	m.plain = m.isPlain()
	return m.exec
}

// hoisted returns the function that a loop applies to each element, for the step s of the
// instruction m. The function of this step is fn. If the last operand of fn is a scalar,
// fn may consist of two functions: one that prepares the scalar, and another that
// combines the prepared scalar with each element. In this case, hoisted arranges that the
// scalar is prepared once per execution of the instruction, and returns the second
// function. Otherwise it returns fn.
func (p *planner) hoisted(m *tileMap, fn *scalar.Fn, s mapStep) *scalar.Fn {
	if p.failed || fn.OfScalar == nil || s.n != 2 || !m.ins[s.args[1]].scalar || p.opts.FlushDenormals {
		return fn
	}
	in := &m.ins[s.args[1]]
	conv, f := in.conv, m.dst.l.f
	in.conv = func(bits uint64) uint64 { return fn.OfScalar(f, conv(bits)) }
	return fn.Rest
}

// isPlain reports whether the instruction can be computed row by row in place (see
// lineByLine). The instruction must apply a single function. All its tiles must have the
// same layout direction and element size, without boxes. A scalar operand must be the
// only operand, or the second of two operands.
func (m *tileMap) isPlain() bool {
	for i := range m.ins {
		l := m.ins[i].l
		if m.ins[i].scalar {
			if fills := m.steps[0].n == 1; !fills && (len(m.ins) != 2 || m.steps[0].args != [3]int{0, 1} || i == 0) {
				return false
			}
			continue
		}
		if m.ins[i].widen != nil || l == nil || l.boxed || l.half || l.byCols != m.dst.l.byCols || l.size != m.dst.l.size {
			return false
		}
	}
	return len(m.steps) == 1 && !m.dst.l.boxed && !m.dst.l.half
}

// inputNames returns the names of the operands that op reads but does not write, in the
// order of the instruction's definition.
func inputNames(op *ir.Op) []string {
	var names []string
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); a.Role == ir.In && from < to {
			names = append(names, a.Name)
		}
	}
	return names
}

// mapStep adds the function fn with the arguments s to the elementwise instruction m. It
// reports an error and returns false if the runtime does not support fn on these
// elements.
func (p *planner) mapStep(m *tileMap, fn *scalar.Fn, s mapStep) bool {
	if p.failed {
		return false
	}
	if fn.Arity != s.n {
		p.errorf(m.op, "has %d operands for the function %s, which expects %d", s.n, fn, fn.Arity)
		return false
	}
	loop, ok := p.loop(m.op, fn, m.dst.l.f)
	s.loop = loop
	m.steps = append(m.steps, s)
	return ok
}

// mapInput adds the named operand, a tile or a scalar, to the elementwise instruction m
// and returns its index.
func (p *planner) mapInput(m *tileMap, name string) int {
	op, f := m.op, m.dst.l.f
	v := op.Arg(name)
	in := mapOperand{}
	switch {
	case v == nil:
		p.errorf(op, "requires the operand \"%s\"", name)
	case pto.IsTile(v.Type()):
		in.tileOperand = p.tileValue(op, name, v)
		if l := in.l; l != nil && l.f.Signless() != f.Signless() && l.size != m.dst.l.size {
			in.widen = converter(l.f, f, num.NearestEven, false)
		}
	default:
		in.tileOperand = tileOperand{name: name, at: p.slot(v)}
		in.scalar, in.conv = true, p.scalarTo(op, v.Type(), f)
	}
	m.ins = append(m.ins, in)
	return len(m.ins) - 1
}

// rows returns the fastest loop that applies fn to adjacent elements of format f. It
// reports an error at op and returns false if fn is not defined on f.
func (p *planner) rows(op *ir.Op, fn *scalar.Fn, f num.Format) (rowFunc, bool) {
	l, ok := p.loop(op, fn, f)
	if !ok {
		return nil, false
	}
	return l.row(), true
}

// loop returns the fastest loop that applies fn to adjacent elements of format f. The
// result contains the vectorized loop, and a separate loop for the remaining elements. A
// function that is defined only for integers, such as a bitwise one, works on the bits of
// floats. loop reports an error at op and returns false if fn is not defined on f.
func (p *planner) loop(op *ir.Op, fn *scalar.Fn, f num.Format) (*rowLoop, bool) {
	if f.IsFloat() && !fn.Supports(f) {
		f = wordFormats[f.Bytes()]
	}
	if !fn.Supports(f) || f.Bits() < 8 && fn != scalar.Copy {
		p.errorf(op, "applies the function %s to elements of type %s, which pto-run does not support", fn, f)
		return nil, false
	}
	if p.opts.FlushDenormals {
		fn = flushing(fn, f)
	}
	return loopOf(fn, f), true
}

// scalarTo returns a function that converts a scalar of type t to format f, as C++
// converts the argument of a call. For example, the slope for an f16 tile can be an f32
// scalar.
func (p *planner) scalarTo(op *ir.Op, t ir.Type, f num.Format) func(bits uint64) uint64 {
	from, ok := p.format(op, t)
	if !ok || from.Signless() == f.Signless() {
		return func(bits uint64) uint64 { return bits }
	}
	r := num.NearestEven
	if f.IsInt() {
		r = num.Zero
	}
	return func(bits uint64) uint64 { return num.Convert(from, f, bits, r, false) }
}

// exec computes all elements of dst. It returns a fault if a function fails, or if the
// valid regions of the tiles do not match.
func (m *tileMap) exec(fr *frame) *Fault {
	if len(m.rules) > 0 {
		if f := checkExtents(fr, m.rules); f != nil {
			return f
		}
	}
	d := fr.t[m.dst.at]
	if m.all {
		whole := *d
		whole.rows, whole.cols = m.dst.l.rows, m.dst.l.cols
		d = &whole
	}
	if m.plain {
		return m.lineByLine(fr, d)
	}
	return m.inPieces(fr, d)
}

// inPieces computes the result in chunks of elements that fit into scratch memory. Before
// it computes a chunk, it copies the operands to contiguous rows. It therefore supports
// operands with any layout.
func (m *tileMap) inPieces(fr *frame, d *tile) *Fault {
	c, size, byCols := fr.core, m.dst.l.size, m.dst.l.byCols
	lines, n := d.lines(byCols)
	out := m.dst.l.over(d, byCols, c.scratch[0])
	dense := out.dense(n)
	longest := chunkBytes / size
	var ins [maxInputs]cursor
	var rows [maxInputs][]byte
	for i := range m.ins {
		in := &m.ins[i]
		if in.scalar {
			rows[i] = c.scratch[1+i][:min(longest, lines*n)*size]
			fill(rows[i], size, in.conv(fr.x[in.at]))
			continue
		}
		if f := in.covers(m.op, d); f != nil {
			return f
		}
		ins[i] = in.l.over(fr.t[in.at], byCols, c.scratch[1+i])
		dense = dense && ins[i].dense(n)
	}
	if dense {
		lines, n = 1, lines*n
	}
	for line := range lines {
		for at := 0; at < n; at += longest {
			k := min(longest, n-at)
			m.readRows(c, &ins, &rows, line, at, k)
			row := out.destination(line, at, k)
			if err := m.apply(c, row, &rows); err != nil {
				return faultAt(m.op, "fails: %s", err)
			}
			out.write(line, at, k, row)
		}
	}
	return nil
}

// readRows reads k elements of each tile operand and converts them to the format of dst.
// The parameter rows receives their bytes, one slice for each operand. The parameter ins
// contains a cursor for each operand. The elements are in the row (or column) with number
// line, and the parameter at is the index of the first one in this row.
func (m *tileMap) readRows(c *core, ins *[maxInputs]cursor, rows *[maxInputs][]byte, line, at, k int) {
	for i := range m.ins {
		in := &m.ins[i]
		if in.scalar {
			continue
		}
		rows[i] = ins[i].read(line, at, k)
		if in.widen != nil {
			wide := c.scratch[1+maxInputs+i][:k*m.dst.l.size]
			in.widen(wide, rows[i])
			rows[i] = wide
		}
	}
}

// lineByLine computes the result in place, without copies to scratch memory. If the rows
// are contiguous in memory, it treats them as a single long row.
func (m *tileMap) lineByLine(fr *frame, d *tile) *Fault {
	lines, n := d.lines(m.dst.l.byCols)
	size, s := m.dst.l.size, &m.steps[0]
	dense := lines == 1 || d.pitch == n
	var in [3]kernels.Lines
	held := false
	for i := range s.n {
		x := &m.ins[s.args[i]]
		if x.scalar {
			held = true
			in[i].Data = fr.core.scratch[i][:kernels.HeldBytes]
			fill(in[i].Data, size, x.conv(fr.x[x.at]))
			continue
		}
		t := fr.t[x.at]
		if f := x.covers(m.op, d); f != nil {
			return f
		}
		in[i] = kernels.Lines{Data: t.data, Pitch: t.pitch * size}
		dense = dense && (lines == 1 || t.pitch == n)
	}
	if lines == 0 || n == 0 {
		return nil
	}
	if dense {
		lines, n = 1, lines*n
	}
	n *= size
	if s.n == 1 && m.ins[0].scalar {
		return m.same(d, in[0].Data[:size], n, lines)
	}
	if err := m.runLines(fr.core, d, in, lines, n, held); err != nil {
		return faultAt(m.op, "fails: %s", err)
	}
	return nil
}

// runLines computes several rows of the result tile d. The parameter lines is the number
// of rows, and n is the number of bytes of each row. The array argument contains the
// operands. If held is set, the second operand is a scalar, repeated to kernels.HeldBytes
// bytes.
//
// A single row may be longer than a cache of the host. Consecutive instructions therefore
// alternate (core.turn): one processes the row from start to end, and the next one from
// end to start. Thus each instruction starts at the elements that the previous one
// processed last, which are still in the cache.
func (m *tileMap) runLines(c *core, d *tile, in [3]kernels.Lines, lines, n int, held bool) error {
	loop := m.steps[0].loop
	if lines > 1 {
		return loop.runLines(kernels.Lines{Data: d.data, Pitch: d.pitch * m.dst.l.size}, in, lines, n, held)
	}
	var rows [3][]byte
	for i, x := range in {
		rows[i] = x.Data[:min(n, len(x.Data))]
	}
	return loop.run(d.data[:n], rows[0], rows[1], rows[2], c.turn())
}

// same computes an instruction whose only operand is a scalar. It computes the function
// once and fills n bytes in each row of d with the result. The parameter one is a buffer
// that contains the scalar and receives the result. The parameter lines is the number of
// rows.
func (m *tileMap) same(d *tile, one []byte, n, lines int) *Fault {
	if err := m.steps[0].loop.rest(one, one, nil, nil); err != nil {
		return faultAt(m.op, "fails: %s", err)
	}
	fillLines(d.data, one, len(one), 0, d.pitch*len(one), n, lines)
	return nil
}

// maxInputs is the maximum number of operands that an elementwise instruction reads.
const maxInputs = 4

// apply applies all functions of the instruction to one row of elements and stores the
// result in dst. The array rows contains one row of each operand. Intermediate results
// are stored separately from dst, because dst can be an operand of a later function.
func (m *tileMap) apply(c *core, dst []byte, rows *[maxInputs][]byte) error {
	between := c.scratch[1+2*maxInputs][:len(dst)]
	for i, s := range m.steps {
		var in [3][]byte
		for k := range s.n {
			if in[k] = between; s.args[k] != before {
				in[k] = rows[s.args[k]]
			}
		}
		out := between
		if i == len(m.steps)-1 {
			out = dst
		}
		if err := s.loop.run(out, in[0], in[1], in[2], false); err != nil {
			return err
		}
	}
	return nil
}
