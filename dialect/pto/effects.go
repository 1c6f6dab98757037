// This file derives the pipe and the memory effects of an instruction.

package pto

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// PipeFor returns the pipe that executes op on a target: the first one, if op
// has steps in several (MacroOf).
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

// Access is a use of memory through a pointer operand.
type Access struct {
	Arg   string
	Write bool
	Read  bool
}

// EffectKind is a bit set of accesses to memory.
type EffectKind uint8

// The accesses.
const (
	Reads EffectKind = 1 << iota
	Writes
)

// Effect is a memory access of an operation through one operand. Space is the memory.
type Effect struct {
	Value *ir.Value
	Kind  EffectKind
	Space sem.Space
}

// Effects returns the memory accesses of op through its operands. Types and values of the
// operands determine which bytes these are.
func Effects(op *ir.Op) []Effect {
	var es []Effect
	for i, a := range op.Form().Operands {
		from, to := op.ArgRange(i)
		for k := from; k < to; k++ {
			v := op.Operand(k)
			if kind := EffectOn(op, a, v); kind != 0 {
				es = append(es, Effect{v, kind, SpaceOf(v.Type())})
			}
		}
	}
	return es
}

// EffectOn returns how op accesses memory through v, the operand for argument a of its
// form.
func EffectOn(op *ir.Op, a ir.Arg, v *ir.Value) EffectKind {
	info := InfoOf(op.Def())
	if info == nil {
		return 0
	}
	for _, acc := range info.Access {
		if acc.Arg != a.Name {
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
	case a.Role == ir.Out:
		return Writes
	case a.Role == ir.Scratch && info.Scratch != sem.OnAll && !info.Scratch.Has(ir.TargetOf(op)):
		return 0
	case a.Role == ir.Scratch || a.Role == ir.InOut || info.Clobbers != nil && slices.Contains(info.Clobbers(op), a.Name):
		return Reads | Writes
	}
	return Reads
}

// holdsMemory reports whether a value of type t represents memory that instructions
// access directly. Pointers do not; the field Access of the definition lists accesses
// through them.
func holdsMemory(t ir.Type) bool {
	switch t.Data().(type) {
	case TileBuf, PartitionView, TensorView:
		return true
	}
	return false
}

// SpaceOf returns the memory space after a value of type t, which may be one
// of MLIR's.
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

// ReadsSource is the access of loads through the pointer source.
var ReadsSource = []Access{{Arg: "source", Read: true}}

// WritesDestination is the access of stores through the pointer destination.
var WritesDestination = []Access{{Arg: "destination", Write: true}}
