// This file compiles loads and stores of scalars, and single bits of integers.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// element describes the value that an instruction loads or stores: a scalar, or a builtin
// MLIR vector that fits into a vector register.
type element struct {
	at     slot
	vector bool
	size   int
	f      num.Format
	mem    *vecAccess
}

// element returns the description of v, the value that op loads or stores. The parameter
// how states whether op reads or writes memory. It reports an error and returns nil if
// the runtime does not support the type of v.
func (p *planner) element(op *ir.Op, v *ir.Value, how access) *element {
	e := &element{vector: shortVector(v.Type()) > 0, size: pto.ByteSize(v.Type())}
	f, ok := p.storedFormat(op, v.Type())
	e.f, e.mem = f, p.vecAccess(op, sem.PointerAccessOf(op), how, e.size)
	if !ok || e.mem == nil {
		return nil
	}
	e.at = p.slot(v)
	return e
}

// loadElement compiles op into a step, the Go function that executes it. The step loads a
// scalar, or a builtin MLIR vector that fits into a vector register, from memory.
func (p *planner) loadElement(op *ir.Op, _ sem.LoadElement) step {
	e := p.element(op, op.Result(0), reads)
	if e == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		b, fault := e.mem.next(fr, e.size)
		switch {
		case fault != nil:
			return fault
		case e.vector:
			copy(fr.v[e.at].bytes(), b)
		default:
			fr.x[e.at] = num.Load(e.f, b)
		}
		return nil
	}
}

// storeElement compiles op into a step, the Go function that executes it. The step stores
// a scalar, or a builtin MLIR vector that fits into a vector register, to memory.
func (p *planner) storeElement(op *ir.Op, _ sem.StoreElement) step {
	e := p.element(op, sem.VectorAccessOf(op).Value.Value, writes)
	if e == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		b, fault := e.mem.next(fr, e.size)
		switch {
		case fault != nil:
			return fault
		case e.vector:
			copy(b, fr.v[e.at].bytes())
		default:
			num.Store(e.f, b, fr.x[e.at])
		}
		return nil
	}
}

// setBit compiles op into a step, a function that sets or clears one bit of an integer.
// The bit number is used modulo 64.
func (p *planner) setBit(op *ir.Op, kind sem.SetBit) step {
	a, b, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	if kind.Value {
		return func(fr *frame) *Fault { fr.x[d] = fr.x[a] | 1<<(fr.x[b]&63); return nil }
	}
	return func(fr *frame) *Fault { fr.x[d] = fr.x[a] &^ (1 << (fr.x[b] & 63)); return nil }
}
