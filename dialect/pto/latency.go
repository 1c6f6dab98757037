// This file attaches published cycle counts to instructions.

package pto

import "ptogo/ir"

// Latency is the published duration of an instruction in cycles, for some element types.
// On A5, where the numbers come from a simulator, it is the number of cycles until the
// result is available, or a range. On A2 and A3, an instruction with n repeats of 256
// bytes takes about Startup + Completion + n*PerRepeat cycles; Interval is the gap
// between instructions. (Public pages apply the interval between repeats instead, which
// yields 1,295 cycles instead of the 160 that are published for TADD of 64x64 f32.)
// Unpublished values are empty or 0.
type Latency struct {
	// Elems are the element types or modes, or "" for all.
	Elems                                    string
	A5                                       string
	Startup, Completion, PerRepeat, Interval int
}

// LatencyOf returns the published cycles of an instruction.
func LatencyOf(d *ir.Def) []Latency {
	if info := InfoOf(d); info != nil {
		return info.Cycles
	}
	return nil
}

// Timed adds published cycles to a definition. If pages disagree, the page of the
// instruction has precedence over that of its family.
func Timed(d *ir.Def, cycles ...Latency) *ir.Def {
	InfoOf(d).Cycles = cycles
	return d
}

// Issue describes how the vector unit of A5 executes an instruction, according to the
// public simulator (pto-isa include/pto/costmodel/a5/VfSim). For fields that are 0,
// runtime/timing applies a rule for the kind of instruction.
type Issue struct {
	// Latency is the number of cycles until the result is in its register.
	Latency int
	// Interval is the number of cycles for which the instruction occupies the special
	// function unit or the memory unit.
	Interval int
	// Forward is the number of cycles after which the next instruction can receive the
	// result.
	Forward int
	// Late is the number of cycles by which the instruction needs a result of arithmetic
	// later than other instructions do.
	Late int
	// Single reports that only one of the two compute ports executes the instruction.
	Single bool
}

// IssueOf returns how the vector unit executes an instruction.
func IssueOf(d *ir.Def) Issue {
	if info := InfoOf(d); info != nil {
		return info.Issue
	}
	return Issue{}
}

// Issued adds an Issue to a definition.
func Issued(i Issue, d *ir.Def) *ir.Def {
	InfoOf(d).Issue = i
	return d
}

// Cycles that several instructions have.
