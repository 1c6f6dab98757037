// This file plans special registers and the atomic modes of stores.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// register is a special register of the core that instructions set and others read. It
// holds up to two 64-bit numbers.
type register [2]uint64

// register returns the number of the named register.
func (p *planner) register(name string) int {
	n, ok := p.registers[name]
	if !ok {
		n = len(p.registers)
		p.registers[name] = n
	}
	return n
}

// writeRegister returns the step that sets a register.
func (p *planner) writeRegister(op *ir.Op, kind sem.WriteRegister) step {
	number := p.register(kind.Name)
	from := p.homes(op.Operands())
	if len(from) > len(register{}) {
		p.errorf(op, "sets %d values at once, which pto-run cannot execute", len(from))
		return nil
	}
	return func(fr *frame) *Fault {
		r := &fr.core.registers[number]
		*r = register{}
		for i, h := range from {
			r[i] = fr.x[h.at]
		}
		return nil
	}
}

// readRegister returns the step that reads a register.
func (p *planner) readRegister(op *ir.Op, kind sem.ReadRegister) step {
	number, d := p.register(kind.Name), p.slot(op.Result(0))
	return func(fr *frame) *Fault { fr.x[d] = fr.core.registers[number][0]; return nil }
}

// atomic describes how stores are combined with the contents of global memory. f is
// Invalid for ordinary stores.
type atomic struct {
	f  num.Format // Invalid: not at all
	fn *scalar.Fn
}

// storeAtomic returns the step that changes the atomic mode of stores.
func (p *planner) storeAtomic(_ *ir.Op, kind sem.StoreAtomic) step {
	switch to := kind.Change(); {
	case to.Format != num.Invalid:
		return func(fr *frame) *Fault { fr.core.atomic.f = to.Format; return nil }
	case to.Fn != nil:
		return func(fr *frame) *Fault { fr.core.atomic.fn = to.Fn; return nil }
	}
	return func(fr *frame) *Fault { fr.core.atomic = atomic{fn: sem.AtomicFns[0]}; return nil }
}

// put stores bytes in global memory. It combines them with the contents if the core's
// store mode is atomic.
func (c *core) put(gm, local []byte) {
	a := c.atomic
	if a.f == num.Invalid {
		copy(gm, local)
		return
	}
	c.combine(a, gm, local)
}

// combine combines elements with the contents of memory. In equivalence proofs, it also
// computes expressions.
func (c *core) combine(a atomic, gm, local []byte) {
	if c.lin != nil {
		c.lin.combine(a, gm, local)
		return
	}
	a.combine(gm, local)
}

// combine combines the elements in local with those in gm and stores the results in gm.
func (a atomic) combine(gm, local []byte) {
	n := a.f.Bytes()
	for i := 0; i+n <= len(gm); i += n {
		x, _ := a.fn.Eval2(a.f, num.Load(a.f, gm[i:]), num.Load(a.f, local[i:])) // these have no errors
		num.Store(a.f, gm[i:], x)
	}
}
