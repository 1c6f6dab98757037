// This file defines the result of a prediction.

package timing

import (
	"cmp"
	"maps"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Result is a prediction. Times are in cycles of the core clock unless a name
// says otherwise.
type Result struct {
	Chip   *Chip
	Cycles float64 // from the begin of the kernel to its end
	Micros float64 // the same, in microseconds
	Launch float64 // microseconds that launching takes on top
	Floor  float64 // microseconds: no launch is shorter, all in all
	Blocks int
	Waves  int
	Cores  int // places for blocks on the chip
	// Ordered means that the program orders its pipes itself.
	Ordered bool
	Kind    Kind
	Slowest string // the core that ends last
	Units   []UnitUse
	Paths   []PathUse
	GM      MemoryUse
	// Path says what the critical path is made of; the parts add up to Cycles.
	Path []PathPart
	// Classes is the part of the critical path that rests on each class of
	// constants.
	Classes [numClasses]float64
	Sites   []SiteUse
	MACs    float64 // multiplications of all products
	// Rooflines compare each unit with the bounds of computing and of global memory.
	Rooflines []Roofline

	replay *replay
}

// UnitUse is what the pipes of the cube cores, or of the vector cores, did: on
// average over those that worked.
type UnitUse struct {
	Unit  string
	Cores int
	Pipes []PipeUse
}

// PipeUse is what a pipe did.
type PipeUse struct {
	Pipe sem.Pipe
	Name string
	Busy float64 // cycles
	// Flying is the time for which something that it began was not over, as counters of profilers have it.
	Flying float64
	Share  float64 // Busy, of the time of the kernel
	Items  int
	Idle   []IdleUse
}

// IdleUse is time in which a pipe was idle, with the reason.
type IdleUse struct {
	Why    string
	Cycles float64
	Share  float64 // of the time of the kernel
}

// PathUse is what went between two memories.
type PathUse struct {
	Name  string
	Bytes float64
	Rate  float64 // TB/s over the time of the kernel
}

// MemoryUse is what global memory and its cache did.
type MemoryUse struct {
	Bytes, Hits, Misses, WrittenBack float64
	TBs                              float64
	HitShare                         float64
}

// PathPart is a part of the critical path.
type PathPart struct {
	What   string
	Cycles float64
	Share  float64
}

// SiteUse is a line of the program.
type SiteUse struct {
	Loc    string
	Op     string
	OnPath float64 // cycles of the critical path
	Busy   float64 // cycles on all cores
	Count  int
	Share  float64 // of the critical path
}

// Clock is in cycles per microsecond.
func (r *Result) Clock() float64 { return r.Chip.clock() }

// Total is the time of the launch in microseconds.
func (r *Result) Total() float64 { return max(r.Micros+r.Launch, r.Floor) }

// PipeName names a pipe as profilers do.
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

// result summarizes a replay.
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
	}
	p.units(res)
	p.paths(res)
	res.Rooflines = p.rooflines(res)
	res.Path = p.criticalPath(res, last)
	p.sites(res)
	res.Kind = p.kind(res)
	return res
}

// idleReason is why a pipe waited, and for which pipe.
type idleReason struct {
	why  Reason
	pipe sem.Pipe
}

// unitPipe is a pipe of the cores of a unit.
type unitPipe struct {
	unit sem.Unit
	pipe sem.Pipe
}

// unitTotals are sums over the cores of units: what their pipes did, and how many
// cores worked at all.
type unitTotals struct {
	pipes map[unitPipe]*pipeTotals
	cores map[sem.Unit]int
	macs  float64
}

type pipeTotals struct {
	busy, flying float64
	items        int
	idle         map[idleReason]float64
}

// totalsOf returns the totals of a pipe.
func (u *unitTotals) totalsOf(k unitPipe) *pipeTotals {
	t := u.pipes[k]
	if t == nil {
		t = &pipeTotals{idle: map[idleReason]float64{}}
		u.pipes[k] = t
	}
	return t
}

// units finds what pipes did.
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

// addCore adds what the pipes of a core did.
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

// use is what a pipe did, per core of those that work side by side.
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

// slotsOf is how many cores of a unit work side by side.
func (r *Result) slotsOf(p *replay, unit sem.Unit) int {
	per := 1
	if unit == sem.VectorUnit && len(p.r.launch.Cores) > 0 {
		per = 0
		for i := range p.r.launch.Cores {
			if c := &p.r.launch.Cores[i]; c.Block == 0 && c.Unit == unit {
				per++
			}
		}
	}
	return p.slots * max(per, 1)
}

func unitName(u sem.Unit) string {
	switch u {
	case sem.CubeUnit:
		return "cube cores"
	case sem.VectorUnit:
		return "vector cores"
	}
	return "cores"
}

// blockBegin is when the block of a core began.
func (p *replay) blockBegin(c *coreState) float64 {
	if len(c.items) == 0 {
		return 0
	}
	return p.issued[c.items[0]] - p.issue
}

// idleReason returns why item n did not start earlier.
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

// String describes briefly what a pipe waited for.
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

func share(part, all float64) float64 {
	if all <= 0 {
		return 0
	}
	return part / all
}

// macs is how many multiplications a product has.
func (p *replay) macs(w *work) float64 {
	if w.pipe != sem.PipeM {
		return 0
	}
	m, n, k, _ := w.factors()
	return float64(m) * float64(n) * float64(k)
}

// paths finds what went between memories.
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
			m := &p.r.moves[it.move]
			name := memoryName(w.src) + " to GM"
			if !m.write {
				name = "GM to " + memoryName(w.dst)
			}
			bytes[name] += float64(m.bytes)
			res.GM.Bytes += float64(m.bytes)
		case w.src != sem.NoSpace && w.dst != sem.NoSpace && w.src != w.dst && w.pipe != sem.PipeM && w.pipe != sem.PipeV:
			bytes[memoryName(w.src)+" to "+memoryName(w.dst)] += float64(w.bytes)
		}
	}
	seconds := res.Micros * 1e-6
	for _, name := range slices.Sorted(maps.Keys(bytes)) {
		res.Paths = append(res.Paths, PathUse{name, bytes[name], share(bytes[name]*1e-12, seconds)})
	}
	g := p.gm
	res.GM.Hits, res.GM.Misses, res.GM.WrittenBack = g.hits, g.misses, g.back
	res.GM.HitShare = share(g.hits, g.hits+g.misses)
	res.GM.TBs = share(res.GM.Bytes*1e-12, seconds)
}

// memoryName names a memory as data sheets do.
func memoryName(s sem.Space) string {
	return [...]string{"?", "GM", "L1", "L0A", "L0B", "L0C", "UB", "BT", "FB"}[min(int(s), 8)]
}

// sites computes which source lines use the time.
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

// Instruction returns the total cycles of all instructions with a name, each from its
// start until its result is available.
func (r *Result) Instruction(name string) (cycles float64) {
	p := r.replay
	for i := range p.r.items {
		if it := &p.r.items[i]; it.kind == workItem && p.r.works[it.work].op.Name() == name {
			cycles += p.done[i] - p.start[i]
		}
	}
	return cycles
}
