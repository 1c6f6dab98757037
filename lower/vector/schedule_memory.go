// This file determines which bytes an instruction of a vector function accesses.

package vector

import (
	"maps"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/routine"
)

// linear is the sum of a constant and of multiples of values.
type linear struct {
	n     int64
	times map[*ir.Value]int64
}

// plus returns x + factor * y.
func (x linear) plus(y linear, factor int64) linear {
	sum := linear{x.n + factor*y.n, maps.Clone(x.times)}
	if sum.times == nil {
		sum.times = map[*ir.Value]int64{}
	}
	for v, k := range y.times {
		if sum.times[v] += factor * k; sum.times[v] == 0 {
			delete(sum.times, v)
		}
	}
	return sum
}

// linearOf returns the value v as a sum.
func linearOf(v *ir.Value, steps int) linear {
	if n, ok := arith.ConstantInt(v); ok {
		return linear{n: n}
	}
	op := v.Op()
	if op != nil && steps > 0 {
		switch {
		case op.Is(arith.AddI):
			return linearOf(op.Operand(0), steps-1).plus(linearOf(op.Operand(1), steps-1), 1)
		case op.Is(arith.SubI):
			return linearOf(op.Operand(0), steps-1).plus(linearOf(op.Operand(1), steps-1), -1)
		case op.Is(arith.MulI):
			for i := range 2 {
				if n, ok := arith.ConstantInt(op.Operand(i)); ok {
					return linear{}.plus(linearOf(op.Operand(1-i), steps-1), n)
				}
			}
		}
	}
	return linear{times: map[*ir.Value]int64{v: 1}}
}

// bounds returns the least and the greatest value of x. The bool result is false if x
// depends on other values than counters of loops with constant bounds.
func (x linear) bounds() (least, most int64, ok bool) {
	least, most = x.n, x.n
	for v, k := range x.times {
		first, last, ok := counterBounds(v)
		if !ok {
			return 0, 0, false
		}
		least += min(k*first, k*last)
		most += max(k*first, k*last)
	}
	return least, most, true
}

// counterBounds returns the first and the last value of the counter v of a loop with
// constant bounds.
func counterBounds(v *ir.Value) (first, last int64, ok bool) {
	if v.Op() != nil || v.Block() == nil || v.Block().Parent() == nil || v.Index() != 0 {
		return 0, 0, false
	}
	loop := v.Block().Parent()
	if !loop.Is(scf.For) {
		return 0, 0, false
	}
	first, ok = arith.ConstantInt(loop.Operand(0))
	end, ok2 := arith.ConstantInt(loop.Operand(1))
	return first, max(first, end-1), ok && ok2
}

// bytes are the addresses that an instruction accesses: size bytes from the sum at on,
// relative to the address root.
type bytes struct {
	known bool
	// root is a pointer, or nil if the addresses are absolute.
	root *ir.Value
	at   linear
	size int64
}

// bytesOf returns the addresses that op accesses. They are not known for instructions that
// access more than one range or that advance their address.
func bytesOf(op *ir.Op) bytes {
	at := sem.VectorAccessOf(op)
	if at.Pointer.Value == nil || at.Updated != nil || at.Offsets.Value != nil {
		return bytes{}
	}
	r, _ := reaches.Run(nil, op)
	unit := int64(pto.ByteSize(ir.ElementType(at.Pointer.Value.Type())))
	b := bytes{known: r.size > 0 && unit > 0, size: r.size}
	b.root, b.at = addressOf(at.Pointer.Value, mostNested)
	if at.Offset.Value != nil {
		b.at = b.at.plus(linearOf(at.Offset.Value, mostNested), unit)
	}
	return b
}

// reach is what is known about the accesses of an instruction, without its address.
type reach struct {
	class class
	// size is the largest number of bytes that the instruction accesses, or 0 if it is not
	// known.
	size int64
}

// reaches maps each kind of vector instructions that the scheduler must not move freely to
// a routine that returns its reach.
var reaches = routine.New(func() []routine.Row[any, reach] {
	return []routine.Row[any, reach]{
		routine.Makes(func(_ any, op *ir.Op, _ sem.VecLoad) reach { return reach{loads, sizeOf(op)} }),
		routine.Makes(func(_ any, op *ir.Op, _ sem.VecStore) reach { return reach{stores, sizeOf(op)} }),
		routine.Makes(func(_ any, op *ir.Op, kind sem.VecBlocks) reach {
			if kind.Store {
				return reach{stores, blocksOf(op)}
			}
			return reach{loads, blocksOf(op)}
		}),
		routine.Makes(func(any, *ir.Op, sem.VecGather) reach { return reach{class: loads} }),
		routine.Makes(func(any, *ir.Op, sem.MaskLoad) reach { return reach{class: loads} }),
		routine.Makes(func(any, *ir.Op, sem.MaskStore) reach { return reach{class: stores} }),
		routine.Makes(func(_ any, _ *ir.Op, kind sem.VecRearrange) reach {
			if kind.Kind == sem.Compact { // the unaligned stores of its result keep their order
				return reach{class: fixed}
			}
			return reach{class: free}
		}),
	}
})

// sizeOf returns the largest number of bytes that op, a load or store of registers,
// accesses, or 0 if it is not known.
func sizeOf(op *ir.Op) int64 {
	if sem.IsUnaligned(op) || op.HasAttr("stride") {
		return 0
	}
	d := lanemap.DistOf(op)
	switch {
	case d.Pair:
		return 2 * pto.VectorBytes
	case d.Pattern == lanemap.OneToAll && d.Bits > 0:
		return int64(d.Bits / 8)
	}
	return pto.VectorBytes
}

// blocksOf returns the number of bytes that op, a load or store of blocks of 32 bytes,
// accesses, or 0 if the blocks do not follow each other.
func blocksOf(op *ir.Op) int64 {
	at := sem.VectorAccessOf(op)
	stride, ok := arith.ConstantInt(at.Stride.Value)
	skip, ok2 := arith.ConstantInt(at.Skip.Value)
	if ok && ok2 && stride == 1 && skip == 0 {
		return pto.VectorBytes
	}
	return 0
}

// addressOf returns the pointer p as the sum of a root and a distance in bytes. The root
// is nil if the address is a number.
func addressOf(p *ir.Value, steps int) (root *ir.Value, at linear) {
	op := p.Op()
	switch {
	case op == nil || steps == 0:
	case op.Is(isabase.CastPtr):
		if n, ok := arith.ConstantInt(op.Operand(0)); ok {
			return nil, linear{n: n}
		}
		if ir.Is[pto.PtrType](op.Operand(0).Type()) {
			return addressOf(op.Operand(0), steps-1)
		}
	case op.Is(isabase.AddPtr):
		root, at = addressOf(op.Operand(0), steps-1)
		return root, at.plus(linearOf(op.Operand(1), mostNested), int64(pto.ByteSize(ir.ElementType(p.Type()))))
	}
	return p, linear{}
}

// apart reports whether two instructions of the same round certainly access different
// bytes.
func (a bytes) apart(b bytes) bool {
	if !a.known || !b.known || a.root != b.root {
		return false
	}
	d := b.at.plus(a.at, -1)
	if len(d.times) == 0 {
		return d.n >= a.size || -d.n >= b.size
	}
	least, most, ok := a.at.bounds()
	from, to, both := b.at.bounds()
	return ok && both && (from >= most+a.size || least >= to+b.size)
}
