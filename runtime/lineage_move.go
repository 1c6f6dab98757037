// This file follows instructions that move data: it executes them on the tokens of the
// data, one plane of token bytes at a time.

package runtime

import (
	"bytes"
	"encoding/binary"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/expr"
)

// The step of an instruction that moves data runs on the numbers and then on each plane
// of tokens. If the step converts or combines elements while it moves them, it calls
// [tracer.element], which needs two runs on each plane. The first run collects the tokens
// of the operands, and the second run stores the tokens of the results.

// phase states on which data a symbolically executed instruction runs. Such an
// instruction is executed several times, first on its ordinary operands. It then runs on
// each token plane. Plane k is an array that contains, for each byte of memory, byte k of
// the number of its expression. An instruction that moves and computes runs on each plane
// twice: the gathering run collects the operands of the computation, and the scattering
// run stores its results.
type phase uint8

const (
	onNumbers phase = iota
	gathering
	scattering
)

// movedOperands lists the operands and results of an instruction by their role in
// symbolic execution: data that the instruction moves, masks, and values that must not
// depend on symbolic inputs, such as addresses.
type movedOperands struct {
	op *ir.Op
	// tiles, vectors, rows and aligns are the slots of the tiles, registers, logical
	// vectors and alignment registers whose contents move.
	tiles, vectors, rows, aligns []slot
	// masks are mask operands; masks that depend on inputs are not supported.
	masks []slot
	// control are scalar operands that must be known, such as addresses and counts.
	control []slot
	// data are scalar operands that move, with their sizes in bytes in dataSizes. results
	// are scalar results, with their sizes in bytes in sizes.
	data, results []slot
	// sizes are the sizes in bytes of the scalar results.
	sizes       []int
	dataSizes   []int
	maskResults []slot
	// numbers, numberTiles and numberRows are scalars, tiles and logical vectors whose
	// elements must be known, such as indices.
	numbers     []slot
	numberTiles []slot
	numberRows  []slot
}

// moved determines the role of the operands and results of op in symbolic execution: data
// that moves, masks, or values that must not depend on symbolic inputs. The parameter
// numbers contains operands whose elements op interprets, for example as indices; these
// elements must not depend on symbolic inputs.
func (p *planner) moved(op *ir.Op, numbers ...*ir.Value) *movedOperands {
	if p.opts.Lineage == nil {
		return nil
	}
	m := &movedOperands{op: op}
	data, _ := op.Def().Sem.(sem.TakesData)
	for _, v := range op.Operands() {
		if p.classOf(v.Type()) == noClass {
			continue
		}
		at, isNumber := p.slot(v), slices.Contains(numbers, v)
		switch p.classOf(v.Type()) {
		case scalarClass:
			f, ok := ir.FormatOf(v.Type())
			if ok && data != nil && data.TakesData(op, v) {
				m.data, m.dataSizes = append(m.data, at), append(m.dataSizes, f.Bytes())
			} else {
				m.control = append(m.control, at)
			}
		case tileClass:
			if isNumber {
				m.numberTiles = append(m.numberTiles, at)
			} else {
				m.tiles = append(m.tiles, at)
			}
		case vectorClass:
			if isNumber {
				m.numbers = append(m.numbers, at)
			} else {
				m.vectors = append(m.vectors, at)
			}
		case rowClass:
			if t, _ := rowTypeOf(v.Type()); isNumber || t.f == num.I1 {
				m.numberRows = append(m.numberRows, at)
			} else {
				m.rows = append(m.rows, at)
			}
		case alignClass:
			m.aligns = append(m.aligns, at)
		case maskClass:
			m.masks = append(m.masks, at)
		}
	}
	for _, v := range op.Results() {
		if p.classOf(v.Type()) == noClass {
			continue
		}
		at := p.slot(v)
		switch p.classOf(v.Type()) {
		case scalarClass:
			if f, ok := ir.FormatOf(v.Type()); ok {
				m.results, m.sizes = append(m.results, at), append(m.sizes, f.Bytes())
			}
		case tileClass:
			m.tiles = append(m.tiles, at)
		case vectorClass:
			m.vectors = append(m.vectors, at)
		case rowClass:
			m.rows = append(m.rows, at)
		case alignClass:
			m.aligns = append(m.aligns, at)
		case maskClass:
			m.maskResults = append(m.maskResults, at)
		}
	}
	for _, list := range []*[]slot{&m.tiles, &m.vectors, &m.rows, &m.aligns} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return m
}

