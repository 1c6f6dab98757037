// This file checks that data is in memory before a signal announces it.

package check

import (
	"fmt"

	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// A signal through memory states that earlier stores may be read. The waiting core may be
// on another rank, which is not always part of the simulated launch. A store that may
// complete after the signal is therefore reported when the signal is raised.

// store is the last store to global memory of one pipe (or of the scalar unit) of a core.
// A signal or a barrier orders all instructions before it, so the last store represents
// all earlier ones.
type store struct {
	at              order.Epoch
	site            int32
	operand, buffer int
}

// stored records the instruction of event e, which has written global memory, as the last
// store of its pipe.
func (c *Checker) stored(e *runtime.Event, s *site) {
	line := s.lineOf(e)
	if line == order.NoLine || uncached(s.op) {
		return
	}
	for i := range e.Accesses {
		if a := &e.Accesses[i]; a.Space == sem.GM && a.Kind&runtime.WriteAccess != 0 {
			n := e.Core.Number
			if c.launch.Ranks > 1 && !c.launch.Buffers[a.Buffer].Window {
				continue // only signals that other ranks can read matter
			}
			c.stores[n][line] = store{c.main.cores[n].Last(line), s.id, a.Operand, a.Buffer}
		}
	}
}

// announced reports stores that may still be incomplete when the core raises a signal
// through memory. A core that receives the signal could then read old data.
func (c *Checker) announced(e *runtime.Event, s *site) {
	for _, st := range c.stores[e.Core.Number] {
		if st.site == 0 || c.main.cores[e.Core.Number].Announced(st.at) {
			continue
		}
		by := c.sites.all[st.site].op
		memory := c.memoryName(&runtime.Access{Space: sem.GM, Buffer: st.buffer}) + named(operandName(by, int16(st.operand)))
		r := c.finding(findingKey{Race, "announced", s.id, st.site}, ir.Warning, e.Number, "'%s' may raise its signal%s before the data that '%s' on %s stores to %s is in memory: a core that waits for the signal may read old data",
			s.op.Name(), c.signalTo(e), by.Name(), st.at.Line, memory)
		if r == nil {
			continue
		}
		r.note(by.Loc(), "it is stored here")
		if st.at.Line.IsCopies() {
			r.note(ir.Loc{}, "wait for the event of the copy (pto.comm.wait_async_event) before %s", s.op.Loc().Line())
			continue
		}
		fix := "pto.barrier <PIPE_ALL>"
		if st.at.Line == order.Scalar {
			fix = "pto.cmo.cacheinvalid all #pto.address_space<gm>"
		}
		r.note(ir.Loc{}, "insert %s and pto.fence.barrier_all #pto.fence_scope<gm> before %s", fix, s.op.Loc().Line())
	}
}

// uncached reports whether op is a scalar store that bypasses the data cache of the
// scalar unit.
func uncached(op *ir.Op) bool { return op.Is(isabase.StDev) }

// signalTo returns a text for messages that names the rank which receives a signal and
// the rank which raises it. It returns "" if the launch has one rank.
func (c *Checker) signalTo(e *runtime.Event) string {
	if c.launch.Ranks == 1 || len(e.Accesses) == 0 {
		return ""
	}
	to, _ := c.launch.Argument(e.Accesses[0].Buffer)
	return fmt.Sprintf(" of rank %d for rank %d", e.Core.Rank, to)
}
