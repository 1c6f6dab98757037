package runtime

import (
	"fmt"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// loadElement plans reading a scalar, or a short vector, from memory.
func (p *planner) loadElement(op *ir.Op) step {
	v := op.Result(0)
	n := shortVector(v.Type())
	size := pto.ByteSize(v.Type())
	f, ok := p.storedFormat(op, v.Type())
	mem := p.vecAccess(op, "ptr", reads, size)
	if !ok || mem == nil {
		return nil
	}
	d := p.slot(v)
	return func(fr *frame) *Fault {
		b, fault := mem.next(fr, size)
		switch {
		case fault != nil:
			return fault
		case n > 0:
			copy(fr.v[d].bytes(), b)
		default:
			fr.x[d] = num.Load(f, b)
		}
		return nil
	}
}

// storeElement plans writing a scalar, or a short vector, to memory.
func (p *planner) storeElement(op *ir.Op) step {
	v := op.Arg("value")
	n := shortVector(v.Type())
	size := pto.ByteSize(v.Type())
	f, ok := p.storedFormat(op, v.Type())
	mem := p.vecAccess(op, "ptr", writes, size)
	if !ok || mem == nil {
		return nil
	}
	from := p.slot(v)
	return func(fr *frame) *Fault {
		b, fault := mem.next(fr, size)
		switch {
		case fault != nil:
			return fault
		case n > 0:
			copy(b, fr.v[from].bytes())
		default:
			num.Store(f, b, fr.x[from])
		}
		return nil
	}
}

// storedFormat returns the format in which a scalar moves: numbers that one
// element packs move as one.
func (p *planner) storedFormat(op *ir.Op, t ir.Type) (num.Format, bool) {
	if pairLength(t) > 1 {
		return num.ParseFormat(fmt.Sprintf("ui%d", 8*pto.ByteSize(t)))
	}
	return p.format(op, ir.ElementType(t))
}

// setBit plans setting or clearing one bit.
func (p *planner) setBit(op *ir.Op, sem pto.SetBit) step {
	a, b, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	if sem.Value {
		return func(fr *frame) *Fault { fr.x[d] = fr.x[a] | 1<<(fr.x[b]&63); return nil }
	}
	return func(fr *frame) *Fault { fr.x[d] = fr.x[a] &^ (1 << (fr.x[b] & 63)); return nil }
}
