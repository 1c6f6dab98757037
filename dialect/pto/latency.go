// This file attaches published cycle counts to instructions.

package pto

import "ptogo/ir"

// Latency is the published duration of an instruction in cycles, for some element types.
// Unpublished values are empty or 0.
//
// The field A5 contains a number of cycles, or a range, from a simulator of A5: the
// cycles until the result of the instruction is available.
//
// The fields Startup, Completion, PerRepeat and Interval are for A2 and A3. An
// instruction with n repeats of 256 bytes needs about Startup + Completion + n*PerRepeat
// cycles. Interval is the gap in cycles between two instructions. Public pages describe
// Interval as a gap between the repeats of one instruction. We do not follow this
// description because it does not agree with published totals: it would yield 1,295
// cycles for TADD of 64x64 f32, while the published total is 160.
type Latency struct {
	// Elems names the element types or modes to which the numbers apply, or is "" for
	// all.
	Elems                                    string
	A5                                       string
	Startup, Completion, PerRepeat, Interval int
}

// LatencyOf returns the published cycle counts of the instruction that d defines, or nil.
func LatencyOf(d *ir.Def) []Latency {
	if info := InfoOf(d); info != nil {
		return info.Cycles
	}
	return nil
}

// Timed adds published cycle counts to definition d and returns d. The counts come from
// manual pages. If the page of an instruction and the page of its family state different
// counts, definitions use the page of the instruction.
func Timed(d *ir.Def, cycles ...Latency) *ir.Def {
	InfoOf(d).Cycles = cycles
	return d
}

// Issue describes how the vector unit of A5 issues an instruction, according to the
// public simulator (pto-isa include/pto/costmodel/a5/VfSim). For fields that are 0,
// runtime/timing computes a value from the kind of instruction.
type Issue struct {
	// Latency is the number of cycles until the result is in its register.
	Latency int
	// Interval is the number of cycles for which the instruction occupies the special
	// function unit or the memory unit.
	Interval int
	// Forward is the number of cycles after which a following instruction can receive the
	// result by forwarding, before it is in its register.
	Forward int
	// Late is the number of cycles by which this instruction reads the result of an
	// arithmetic instruction later than other instructions do.
	Late int
	// Single reports that only one of the two arithmetic ports of the vector unit can
	// execute the instruction.
	Single bool
}

// IssueOf returns how the vector unit of A5 issues the instruction that d defines, or the
// zero value if it is unknown.
func IssueOf(d *ir.Def) Issue {
	if info := InfoOf(d); info != nil {
		return info.Issue
	}
	return Issue{}
}

// Issued returns the definition d after adding information to it: how the vector unit of
// A5 issues the instruction.
func Issued(i Issue, d *ir.Def) *ir.Def {
	InfoOf(d).Issue = i
	return d
}

// Cycles that several instructions have.
