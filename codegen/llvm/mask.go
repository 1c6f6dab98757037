// This file emits instructions on masks.

package llvm

import (
	"strconv"
	"strings"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// maskPattern emits the mask of a named pattern, such as all lanes or the first 8 lanes.
func (f *function) maskPattern(op *ir.Op, kind sem.MaskPattern) {
	name := sem.PatternName(op)
	size := kind.Bits / 8
	on, ok := pattern(name, pto.VectorBytes/size)
	if !ok {
		f.errorf(op, "uses the mask pattern %q, which the LLVM IR emitter does not support yet", name)
		return
	}
	bits := make([]bool, pto.VectorBytes)
	for i := range pto.VectorBytes / size {
		bits[i*size] = on(i)
	}
	f.set(op.Result(0), ll.ConstantMask(bits))
}

// pattern returns a function that reports whether a mask pattern selects a lane, for a
// mask with n lanes. The parameter name is the name of the pattern, such as PAT_ALL or
// PAT_VL16. The result ok is false for an unknown name.
func pattern(name string, n int) (on func(lane int) bool, ok bool) {
	below := func(k int) func(int) bool { return func(lane int) bool { return lane < k } }
	switch name {
	case "PAT_ALL":
		return below(n), true
	case "PAT_ALLF":
		return below(0), true
	case "PAT_H":
		return below(n / 2), true
	case "PAT_Q":
		return below(n / 4), true
	case "PAT_M3":
		return func(lane int) bool { return lane%3 == 0 }, true
	case "PAT_M4":
		return func(lane int) bool { return lane%4 == 0 }, true
	}
	if digits, found := strings.CutPrefix(name, "PAT_VL"); found {
		if k, err := strconv.Atoi(digits); err == nil {
			return below(k), true
		}
	}
	return nil, false
}

// counted returns the constant vector 0, 1, ..., n-1 with elements of type t.
func counted(t *types.IntType, n int) value.Value {
	return laneNumbers(n, t, func(i int) int64 { return int64(i) })
}

// firstLanes emits a mask of the first n lanes, where n is a signed i32 and a lane has
// size bytes.
func (c *code) firstLanes(n value.Value, size int) value.Value {
	return c.maskOf(c.ICmp(enum.IPredSLT, counted(ll.I32, pto.VectorBytes/size), n), size)
}

// maskTail emits a mask for the last iteration of a loop over registers, in which fewer
// elements than lanes can remain. The mask selects the first lanes, one for each
// remaining element. Without kind.Loop, the operand of op is the number of remaining
// elements, and the second result is this number after the iteration (at least 0). With
// kind.Loop, the operands are the index of the iteration and the total number of
// elements.
func (f *function) maskTail(op *ir.Op, kind sem.MaskTail) {
	size := kind.Bits / 8
	all := int64(pto.VectorBytes / size)
	n := f.val(op.Operand(0))
	if kind.Loop {
		iteration := f.SExt(f.Resize(n, ll.I16, true), ll.I64)
		left := f.Sub(f.SExt(f.val(op.Operand(1)), ll.I64), f.Mul(iteration, ll.Index(all)))
		f.set(op.Result(0), f.firstLanes(f.Trunc(f.MinInt(f.MaxInt(left, ll.Index(0)), ll.Index(all)), ll.I32), size))
		return
	}
	f.set(op.Result(0), f.firstLanes(n, size))
	f.set(op.Result(1), f.Sub(f.MaxInt(n, ll.Integer(ll.I32, all)), ll.Integer(ll.I32, all)))
}

// maskLogic emits a bitwise combination of two masks. The last operand is a third mask:
// lanes that it does not select are zero in the result.
func (f *function) maskLogic(op *ir.Op, kind sem.MaskLogic) {
	x, y := f.val(op.Operand(0)), f.val(op.Operand(1))
	by := f.val(op.Operand(op.NumOperands() - 1))
	switch kind.Op {
	case sem.MaskAnd:
		f.set(op.Result(0), f.And(f.And(x, y), by))
	case sem.MaskOr:
		f.set(op.Result(0), f.And(f.Or(x, y), by))
	case sem.MaskXor:
		f.set(op.Result(0), f.And(f.Xor(x, y), by))
	case sem.MaskNot:
		f.set(op.Result(0), f.And(f.Not(x), by))
	case sem.MaskSel:
		f.set(op.Result(0), f.Select(by, x, y))
	default:
		f.unsupported(op)
	}
}

// maskRearrange emits an instruction that moves the bits of masks: it interleaves,
// separates, narrows or widens them.
func (f *function) maskRearrange(op *ir.Op, kind sem.MaskRearrange) {
	x := f.val(op.Operand(0))
	half := upperHalf(op) * pto.VectorBytes / 2
	switch kind.Kind {
	case sem.Interleave, sem.Deinterleave:
		size := kind.Bits / 8
		n := pto.VectorBytes / size
		indices := interleave(n)
		if kind.Kind == sem.Deinterleave {
			indices = [2][]int{sequence(n, 0, 2), sequence(n, 1, 2)}
		}
		a, b := f.laneMask(x, size), f.laneMask(f.val(op.Operand(1)), size)
		for i := range indices {
			f.set(op.Result(i), f.maskOf(f.Shuffle(a, b, indices[i]), size))
		}
	case sem.Narrow: // keeps every second bit, in one half
		indices := sequence(pto.VectorBytes, pto.VectorBytes, 0)
		for i := range pto.VectorBytes / 2 {
			indices[half+i] = 2 * i
		}
		f.set(op.Result(0), f.Shuffle(x, ll.Zero(maskType), indices))
	case sem.WidenZero: // spreads the bits of one half
		indices := sequence(pto.VectorBytes, pto.VectorBytes, 0)
		for i := range pto.VectorBytes / 2 {
			indices[2*i] = half + i
		}
		f.set(op.Result(0), f.Shuffle(x, ll.Zero(maskType), indices))
	case sem.Reinterpret:
		f.set(op.Result(0), x)
	default:
		f.unsupported(op)
	}
}

// imageBytes is the size in bytes of a mask that is stored in memory.
const imageBytes = pto.VectorBytes / 8

// maskScale returns the factor by which the offset of a mask load or store is multiplied,
// to obtain a number of bytes. The factor is the parameter unit if the offset is an
// immediate constant, and 1 if the offset is an operand.
func maskScale(immediate bool, unit int64) int64 {
	if immediate {
		return unit
	}
	return 1
}

// maskLoad emits a load of a mask from memory.
func (f *function) maskLoad(op *ir.Op, kind sem.MaskLoad) {
	bits, unit := pto.VectorBytes, int64(imageBytes)
	switch sem.MaskImageOf(op) {
	case sem.ImageTwice:
		bits, unit = bits/2, unit/2
	case sem.ImageHalf:
		bits *= 2
	}
	from := f.vecAddress(sem.PointerAccessOf(op), maskScale(kind.Immediate, unit))
	x := f.Bitcast(f.Load(ll.IntType(bits), from, 1), ll.VectorOf(bits, ll.I1))
	indices := sequence(pto.VectorBytes, 0, 1)
	for i := range indices {
		indices[i] = i * bits / pto.VectorBytes // each bit twice, or every second one
	}
	f.set(op.Result(0), f.ShuffleOne(x, indices))
}

// maskStore emits an instruction that stores a mask to memory. Depending on the
// instruction, it stores all bits of the mask or only every second bit. The parameter
// kind determines the unit of the offset operand.
func (f *function) maskStore(op *ir.Op, kind sem.MaskStore) {
	o := sem.VectorAccessOf(op)
	x, unit := f.val(o.Value.Value), int64(imageBytes)
	if sem.MaskImageOf(op) == sem.ImagePacked {
		x, unit = f.ShuffleOne(x, sequence(pto.VectorBytes/2, 0, 2)), unit/2
	}
	to := f.vecAddress(o.PointerAccess, maskScale(kind.Immediate, unit))
	f.Store(f.Bitcast(x, ll.IntType(ll.Lanes(x.Type()))), to, 1)
}