// moveStep returns a step for symbolic execution of an instruction that moves data. It
// runs s, the ordinary step of the instruction, once on the data and then on the token
// planes. These byte arrays have the layout of the data and hold, for each byte, the
// number of its expression. The parameter numbers contains the operands whose elements
// must not depend on symbolic inputs.
func (p *planner) moveStep(op *ir.Op, s step, numbers ...*ir.Value) step {
	if s == nil {
		return nil
	}
	return p.moved(op, numbers...).step(s)
}

// step returns a step for symbolic execution of an instruction that moves data. The step
// s executes the instruction; it runs once on the data and once on each token plane. Each
// byte of data has an expression number (token) of four bytes, and token plane k has byte
// k of these numbers, in the layout of the data. By moving the planes like the data, s
// moves each token together with its data byte.
func (m *movedOperands) step(s step) step {
	return func(fr *frame) *Fault { return m.run(fr, func() *Fault { return s(fr) }) }
}

// stores declares that a scalar operand is data that the instruction moves, not an
// address or a count. The parameter at is the slot of the operand, and size is its
// number of bytes.
func (m *movedOperands) stores(at slot, size int) *movedOperands {
	m.control = slices.DeleteFunc(m.control, func(s slot) bool { return s == at })
	m.data, m.dataSizes = append(m.data, at), append(m.dataSizes, size)
	return m
}

// mustKnow checks the operands that must not depend on symbolic inputs, such as addresses
// and indices. It returns a fault if one of them depends on symbolic inputs.
func (m *movedOperands) mustKnow(fr *frame) *Fault {
	x := fr.core.lin
	for _, at := range m.control {
		if v := x.scalar(fr, at); !v.known {
			return fr.core.undecided(m.op, &v, "has an address, a count or a condition that depends on input data")
		}
	}
	for _, at := range m.masks {
		if t := fr.lin.m[at]; t != nil {
			return fr.core.undecided(m.op, t.first(), "moves lanes under a mask that depends on input data")
		}
	}
	const what = "reads an index that depends on input data"
	for _, at := range m.numbers {
		r := fr.vector(at)
		if v := x.unknown(&r); v != nil {
			return fr.core.undecided(m.op, v, what)
		}
	}
	for _, at := range m.numberRows {
		r := fr.tracedRow(at)
		if v := x.unknown(&r); v != nil {
			return fr.core.undecided(m.op, v, what)
		}
	}
	for _, at := range m.numberTiles {
		r := x.region(fr.t[at].data)
		if v := x.unknown(&r); v != nil {
			return fr.core.undecided(m.op, v, what)
		}
	}
	return nil
}

// unknown returns the value of the first byte of r that depends on symbolic inputs. It
// returns nil if all bytes are independent of them. Unwritten memory counts as
// independent. With Lineage.Definedness the result is nil, too: an instruction can ignore
// some of the bytes, for example because of a mask.
func (x *tracer) unknown(r *traced) *value {
	if x.shadows != nil || x.definedness {
		return nil
	}
	for i := range r.real {
		if r.p[0][i] == r.p[1][i] && r.p[1][i] == r.p[2][i] && r.p[2][i] == r.p[3][i] {
			continue
		}
		if k := r.p.token(i); k != expr.Unwritten {
			return &value{h: x.t.From(k)}
		}
	}
	return nil
}

// first searches the mask for bits that depend on symbolic inputs. It returns the
// symbolic value of the first of these bits, or nil if no bit depends on symbolic inputs.
func (t *maskTrace) first() *value {
	for i := range t {
		if !t[i].known {
			return &t[i]
		}
	}
	return nil
}

