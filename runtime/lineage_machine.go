// This file follows instructions of the cube unit, of queues and of signals in
// equivalence proofs.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/expr"
)

// This file computes the expressions of matrix products on pointers, and of data that
// passes through queues.

// tracedMad compiles sem.Mad into a step. The instruction is the matrix product on the
// operand buffers L0A and L0B. The step is a Go function that computes the results. In
// equivalence proofs, the step computes their symbolic expressions too. tracedMad rejects
// products with scale factors or with 4-bit elements.
func (p *planner) tracedMad(op *ir.Op, _ sem.Mad) step {
	d := sem.ProductOf(op)
	if d.Scaled || d.Lhs.Given() && halfBytes(p.elementFormat(d.Lhs)) || halfBytes(p.elementFormat(d.Rhs)) {
		return p.unfollowed(op, "multiplies numbers with scales, or of 4 bits")
	}
	a := &mad{
		op: op, lhs: p.cubeArg(op, d.Lhs, reads), rhs: p.cubeArg(op, d.Rhs, reads), dst: p.cubeArg(op, d.Dst, writes),
		start: d.Start, packed: d.Packed, gemv: d.Vector, unit: d.Unit,
		m: p.number(d.M), n: p.number(d.N), k: p.number(d.K), word: p.number(d.Word),
	}
	if d.Bias.Given() {
		a.bias = p.cubeArg(op, d.Bias, reads)
	}
	acc := num.F32
	if a.dst.f.IsInt() {
		acc = num.S32
	}
	how := p.newChain(arithmeticName(a.dst.f, a.lhs.f, a.rhs.f), acc)
	left, right := p.tracedConversion(a.lhs.f, acc, num.NearestEven, false), p.tracedConversion(a.rhs.f, acc, num.NearestEven, false)
	var finite *expr.Fn
	rounds := func(f num.Format) *expr.Fn {
		if !d.Finite && !d.Tf32 {
			return nil
		}
		return expr.Named("rounded %s %v %v %v", f, d.Finite, d.Tf32, d.Round)
	}
	roundsLeft, roundsRight := rounds(a.lhs.f), rounds(a.rhs.f)
	if d.Finite && acc == num.F32 {
		finite = expr.Named("finite sum")
	}
	known := p.knownStep(op, func(*frame) *Fault { return nil })
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		if f := known(fr); f != nil {
			return f
		}
		x.t.At = op
		s, f := a.shape(fr)
		if f != nil {
			return skipped
		}
		lr, f1 := x.operand(fr, &a.lhs, s.m, s.k, s.gemv)
		rr, f2 := x.operand(fr, &a.rhs, s.n, s.k, false)
		size := roundUp(s.m, fractalRows) * roundUp(s.n, accCols) * accSize
		out, f3 := a.dst.read(fr, size)
		if f1 != nil || f2 != nil || f3 != nil {
			return skipped
		}
		sums := x.region(out)
		var bias traced
		if s.start == sem.MadBias {
			data, f := a.bias.read(fr, s.n*accSize)
			if f != nil {
				return skipped
			}
			bias = x.region(data)
		}
		element := func(r *traced, conv *tracedConversion, rounds *expr.Fn, f num.Format, at int) value {
			v := x.convert(conv, x.get(r, at*f.Bytes(), f.Bytes()))
			if rounds != nil {
				v = x.rounded(rounds, v)
			}
			return v
		}
		stride := roundUp(s.m, fractalRows)
		how.run(x, s.m, s.n, s.k, func(i, k int) value {
			if s.gemv {
				return element(&lr, left, roundsLeft, a.lhs.f, k)
			}
			return element(&lr, left, roundsLeft, a.lhs.f, fractalOffset(a.lhs.f, s.m, i, k))
		}, func(k, j int) value {
			return element(&rr, right, roundsRight, a.rhs.f, fractalOffset(a.rhs.f, s.n, j, k))
		}, func(i, j int) value {
			switch s.start {
			case sem.MadAcc:
				return x.get(&sums, accOffset(i, j, stride)*accSize, accSize)
			case sem.MadBias:
				return x.get(&bias, j*accSize, accSize)
			}
			return knownValue(0)
		}, func(i, j int, v value) {
			if finite != nil {
				v = x.rounded(finite, v)
			}
			x.put(&sums, accOffset(i, j, stride)*accSize, accSize, v)
		})
		return nil
	})
}

// elementFormat returns the number format of the elements that the pointer operand o
// refers to.
func (p *planner) elementFormat(o sem.Operand) num.Format {
	f, _ := ir.FormatOf(ir.ElementType(o.Type()))
	return f
}

// operand returns the memory of a matrix operand together with its expression tokens.
// The operand has rows x k elements in fractals (blocks of 16 rows by 32 bytes). If
// oneRow is set, it is a single row without fractals.
func (x *tracer) operand(fr *frame, a *cubeArg, rows, k int, oneRow bool) (traced, *Fault) {
	n := k * a.f.Bytes()
	if !oneRow {
		n = newUnpacker(a.f, inputRules{}).fractalsSize(rows, k)
	}
	data, f := a.read(fr, n)
	if f != nil {
		return traced{}, f
	}
	return x.region(data), nil
}

// copies calls s, a function that copies data. During symbolic execution, it also calls s
// for the four token planes, so that the expressions move together with the data. Token
// planes are byte arrays with the layout of the data that hold, for each byte, the number
// of its expression.
func (m *movedOperands) copies(fr *frame, s func() *Fault) *Fault {
	if fr.core.lin == nil {
		return s()
	}
	return m.run(fr, s)
}

// fractalOffset returns the index, in elements, of element (i, k) of a matrix operand
// with the given number of rows. The operand is stored in fractals (blocks of 16 rows by
// 32 bytes).
func fractalOffset(f num.Format, rows, i, k int) int {
	cols := blockElems(f)
	return (k/cols*roundUp(rows, fractalRows)+i)*cols + k%cols
}

// tracedNotify compiles an instruction that raises a signal into a step, the function
// that executes it, for symbolic execution. A signal is a word in global memory. The step
// faults if the stored value depends on symbolic inputs. If the instruction adds to the
// signal, the previous contents must not depend on symbolic inputs either.
func (p *planner) tracedNotify(op *ir.Op, _ sem.CommNotify) step {
	d := sem.CommNotifyOf(op)
	signal := p.commView(op, d.Signal, writes)
	known := p.knownStep(op, p.plain)
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		for i := range signal.elements(fr) {
			b, f := signal.element(fr, i)
			if f != nil {
				return f
			}
			r := x.region(b)
			if v := x.get(&r, 0, len(b)); d.Add && !v.known {
				return fr.core.undecided(op, &v, "adds to a signal in memory whose first value is an input")
			}
			r.p.known(0, len(b))
		}
		return known(fr)
	}
}

// tracedWait compiles an instruction that waits for a signal into a step, the function
// that executes it, for symbolic execution. A signal is a word in global memory. The step
// faults if the contents of the signal depend on symbolic inputs.
func (p *planner) tracedWait(op *ir.Op, _ sem.CommWait) step {
	signal := p.commView(op, sem.CommWaitOf(op).Signal, reads)
	known := p.knownStep(op, p.plain)
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		for i := range signal.elements(fr) {
			b, f := signal.element(fr, i)
			if f != nil {
				return f
			}
			r := x.region(b)
			if v := x.get(&r, 0, len(b)); !v.known {
				return fr.core.undecided(op, &v, "waits for a signal in memory whose first value is an input")
			}
		}
		return known(fr)
	}
}
