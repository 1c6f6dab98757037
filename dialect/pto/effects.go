// This file derives the pipe and the memory effects of an instruction.

package pto

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// PipeFor returns the pipe that executes op on target t. If several pipes execute it one
// after the other (MacroOf), the result is the first pipe.
func PipeFor(op *ir.Op, t ir.Target) sem.Pipe {
	if kind, ok := op.Def().Sem.(sem.NamesPipe); ok {
		if p := kind.PipeOf(op, t); p != sem.NoPipe {
			return p
		}
	}
	info := InfoOf(op.Def())
	switch {
	case info == nil:
		return sem.PipeS
	case info.PipeOf != nil:
		return info.PipeOf(op, t)
	}
	return info.Pipe
}

// Access describes how an instruction uses memory through one of its pointer operands: it
// reads, writes, or both.
type Access struct {
	Arg   string
	Write bool
	Read  bool
}

// EffectKind is a bit set of the ways in which an operation accesses memory: reading and
// writing.
type EffectKind uint8

// The bits of an EffectKind: the operation reads memory, or writes it.
const (
	Reads EffectKind = 1 << iota
	Writes
)

// Effect is a memory access that an operation performs through the operand Value. Space
// is the accessed memory.
type Effect struct {
	Value *ir.Value
	Kind  EffectKind
	Space sem.Space
}

// Effects returns the memory accesses that op performs through its operands. The types
// and values of the operands determine the accessed bytes.
func Effects(op *ir.Op) []Effect {
	var es []Effect
	for k, a := range op.OperandArgs() {
		v := op.Operand(k)
		if kind := EffectOn(op, a, v); kind != 0 {
			es = append(es, Effect{v, kind, SpaceOf(v.Type())})
		}
	}
	return es
}

// EffectOn returns how op accesses memory through its operand v: it reads, writes, or
// both. The result is 0 if op does not access memory through v.
func EffectOn(op *ir.Op, declaration ir.Arg, v *ir.Value) EffectKind {
	info := InfoOf(op.Def())
	if info == nil {
		return 0
	}
	for _, acc := range info.Access {
		if acc.Arg != declaration.Name {
			continue
		}
		var k EffectKind
		if acc.Read {
			k |= Reads
		}
		if acc.Write {
			k |= Writes
		}
		return k
	}
	if op.HasTrait(ir.Pure) || !holdsMemory(v.Type()) {
		return 0
	}
	switch {
	case declaration.Role == ir.Out:
		return Writes
	case declaration.Role == ir.Scratch && info.Scratch != sem.OnAll && !info.Scratch.Has(ir.TargetOf(op)):
		return 0
	case declaration.Role == ir.Scratch || declaration.Role == ir.InOut || info.Clobbers != nil && slices.Contains(info.Clobbers(op), declaration.Name):
		return Reads | Writes
	}
	return Reads
}

// holdsMemory reports whether instructions access memory directly through a value of type
// t, such as a tile buffer or a view. It returns false for pointers. The definition of an
// instruction lists its accesses through pointers separately, in the field Access.
func holdsMemory(t ir.Type) bool {
	switch t.Data().(type) {
	case TileBuf, PartitionView, TensorView:
		return true
	}
	return false
}

// SpaceOf returns the memory space to which values of type t refer. In addition to
// sem.SpaceOf, it supports MLIR's memref type.
func SpaceOf(t ir.Type) sem.Space {
	d, ok := ir.As[ir.MemRefType](t)
	if !ok {
		return sem.SpaceOf(t)
	}
	if s := SpaceOfAttr(d.Space); s != sem.NoSpace {
		return s
	}
	return sem.GM
}

// BasePointer returns the value in global memory from which the view v is derived: a
// function argument, or a value whose origin is unknown.
func BasePointer(v *ir.Value) *ir.Value {
	for v.Op() != nil && v.Op().NumOperands() > 0 && SpaceOf(v.Op().Operand(0).Type()) == sem.GM {
		v = v.Op().Operand(0)
	}
	return v
}

// ReadsSource is the memory access of load instructions, which read through the pointer
// operand "source".
var ReadsSource = []Access{{Arg: "source", Read: true}}

// WritesDestination is the memory access of store instructions, which write through the
// pointer operand "destination".
var WritesDestination = []Access{{Arg: "destination", Write: true}}
