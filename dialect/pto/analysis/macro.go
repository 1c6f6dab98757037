// This file describes instructions that several pipes execute in turn.

package analysis

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// MacroStep is an internal step of an instruction that several pipes execute in the
// public library: the pipe, and the names of the operands that it reads and writes.
type MacroStep struct {
	Pipe          sem.Pipe
	Reads, Writes []string
}

// Macro describes the internal steps of an instruction that several pipes execute one
// after the other. At the end of each step, the pipe of this step raises events, and the
// pipe of the next step waits for them.
type Macro struct {
	Steps []MacroStep
	// Events is the number of events, numbered from 0.
	Events int
	// Back reports that the last pipe also signals the first one at the end, so that no
	// event remains raised.
	Back bool
}

// MacroOf returns the description of op as a macro instruction on target t: the steps
// that its pipes execute one after the other. It returns nil if a single pipe executes op
// (PTOAS:lib/PTO/Transforms/InsertSync/SyncMacroModel.cpp).
func MacroOf(op *ir.Op, t ir.Target) *Macro {
	switch kind := op.Def().Sem.(type) {
	case sem.CommCopy:
		return transferMacro(op, "src", "dst")
	case sem.CommCollective:
		switch kind.Kind {
		case sem.Gather:
			return transferMacro(op, "group", "dst")
		case sem.Reduce:
			staging := []string{"recvPing", "recvPong"}
			return &Macro{
				Steps: []MacroStep{
					{Pipe: sem.PipeMTE2, Reads: []string{"group"}, Writes: staging},
					{Pipe: sem.PipeV, Reads: append([]string{"acc"}, staging...), Writes: []string{"acc"}},
					{Pipe: sem.PipeMTE3, Reads: []string{"acc"}, Writes: []string{"dst"}},
				},
				Events: 2 + len(op.Args("recvPong")), Back: true,
			}
		}
		return transferMacro(op, "src", "group")
	case sem.MemGather: // reads indices with the scalar unit and rows with MTE2
		if pto.PipeFor(op, t) == sem.PipeMTE2 {
			return &Macro{
				Steps: []MacroStep{
					{Pipe: sem.PipeS, Reads: []string{"idx"}},
					{Pipe: sem.PipeMTE2, Reads: []string{"mem"}, Writes: []string{"dst"}},
				},
				Events: 1,
			}
		}
	}
	return nil
}

// transferMacro returns the steps of an instruction that copies data through staging
// tiles: MTE2 fills the tiles from the operand named from, and MTE3 copies them to the
// operand named to. The second staging tile, if any, needs an event of its own.
func transferMacro(op *ir.Op, from, to string) *Macro {
	staging := []string{"ping", "pong"}
	return &Macro{
		Steps: []MacroStep{
			{Pipe: sem.PipeMTE2, Reads: []string{from}, Writes: staging},
			{Pipe: sem.PipeMTE3, Reads: staging, Writes: []string{to}},
		},
		Events: 1 + len(op.Args("pong")), Back: true,
	}
}
