// This file defines the result of a prediction.

package timing

import (
	"cmp"
	"maps"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Result is the prediction for a launch. Times are in cycles of the core clock unless a
// name or comment states another unit.
type Result struct {
	Chip *Chip
	// Cycles is the time from the start of the kernel to its end.
	Cycles float64
	// Micros is the same time in microseconds.
	Micros float64
	// Launch is the additional time of a launch in microseconds.
	Launch float64
	// Floor is the minimum time of a launch in microseconds, including the kernel.
	Floor  float64
	Blocks int
	// Waves is the number of rounds in which the blocks run, if there are more blocks
	// than the chip executes at the same time.
	Waves int
	// Cores is the number of blocks that the chip executes at the same time.
	Cores int
	// Ordered means that the program contains synchronization inside cores.
	Ordered bool
	Kind    Kind
	// Slowest is the name of the core that ends last.
	Slowest string
	Units   []UnitUse
	Paths   []PathUse
	GM      MemoryUse
	// Path is the critical path, divided by cause. The times of all causes add up to
	// Cycles.
	Path []PathPart
	// Classes is the number of cycles of the critical path that depend on each
	// reliability class of constants.
	Classes [numClasses]float64
	Sites   []SiteUse
	// MACs is the number of multiply-accumulate operations of all matrix products.
	MACs float64
	// Rooflines compare the work of each unit with its compute rate and with the rate of
	// global memory.
	Rooflines []Roofline
	// Ranks are the times of the ranks, if there are several.
	Ranks []RankUse

	replay *replay
}

// UnitUse is the activity of all cores of one type (cube or vector), averaged over the
// cores that worked.
type UnitUse struct {
	Unit  string
	Cores int
	Pipes []PipeUse
}

// PipeUse is the busy and idle time of one pipe, averaged over all cores of one type.
type PipeUse struct {
	Pipe sem.Pipe
	Name string
	// Busy is the number of cycles in which the pipe executed instructions.
	Busy float64
	// Flying is the number of cycles in which at least one started instruction was not
	// complete. Profilers report this number.
	Flying float64
	// Share is Busy divided by the time of the kernel.
	Share float64
	// Items is the number of executed instructions.
	Items int
	Idle  []IdleUse
}

// IdleUse is the total time in which a pipe was idle for a certain reason, the field Why.
type IdleUse struct {
	Why    string
	Cycles float64
	// Share is the idle time divided by the time of the kernel.
	Share float64
}

// PathUse is the traffic from one memory to another, summed over all cores. Name is of
// the form "A to B".
type PathUse struct {
	Name  string
	Bytes float64
	// Rate is in TB/s, averaged over the time of the kernel.
	Rate float64
}

// MemoryUse is the traffic of global memory and of the L2 cache, in bytes. TBs is the
// rate in TB/s.
type MemoryUse struct {
	Bytes, Hits, Misses, WrittenBack float64
	TBs                              float64
	HitShare                         float64
}

// PathPart is the time on the critical path that has one common cause, such as one pipe
// or one kind of wait.
type PathPart struct {
	What   string
	Cycles float64
	Share  float64
}

// SiteUse is the time of one instruction of the program, summed over its executions.
type SiteUse struct {
	Loc string
	Op  string
	// OnPath is the number of cycles of the instruction on the critical path.
	OnPath float64
	// Busy is the number of cycles of the instruction, summed over all cores.
	Busy  float64
	Count int
	// Share is OnPath divided by the length of the critical path.
	Share float64
}

// Clock returns the core clock in MHz.
func (r *Result) Clock() float64 { return r.Chip.clock() }

// Total returns the predicted time of the launch in microseconds, including the launch
// overhead.
func (r *Result) Total() float64 { return max(r.Micros+r.Launch, r.Floor) }

// PipeName returns the name that profilers use for pipe p, for example "SCALAR".
func PipeName(p sem.Pipe) string {
	switch p {
	case sem.PipeS:
		return "SCALAR"
	case sem.PipeV, sem.PipeV2:
		return "VECTOR"
	case sem.PipeM:
		return "CUBE"
	case sem.PipeFix:
		return "FIXP"
	}
	return p.String()[len("PIPE_"):]
}

// result returns the prediction for the launch, computed from the start and end times of
// all items.
func (p *replay) result() *Result {
	res := &Result{
		Chip: p.chip, Blocks: p.r.launch.Blocks, Ordered: p.r.ordered, replay: p,
		Launch: p.chip.num("launch"), Floor: p.chip.num("launch.floor"), Cores: places(p.r, p.chip),
	}
	last := int32(-1)
	for i := range p.cores {
		if c := &p.cores[i]; c.end > res.Cycles || last < 0 && c.last >= 0 {
			res.Cycles, last = c.end, c.last
		}
	}
	res.Waves = (res.Blocks + p.slots - 1) / max(p.slots, 1)
	res.Micros = res.Cycles / p.chip.clock()
	if last >= 0 {
		core := &p.r.launch.Cores[p.r.items[last].core]
		res.Slowest = core.String()
		if res.Blocks > 1 {
			res.Slowest += " of block " + itoa(core.Block)
		}
		if p.r.launch.Ranks > 1 {
			res.Slowest += " of rank " + itoa(core.Rank)
		}
	}
	p.units(res)
	p.paths(res)
	res.Ranks = p.ranks()
	res.Rooflines = p.rooflines(res)
	res.Path = p.criticalPath(res, last)
	p.sites(res)
	res.Kind = p.kind(res)
	return res
}

// idleReason is the reason why a pipe was idle, with the pipe that it waited for.
type idleReason struct {
	why  Reason
	pipe sem.Pipe
}

// unitPipe identifies a pipe of one type of core, for example pipe MTE2 of the vector
// cores. It is a map key.
type unitPipe struct {
	unit sem.Unit
	pipe sem.Pipe
}

// unitTotals are sums over the cores of each type: the activity of their pipes, the
// number of cores that worked, and the multiply-accumulate operations.
type unitTotals struct {
	pipes map[unitPipe]*pipeTotals
	cores map[sem.Unit]int
	macs  float64
}

// pipeTotals sums the busy and idle time of one pipe over all cores of one type.
type pipeTotals struct {
	busy, flying float64
	items        int
	idle         map[idleReason]float64
}

// totalsOf returns the totals of pipe k of the unit, such as its idle time. It creates
// them on first use.
func (u *unitTotals) totalsOf(k unitPipe) *pipeTotals {
	t := u.pipes[k]
	if t == nil {
		t = &pipeTotals{idle: map[idleReason]float64{}}
		u.pipes[k] = t
	}
	return t
}

// units computes the busy and idle times of the pipes of all cores, and stores them in
// res.
func (p *replay) units(res *Result) {
	all := unitTotals{pipes: map[unitPipe]*pipeTotals{}, cores: map[sem.Unit]int{}}
	for i := range p.cores {
		p.addCore(&all, i)
	}
	res.MACs += all.macs
	for _, unit := range slices.Sorted(maps.Keys(all.cores)) {
		u := UnitUse{Unit: unitName(unit), Cores: all.cores[unit]}
		per := 1 / float64(min(all.cores[unit], res.slotsOf(p, unit)))
		for k := range pipes {
			if t := all.pipes[unitPipe{unit, sem.Pipe(k)}]; t != nil && t.items > 0 {
				u.Pipes = append(u.Pipes, t.use(sem.Pipe(k), per, res.Cycles))
			}
		}
		slices.SortStableFunc(u.Pipes, func(a, b PipeUse) int { return cmp.Compare(b.Busy, a.Busy) })
		res.Units = append(res.Units, u)
	}
}

// addCore adds the activity of the pipes of one core to the totals of its core type,
// which the parameter all contains.
func (p *replay) addCore(all *unitTotals, core int) {
	c, unit := &p.cores[core], p.r.launch.Cores[core].Unit
	worked := false
	var free, done [pipes]float64
	begin := p.blockBegin(c)
	for k := range free {
		free[k] = begin
	}
	for _, n := range c.items {
		it := &p.r.items[n]
		pipe := it.pipe
		if int(pipe) >= pipes || pipe == sem.PipeAll {
			pipe = sem.PipeS
		}
		t, f := all.totalsOf(unitPipe{unit, pipe}), &free[pipe]
		if gap := p.start[n] - *f; gap > 0 && it.kind != signalItem {
			t.idle[p.idleReason(n)] += gap
		}
		if it.kind == workItem {
			worked = true
			t.items++
			t.busy += p.free[n] - max(p.start[n], *f)
			t.flying += max(p.done[n]-max(p.start[n], done[pipe]), 0)
			done[pipe] = max(done[pipe], p.done[n])
			if p.r.works[it.work].op.Def().Sem != nil {
				all.macs += p.macs(&p.r.works[it.work])
			}
		}
		*f = max(*f, p.free[n])
	}
	if !worked {
		return
	}
	all.cores[unit]++
	for k := range free {
		if t := all.pipes[unitPipe{unit, sem.Pipe(k)}]; t != nil && c.end > free[k] {
			t.idle[idleReason{numReasons, sem.NoPipe}] += c.end - free[k]
		}
	}
}

// use converts the totals of a pipe over all cores of one type to averages. per is the
// reciprocal of the number of these cores, so each total is multiplied by it. cycles is
// the time of the kernel in cycles, from which use computes shares.
func (t *pipeTotals) use(pipe sem.Pipe, per, cycles float64) PipeUse {
	use := PipeUse{Pipe: pipe, Name: PipeName(pipe), Busy: t.busy * per, Flying: t.flying * per, Items: t.items}
	use.Share = share(use.Busy, cycles)
	for why, c := range t.idle {
		if s := share(c*per, cycles); s > 0.0005 {
			use.Idle = append(use.Idle, IdleUse{why.String(), c * per, s})
		}
	}
	slices.SortFunc(use.Idle, func(a, b IdleUse) int {
		return cmp.Or(cmp.Compare(b.Cycles, a.Cycles), cmp.Compare(a.Why, b.Why))
	})
	return use
}

// slotsOf returns the number of cores of the given type that run at the same time in the
// replay p.
func (r *Result) slotsOf(p *replay, unit sem.Unit) int {
	per := 1
	if unit == sem.VectorUnit && len(p.r.launch.Cores) > 0 {
		per = 0
		for i := range p.r.launch.Cores {
			if c := &p.r.launch.Cores[i]; c.Index == 0 && c.Unit == unit {
				per++
			}
		}
	}
	return p.slots * max(per, 1) * p.r.launch.Ranks
}

// unitName returns the name of a core type in reports.
func unitName(u sem.Unit) string {
	switch u {
	case sem.CubeUnit:
		return "cube cores"
	case sem.VectorUnit:
		return "vector cores"
	}
	return "cores"
}

// blockBegin returns the time in the replay at which core c started the current block.
func (p *replay) blockBegin(c *coreState) float64 {
	if len(c.items) == 0 {
		return 0
	}
	return p.issued[c.items[0]] - p.issue
}

// idleReason returns the reason why the replay could not start item n earlier, together
// with the pipe whose work delayed the item.
func (p *replay) idleReason(n int32) idleReason {
	r := idleReason{p.why[n], sem.NoPipe}
	if by := p.by[n]; by >= 0 && r.why != Issued && r.why != Launched {
		r.pipe = p.r.items[by].pipe
		if p.r.items[by].core != p.r.items[n].core && r.why < CrossCore {
			r.why = CrossCore
		}
	}
	return r
}

// String returns a short description of the reason why a pipe was idle, for reports.
func (r idleReason) String() string {
	on := ""
	if r.pipe != sem.NoPipe && int(r.pipe) < pipes {
		on = PipeName(r.pipe)
	}
	switch r.why {
	case numReasons:
		return "nothing left to do"
	case Issued:
		return "issue"
	case Launched:
		return "block before"
	case FlagFree, DataFree:
		return "wait " + on + " (slot free)"
	case FlagFull, DataFull:
		return "wait " + on + " (data)"
	case BarrierMet:
		return "barrier"
	case PipeBusy:
		return "pipe"
	}
	return "wait " + r.why.String()
}

// share returns the fraction that the parameter part is of the total in the parameter
// all. It returns 0 if the total is 0.
func share(part, all float64) float64 {
	if all <= 0 {
		return 0
	}
	return part / all
}

// macs returns the number of multiply-accumulate operations of a matrix product, and 0
// for other instructions.
func (p *replay) macs(w *work) float64 {
	if w.pipe != sem.PipeM {
		return 0
	}
	m, n, k, _ := w.factors()
	return float64(m) * float64(n) * float64(k)
}

// paths computes the traffic between each pair of memories and stores it in res.
func (p *replay) paths(res *Result) {
	bytes := map[string]float64{}
	for i := range p.r.items {
		it := &p.r.items[i]
		w := &p.r.works[it.work]
		if it.kind != workItem {
			continue
		}
		switch {
		case it.move >= 0:
			m, global := &p.r.moves[it.move], "GM"
			if m.far {
				global = "link"
			} else {
				res.GM.Bytes += float64(m.bytes)
			}
			name := memoryName(w.src) + " to " + global
			if !m.write {
				name = global + " to " + memoryName(w.dst)
			}
			bytes[name] += float64(m.bytes)
		case w.src != sem.NoSpace && w.dst != sem.NoSpace && w.src != w.dst && w.pipe != sem.PipeM && w.pipe != sem.PipeV:
			bytes[memoryName(w.src)+" to "+memoryName(w.dst)] += float64(w.bytes)
		}
	}
	seconds := res.Micros * 1e-6
	for _, name := range slices.Sorted(maps.Keys(bytes)) {
		res.Paths = append(res.Paths, PathUse{name, bytes[name], share(bytes[name]*1e-12, seconds)})
	}
	for _, g := range p.gm {
		res.GM.Hits, res.GM.Misses, res.GM.WrittenBack = res.GM.Hits+g.hits, res.GM.Misses+g.misses, res.GM.WrittenBack+g.back
	}
	res.GM.HitShare = share(res.GM.Hits, res.GM.Hits+res.GM.Misses)
	res.GM.TBs = share(res.GM.Bytes*1e-12, seconds)
}

// memoryName returns the name of a memory space in data sheets, for example "L0A".
func memoryName(s sem.Space) string {
	return [...]string{"?", "GM", "L1", "L0A", "L0B", "L0C", "UB", "BT", "FB"}[min(int(s), 8)]
}

// sites computes the total time of each instruction of the program, and stores these
// times in res.
func (p *replay) sites(res *Result) {
	type key struct{ op *ir.Op }
	at := map[key]*SiteUse{}
	site := func(n int32) *SiteUse {
		w := &p.r.works[p.r.items[n].work]
		s := at[key{w.op}]
		if s == nil {
			s = &SiteUse{Loc: w.op.Loc().String(), Op: w.op.Name()}
			at[key{w.op}] = s
		}
		return s
	}
	for i := range p.r.items {
		if p.r.items[i].kind == workItem && p.start[i] >= 0 {
			s := site(int32(i))
			s.Count++
			s.Busy += p.free[i] - p.start[i]
		}
	}
	for _, seg := range p.path {
		if seg.item >= 0 {
			site(seg.item).OnPath += seg.to - seg.from
		}
	}
	for _, s := range at {
		s.Share = share(s.OnPath, res.Cycles)
		res.Sites = append(res.Sites, *s)
	}
	slices.SortFunc(res.Sites, func(a, b SiteUse) int {
		return cmp.Or(cmp.Compare(b.OnPath, a.OnPath), cmp.Compare(b.Busy, a.Busy), cmp.Compare(a.Loc, b.Loc), cmp.Compare(a.Op, b.Op))
	})
}

// Instruction returns the total cycles of all executions of instructions with the given
// name. The time of an execution is from its start until its result is available.
func (r *Result) Instruction(name string) (cycles float64) {
	p := r.replay
	for i := range p.r.items {
		if it := &p.r.items[i]; it.kind == workItem && p.r.works[it.work].op.Name() == name {
			cycles += p.done[i] - p.start[i]
		}
	}
	return cycles
}
