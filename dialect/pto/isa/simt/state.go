// This file defines SIMT barriers and kept state.

package simt

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of the instructions that synchronize work items.
var (
	SyncThreadsOp = simtFence("syncthreads", sem.SyncThreads{}, "Waits until all work items of the launch are here.")
	ThreadFenceOp = simtFence("threadfence", sem.ThreadFence{}, "Makes earlier writes visible to everything before later ones.")
	ThreadFenceBl = simtFence("threadfence_block", sem.ThreadFence{Block: true}, "Makes earlier writes visible to the work items of the launch before later ones.")
)

// simtFence declares the instruction with the given name, which synchronizes work items,
// as the parameter kind describes.
func simtFence(name string, kind ir.Meaning, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: simtState, Doc: doc, Sem: kind,
			Rules:    []Rule{OutsideScope(), InSimt()},
			Syntax:   ir.Asm("attr-dict"),
			Examples: []string{"pto." + name},
		})
	})
}

// Definitions of the instructions that store a value of a work item for later launches,
// and restore it.
var (
	Keep = Define("keep", func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: simtState, Doc: "Keeps payload in a slot for the same work item of a later launch.",
			Ins:      Args{In("payload", keepable)},
			Attrs:    []ir.AttrDef{slotAttr},
			Sem:      sem.KeptState{},
			Rules:    []Rule{InSimt(), Fact(keptSlotFault), Fact(keepPlace)},
			Syntax:   ir.Asm("$payload attr-dict `:` type($payload)"),
			Examples: []string{"pto.keep %v {slot = 2 : i64} : i64"},
		})
	})
	Resume = Define("resume", func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: simtState, Doc: "Returns the value that the same work item of an earlier launch kept in a slot.",
			Outs:     Args{Out("result", keepable)},
			Attrs:    []ir.AttrDef{slotAttr},
			Sem:      sem.KeptState{Resume: true},
			Rules:    []Rule{InSimt(), Fact(keptSlotFault), Fact(resumePlace)},
			Syntax:   ir.Asm("attr-dict `:` type($result)"),
			Examples: []string{"%v = pto.resume {slot = 0 : i64} : f32"},
		})
	})
)

// lastSlot is the number of the last slot in which SIMT instructions can store a value. A
// slot holds 32 bits.
const lastSlot = 122

// slotAttr declares the attribute with a slot number. Each work item has numbered slots
// of 64 bits, in which it can store values from one launch to the next.
var slotAttr = ir.AttrDef{Name: "slot", Type: ir.IntOf(ir.I64), Doc: "the first slot of the value, 0 to 122"}

// keepable accepts the types of values that can be stored for later launches.
var keepable = ir.TypeIf("a signless integer of at most 64 bits, f16, bf16 or f32", func(t ir.Type) bool {
	d, ok := ir.As[ir.IntegerType](t)
	return ok && d.Sign == ir.Signless && d.Width <= 64 || Floats.Has(t)
})

// slots returns the range of storage slots of 32 bits that op writes or reads. The first
// result is the number of the first slot, and the second is the number after the last
// slot.
func slots(op *ir.Op) (from, to int64) {
	from, _ = op.Attr("slot").AsInt()
	t := keptType(op)
	if d, ok := ir.As[ir.IntegerType](t); ok && d.Width > 32 {
		return from, from + 2
	}
	return from, from + 1
}

// keptType returns the type of the value that op stores in a slot, or that op restores
// from a slot.
func keptType(op *ir.Op) ir.Type {
	if op.NumResults() > 0 {
		return op.Result(0).Type()
	}
	return op.Operand(0).Type()
}

// keptSlotFault returns a message if the slot of a value is out of range, or if a
// preceding instruction already uses it, and "" otherwise.
func keptSlotFault(op *ir.Op) string {
	from, to := slots(op)
	switch {
	case from < 0 || to > lastSlot+1:
		return fmt.Sprintf("attribute \"slot\" must be between 0 and %d, but is %d", lastSlot-(to-from-1), from)
	case to-from == 2 && from%2 != 0:
		return fmt.Sprintf("attribute \"slot\" must be even, because %s needs two slots, but is %d", keptType(op), from)
	}
	for p := op.Prev(); p != nil; p = p.Prev() {
		if p.Def() != op.Def() {
			continue
		}
		if f, t := slots(p); f < to && from < t {
			return fmt.Sprintf("uses slot %d, which an earlier '%s' already uses", max(f, from), op.Name())
		}
	}
	return ""
}

// keepPlace returns a message if op, which stores a value for later launches, is not at
// the end of the SIMT code, and "" otherwise.
func keepPlace(op *ir.Op) string {
	for n := op.Next(); n != nil; n = n.Next() {
		if n.Def().Sem != any(sem.KeptState{}) && !means[sem.SyncThreads](n) && !n.HasTrait(ir.Terminator) && !n.HasTrait(ir.ConstantLike) {
			return "must be at the end of the simt code, but '" + n.Name() + "' follows"
		}
	}
	return topOfSimt(op)
}

// resumePlace checks the position of op, which restores a value. The operation must be at
// the start of the SIMT code, and only constants may precede it. It returns a message for
// a violation, and "" otherwise.
func resumePlace(op *ir.Op) string {
	for p := op.Prev(); p != nil; p = p.Prev() {
		if p.Def().Sem != any(sem.KeptState{Resume: true}) && !p.HasTrait(ir.ConstantLike) {
			return "must be at the start of the simt code, but '" + p.Name() + "' is before it"
		}
	}
	return topOfSimt(op)
}

// means reports whether the kind of op (the type of its meaning) is K.
func means[K any](op *ir.Op) bool {
	_, ok := op.Def().Sem.(K)
	return ok
}

// topOfSimt returns a message if op is not directly in the body of a SIMT function or
// section but inside another operation, such as a loop. Otherwise it returns "".
func topOfSimt(op *ir.Op) string {
	p := op.Parent()
	if s, ok := p.Def().Sem.(sem.Scope); ok && s.Kind == sem.SimtSection || p.HasAttr(SimtEntry) {
		return ""
	}
	return "must be directly in the simt code, not inside '" + p.Name() + "'"
}
