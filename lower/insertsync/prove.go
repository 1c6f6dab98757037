// This file asks for proofs of the synchronization of functions.

package insertsync

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
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
	if !ptoanalysis.Mixed(f) && len(ptoanalysis.CoresOf([]*ir.Op{f}, target)) == 1 {
		return []syncproof.Core{{Func: f, Unit: ptoanalysis.WorkUnit(f)}}, false
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
	return cores, ptoanalysis.PerVectorCore(f) == nil && !differ(f)
}

// prove looks for a proof of a kernel, or of a cube kernel and a vector kernel that run
// together. If explain is set, the proof records its arguments.
func prove(cube, vector *ir.Op, target ir.Target, calls map[*ir.Op]bool, explain bool) syncproof.Result {
	in := proofInput(cube, vector, target, calls)
	in.Explain = explain
	return syncproof.Prove(in)
}

// ProofInput returns what the proof of kernel f, which runs alone, is about.
func ProofInput(f *ir.Op, target ir.Target) syncproof.Input {
	return proofInput(f, nil, target, busy(f.Root()))
}

// proofInput returns what the proof of a kernel, or of two kernels, is about.
func proofInput(cube, vector *ir.Op, target ir.Target, calls map[*ir.Op]bool) syncproof.Input {
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
	return in
}

// runsOn reports whether a core of the given kind executes op, which can be a section.
func runsOn(op *ir.Op, u sem.Unit, target ir.Target) bool {
	if s, ok := op.Def().Sem.(sem.Scope); ok {
		if on := s.Kind.Unit(); on != sem.AnyUnit {
			return on&u != 0
		}
	}
	if f := ptoanalysis.CalleeOf(op); f != nil && op.Is(fn.Call) {
		on := ptoanalysis.CalledUnit(op.ParentOf(fn.Func), f)
		return on == sem.AnyUnit || on&u != 0
	}
	if len(op.Regions()) > 0 && op.Def().Sem != any(sem.Scope{Kind: sem.VectorFunction}) {
		return true
	}
	on := ptoanalysis.UnitFor(op, target)
	if on == sem.AnyUnit && sem.SignalOf(op).Ok {
		on = sem.CubeUnit // as in the runtime
	}
	return on&u != 0
}

// verification is the state of Verify for a module.
type verification struct {
	target func(*ir.Op) ir.Target
	mode   Mode
	calls  map[*ir.Op]bool
	diags  *ir.Diags
	// teams are pairs of a cube kernel and a vector kernel that run together.
	teams map[*ir.Op][2]*ir.Op
	// proofs are the proofs of kernels and, by cube kernel, of teams.
	proofs map[*ir.Op]syncproof.Result
	known  map[*ir.Op][]*echo
	// told are the cube kernels of teams whose arguments have been reported.
	told map[*ir.Op]bool
	// between are the searches for hazards between the cores of teams, by cube kernel.
	between map[*ir.Op]*proof
}

// proof returns the proof of f, and of the kernel that runs together with it.
func (v *verification) proof(f *ir.Op) syncproof.Result {
	team, ok := v.teams[f]
	if !ok {
		team = [2]*ir.Op{f, nil}
	}
	r, done := v.proofs[team[0]]
	if !done {
		r = prove(team[0], team[1], v.target(f), v.calls, v.mode == Certificate)
		for _, k := range team {
			if k != nil {
				r.Gaps = append(r.Gaps, faults(k, v.target(k), isasync.FindQueues(k))...)
			}
		}
		v.proofs[team[0]] = r
	}
	return r
}

// function returns the verdict on a function. It first looks for a proof. Without one, a
// search for hazards follows single paths, and explains what it finds.
func (v *verification) function(f *ir.Op) (Verdict, string) {
	r := v.proof(f)
	if len(r.Gaps) == 0 {
		return v.proved(f, r)
	}
	p := newProof(f, v.target(f), v.calls)
	p.echoes = v.known[f]
	p.run()
	p.confirm(r)
	between := v.betweenCores(f, r)
	p.tell(v.diags)
	switch n := len(p.list) - p.undecided(); {
	case p.faulty():
		return Hazard, fmt.Sprintf("hazard: %s", ir.Count(n, "report"))
	case between != nil && between.faulty():
		return Hazard, "hazard: " + ir.Count(len(between.list)-between.undecided(), "report") + " between cores"
	}
	return NotChecked, fmt.Sprintf("not checked: %s not decided; no hazard elsewhere", ir.Count(max(p.undecided(), 1), "place"))
}

