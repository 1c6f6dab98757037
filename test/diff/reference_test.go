package diff

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// The reference interprets a vector program instruction by instruction and lane by lane.
// It follows the kinds of instructions (ir.Def.Sem), and uses the functions of ir/scalar
// and the conversions of ir/num. It is slow, and shares no code with the runtime.

// bytes256 is the contents of a vector register, and bits256 the contents of a mask
// register with one entry for each byte of a vector register.
type (
	bytes256 [pto.VectorBytes]byte
	bits256  [pto.VectorBytes]bool
)

// reference is the state of a simple interpreter of vector programs, with which the two
// engines are compared.
type reference struct {
	// env maps each SSA value to its contents: *bytes256 for a register, *bits256 for a
	// mask, uint64 for a scalar, and []byte for the stream of an unaligned store.
	env     map[*ir.Value]any
	ub      []byte
	in, out []byte
	// compacted is the number of bytes that the most recent compaction produced.
	compacted int
	// ar is the special register AR, the offset in bytes of the next store of compacted lanes.
	ar uint64
}

var errOutside = errors.New("touches memory outside of the unified buffer")

// runReference interprets the kernel f with the input in, and returns its output.
func runReference(f *ir.Op, in []byte) (out []byte, err error) {
	r := &reference{env: map[*ir.Value]any{}, ub: make([]byte, 256<<10), in: in, out: make([]byte, outBytes)}
	return r.out, r.block(f.Region(0).Entry())
}

func (r *reference) block(b *ir.Block) error {
	for op := range b.Ops() {
		if err := r.op(op); err != nil {
			return fmt.Errorf("%s: %w", op.Name(), err)
		}
	}
	return nil
}

// op interprets one operation.
func (r *reference) op(op *ir.Op) error {
	switch kind := op.Def().Sem.(type) {
	case sem.CopyBursts:
		return r.copy(op)
	case sem.VecMap, sem.VecCarry, sem.VecExtended, sem.VecCompare, sem.VecConvert, sem.VecWiden, sem.VecRound:
		return r.compute(op, kind)
	case sem.VecReduce, sem.VecHistogram, sem.VecIndex, sem.VecBroadcast, sem.VecSelect, sem.VecRearrange:
		return r.rearrange(op, kind)
	case sem.MaskPattern, sem.MaskTail, sem.MaskLogic, sem.MaskRearrange:
		return r.masks(op, kind)
	case sem.MaskLoad, sem.MaskStore, sem.VecLoad, sem.VecStore, sem.VecBlocks, sem.VecGather, sem.VecScatter:
		return r.memory(op, kind)
	case sem.AlignInit, sem.AlignLoad, sem.AlignStore, sem.AlignFlush, sem.StreamEnd:
		return r.stream(op, kind)
	}
	switch op.Name() {
	case "arith.constant":
		r.env[op.Result(0)] = constantBits(op)
	case "pto.castptr":
		r.env[op.Result(0)] = r.env[op.Operand(0)]
	case "pto.vecscope":
		return r.block(op.Region(0).Entry())
	case "func.return", "pto.yield", "pto.set_flag", "pto.wait_flag", "pto.mem_bar":
	default:
		return errors.New("has no reference")
	}
	return nil
}

func constantBits(op *ir.Op) uint64 {
	switch d := op.Attr("value").Data().(type) {
	case ir.IntegerAttr:
		return uint64(d.V)
	case ir.FloatAttr:
		return d.Bits
	}
	panic("BUG: a constant that is no number")
}

// copy interprets a DMA copy: of the input to the unified buffer, or of results from it
// to the output.
func (r *reference) copy(op *ir.Op) error {
	size := r.scalar(op.Arg("len_burst"))
	if pto.SpaceOf(op.Operand(0).Type()) == sem.UB {
		copy(r.out, r.ub[r.scalar(op.Operand(0)):][:size])
	} else {
		copy(r.ub[r.scalar(op.Operand(1)):][:size], r.in)
	}
	return nil
}

func (r *reference) scalar(v *ir.Value) uint64     { return r.env[v].(uint64) }
func (r *reference) register(v *ir.Value) bytes256 { return *r.env[v].(*bytes256) }
func (r *reference) mask(v *ir.Value) bits256      { return *r.env[v].(*bits256) }

func (r *reference) set(v *ir.Value, x any) { r.env[v] = x }

// lanesOf returns the number format and the size in bytes of the lanes of the register
// type t.
func lanesOf(t ir.Type) (num.Format, int) {
	f, _ := ir.FormatOf(ir.ElementType(t))
	return f, pto.ByteSize(ir.ElementType(t))
}

// lane returns the bits of lane i of the register, whose lanes have size bytes.
func (b *bytes256) lane(i, size int) uint64 {
	var x [8]byte
	copy(x[:], b[i*size:(i+1)*size])
	return binary.LittleEndian.Uint64(x[:])
}

// put writes bits to lane i of the register, whose lanes have size bytes.
func (b *bytes256) put(i, size int, bits uint64) {
	var x [8]byte
	binary.LittleEndian.PutUint64(x[:], bits)
	copy(b[i*size:(i+1)*size], x[:])
}

// maskOf returns the mask that selects the lanes of the instruction op: the operand named
// "mask", otherwise the first mask operand, otherwise a mask of all lanes.
func (r *reference) maskOf(op *ir.Op) bits256 {
	if v := op.Arg("mask"); v != nil {
		return r.mask(v)
	}
	for _, v := range op.Operands() {
		if ir.Is[pto.Mask](v.Type()) {
			return r.mask(v)
		}
	}
	return bits256(slices.Repeat([]bool{true}, pto.VectorBytes))
}

// textOf returns the value of a string attribute of op, or "".
func textOf(op *ir.Op, name string) string {
	s, _ := op.Attr(name).AsString()
	return s
}
