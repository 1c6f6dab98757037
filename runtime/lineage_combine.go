// This file computes what an instruction does with elements while it moves them, for example
// a conversion or an addition to memory: from the tokens of the operands it makes those of
// the results.

package runtime

import (
	"encoding/binary"

	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
	"ptogo/runtime/expr"
	"ptogo/runtime/shadow"
)

// combination records that an instruction applied a function to elements, in a single
// call of tracer.element. Such an instruction mainly moves data, but also computes, for
// example when it adds to memory. The record contains the operands and the result, as
// numbers and as expression tokens.
type combination struct {
	// in are the operands as numbers.
	in [2]uint64
	// on are the operands in each of the four token planes.
	on [2][4]uint64
	// y is the result as a number.
	y uint64
	// out is the result in each of the four token planes.
	out [4]uint64
}

// combined describes a computation on elements that an instruction performs while it
// moves them, for example a conversion.
type combined struct {
	name string
	// n is the number of operands.
	n int
	// in and out are the sizes in bytes of an operand and of a result.
	in, out int
	call    func(args *[3]value) value
	// byColumns means that the result also depends on a factor of the element's column,
	// so that call alone cannot compute it.
	byColumns bool
}

// element applies a function to the elements a and b, for an instruction that otherwise
// only moves data, for example a copy that converts. The parameter how describes the
// function for symbolic expressions, and real computes it on numbers. Symbolic execution
// runs such an instruction several times, in different phases:
//
// In the first phase (onNumbers), element returns the result of real. In the second phase
// (gathering), a and b are bytes of the tokens that identify the expressions of the
// elements; element records them and returns 0. Then the tracer computes the tokens of
// the results. In the last phase, element returns these tokens, so that the instruction
// moves them to their destination.
func (x *tracer) element(how *combined, a, b uint64, real func(a, b uint64) uint64) uint64 {
	i := x.puts
	x.puts++
	switch x.phase {
	case onNumbers:
		y := real(a, b)
		if x.how != nil && x.how != how {
			x.mixed = "converts and combines elements at once"
		}
		x.how = how
		x.journal = append(x.journal, combination{in: [2]uint64{a, b}, y: y})
		return y
	case gathering:
		x.journal[i].on[0][x.plane], x.journal[i].on[1][x.plane] = a, b
		return 0
	}
	return x.journal[i].out[x.plane]
}

// resolve computes the symbolic expressions of the elements that the current instruction
// has passed to the method element. At this time, the method has only recorded the
// elements. The instruction is then executed once more. In that execution, the method
// returns the tokens of these expressions, so that the instruction stores them.
func (x *tracer) resolve() {
	var word [5][8]byte
	r := traced{real: word[4][:]}
	for k := range r.p {
		r.p[k] = word[k][:]
	}
	var line *shadow.Line
	if x.shadows != nil {
		line = x.shadows.Begin(x.t.At)
	}
	for i := range x.journal {
		c := &x.journal[i]
		var args [3]value
		for j := range x.how.n {
			for k := range 4 {
				binary.LittleEndian.PutUint64(word[k][:], c.on[j][k])
			}
			binary.LittleEndian.PutUint64(word[4][:], c.in[j])
			args[j] = x.get(&r, 0, x.how.in)
		}
		y := x.how.call(&args)
		r.p.known(0, 8)
		if x.shadows != nil {
			if k := x.settledScalar(line, y, &c.y); k != 0 {
				r.p.set(0, x.how.out, k)
			}
		} else if !x.isKnown(&y) {
			r.p.set(0, x.how.out, x.t.New(y.h))
		}
		for k := range 4 {
			c.out[k] = binary.LittleEndian.Uint64(word[k][:])
		}
	}
}

// combine executes the atomic operation that the parameter a describes, for example an
// addition, in symbolic execution. The parameter gm is a range of global memory, and the
// parameter local contains equally many bytes of local memory. combine combines each
// element of gm with the corresponding element of local, and stores the result in gm. It
// computes the bits of the results and their symbolic expressions.
func (x *tracer) combine(a atomic, gm, local []byte) {
	n := a.f.Bytes()
	if x.phase == onNumbers {
		if x.combines == nil || x.combines.fn != a {
			x.combines = &atomicCall{fn: a, how: x.atomicCall(a)}
		}
	}
	how := x.combines.how
	for i := 0; i+n <= len(gm); i += n {
		if x.phase == onNumbers {
			if x.touched[&gm[i]] {
				x.mixed = "combines with one element more than once"
			}
			if x.touched == nil {
				x.touched = map[*byte]bool{}
			}
			x.touched[&gm[i]] = true
		}
		y := x.element(how, num.Load(wordFormats[n], gm[i:]), num.Load(wordFormats[n], local[i:]), func(old, by uint64) uint64 {
			y, _ := a.fn.Eval2(a.f, old, by) // these have no errors
			return y
		})
		if x.phase != gathering {
			num.Store(wordFormats[n], gm[i:], y)
		}
	}
}

// atomicCall holds an atomic operation (fn) and the description of its symbolic execution
// (how). The tracer, which executes instructions symbolically, needs the description for
// each element. All elements of one instruction use the same operation, so the tracer
// builds the description once and retains it in an atomicCall.
type atomicCall struct {
	fn  atomic
	how *combined
}

// atomicCall returns the function with which symbolic execution combines two elements
// into one, as the atomic operation a does.
func (x *tracer) atomicCall(a atomic) *combined {
	f := &tracedFn{fn: a.fn, f: a.f, e: x.t.Function(a.fn, a.f), real: inFloat64(a.fn), ulp: uint32(a.fn.ULP)}
	n := a.f.Bytes()
	return &combined{n: 2, in: n, out: n, call: func(args *[3]value) value { return x.apply(f, args) }}
}

// converting adapts an element conversion, the function each, for symbolic execution. The
// conversion belongs to a copy out of the accumulator, and the parameter c describes it.
// The returned function converts the bits of one element with the function each. It also
// records the operand and the result, so that the tracer can compute the expression of
// the converted element when the copy is complete. The parameter t is the table of all
// expressions.
func (x *tracer) converting(t *expr.Table, c *storeConversion, each elementFunc) elementFunc {
	simple := !c.quant.Scaled && c.relu == sem.NoRelu && !c.clips
	if simple && c.from.Signless() == c.to.Signless() {
		return keepBits
	}
	fn := expr.Named("fixpipe %s %s %+v %x %v %x %v %v %v %v", c.from, c.to, c.quant, c.factor, c.relu, c.slope, c.clips, c.clip, c.sat, c.keepNaN)
	if simple && !c.sat && c.keepNaN && c.from.IsFloat() && c.to.IsFloat() {
		fn = t.Conversion(c.from, c.to, num.NearestEven, false)
	}
	how := x.converts
	if how == nil || how.name != fn.Name {
		how = &combined{name: fn.Name, n: 1, in: c.from.Bytes(), out: c.to.Bytes(), call: func(args *[3]value) value {
			if x.shadows != nil {
				return x.throughFixpipe(c, simple, each, args[0])
			}
			if args[0].known {
				return knownValue(each(args[0].bits, 0))
			}
			return x.named(fn, args[0])
		}}
		x.converts = how
	}
	how.byColumns = c.columns != nil || c.slopes != nil
	return func(bits uint64, j int) uint64 {
		return x.element(how, bits, 0, func(bits, _ uint64) uint64 { return each(bits, j) })
	}
}
