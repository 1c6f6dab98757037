// This file compiles the operations of the llvm dialect on values: bit casts, undefined
// values, and single elements of short vectors.

package runtime

import (
	"ptogo/dialect/llvm"
	"ptogo/ir"
	"ptogo/ir/num"
)

// llvm compiles an operation of MLIR's llvm dialect into a step, the function that
// executes it. It supports only the few operations that published kernels use.
func (p *planner) llvm(op *ir.Op, kind llvm.Action) step {
	switch kind {
	case llvm.BitsAs:
		return p.bitcast(op)
	case llvm.TakeLane, llvm.PutLane:
		return p.lane(op)
	case llvm.Undefined, llvm.Zeros:
		return p.zeros(op)
	}
	return p.stackStep(op, kind)
}

// zeros compiles op into a step, a function that sets all bits of the result to zero.
// Undefined values (llvm.mlir.undef) are also zero, so that repeated runs compute the
// same results.
func (p *planner) zeros(op *ir.Op) step {
	switch d := p.home(op.Result(0)); d.class {
	case scalarClass:
		return func(fr *frame) *Fault { fr.x[d.at] = 0; return nil }
	case vectorClass:
		return func(fr *frame) *Fault { fr.v[d.at] = vreg{}; return nil }
	}
	p.errorf(op, "returns a value of type %s, which pto-run does not support", op.Result(0).Type())
	return nil
}

// bitcast compiles op into a step, the Go function that executes it. The step
// reinterprets the bits of a scalar, or of a builtin MLIR vector that fits into a vector
// register, as another type. The runtime stores each scalar as the bits of its number
// format, so the step only copies these bits.
func (p *planner) bitcast(op *ir.Op) step {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	a, d := p.home(op.Operand(0)), p.home(op.Result(0))
	for _, t := range []ir.Type{from, to} {
		f, ok := ir.FormatOf(ir.ElementType(t))
		if vector := shortVector(t) > 0; !ok || vector && f.Bits()%8 != 0 || !vector && p.classOf(t) != scalarClass {
			p.errorf(op, "casts type %s to type %s, which pto-run does not support", from, to)
			return nil
		}
	}
	switch {
	case a.class == scalarClass && d.class == scalarClass:
		return func(fr *frame) *Fault { fr.x[d.at] = fr.x[a.at]; return nil }
	case a.class == scalarClass:
		return func(fr *frame) *Fault {
			fr.v[d.at][0] = fr.x[a.at]
			return nil
		}
	case d.class == scalarClass:
		f, _ := ir.FormatOf(to)
		m := f.Mask()
		return func(fr *frame) *Fault {
			fr.x[d.at] = fr.v[a.at][0] & m
			return nil
		}
	}
	return func(fr *frame) *Fault { fr.v[d.at] = fr.v[a.at]; return nil }
}

// lane compiles op into a step, the Go function that executes it. The step reads or
// replaces one element of a builtin MLIR vector that fits into a vector register.
func (p *planner) lane(op *ir.Op) step {
	v := op.Arg("vector")
	f, ok := ir.FormatOf(ir.ElementType(v.Type()))
	n := shortVector(v.Type())
	if n == 0 || !ok || f.Bits()%8 != 0 {
		p.errorf(op, "accesses an element of a vector of type %s, which pto-run does not support", v.Type())
		return nil
	}
	size, a, d := f.Bytes(), p.slot(v), p.slot(op.Result(0))
	at := p.slot(op.Arg("position"))
	find := func(fr *frame) (int, *Fault) {
		i := fr.x[at]
		if i >= uint64(n) {
			return 0, faultAt(op, "accesses element %d of a vector that has only %d elements", int64(i), n)
		}
		return int(i) * size, nil
	}
	value := op.Arg("value")
	if value == nil {
		return func(fr *frame) *Fault {
			i, fault := find(fr)
			if fault == nil {
				fr.x[d] = num.Load(f, fr.v[a].bytes()[i:i+size])
			}
			return fault
		}
	}
	x := p.slot(value)
	return func(fr *frame) *Fault {
		i, fault := find(fr)
		if fault == nil {
			fr.v[d] = fr.v[a]
			num.Store(f, fr.v[d].bytes()[i:i+size], fr.x[x])
		}
		return fault
	}
}
