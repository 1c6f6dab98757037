// This file emits the operations of the llvm dialect on values.

package llvm

import (
	"github.com/llir/llvm/ir/enum"

	"ptogo/codegen/ll"
	"ptogo/dialect/llvm"
	"ptogo/ir"
)

// llvmAction emits the LLVM IR for op, an operation of MLIR's llvm dialect. The parameter
// kind identifies what the operation does. Only the operations that published kernels use
// are supported; llvmAction reports an error for every other operation.
func (f *function) llvmAction(op *ir.Op, kind llvm.Action) {
	switch kind {
	case llvm.BitsAs:
		f.bitsAs(op)
	case llvm.TakeLane, llvm.PutLane:
		f.oneLane(op)
	case llvm.Undefined, llvm.Zeros:
		f.zeros(op)
	case llvm.Frame:
		f.reserveFrame(op)
	case llvm.Read:
		f.readAddress(op)
	case llvm.Write:
		f.writeAddress(op)
	case llvm.Step:
		f.stepAddress(op)
	case llvm.FromInteger, llvm.ToInteger:
		f.numberAddress(op)
	default:
		f.unsupported(op)
	}
}

// zeros emits the result of op as a value whose bits are all zero. An undefined value
// (llvm.mlir.undef) is zero as well. The results then equal the results of the runtime,
// the interpreter written in Go.
func (f *function) zeros(op *ir.Op) {
	ts, ok := partsOf(op.Result(0).Type())
	if !ok || len(ts) != 1 {
		f.unsupported(op)
		return
	}
	f.set(op.Result(0), ll.Zero(ts[0]))
}

// bitsAs emits a bitcast: it reinterprets the bits of a scalar or short vector as another
// type of the same width.
func (f *function) bitsAs(op *ir.Op) {
	x, t := f.val(op.Operand(0)), intTypeOf(op.Result(0).Type())
	if x.Type() == ll.Ptr || t == ll.Ptr || sizeOf(x.Type()) != sizeOf(t) {
		f.unsupported(op)
		return
	}
	f.set(op.Result(0), f.Bitcast(x, t))
}

// oneLane emits the extraction or the replacement of one element of a short vector. The
// emitted code faults (executes a trap) if the index of the element is out of range.
func (f *function) oneLane(op *ir.Op) {
	v, i := f.arg(op, "vector"), f.Resize(f.arg(op, "position"), ll.I64, false)
	f.TrapIf(f.ICmp(enum.IPredUGE, i, ll.Index(int64(ll.Lanes(v.Type())))))
	if op.Arg("value") == nil {
		f.set(op.Result(0), f.Extract(v, i))
		return
	}
	f.set(op.Result(0), f.Insert(v, f.arg(op, "value"), i))
}
