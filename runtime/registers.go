// This file compiles special registers and the atomic modes of stores.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// register is a special register of a core: instructions set it, and later instructions
// read it. It contains up to two 64-bit numbers.
type register [2]uint64

// register returns the number of the special register with the given name. It assigns a
// number on first use.
func (p *planner) register(name string) int {
	n, ok := p.registers[name]
	if !ok {
		n = len(p.registers)
		p.registers[name] = n
	}
	return n
}

// writeRegister compiles op into a step, a function that sets a special register to the
// values of the operands.
func (p *planner) writeRegister(op *ir.Op, kind sem.WriteRegister) step {
	number := p.register(kind.Name)
	from := p.homes(op.Operands())
	if len(from) > len(register{}) {
		p.errorf(op, "writes %d values to a register, but a register of pto-run holds at most %d values", len(from), len(register{}))
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

// readRegister compiles op into a step, a function that reads a special register.
func (p *planner) readRegister(op *ir.Op, kind sem.ReadRegister) step {
	number, d := p.register(kind.Name), p.slot(op.Result(0))
	return func(fr *frame) *Fault { fr.x[d] = fr.core.registers[number][0]; return nil }
}

// atomic describes how stores are combined with the contents of global memory: element by
// element in format f, with the function fn. f is Invalid for ordinary stores.
type atomic struct {
	// f is the format of the elements, or Invalid for ordinary stores.
	f  num.Format
	fn *scalar.Fn
}

// storeAtomic compiles op into a step, a function that changes the atomic mode of the
// core. This mode determines the number format and the function with which stores combine
// elements. An instruction sets the format, sets the function, or switches the mode off.
func (p *planner) storeAtomic(_ *ir.Op, kind sem.StoreAtomic) step {
	switch to := kind.Change(); {
	case to.Format != num.Invalid:
		return func(fr *frame) *Fault { fr.core.atomic.f = to.Format; return nil }
	case to.Fn != nil:
		return func(fr *frame) *Fault { fr.core.atomic.fn = to.Fn; return nil }
	}
	return func(fr *frame) *Fault { fr.core.atomic = atomic{fn: sem.AtomicFns[0]}; return nil }
}

// put stores the bytes in local to gm, a range of global memory. If the core is in an
// atomic store mode, put instead combines the new elements with those in gm, for example
// by addition.
func (c *core) put(gm, local []byte) {
	a := c.atomic
	if a.f == num.Invalid {
		copy(gm, local)
		return
	}
	c.combine(a, gm, local)
}

// combine combines elements of two arrays in the way that a describes. local contains new
// elements, and gm contains the elements in global memory, which combine replaces by the
// results. In symbolic execution, combine computes the expressions of the results, too.
func (c *core) combine(a atomic, gm, local []byte) {
	if c.lin != nil {
		c.lin.combine(a, gm, local)
		return
	}
	a.combine(gm, local)
}

// combine applies the atomic operation a to each element of gm and the corresponding
// element of local. It stores the results in gm.
func (a atomic) combine(gm, local []byte) {
	n := a.f.Bytes()
	for i := 0; i+n <= len(gm); i += n {
		x, _ := a.fn.Eval2(a.f, num.Load(a.f, gm[i:]), num.Load(a.f, local[i:])) // these have no errors
		num.Store(a.f, gm[i:], x)
	}
}
