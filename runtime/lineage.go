// This file defines the storage for equivalence proofs: a token for each byte of
// memory, and the tracer that reads and writes tokens. docs/equivalence.md explains the
// method.

package runtime

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/expr"
	"ptogo/runtime/shadow"
)

// A launch with Options.Lineage also computes, for each byte, the expression of the
// inputs that produced it. Each memory, register and logical vector has four planes: byte
// i of the four planes is the token (expr.Token) of byte i of the memory. An instruction
// that only moves data executes once on the numbers and once on each plane, with the same
// Go function, so that tokens move like bytes. For an instruction that computes, a
// function in lineage_kinds.go reads the tokens of the operands and assigns a new
// expression to each element of the result. A byte that does not depend on inputs has a
// known token; its value is in the memory itself. Branches, addresses, masks and extents
// must be known: if one depends on an input, the launch ends with a fault that has
// Undecided set.

// Lineage makes a launch compute symbolic expressions in addition to numbers. Each byte
// of memory gets the expression of the inputs that produced it. Package equiv compares
// these expressions to prove that two kernels are equivalent.
type Lineage struct {
	Exprs *expr.Table
	// Known reports whether the contents of argument number arg are constants. The
	// contents of all other arguments are unknown inputs, which expressions represent by
	// symbols.
	Known func(arg int) bool
	// Name returns the name of an argument in expressions.
	Name func(arg int) string
	// Shadows, if not nil, makes the launch compute a shadow for each number (its value
	// in higher precision, see lineage_shadow.go) instead of an expression. Exprs then
	// stores the shadows.
	Shadows *shadow.Recorder
	// Definedness makes the launch follow only which bytes depend on local memory that
	// the program has not written. The contents of all arguments are then constants.
	// Indices of gathers and scatters do not count: a launch with other contents of
	// unwritten memory shows whether they matter.
	Definedness bool

	buffers []*Buffer
}

// planes stores a 32-bit token for each byte of a memory. A token identifies an
// expression and the number of the byte in the expression's value; a byte of a constant
// has token 0. The array has four planes, each with the size of the memory: plane k
// contains byte k of each token. An instruction that moves bytes can therefore move
// tokens, by executing once on each of the four planes.
type planes [4][]byte

// part returns the expression tokens of a range of bytes: from the byte with number from
// to the byte with number to-1. Tokens are stored in planes: plane k contains byte k of
// all tokens. The returned planes share memory with p.
func (p *planes) part(from, to int) planes {
	var out planes
	for k := range p {
		out[k] = p[k][from:to:to]
	}
	return out
}

// traced is a range of memory together with a token for each byte. A token is a number
// that identifies the expression of the byte.
type traced struct {
	real []byte
	p    planes
}

// newPlanes returns expression tokens for n bytes of memory. All tokens are 0, which
// means constant data.
func newPlanes(n int) planes {
	var p planes
	for k := range p {
		p[k] = alignedBytes(roundUp(n, 8))[:n:n]
	}
	return p
}

// fill sets the expression token of each byte in a range to k. The range starts at the
// byte with the number in the parameter from, and ends before the byte with the number in
// the parameter to.
func (p *planes) fill(from, to int, k expr.Token) {
	for i := range p {
		b, row := byte(k>>(8*i)), p[i][from:to]
		if b == 0 {
			clear(row)
			continue
		}
		if len(row) > 0 {
			row[0] = b
		}
		for n := 1; n < len(row); n *= 2 {
			copy(row[n:], row[:n])
		}
	}
}

// token returns the number that identifies the expression of byte i. Its four bytes come
// from the four planes.
func (p *planes) token(i int) expr.Token {
	return expr.Token(p[0][i]) | expr.Token(p[1][i])<<8 | expr.Token(p[2][i])<<16 | expr.Token(p[3][i])<<24
}

// set stores the expression tokens of a value of n bytes, which starts at the byte offset
// in the parameter at. Consecutive tokens identify the consecutive bytes of one
// expression: byte i of the value receives the token k+i.
func (p *planes) set(at, n int, k expr.Token) {
	switch n {
	case 4:
		binary.LittleEndian.PutUint32(p[0][at:], uint32(k&0xFF)*0x01010101+0x03020100)
		for i := 1; i < 4; i++ {
			binary.LittleEndian.PutUint32(p[i][at:], uint32(k>>(8*i)&0xFF)*0x01010101)
		}
	case 2:
		binary.LittleEndian.PutUint16(p[0][at:], uint16(k&0xFF)*0x0101+0x0100)
		for i := 1; i < 4; i++ {
			binary.LittleEndian.PutUint16(p[i][at:], uint16(k>>(8*i)&0xFF)*0x0101)
		}
	case 8:
		binary.LittleEndian.PutUint64(p[0][at:], uint64(k&0xFF)*0x0101010101010101+0x0706050403020100)
		for i := 1; i < 4; i++ {
			binary.LittleEndian.PutUint64(p[i][at:], uint64(k>>(8*i)&0xFF)*0x0101010101010101)
		}
	case 1:
		for i := range p {
			p[i][at] = byte(k >> (8 * i))
		}
	default:
		for j := range n {
			for i := range p {
				p[i][at+j] = byte((k + expr.Token(j)) >> (8 * i))
			}
		}
	}
}

