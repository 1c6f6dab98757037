package diff

import (
	"math/rand/v2"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// program is a graph of instructions on tiles, as a list of steps.
type program struct {
	name  string
	vals  []result
	steps []programStep
}

// result is a value that a step of a program computes.
type result struct {
	typ ir.Type
	// loose reports whether some elements of the value may never have been written.
	loose bool
	// open reports whether the value may contain computed NaNs, whose bits are undefined.
	open bool
	// closed reports whether further instructions may use the value only as a mask.
	closed bool
	// mask reports whether the value is the mask that a comparison returned.
	mask bool
}

// programStep is one step of a random program: an instruction, a source that provides an
// input value, or a sink that stores a tile or one element of it to a buffer.
type programStep struct {
	use *use
	src *source
	// sink lists the types to which the tile is moved, one after the other, before it is
	// stored.
	sink []ir.Type
	peek *peek
	in   []int
	out  []int
}

// peek identifies one element of a tile. The generated program reads this element through
// the address of the tile.
type peek struct {
	elem ir.Type
	// at is the index of the element in the storage of the tile.
	at int64
}

// source is an input tile of a generated program, which the program loads from a buffer.
type source struct {
	// chain lists the types through which the program creates the tile: the type as which
	// the tile is loaded, and those to which it is then moved.
	chain []ir.Type
	elem  ir.Type
	// dims are the extents that the view has at run time, one for each dimension.
	dims []int64
	// gap is the number of unused elements in memory between the end of a row and the
	// start of the next one.
	gap  int64
	data []byte
	// bits holds the bits of a scalar.
	bits uint64
	// fixed reports whether the scalar is a constant of the program. If it is false, the
	// scalar is a kernel argument.
	fixed bool
	// asked reports whether the program reads the extents of the view by instructions,
	// and reads one element through the address of the view. These reads test the
	// instructions that inspect views.
	asked bool
}

// maker generates random programs of tile instructions for a target.
type maker struct {
	*rules
	r   *rand.Rand
	pal *palette
	p   *program
	// number generates the bits of a random element or scalar of format f.
	number func(r *rand.Rand, f num.Format) uint64
	// avoids, if not nil, reports whether programs must not contain u, an instruction
	// with certain operand types and attributes.
	avoids func(u *use) bool
}

const mostSteps = 4 // instructions of a program

func (r *rules) newMaker(name string, rnd *rand.Rand) *maker {
	return &maker{rules: r, r: rnd, pal: newPalette(rnd, r.target), p: &program{name: name}, number: element}
}

// newProgram generates a random program with the given name.
func (r *rules) newProgram(name string, rnd *rand.Rand) *program {
	m := r.newMaker(name, rnd)
	for n := 1 + rnd.IntN(mostSteps); n > 0; n-- {
		m.add(m.instruction())
	}
	return m.p
}

// instruction returns a random instruction with operand types and attributes that are
// legal on the target.
func (m *maker) instruction() *use {
	for {
		u := m.seeds[m.r.IntN(len(m.seeds))]
		if u.onCube() && m.r.IntN(8) > 0 {
			continue // a product takes as long to compile as fifty other instructions
		}
		for try := range 24 {
			if v := m.pal.vary(u, try); m.fits(v) {
				return v
			}
		}
	}
}

// fits reports whether the generated program may contain u, an instruction with its
// operand types and attributes. The instruction must be meaningful, the engines must
// support it, and the program must be able to create its operands. A test can also
// exclude instructions by the function m.avoids.
func (m *maker) fits(u *use) bool {
	return m.pal.sensible(u) && m.runs(u) && m.operands(u) && (m.avoids == nil || !m.avoids(u))
}

// operands reports whether the program can create a value for each operand of u, an
// instruction with its operand types.
func (m *maker) operands(u *use) bool {
	for _, t := range u.ins {
		if ir.Is[pto.Tile](t) && m.makes(t) == nil && !m.product(t) {
			return false
		}
	}
	return true
}

// add appends the instruction u with its operands to the program. Later instructions can
// use its results.
func (m *maker) add(u *use) {
	s := programStep{use: u}
	open := !moves(u)
	for i, t := range u.ins {
		n := m.operand(u, u.args[i], t)
		s.in = append(s.in, n)
		open = open || m.p.vals[n].open
	}
	for _, t := range u.outs {
		loose := m.pal.partWritten(u)
		v := result{typ: t, loose: loose, open: open && hasOpenNaN(t), closed: loose || isOpen(t) && !m.pal.keepsRegion(u)}
		_, v.mask = u.def.Sem.(sem.TileCompare)
		m.p.vals = append(m.p.vals, v)
		s.out = append(s.out, len(m.p.vals)-1)
	}
	m.p.steps = append(m.p.steps, s)
	for _, n := range s.out {
		if chain := m.stores(m.p.vals[n].typ); chain != nil {
			m.p.steps = append(m.p.steps, programStep{sink: chain, in: []int{n}})
		}
		m.look(n)
	}
}

// look adds a step to the program with a small probability. The step reads one element of
// the tile with the value number n through the address of the tile, and stores the
// element.
func (m *maker) look(n int) {
	v := m.p.vals[n]
	t := m.pal.region(v.typ)
	if m.r.IntN(8) == 0 && !v.loose && t.Rows > 0 && t.Space == sem.UB && t.StaticValid() && t.SLayout == pto.NoneBox && t.BLayout == pto.RowMajor && loadable(t.Elem) {
		m.p.steps = append(m.p.steps, programStep{peek: &peek{t.Elem, t.element(m.r)}, in: []int{n}})
	}
}

// loadable reports whether scalar loads support elements of type t.
func loadable(t ir.Type) bool { return ir.IsScalar(t) && ir.WithoutSign(t) == t }

// isMask reports whether operand arg of the instruction u is a mask. Only some bits of a
// mask are significant.
func isMask(u *use, arg string) bool {
	_, ok := u.def.Sem.(sem.TileSelect)
	return ok && arg == u.args[0]
}

// keepsRegion reports whether the result of the instruction u has the same valid region
// (the part that holds data) as every other tile of its type. In a random program, all
// tiles of one type normally have the same valid region.
func (p *palette) keepsRegion(u *use) bool {
	_, ok := u.def.Sem.(sem.TileMap)
	return ok && sameRegion(p.result(u), p.region(u.outs[0]))
}

// isOpen reports whether the valid region of the tile type t is dynamic.
func isOpen(t ir.Type) bool {
	info, ok := pto.TileOf(t)
	return ok && !info.StaticValid()
}

// hasOpenNaN reports whether t is f32, or a type with elements of f32. If a computed
// element of this type is NaN, its bits are undefined and may differ between the engines.
func hasOpenNaN(t ir.Type) bool { return ir.ElementType(t) == ir.F32 || t == ir.F32 }

// operand returns the number of a value of type t for the operand arg of the instruction
// u: usually a value that the program already computes, otherwise a new input value.
func (m *maker) operand(u *use, arg string, t ir.Type) int {
	limit := m.pal.control(u, arg)
	if limit == nil && !ir.Is[pto.PartitionView](t) {
		var fit []int
		for i, v := range m.p.vals {
			if v.typ == t && (!v.closed || v.mask && isMask(u, arg)) && !(v.open && u.looksAtBits()) {
				fit = append(fit, i)
			}
		}
		if len(fit) > 0 && m.r.IntN(4) > 0 {
			return fit[m.r.IntN(len(fit))]
		}
	}
	return m.fresh(u, t, limit)
}

// fresh adds a new input value of type t for an operand of the instruction u to the
// program, and returns the number of this value. If the elements of the value must be in
// a certain range, the function limit generates them. It is nil for values without such a
// restriction.
func (m *maker) fresh(u *use, t ir.Type, limit func() int64) int {
	v := result{typ: t, closed: limit != nil || ir.Is[pto.PartitionView](t)}
	var src *source
	switch d := t.Data().(type) {
	case pto.Tile:
		chain := m.makes(t)
		if chain == nil {
			return m.multiply(t)
		}
		at := m.pal.region(chain[0])
		src = m.table(at.Elem, []int64{at.rows, at.cols}, limit)
		src.chain = chain
	case pto.PartitionView:
		src = m.table(d.Elem, m.pal.dimsOf(u, d.Shape), nil)
	default:
		src = &source{elem: t, bits: m.scalar(t, limit), fixed: m.r.IntN(2) == 0 && ir.WithoutSign(t) == t && !ir.Is[pto.ElemType](t) || t == ir.Index}
	}
	m.p.vals = append(m.p.vals, v)
	m.p.steps = append(m.p.steps, programStep{src: src, out: []int{len(m.p.vals) - 1}})
	return len(m.p.vals) - 1
}

// dimsOf returns the extents at run time of a view whose type has the dimensions d. If an
// extent is dynamic, it equals the extent of the tile that the instruction u copies from
// or to the view.
func (p *palette) dimsOf(u *use, d ir.Dims) []int64 {
	dims := d.Slice()
	for _, t := range append(append([]ir.Type(nil), u.ins...), u.outs...) {
		if !ir.Is[pto.Tile](t) {
			continue
		}
		at := p.region(t)
		for i, n := range []int64{at.rows, at.cols} {
			if k := len(dims) - 2 + i; k >= 0 && dims[k] == ir.Dynamic {
				dims[k] = n
			}
		}
		break
	}
	return dims
}

// leastBytes is the minimum size of a buffer in bytes, because exponents are read in
// boxes of this size.
const leastBytes = 64

// table returns a source, the description of a tensor in global memory. The tensor has
// elements of type elem and the extents dims, and the program creates a view of it. Its
// buffer contains random elements. If the elements must be in a certain range, the
// function limit generates them. The function is nil for elements without a range.
func (m *maker) table(elem ir.Type, dims []int64, limit func() int64) *source {
	s := &source{elem: elem, dims: dims, asked: m.r.IntN(8) == 0}
	// A column has its elements one after the other in memory: the device copies it so.
	if m.r.IntN(4) == 0 && len(dims) > 0 && dims[len(dims)-1] > 1 {
		s.gap = m.r.Int64N(3) * int64(32/pto.ByteSize(elem))
	}
	s.data = make([]byte, max(s.elements()*pto.ByteSize(elem), leastBytes))
	f, ok := elementFormat(elem)
	for at := 0; at < len(s.data); at += pto.ByteSize(elem) {
		switch {
		case limit != nil:
			num.Store(f, s.data[at:], uint64(limit())&f.Mask())
		case !ok:
			s.data[at] = byte(m.r.Uint32())
		default:
			num.Store(f, s.data[at:], m.number(m.r, f))
		}
	}
	return s
}

// elements returns the number of elements in the buffer that provides the input value.
func (s *source) elements() int {
	n := int64(1)
	for _, d := range s.dims {
		n *= d
	}
	if k := len(s.dims); n > 0 && s.gap > 0 {
		n = n / s.dims[k-1] * (s.dims[k-1] + s.gap)
	}
	return int(max(n, 1))
}

// elementFormat returns the number format of elements of type t. The bool result is false
// for types whose elements pack two numbers.
func elementFormat(t ir.Type) (num.Format, bool) {
	if d, ok := ir.As[pto.ElemType](t); ok {
		return d.Format(), d.Format().Bits() == 8*pto.ByteSize(t)
	}
	f, ok := ir.FormatOf(t)
	return f, ok
}

// element returns the bits of a random element of format f. In the format of scale
// factors (F8E8M0), whose numbers are powers of two, most elements are from 2^-7 to 2^6.
func element(r *rand.Rand, f num.Format) uint64 {
	if f == num.F8E8M0 && r.IntN(16) > 0 {
		return uint64(120 + r.IntN(14))
	}
	return value(r, f)
}

// scalar returns the bits of a random scalar of type t. If the scalar must be in a
// certain range, the caller passes the function limit, which returns a random number in
// this range. If limit is nil, every number is possible.
func (m *maker) scalar(t ir.Type, limit func() int64) uint64 {
	f, _ := ir.FormatOf(t)
	if limit != nil {
		return uint64(limit()) & f.Mask()
	}
	return m.number(m.r, f)
}

// multiply adds a matrix product with a result of type t to the program. It returns the
// index of the result in the list of all values of the program.
func (m *maker) multiply(t ir.Type) int {
	u := m.productOf(t)
	before := len(m.p.vals)
	m.add(u)
	for i := len(m.p.vals) - 1; i >= before; i-- {
		if m.p.vals[i].typ == t {
			return i
		}
	}
	panic("BUG: a product without a result")
}
