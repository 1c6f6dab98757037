// This file confirms a suspected error by running the kernel with different data.

package check

import (
	"hash/maphash"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// fills are byte values for test runs that show which results depend on uninitialized
// memory. In each of these runs, the local memory is filled with one of the values. In
// every number format, the values represent three different numbers, one of which is
// zero. A sum, minimum or maximum of uninitialized elements therefore differs between at
// least two of the runs.
var fills = []byte{0x00, 0x42, 0xc2}

// Doubts reports whether a value that depends on uninitialized bytes may have reached
// global memory, a branch or an address. In this case, Confirm determines whether the
// results of the kernel depend on these bytes.
func (c *Checker) Doubts() bool {
	return c.main != nil && c.main.init != nil && len(c.main.init.reached) > 0
}

// Confirm reports the results that depend on uninitialized memory. It calls the function
// run once for each of several byte values. Each call must first set all bytes of local
// memory to this value, the argument fill. The call must then execute the launch again
// with the original arguments, and send its events to the listener l. Confirm compares
// the effects of the runs: an effect that differs depends on uninitialized memory.
func (c *Checker) Confirm(run func(fill byte, l runtime.Listener) error) {
	st := c.main.init
	if st == nil {
		return
	}
	for s, o := range st.scalars {
		site := c.sites.all[s]
		c.garbage(site.op, "decides "+sinkNames[site.sink]+" through '"+site.op.Name()+"'", o)
	}
	if !c.Doubts() || c.faulted {
		return
	}
	var first *witness
	for _, fill := range fills {
		w := &witness{of: map[*ir.Op]*effects{}}
		err := run(fill, w)
		if err != nil && w.fault == nil {
			return
		}
		if w.fault != nil {
			c.brokenRun(w)
			return
		}
		if first == nil {
			first = w
			continue
		}
		c.differ(first, w)
	}
}

// differ reports the operations whose stores to global memory differ between the runs a
// and b.
func (c *Checker) differ(a, b *witness) {
	for _, op := range a.order {
		x, y := a.of[op], b.of[op]
		if y != nil && x.hash == y.hash && x.events == y.events {
			continue
		}
		o := c.main.init.reached[c.sites.site(op).id]
		if o == 0 {
			o = 1 // the origin was not tracked to this place, but the results differ
		}
		how := reachesGM(op)
		if y == nil || x.events != y.events {
			how = "decides how often '" + op.Name() + "' runs"
		}
		c.garbage(op, how, o)
	}
}

// brokenRun adds a report: the kernel depends on uninitialized memory, because a run with
// other initial contents of memory ended with a fault. The parameter w is the record of
// this run.
func (c *Checker) brokenRun(w *witness) {
	for _, s := range c.sites.all[1:] {
		if s.op.Loc() == w.fault.Loc {
			c.garbage(s.op, "decides an address or a branch: with other contents, "+w.fault.Text, 1)
			return
		}
	}
}

// witness is a listener that records everything that a run stores to global memory, so
// that two runs can be compared.
type witness struct {
	// of is what each operation has stored. order lists the operations in the order of
	// their first store.
	of      map[*ir.Op]*effects
	order   []*ir.Op
	buffers []*runtime.Buffer
	// fault is the fault that ended the run, or nil.
	fault *runtime.Fault
}

// effects summarizes all stores of one operation in a run, so that two runs can be
// compared.
type effects struct {
	// hash is the hash of the addresses and the bytes of all stores.
	hash   uint64
	events int
}

// seed is the seed of all hashes, so that the hashes of different runs are comparable.
var seed = maphash.MakeSeed()

// Begin stores the buffers of launch l. It implements runtime.Listener.
func (w *witness) Begin(l *runtime.Launch) { w.buffers = l.Buffers }

// End stores the fault that ended the run, or nil. It implements runtime.Listener.
func (w *witness) End(f *runtime.Fault) { w.fault = f }

// Event adds the bytes that event e has stored to global memory to the hash of its
// operation. It implements runtime.Listener.
func (w *witness) Event(e *runtime.Event) {
	if e.Kind != runtime.Instruction || sem.QueueEntryOf(e.Op).Act == sem.QueuePush {
		return // queue slots do not count as results (initState.wrote)
	}
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if a.Kind&runtime.WriteAccess == 0 || a.Core >= 0 || a.Buffer >= len(w.buffers) || w.buffers[a.Buffer] == nil {
			continue
		}
		x := w.of[e.Op]
		if x == nil {
			x = &effects{}
			w.of[e.Op] = x
			w.order = append(w.order, e.Op)
		}
		x.events++
		data := w.buffers[a.Buffer].Data
		for _, r := range a.Runs {
			for k := range r.Count {
				at := r.Start + k*r.Stride
				if at < 0 || at+r.Length > int64(len(data)) {
					continue
				}
				x.hash = (x.hash+uint64(at))*0x9e3779b97f4a7c15 ^ maphash.Bytes(seed, data[at:at+r.Length])
			}
		}
	}
}