// run executes an instruction that moves data, and then moves the symbolic expressions of
// the data in the same way. The function s executes the instruction; it is called several
// times. The first call moves the data. Each byte of data has a token of four bytes,
// which identifies its expression. Token plane k is a byte array with the layout of the
// data that contains byte k of each token. run therefore also calls s once for each of
// the four planes. If s also computes with elements, run calls it twice for each plane:
// first to collect operands, and then to store results.
func (m *movedOperands) run(fr *frame, s func() *Fault) *Fault {
	x := fr.core.lineageOf()
	if f := m.mustKnow(fr); f != nil {
		return f
	}
	before := fr.core.special
	x.phase, x.puts, x.journal, x.how, x.mixed = onNumbers, 0, x.journal[:0], nil, ""
	clear(x.touched)
	x.t.At = m.op
	if f := s(); f != nil {
		return f
	}
	if x.how != nil && x.how.byColumns {
		x.mixed = "converts by factors of columns"
	}
	if x.shadows != nil && (x.mixed != "" || x.t.Size() == 0 && len(x.journal) == 0) {
		return nil // the elements get no shadows, or there are none
	}
	if x.mixed != "" {
		return fr.core.undecided(m.op, nil, x.mixed+", which equivalence proofs do not follow")
	}
	after := fr.core.special
	x.traceAll()
	saved := m.save(fr)
	if len(x.journal) > 0 {
		for k := range 4 {
			fr.core.special = before
			if f := m.plane(fr, x, saved, k, gathering, s); f != nil {
				return f
			}
		}
		x.resolve()
	}
	for k := range 4 {
		fr.core.special = before
		if f := m.plane(fr, x, saved, k, scattering, s); f != nil {
			return f
		}
	}
	fr.core.special = after
	m.restore(fr, x, saved)
	if !x.tracedAll() {
		return fr.core.undecided(m.op, nil, "accesses other memory for expressions than for numbers")
	}
	return nil
}

// savedValues holds the operands and results of an instruction after the instruction has
// executed on its data. Symbolic execution executes the instruction again on expression
// tokens, and restores the saved values after each of these executions.
type savedValues struct {
	tiles   []tile
	planes  []planes
	vectors []vreg
	rows    [][]byte
	aligns  []alignState
	scalars []uint64
	results []uint64
	masks   []mask
	// words are the scalar results of the runs on the four planes.
	words [][4]uint64
}

// save returns copies of the operands and results of an instruction. Symbolic execution
// executes the instruction several times: first on its data, and then on expression
// tokens. The caller uses save after the first execution, because each later one
// overwrites the operands and results.
func (m *movedOperands) save(fr *frame) *savedValues {
	x := fr.core.lin
	s := &x.saved
	s.tiles, s.planes, s.vectors, s.rows = s.tiles[:0], s.planes[:0], s.vectors[:0], s.rows[:0]
	s.aligns, s.scalars, s.results, s.masks, s.words = s.aligns[:0], s.scalars[:0], s.results[:0], s.masks[:0], s.words[:0]
	for _, at := range m.tiles {
		t := fr.t[at]
		p, _ := x.planesOf(t.data)
		s.tiles, s.planes = append(s.tiles, *t), append(s.planes, p)
	}
	for _, at := range m.vectors {
		s.vectors = append(s.vectors, fr.v[at])
	}
	for _, at := range m.rows {
		s.rows = append(s.rows, fr.r[at])
	}
	for _, at := range m.aligns {
		s.aligns = append(s.aligns, fr.a[at])
	}
	for _, at := range m.data {
		s.scalars = append(s.scalars, fr.x[at])
	}
	for _, at := range m.results {
		s.results = append(s.results, fr.x[at])
		s.words = append(s.words, [4]uint64{})
	}
	for _, at := range m.maskResults {
		s.masks = append(s.masks, fr.m[at])
	}
	return s
}