// known records that n bytes are constants, which do not depend on symbolic inputs. The
// parameter at is the offset of the first byte. It sets the expression token of each byte
// to 0.
func (p *planes) known(at, n int) {
	for i := range p {
		clear(p[i][at : at+n])
	}
}

// value is an element during symbolic execution. If known is set, its bits do not depend
// on symbolic inputs and the field bits contains them. If known is not set, the field h
// contains the hash of its expression. In a run that measures rounding errors
// (Lineage.Shadows), all elements are known. In such a run, h contains the shadow of the
// element, the result of the same computation in float64; h is zero if the element has no
// shadow.
type value struct {
	h     expr.Hash
	bits  uint64
	known bool
	// derived means that an instruction has computed the value in float64 and not stored
	// it yet. bits and h.Lo are then the local value and the shadow, and h.Hi is the
	// origin of the error. f is the number format; flags and ulp have the meaning of the
	// same fields in shadow.Number.
	derived bool
	f       num.Format
	flags   shadow.Flags
	ulp     uint32
}

// knownValue returns a value with the given bits that does not depend on inputs.
func knownValue(bits uint64) value { return value{bits: bits, known: true} }

// tracer computes the symbolic expressions of the results of each instruction that a core
// executes.
type tracer struct {
	// t is the table of expressions. mems and bufs are all local memories and global
	// buffers that the core can access.
	t    *expr.Table
	mems []*memory
	bufs []*Buffer
	// out are the results of the current instruction. commit writes them after the
	// instruction.
	out []result
	// shadows records rounding errors, if the tracer computes shadows (values in float64)
	// instead of expressions. settled are then the results of the current instruction.
	shadows *shadow.Recorder
	settled []settled
	// values has space for the elements of a row.
	values []value
	// definedness is Lineage.Definedness.
	definedness bool

	// phase and plane state on which data the current instruction runs, if it moves data:
	// numbers or one plane of tokens (lineage_move.go).
	phase phase
	plane int
	// journal records the calls of element by the current instruction. puts counts the
	// calls during the current run.
	journal []combination
	// puts is the number of calls of element during the current run.
	puts int
	how  *combined
	// mixed is the reason why symbolic execution cannot follow the current instruction,
	// or "".
	mixed    string
	touched  map[*byte]bool
	combines *atomicCall
	converts *combined
	saved    savedValues
}

// result is an element that a symbolically executed instruction writes. The field p is
// the memory: it contains the expression tokens of all its bytes. The field at is the
// offset of the element in this memory, and the field n is the number of its bytes. The
// type is small in order to save memory, because an execution stores one result for each
// element.
type result struct {
	p     *planes
	h     expr.Hash
	at    int
	n     uint8
	known bool
}

// lineageOf returns the tracer of the core, which computes symbolic expressions. On the
// first call, the tracer collects the memories to which the core has access.
func (c *core) lineageOf() *tracer {
	x := c.lin
	if x != nil && x.mems == nil {
		x.find(c)
	}
	return x
}

// find collects all memories and buffers that core c can access, and stores them in the
// tracer.
func (x *tracer) find(c *core) {
	seen := map[*memory]bool{}
	add := func(m *memory) {
		if m != nil && !seen[m] && len(m.data) > 0 {
			seen[m] = true
			x.mems = append(x.mems, m)
		}
	}
	for _, o := range c.cluster.cores {
		if o.unit&cubeUnit != 0 {
			for sub := range o.buffers {
				o.unifiedBuffer(sub)
			}
		}
		for _, m := range o.spaces {
			add(m)
		}
		for _, m := range o.buffers {
			add(m)
		}
	}
	x.bufs = x.bufs[:0]
	for _, b := range c.prog.opts.Lineage.buffers {
		if b != nil {
			x.bufs = append(x.bufs, b)
		}
	}
}

// trace creates expression tokens for the bytes of the memory that the launch has
// accessed for the first time since the last call. A token identifies the expression of a
// byte. The new tokens state that the byte has not been written. trace creates tokens on
// demand, because most kernels access only a small range of each memory.
func (m *memory) trace() {
	if m.traced == m.used {
		return
	}
	if m.planes == nil {
		p := newPlanes(len(m.data))
		m.planes = &p
	}
	m.planes.fill(m.traced, m.used, expr.Unwritten)
	m.traced = m.used
}

