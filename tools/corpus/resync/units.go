package main

import (
	"fmt"

	"ptogo/dialect/fn"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
	"ptogo/lower/insertsync"
	"ptogo/passes"
)

// count is how many units of synchronization there are, by kind.
type count struct{ events, barriers, memBars, buffers int }

func (c count) sum() int { return c.events + c.barriers + c.memBars + c.buffers }

func (c *count) add(o count) {
	c.events, c.barriers, c.memBars, c.buffers = c.events+o.events, c.barriers+o.barriers, c.memBars+o.memBars, c.buffers+o.buffers
}

func (c count) String() string {
	return fmt.Sprintf("%d (%d events, %d barriers, %d mem_bars, %d buffers)", c.sum(), c.events, c.barriers, c.memBars, c.buffers)
}

// units counts the units of synchronization of a module: in each function, an
// event of a pair of pipes, a barrier, a buffer of a pipe. Events that are
// computed count as one with all others of their pipes.
func units(module *ir.Op) (c count) {
	for _, f := range fn.Functions(module) {
		c.add(unitsOf(f))
	}
	return c
}

func unitsOf(f *ir.Op) (c count) {
	type pair struct{ src, dst sem.Pipe }
	flags := map[pair]map[int64]bool{} // the events of each pair
	computed := map[pair]bool{}
	buffers := map[[2]int64]bool{}
	for op := range f.Walk() {
		switch op.Def().Sem.(type) {
		case sem.SetFlag, sem.WaitFlag:
			e := sem.FlagOf(op)
			p := pair{e.Source, e.Destination}
			if flags[p] == nil {
				flags[p] = map[int64]bool{}
			}
			flags[p][e.Event.Constant] = true
			computed[p] = computed[p] || e.Event.Given()
		case sem.BufAcquire, sem.BufRelease:
			b := sem.BufferUseOf(op)
			buffers[[2]int64{int64(b.Pipe), b.Buffer.Constant}] = true
		case sem.Barrier:
			c.barriers++
		}
		if op.Is(isasync.MemBar) {
			c.memBars++
		}
	}
	for p, ids := range flags {
		if computed[p] {
			c.events++
		} else {
			c.events += len(ids)
		}
	}
	c.buffers = len(buffers)
	return c
}

// crosses reports whether cores of a program wait for each other.
func crosses(module *ir.Op) bool {
	for op := range module.Walk() {
		if e := op.Effects(); e.Has(effect.Waits) || e.Has(effect.Signals) && e.Has(effect.TellsCores) {
			return true
		}
	}
	return false
}

// insert takes out what orders pipes and lets the pass do it anew.
func insert(module *ir.Op, target ir.Target) error {
	var diags ir.Diags
	p := passes.NewPipeline()
	if !p.Add(insertsync.Pass, "force=true", &diags) || !p.Run(module, passes.RunOptions{Target: target, Diags: &diags}) {
		return fmt.Errorf("nothing is inserted: %w", diags.Err())
	}
	return nil
}