// plane calls the function run so that it moves one plane of expression tokens instead of
// data. A token is a number that identifies the expression of a data byte, and plane k is
// a byte array that holds byte k of each token. Before the call, the function plane puts
// plane k in the place of the data in memories, tiles and vectors. After the call, it
// restores the data, which the caller has saved in s. The parameter ph is the purpose of
// the call: to gather operands or to scatter results.
func (m *movedOperands) plane(fr *frame, x *tracer, s *savedValues, k int, ph phase, run func() *Fault) *Fault {
	x.phase, x.plane, x.puts = ph, k, 0
	x.swap(k)
	for i, at := range m.tiles {
		if s.planes[i][k] == nil {
			continue
		}
		data := s.planes[i][k]
		if ph == gathering { // the operands stay until all are gathered
			data = bytes.Clone(data)
		}
		fr.t[at].data = data
	}
	for _, at := range m.vectors {
		fr.v[at] = fr.lin.v[at][k]
	}
	for _, at := range m.rows {
		fr.r[at] = fr.lin.r[at][k]
	}
	for _, at := range m.aligns {
		held := fr.lin.a[at][k]
		held.n = fr.a[at].n
		fr.a[at] = held
	}
	for i, at := range m.data {
		if tok := fr.lin.x[at]; tok != 0 {
			fr.x[at] = scalarPlane(tok, k, m.dataSizes[i])
		}
	}
	f := run()
	for i, at := range m.data {
		fr.x[at] = s.scalars[i]
	}
	for i, at := range m.results {
		s.words[i][k] = fr.x[at]
		fr.x[at] = s.results[i]
	}
	for i, at := range m.vectors {
		if ph == scattering {
			fr.lin.v[at][k] = fr.v[at]
		}
		fr.v[at] = s.vectors[i]
	}
	for i, at := range m.rows {
		fr.r[at] = s.rows[i]
	}
	for i, at := range m.aligns {
		fr.lin.a[at][k] = fr.a[at]
		fr.a[at] = s.aligns[i]
	}
	for i, at := range m.tiles {
		*fr.t[at] = s.tiles[i]
	}
	for i, at := range m.maskResults {
		fr.m[at] = s.masks[i]
	}
	x.swap(k)
	x.phase = onNumbers
	return f
}

// restore completes the symbolic execution of an instruction that only moves data.
// Before, the instruction has been executed on expression tokens instead of data. The
// parameter s contains the tokens of its scalar results; restore assigns these tokens to
// the results in the frame. It also marks the mask results as independent of the
// symbolic inputs. This is correct, because instructions with mask operands that depend
// on these inputs have been rejected before.
func (m *movedOperands) restore(fr *frame, x *tracer, s *savedValues) {
	for i, at := range m.results {
		x.setScalarPlanes(fr, at, s.words[i], m.sizes[i])
	}
	for _, at := range m.maskResults {
		fr.lin.m[at] = nil
	}
}

// scalarPlane returns byte k of each token of a scalar with size bytes. A token is a
// 32-bit number that identifies the expression of one byte of the scalar. The bytes have
// the consecutive tokens tok, tok+1, and so on. Byte i of the result is byte k of the
// token tok+i, where byte 0 is the least significant byte.
func scalarPlane(tok expr.Token, k, size int) uint64 {
	var w uint64
	for j := range size {
		w |= uint64(byte((tok+expr.Token(j))>>(8*k))) << (8 * j)
	}
	return w
}

// setScalarPlanes sets the expressions of a scalar result. The parameter at is the slot
// of the scalar, and size is its size in bytes. Each byte of the scalar has a token of
// four bytes: words[k] contains byte k of the tokens of all bytes of the scalar.
func (x *tracer) setScalarPlanes(fr *frame, at slot, words [4]uint64, size int) {
	if words[0] == words[1] && words[1] == words[2] && words[2] == words[3] {
		fr.lin.x[at] = 0
		return
	}
	var mem [5][8]byte
	r := traced{real: mem[4][:]}
	binary.LittleEndian.PutUint64(mem[4][:], fr.x[at])
	for k := range 4 {
		binary.LittleEndian.PutUint64(mem[k][:], words[k])
		r.p[k] = mem[k][:]
	}
	x.setScalar(fr, at, x.get(&r, 0, size))
}

// movesNibbles reports whether op has an operand or result with elements of less than a
// byte. Symbolic execution cannot represent moves of such elements, because it stores one
// expression token for each complete byte.
func (p *planner) movesNibbles(op *ir.Op) bool {
	for _, v := range slices.Concat(op.Operands(), op.Results()) {
		f, ok := ir.FormatOf(ir.ElementType(v.Type()))
		if l := p.types[v.Type()].layout; ok && f.Bits() < 8 && p.classOf(v.Type()) == scalarClass || l != nil && (l.half || l.f.Bits() < 8) {
			return true
		}
	}
	return false
}
