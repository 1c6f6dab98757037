// This file attaches published cycle counts to instructions.

package pto

import "ptogo/ir"

// Latency is how many cycles an instruction takes for some element types, as
// the public pages say. On A5, whose numbers come from a simulator, it is the
// cycles until the result is there, perhaps a range. On A2 and A3 an instruction
// over n repeats, of 256 bytes each, takes about
// Startup + Completion + n*PerRepeat; Interval lies between instructions. (Pages
// count it between repeats: that makes 1,295 cycles of the 160 that are published
// for TADD of 64x64 f32.) What no page says is empty or 0.
type Latency struct {
	Elems                                    string // element types or modes; empty for all
	A5                                       string
	Startup, Completion, PerRepeat, Interval int
}

// LatencyOf returns what is known about the cycles of an instruction.
func LatencyOf(d *ir.Def) []Latency {
	if info := InfoOf(d); info != nil {
		return info.Cycles
	}
	return nil
}

// Timed adds the published cycles to a definition. Where pages differ, that of
// the instruction goes before those of its family.
func Timed(d *ir.Def, cycles ...Latency) *ir.Def {
	InfoOf(d).Cycles = cycles
	return d
}

// Issue is how the vector unit of A5 takes an instruction, as the public simulator
// (pto-isa include/pto/costmodel/a5/VfSim) has it. What is 0 follows from the rule
// for instructions of its kind, which runtime/timing has.
type Issue struct {
	Latency  int  // cycles until the result is in its register
	Interval int  // cycles for which it keeps the special function unit, or that of memory
	Forward  int  // cycles until the next instruction can take the result
	Late     int  // cycles by which it needs what arithmetic made later than others do
	Single   bool // only one of the two ports that compute has it
}

// IssueOf returns how the vector unit takes an instruction.
func IssueOf(d *ir.Def) Issue {
	if info := InfoOf(d); info != nil {
		return info.Issue
	}
	return Issue{}
}

// Issued adds how the vector unit takes an instruction to its definition.
func Issued(i Issue, d *ir.Def) *ir.Def {
	InfoOf(d).Issue = i
	return d
}

// Cycles that several instructions have.
