package insertsync

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// registerBytes is the size of a vector register.
const registerBytes = 256

// reach narrows the place behind a pointer to what an instruction touches of
// it: the offset that the instruction adds, and a bound for the bytes.
func reach(op *ir.Op, p place) place {
	if p.size != 0 || p.ring != nil {
		return p
	}
	switch op.Def().Sem.(type) {
	case sem.VecLoad, sem.VecStore:
		if op.HasAttr("stride") {
			return p // far apart
		}
		return shifted(op, p, registerBytes*registers(op))
	case sem.LoadElement, sem.StoreElement:
		return shifted(op, p, 0)
	}
	return p
}

// shifted is p behind the operand offset, with a size; 0 is that of an element.
func shifted(op *ir.Op, p place, size int64) place {
	offset := op.Arg("offset")
	ptr := op.Arg("source")
	for _, name := range []string{"destination", "ptr"} {
		if ptr == nil {
			ptr = op.Arg(name)
		}
	}
	if offset == nil || ptr == nil || !p.from.ok {
		return p
	}
	elem := int64(pto.ByteSize(ir.ElementType(ptr.Type())))
	p.from = p.from.plus(sumOf(offset), elem)
	p.size = max(size, elem)
	return p
}

// registers counts the vector registers of an instruction.
func registers(op *ir.Op) int64 {
	n := int64(0)
	for _, v := range append(op.Operands(), op.Results()...) {
		if ir.Is[pto.VReg](v.Type()) {
			n++
		}
	}
	return max(n, 1)
}
