// This file completes the synchronization of functions for which the proof lacks arguments.

package insertsync

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/syncproof"
	"ptogo/passes"
)

// The analysis of the pass compares addresses as sums, and loops by two iterations. The
// static proof judges the result: it has an argument for each pair of accesses of a core,
// or the pass inserts a barrier between them. The analysis alone never decides that an
// order is not needed.

// mostRepairs limits the repetitions of the proof for one function.
const mostRepairs = 8

// repair inserts barriers into kernel f between accesses that the proof finds no argument
// for. It returns false if the proof could not follow f, or found accesses of different
// cores without an argument.
func repair(c *passes.Context, f *ir.Op, calls map[*ir.Op]bool) {
	for range mostRepairs {
		w := newWriter()
		w.unit = sem.AnyUnit
		r := prove(f, nil, c.Target(f), calls, false)
		placed := map[*ir.Op]bool{}
		for _, g := range r.Gaps {
			if !g.Local || g.Kind == "cache" {
				continue
			}
			at, why := g.Op, fmt.Sprintf("no argument orders '%s' in %s before it", g.Other.Name(), g.Other.Loc().Line())
			if h := helperAround(at); h != nil {
				if g.Inside || helperAround(g.Other) == h {
					continue // the proof reports it
				}
				for _, call := range callsOf(f, h) {
					if !placed[call] {
						w.wallBefore(call, why)
						c.Count("num-barriers", 1)
					}
					placed[call] = true
				}
				continue
			}
			if g.Inside {
				if !placed[at] {
					w.memBar(at, order.BarrierFor(classOf(g.First), classOf(g.Second)), why)
				}
				placed[at] = true
				continue
			}
			if s := pto.VectorFunctionAround(at); s != nil {
				at = s
			}
			if !placed[at] {
				w.wallBefore(at, why)
				c.Count("num-barriers", 1)
				if c.Bool("remarks") {
					c.Remarkf(at, "waits for all pipes (synchronized by a barrier): %s", why)
				}
			}
			placed[at] = true
		}
		if len(placed) == 0 {
			return
		}
		w.flush()
	}
}

// helperAround returns the function around op if the pass inserts nothing into it: a tile
// helper, whose callers order what it accesses, or the function of work items.
func helperAround(op *ir.Op) *ir.Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.Is(fn.Func) && (pto.IsHelper(p) || pto.IsSimtEntry(p)) {
			return p
		}
	}
	return nil
}

// callsOf returns the calls of function g in function f.
func callsOf(f, g *ir.Op) (calls []*ir.Op) {
	for op := range f.Walk() {
		if ptoanalysis.CalleeOf(op) == g {
			calls = append(calls, op)
		}
	}
	return calls
}

// classOf returns the class of an access in a vector function.
func classOf(t *syncproof.Touch) class {
	c := order.VectorLoad
	if t.Line == order.Scalar {
		c = order.ScalarLoad
	}
	if t.Write {
		c++
	}
	return c
}