// proved returns the verdict on a function whose proof succeeded.
func (v *verification) proved(f *ir.Op, r syncproof.Result) (Verdict, string) {
	if r.Instructions == 0 {
		return NotChecked, "not checked: no examined path accesses memory"
	}
	cores := "one core"
	switch n := r.Cores; {
	case v.teams[f][1] != nil:
		cores = "one core, and against the other cores of its block"
	case n > 1:
		cores = "a cube core and two vector cores"
	}
	if r.Blocks {
		cores += ", and between blocks"
	}
	if v.mode == Certificate && !v.told[v.teams[f][0]] {
		v.told[v.teams[f][0]] = v.teams[f][0] != nil
		for _, a := range r.Arguments {
			v.diags.Add(ir.Remark, a.Second.Loc(), fmt.Sprintf("[sync] argument: '%s' and '%s' in %s: %s", a.Second.Name(), a.First.Name(), a.First.Loc().Line(), a.Text)).As(ir.CodeUnproved)
		}
	}
	text := fmt.Sprintf("proved for %s of %s: %s in order", cores, sem.ProfileName(v.target(f)), ir.Count(r.Instructions, "instruction"))
	if len(r.Assumptions) > 0 {
		text += "; assumes " + strings.Join(r.Assumptions, ", ")
	}
	if slices.ContainsFunc(ptoanalysis.Reached([]*ir.Op{f}), pto.IsSimtEntry) {
		text += "; the order between the work items of a launch is not examined"
	}
	return Proved, text
}

// betweenCores looks for hazards between the cores of the team of f. It returns nil if f
// is not in a team.
func (v *verification) betweenCores(f *ir.Op, r syncproof.Result) *proof {
	team, ok := v.teams[f]
	if !ok {
		return nil
	}
	p, done := v.between[team[0]]
	if !done {
		p = newTeamProof(team[0], team[1], v.target(f), v.calls)
		p.run()
		p.confirm(r)
		p.tell(v.diags)
		v.between[team[0]] = p
	}
	return p
}

// excluded are the classes of findings about flags and tokens that cannot occur if the proof
// has followed all paths.
var excluded = map[string]bool{"never": true, "twice": true, "left": true, "held": true, "not held": true, "reuse": true, "unheard": true}

// confirm removes the hazards that the proof r excludes: if it has followed all paths, it
// has an argument for every pair of accesses that is not among its gaps. The undecided
// places become those of r.
func (p *proof) confirm(r syncproof.Result) {
	open := map[[2]*ir.Op]bool{}
	complete := r.Complete()
	for _, g := range r.Gaps {
		if g.Kind != syncproof.BetweenBlocks {
			open[[2]*ir.Op{g.Op, g.Other}], open[[2]*ir.Op{g.Other, g.Op}] = true, true
		}
	}
	told := map[*ir.Op]bool{}
	var kept []*finding
	for k, f := range p.found {
		switch {
		case f.undecided && f.check != "race":
		case complete && k.other != nil && f.check == "race" && k.class != "announced" && !open[[2]*ir.Op{k.op, k.other}]:
		case complete && excluded[k.class]:
		default:
			kept = append(kept, f)
			told[k.op] = true
		}
	}
	slices.SortStableFunc(kept, func(a, b *finding) int { return slices.Index(p.list, a) - slices.Index(p.list, b) })
	p.list = kept
	for _, g := range r.Gaps {
		if told[g.Op] {
			continue
		}
		p.undecide(g.Op, "proof", "%s", g.Text)
		if f := p.found[findingKey{g.Op, nil, "proof"}]; f != nil && g.Other != nil {
			f.Notes = append([]ir.Note{{Loc: g.Other.Loc(), Text: "the other access is here"}}, f.Notes...)
		}
	}
}