// traceAll creates the missing expression tokens in all memories that the core can
// access: tokens of bytes that were accessed for the first time.
func (x *tracer) traceAll() {
	for _, m := range x.mems {
		m.trace()
	}
}

// tracedAll reports whether all accessed bytes of all memories have expression tokens,
// numbers that identify the expression of a byte.
func (x *tracer) tracedAll() bool {
	return !slices.ContainsFunc(x.mems, func(m *memory) bool { return m.traced != m.used })
}

// swap exchanges the data of each memory with plane k. Each data byte has a token, a
// number that identifies its symbolic expression, and plane k is an array that holds byte
// k of each token. An instruction that executes after the exchange therefore moves bytes
// of tokens as it would move data. A second call of swap restores the data.
func (x *tracer) swap(k int) {
	for _, m := range x.mems {
		if m.traced > 0 {
			m.data, m.planes[k] = m.planes[k], m.data
		}
	}
	for _, b := range x.bufs {
		b.Data, b.planes[k] = b.planes[k], b.Data
	}
}

// planesOf returns the planes, arrays of expression tokens, for the bytes in data. The
// bool result is false if data is not a slice of a local memory of the core or of a
// buffer.
func (x *tracer) planesOf(data []byte) (planes, bool) {
	if len(data) == 0 {
		return planes{}, true
	}
	at := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	within := func(mem []byte) (int, bool) {
		if len(mem) == 0 {
			return 0, false
		}
		from := uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
		return int(at - from), at >= from && at+uintptr(len(data)) <= from+uintptr(len(mem))
	}
	for _, m := range x.mems {
		if off, ok := within(m.data); ok {
			if x.phase == onNumbers {
				m.trace()
			}
			return m.planes.part(off, off+len(data)), true
		}
	}
	for _, b := range x.bufs {
		if off, ok := within(b.Data); ok {
			return b.planes.part(off, off+len(data)), true
		}
	}
	return planes{}, false
}

// region returns data together with its planes, the arrays that hold the expression token
// of each byte. If data is not in a memory of the core, all bytes count as unwritten.
func (x *tracer) region(data []byte) traced {
	p, ok := x.planesOf(data)
	if !ok {
		p = newPlanes(len(data))
		p.fill(0, len(data), expr.Unwritten)
	}
	return traced{data, p}
}

// get returns the element that is stored in n bytes of r, beginning at offset at. The
// result contains the bits of the element if they do not depend on inputs, and an
// expression if they do.
func (x *tracer) get(r *traced, at, n int) value {
	if x.shadows != nil {
		return x.withShadow(r, at, n)
	}
	switch n {
	case 4:
		w0, w1 := binary.LittleEndian.Uint32(r.p[0][at:]), binary.LittleEndian.Uint32(r.p[1][at:])
		w2, w3 := binary.LittleEndian.Uint32(r.p[2][at:]), binary.LittleEndian.Uint32(r.p[3][at:])
		if w0 == w1 && w1 == w2 && w2 == w3 {
			return knownValue(uint64(binary.LittleEndian.Uint32(r.real[at:])))
		}
		const all = 0x01010101
		if w0 == w0&0xFF*all+0x03020100 && w0&7 <= 4 && w1 == w1&0xFF*all && w2 == w2&0xFF*all && w3 == w3&0xFF*all {
			return value{h: x.t.From(expr.Token(w0&0xFF | w1&0xFF<<8 | w2&0xFF<<16 | w3&0xFF<<24))}
		}
	case 2:
		w0, w1 := binary.LittleEndian.Uint16(r.p[0][at:]), binary.LittleEndian.Uint16(r.p[1][at:])
		w2, w3 := binary.LittleEndian.Uint16(r.p[2][at:]), binary.LittleEndian.Uint16(r.p[3][at:])
		if w0 == w1 && w1 == w2 && w2 == w3 {
			return knownValue(uint64(binary.LittleEndian.Uint16(r.real[at:])))
		}
		if w0 == w0&0xFF*0x0101+0x0100 && w0&7 <= 6 && w1 == w1&0xFF*0x0101 && w2 == w2&0xFF*0x0101 && w3 == w3&0xFF*0x0101 {
			k := expr.Token(w0&0xFF) | expr.Token(w1&0xFF)<<8 | expr.Token(w2&0xFF)<<16 | expr.Token(w3&0xFF)<<24
			return value{h: x.t.From(k)}
		}
	case 1:
		if k := r.p.token(at); k.Known() {
			return knownValue(uint64(r.real[at]))
		} else {
			return value{h: x.t.From(k)}
		}
	}
	return x.join(r, at, n)
}

