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

// count holds the number of synchronization operations of each type: events between
// pipes, barriers of pipes, barriers of memory accesses, and buffer tokens.
type count struct{ events, barriers, memBars, buffers int }

func (c count) sum() int { return c.events + c.barriers + c.memBars + c.buffers }

func (c *count) add(o count) {
	c.events, c.barriers, c.memBars, c.buffers = c.events+o.events, c.barriers+o.barriers,
		c.memBars+o.memBars, c.buffers+o.buffers
}

func (c count) String() string {
	return fmt.Sprintf("%d (%d events, %d barriers, %d mem_bars, %d buffers)", c.sum(),
		c.events, c.barriers, c.memBars, c.buffers)
}

// units counts the synchronization units of a module. In each function, an event between
// two pipes, a barrier and a buffer of a pipe each count as one unit. All events
// between the same two pipes count as one unit if the program computes the ID of at
// least one of them.
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

// crosses reports whether the module contains instructions with which cores wait for each
// other, such as signals or queues.
func crosses(module *ir.Op) bool {
	for op := range module.Walk() {
		if e := op.Effects(); e.Has(effect.Waits) || e.Has(effect.Signals) && e.Has(effect.TellsCores) {
			return true
		}
	}
	return false
}

// insert runs pto-insert-sync on the module. The pass replaces all existing operations
// that order pipes.
func insert(module *ir.Op, target ir.Target) error {
	var diags ir.Diags
	p := passes.NewPipeline()
	if !p.Add(insertsync.Pass, "force=true", &diags) || !p.Run(module, passes.RunOptions{Target: target, Diags: &diags}) {
		return fmt.Errorf("nothing is inserted: %w", diags.Err())
	}
	return nil
}
