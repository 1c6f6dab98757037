// This file lists the ordering rules of each target.

package order

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Rules define which accesses are ordered on a target. Public sources do not agree about
// some guarantees of the hardware; a user can choose whether the rules rely on them.
type Rules struct {
	Target ir.Target
	// inOrder reports for each timeline whether its instructions execute one after the
	// other.
	inOrder [NumLines]bool
	// loadsInOrder reports that two writes to local memory by pipe MTE2 (loads from
	// global memory) are ordered.
	loadsInOrder bool
	// scopesRace reports that a vecscope, a sequence of vector instructions, may start
	// before the previous vecscope has ended.
	scopesRace bool
	// flagsCross reports that a flag between a pipe of one core and a pipe of another
	// core works.
	flagsCross bool
}

// RulesOf returns the default rules of target t.
//
// sem.Pipe.InOrder lists the in-order pipes. The scalar unit's own accesses are in order
// on all targets.
//
// The rules assume that MTE2, the pipe of loads from global memory, writes to local
// memory in order. PTOAS (issue 667) and kernels that run on devices rely on it. The
// documentation only states that stores to global memory, the opposite direction, are in
// order (PTOAS:docs/isa/micro-isa/01-pipeline-sync.md).
func RulesOf(t ir.Target) *Rules {
	r := &Rules{Target: t, loadsInOrder: true}
	for l := range NumPipes {
		r.inOrder[l] = l.Pipe().InOrder(t)
	}
	return r
}

// InOrder reports whether an instruction of timeline l starts only when the earlier
// instructions of l are complete.
func (r *Rules) InOrder(l Line) bool { return r.inOrder[l] }

// StallsIssue reports whether a wait for another core stops the scalar unit and thereby
// the issue of all later instructions, as wait_flag_dev does on A2/A3. If the result is
// false, as on A5, the wait stops only the pipe that the instruction names.
func (r *Rules) StallsIssue() bool { return r.Target != sem.A5 }

// OrderedWrites reports whether two writes of timeline l (for example, of a pipe) are
// always ordered, although other instructions of l may execute out of order.
func (r *Rules) OrderedWrites(l Line) bool { return l == MTE2 && r.loadsInOrder }

// FlagsCross reports whether a flag may connect a pipe of the cube core with one of a
// vector core. The NPU headers use signals for this purpose, and each core has separate
// flags. However, one test of the public compiler splits a flag between the two cores of
// A5 (PTOAS:test/lit/vpto/normalize_uncovered_cross_core_flags.pto).
func (r *Rules) FlagsCross() bool { return r.flagsCross }

// SetStrict removes from the rules all guarantees that public sources dispute or do not
// document.
func (r *Rules) SetStrict() { r.loadsInOrder, r.scopesRace = false, true }

// OrderedScopes reports whether a vecscope, a sequence of vector instructions, starts
// only when the previous vecscope of the same core has ended.
//
// We assume this order because Pipe V of A5 executes in order, and A5 has no barrier of V
// that could order two scopes. The vendor's compiler for A5 rejects pipe_barrier(PIPE_V),
// and PTOAS drops such barriers (issues 719 and 906, closed).
//
// Later issues report overlapping accesses in the model of the vendor, and wrong results
// on a device (issues 866, 869). They do not contradict the assumption: a pass had merged
// two scopes into one, and loads and stores within one scope need mem_bar. No public
// source reports overlapping accesses of separate scopes. The strict rules do not assume
// the order of scopes anyway.
func (r *Rules) OrderedScopes() bool { return !r.scopesRace }

// assumptions are the changes of the default rules that a user can request. The field doc
// may be empty: the description of the next assumption is then valid for both.
var assumptions = []struct {
	name, doc string
	drops     bool // whether the name drops an assumption of the default rules
	set       func(r *Rules)
}{
	{"v-order", "", false, func(r *Rules) { r.inOrder[Vector] = true }},
	{"m-order", "", false, func(r *Rules) { r.inOrder[Cube] = true }},
	{"mte1-order", "", false, func(r *Rules) { r.inOrder[MTE1] = true }},
	{"mte2-order", "", false, func(r *Rules) { r.inOrder[MTE2] = true }},
	{"mte3-order", "", false, func(r *Rules) { r.inOrder[MTE3] = true }},
	{"fix-order", "the pipe in the name starts an instruction only after its previous one has ended", false, func(r *Rules) { r.inOrder[Fix] = true }},
	{"no-scope-order", "a vecscope may start before the previous vecscope of the core has ended", true, func(r *Rules) { r.scopesRace = true }},
	{"core-flags", "a flag between pipes of different cores reaches the other core", false, func(r *Rules) { r.flagsCross = true }},
	{"no-order", "no pipe executes its instructions in order", true, func(r *Rules) {
		for l := Vector; l < NumLines; l++ {
			r.inOrder[l] = false
		}
		r.loadsInOrder = false
	}},
}

// DescribeAssumptions returns two lists of names that Assume accepts, with their meanings:
// adds contains the names that add an assumption, and drops those that drop one.
func DescribeAssumptions() (adds, drops string) {
	for _, a := range assumptions {
		list := &adds
		if a.drops {
			list = &drops
		}
		if *list != "" {
			*list += ", "
		}
		*list += a.name
		if a.doc != "" {
			*list += " (" + a.doc + ")"
		}
	}
	return adds, drops
}

// Assumptions lists the names of guarantees that Assume accepts.
func Assumptions() []string {
	var names []string
	for _, a := range assumptions {
		names = append(names, a.name)
	}
	return names
}

// Assume adds the guarantee with the given name to the rules. It returns an error if the
// name is unknown.
func (r *Rules) Assume(name string) error {
	i := slices.Index(Assumptions(), name)
	if i < 0 {
		return fmt.Errorf("unknown assumption '%s': expected %s", name, strings.Join(Assumptions(), ", "))
	}
	assumptions[i].set(r)
	return nil
}

// Contested returns a text for reports of races between two instructions of timeline l.
// The text describes why public sources disagree on whether such instructions are
// ordered. It is "" if the sources agree.
func (r *Rules) Contested(l Line, bothWrite bool) string {
	switch {
	case l == MTE2 && bothWrite:
		return "PTOAS assumes that MTE2 keeps the order of its loads, and kernels on devices rely on it, but no public document guarantees it"
	case r.Target == sem.A5:
		return ""
	case l == Cube:
		return "public sources state that hardware orders products in one accumulator, but PTOAS inserts barriers there (--check-assume=m-order)"
	case l == MTE1:
		return "no public document states that MTE1 is in order on A2/A3 (--check-assume=mte1-order)"
	case l == Fix:
		return "no public document states that FIX is in order on A2/A3 (--check-assume=fix-order)"
	}
	return ""
}

// HasPipe reports whether cores of type u have pipe p on the target.
func (r *Rules) HasPipe(u sem.Unit, p sem.Pipe) bool { return p.Unit(r.Target)&u != 0 }

// CoreSignals returns the names of the instructions with which a core raises a signal for
// another core of its block, and waits for one.
func (r *Rules) CoreSignals() (set, wait string) {
	if r.StallsIssue() {
		return "pto.sync.set", "pto.sync.wait"
	}
	return "pto.set_intra_block", "pto.wait_intra_block"
}
