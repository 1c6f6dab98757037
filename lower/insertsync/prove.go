// This file asks for proofs of the synchronization of functions.

package insertsync

import (
	"fmt"
	"strings"
	"sync"

	"ptogo/dialect/fn"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/term"
	"ptogo/lower/syncproof"
)

// coresOf returns the cores of a block that execute the functions, and whether both vector
// cores do the same work.
func coresOf(cube, vector *ir.Op, target ir.Target) (cores []syncproof.Core, twins bool) {
	if vector != nil {
		cores = append(cores, syncproof.Core{Func: cube, Unit: sem.CubeUnit})
		for n := range sem.VectorCores {
			cores = append(cores, syncproof.Core{Func: vector, Unit: sem.VectorUnit, Vector: n})
		}
		return cores, false
	}
	f := cube
	if !ptoanalysis.Mixed(f) && len(units(f)) == 1 {
		return []syncproof.Core{{Func: f, Unit: ptoanalysis.UnitOf(f)}}, false
	}
	for _, u := range []sem.Unit{sem.CubeUnit, sem.VectorUnit} {
		n := 1
		if u == sem.VectorUnit {
			n = sem.VectorCores
		}
		for i := range n {
			cores = append(cores, syncproof.Core{Func: f, Unit: u, Vector: i})
		}
	}
	return cores, ptoanalysis.PerVectorCore(f) == nil
}

// prove looks for a proof of a kernel, or of a cube kernel and a vector kernel that run
// together.
func prove(cube, vector *ir.Op, target ir.Target, calls map[*ir.Op]bool) syncproof.Result {
	cores, twins := coresOf(cube, vector, target)
	queues := sync.OnceValue(func() *isasync.Queues { return isasync.FindQueues(cube) })
	in := syncproof.Input{
		Target: target, Cores: cores, Twins: twins, Queues: queues(),
		Memory: func(core int, pool *term.Pool, value func(*ir.Value) term.Term) syncproof.Memory {
			return newMemory(pool, value, target, cores[core].Unit, calls, queues)
		},
		Runs: func(core int, op *ir.Op) bool {
			return len(cores) == 1 || runsOn(op, cores[core].Unit, target)
		},
	}
	if vector != nil {
		in.Runs = func(int, *ir.Op) bool { return true }
	}
	return syncproof.Prove(in)
}

// runsOn reports whether a core of the given kind executes op, which can be a section.
func runsOn(op *ir.Op, u sem.Unit, target ir.Target) bool {
	if s, ok := op.Def().Sem.(sem.Scope); ok {
		if on := s.Kind.Unit(); on != sem.AnyUnit {
			return on&u != 0
		}
	}
	if len(op.Regions()) > 0 && op.Def().Sem != any(sem.Scope{Kind: sem.VectorFunction}) || op.Is(fn.Call) {
		return true
	}
	on := ptoanalysis.UnitFor(op, target)
	if on == sem.AnyUnit && sem.SignalOf(op).Ok {
		on = sem.CubeUnit // as in the runtime
	}
	return on&u != 0
}

// partner returns the vector kernel that runs together with f, or nil. It returns the cube
// kernel as the first result.
func partner(team *proof, f *ir.Op) [2]*ir.Op {
	if team == nil {
		return [2]*ir.Op{f, nil}
	}
	return [2]*ir.Op{team.f, team.vector}
}

// proved returns the verdict on a function in which the search for hazards has found none.
func proved(f *ir.Op, team [2]*ir.Op, target ir.Target, calls map[*ir.Op]bool, diags *ir.Diags) (Verdict, string) {
	r := prove(team[0], team[1], target, calls)
	if len(r.Gaps) > 0 {
		for _, g := range r.Gaps {
			d := diags.Add(ir.Remark, g.Op.Loc(), "[sync] not decided: "+g.Text).As(ir.CodeUnproved)
			if g.Other != nil {
				d.Note(g.Other.Loc(), "the other access")
			}
		}
		return NotChecked, fmt.Sprintf("not checked: %s not decided; no hazard elsewhere", ir.Count(len(r.Gaps), "place"))
	}
	if r.Instructions == 0 {
		return NotChecked, "not checked: no examined path accesses memory"
	}
	text := fmt.Sprintf("proved for %s: %s in order", sem.ProfileName(target), ir.Count(r.Instructions, "instruction"))
	if len(r.Assumptions) > 0 {
		text += "; assumes " + strings.Join(r.Assumptions, ", ")
	}
	return Proved, text
}