// join returns the element that is stored in n bytes of r, beginning at the byte offset
// in the parameter at. It is for bytes that are not the consecutive bytes of a single
// expression. If all bytes are independent of inputs, the result has their bits. If not,
// the result is a new expression that combines the expressions of the single bytes.
func (x *tracer) join(r *traced, at, n int) value {
	var tokens [8]expr.Token
	known, follow := true, true
	for i := range n {
		k := r.p.token(at + i)
		tokens[i] = k
		known = known && k.Known()
		follow = follow && !k.Known() && k != expr.Unwritten && k == tokens[0]+expr.Token(i) && k>>3 == tokens[0]>>3
	}
	switch {
	case known:
		return knownValue(num.Load(wordFormats[n], r.real[at:at+n]))
	case follow:
		return value{h: x.t.From(tokens[0])}
	}
	return value{h: x.t.Join(tokens[:n], r.real[at:at+n])}
}

// put records the value v as the result of the current instruction in memory. The range r
// contains the memory, the parameter at is the offset in this range, and n is the number
// of bytes. The method commit stores all recorded results after the instruction, because
// the instruction can still read the old contents.
func (x *tracer) put(r *traced, at, n int, v value) {
	if x.shadows != nil {
		x.settled = append(x.settled, settled{r, v, at, n})
		return
	}
	x.out = append(x.out, result{&r.p, v.h, at, uint8(n), x.isKnown(&v)})
}

// begin starts the symbolic execution of an instruction. It discards the elements that
// the previous instruction has written: their expressions in x.out, and their values with
// shadows in x.settled.
func (x *tracer) begin() { x.out, x.settled = x.out[:0], x.settled[:0] }

// commit writes the expression tokens of all results of the current instruction. The
// method put has recorded these results while the instruction could still read old
// contents.
func (x *tracer) commit() {
	if x.shadows != nil {
		x.settle()
		return
	}
	for i := range x.out {
		o := &x.out[i]
		if o.known {
			o.p.known(o.at, int(o.n))
		} else {
			o.p.set(o.at, int(o.n), x.t.New(o.h))
		}
	}
	x.out = x.out[:0]
}

// isKnown reports whether v does not depend on symbolic inputs. With definedness, the bits
// of v can be missing although it is known: the instruction itself computes them.
func (x *tracer) isKnown(v *value) bool { return v.known || x.definedness && v.h == expr.Defined }

// hash returns the hash of the symbolic expression of v. For a known value, the
// expression is a constant.
func (x *tracer) hash(v *value) expr.Hash {
	if v.known {
		return x.t.Const(v.bits)
	}
	return v.h
}

// undecided returns the fault that ends an equivalence proof, because the behaviour of op
// depends on input data. The parameter what is a text that describes this dependence. The
// parameter v, if not nil, is the value that depends on the data.
func (c *core) undecided(op *ir.Op, v *value, what string) *Fault {
	f := faultAt(op, "%s", what)
	f.Undecided = true
	if v != nil {
		f.Because = v.h
	}
	return f
}

// begin initializes the expression tokens of all buffers of a launch. The parameter all
// contains the buffers. The parameter context is a function that reports whether the
// buffer with index i holds a communication context. The contents of a context do not
// depend on symbolic inputs.
func (l *Lineage) begin(all []*Buffer, context func(i int) bool) {
	l.buffers = all
	for i, b := range all {
		if b == nil {
			continue
		}
		p := newPlanes(len(b.Data))
		b.planes = &p
		if l.Shadows != nil || l.Definedness || l.Known != nil && l.Known(i) || context(i) {
			continue
		}
		name := ""
		if l.Name != nil {
			name = l.Name(i)
		}
		l.Exprs.Input(name, i, len(b.Data), func(at, n int, first expr.Token) {
			for k := 0; k < n; k += 8 {
				p.set(at+k, min(8, n-k), first+expr.Token(k))
			}
		})
	}
}

// Undefined calls yield for each range of bytes of a buffer that depend on unwritten local
// memory, with the index of the buffer (as in Launch.Buffers) and the range. It may only
// be called after a launch with Definedness.
func (l *Lineage) Undefined(yield func(buffer, from, to int)) {
	for i, b := range l.buffers {
		if b == nil {
			continue
		}
		p, n := b.planes, len(b.Data)
		for at := 0; at < n; {
			if p.token(at).Known() {
				at++
				continue
			}
			from := at
			for at < n && !p.token(at).Known() {
				at++
			}
			yield(i, from, at)
		}
	}
}

// Token returns the token (a number that identifies a symbolic expression) of one byte in
// the buffer of argument number arg. The parameter at is the offset of the byte. Token
// may only be called after a launch.
func (l *Lineage) Token(arg, at int) expr.Token { return l.buffers[arg].planes.token(at) }
