// This file confirms a suspected error by running the kernel with different data.

package check

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/expr"
)

// fills are byte values for test runs that show which results depend on uninitialized
// memory. In each of these runs, the local memory is filled with one of the values. In
// every number format, the values represent three different numbers, one of which is
// zero.
var fills = []byte{0x00, 0x42, 0xc2}

// Run is one further execution of the launch that Confirm requests. Fill is the value of
// each byte of local memory at the start. The execution sends its events to Listener if
// it is not nil, and follows which bytes are defined in Lineage if that is not nil.
type Run struct {
	Fill     byte
	Listener runtime.Listener
	Lineage  *runtime.Lineage
}

// Apply changes o to the options of the execution. The execution prints nothing.
func (r *Run) Apply(o *runtime.Options) {
	o.ScratchFill, o.Lineage, o.Listeners, o.Warn, o.Out = r.Fill, r.Lineage, nil, nil, io.Discard
	if r.Listener != nil {
		o.Listeners = []runtime.Listener{r.Listener}
	}
}

// Doubts reports whether a value that depends on uninitialized bytes may have reached
// global memory, a branch or an address. In this case, Confirm determines whether the
// results of the kernel depend on these bytes.
func (c *Checker) Doubts() bool {
	return c.main != nil && c.main.init != nil && (len(c.main.init.reached) > 0 || len(c.main.init.scalars) > 0)
}

// Confirm reports the results that depend on uninitialized memory. It calls the function
// run several times. Each call must execute the launch again with the original arguments
// and with the options of its parameter.
//
// The first run follows the definedness of each byte: whether it was computed from
// uninitialized bytes. It finds all such bytes of results, and the branches and addresses
// that depend on uninitialized bytes. The other runs have different contents of
// uninitialized memory: an effect that differs depends on uninitialized memory. They find
// what the first run does not follow, such as indices of gathers.
func (c *Checker) Confirm(run func(r *Run) error) {
	if !c.Doubts() || c.faulted {
		return
	}
	c.followDefined(run)
	var first *witness
	for _, fill := range fills {
		w := &witness{of: map[*ir.Op]*effects{}}
		err := run(&Run{Fill: fill, Listener: w})
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

// mostFollowed is the size in bytes of all buffers up to which Confirm follows the
// definedness of each byte, because this needs four bytes for each byte of memory.
const mostFollowed = 256 << 20

// followDefined runs the launch and reports the bytes of global memory, and the decisions,
// that depend on uninitialized memory. If it could not follow an instruction, it stores
// the reason for the coverage.
func (c *Checker) followDefined(run func(r *Run) error) {
	size := 0
	for _, b := range c.launch.Buffers {
		if b != nil {
			size += len(b.Data)
		}
	}
	if size > mostFollowed {
		c.seen.notFollowed = fmt.Sprintf("the definedness of each byte, because the arguments have more than %d MiB", mostFollowed>>20)
		c.decisions()
		return
	}
	l := &runtime.Lineage{Exprs: expr.NewDefinedness(), Definedness: true}
	err := run(&Run{Lineage: l})
	f, faulted := errors.AsType[*runtime.Fault](err)
	switch {
	case err == nil:
	case !faulted || !f.Undecided:
		c.seen.notFollowed = "the definedness of each byte: " + err.Error()
		c.decisions()
		return
	case f.Because == (expr.Hash{}):
		c.seen.notFollowed = fmt.Sprintf("the definedness of bytes after '%s' in %s", f.Op, f.Loc.Line())
		c.decisions()
	default:
		c.decidesBy(f)
	}
	l.Undefined(func(buffer, from, to int) { c.undefined(buffer, int64(from), int64(to)) })
}

// undefined reports the operations that stored the bytes from to to-1 of a buffer of
// global memory. These bytes depend on uninitialized memory.
func (c *Checker) undefined(buffer int, from, to int64) {
	if buffer >= len(c.main.gm) {
		return
	}
	s := &c.main.gm[buffer]
	for at := from; at < to; {
		p, base := s.page(at>>pageBits), at&^(pageBytes-1)
		end := min(to, base+pageBytes)
		i, j := s.cover(p, uint16(at-base), uint16(end-base))
		for ; i < j; i++ {
			site := p.cells[i].write.site
			if site == 0 || c.sites.all[site].pushes {
				continue // a slot of a queue also holds padding
			}
			op := c.sites.all[site].op
			c.garbage(op, reachesGM(op), max(c.main.init.reached[site], 1))
		}
		at = end
	}
}

// decisions reports the branches, addresses and comparisons that may depend on
// uninitialized memory. The suspicion is not certain: an instruction that read
// uninitialized bytes may have ignored them.
func (c *Checker) decisions() {
	for s, o := range c.main.init.scalars {
		site := c.sites.all[s]
		c.garbage(site.op, "decides "+sinkNames[site.sink]+" through '"+site.op.Name()+"'", o)
	}
}

// decidesBy reports the branch, address or mask that depends on uninitialized memory. The
// fault f ended the run that follows definedness, because the run cannot continue without
// the value.
func (c *Checker) decidesBy(f *runtime.Fault) {
	op := c.operationOf(f)
	if op == nil {
		return
	}
	what := "what '" + op.Name() + "' does"
	for _, v := range op.Operands() {
		if k := sinkAt(op, v); k != noSink {
			what = sinkNames[k]
			break
		}
	}
	for _, r := range analysis.Readers(op) {
		if o := c.main.init.scalars[c.sites.site(r).id]; o != 0 {
			c.garbage(r, "decides "+what+" through '"+r.Name()+"'", o)
			return
		}
	}
	c.garbage(op, "decides "+what, 1)
}

// operationOf returns the operation of fault f, or nil.
func (c *Checker) operationOf(f *runtime.Fault) *ir.Op {
	var kernels []*ir.Op
	for i := range c.launch.Cores {
		if k := c.launch.Cores[i].Kernel; !slices.Contains(kernels, k) {
			kernels = append(kernels, k)
		}
	}
	for _, k := range analysis.Reached(kernels) {
		for op := range k.Walk() {
			if op.Loc() == f.Loc && op.Name() == f.Op {
				return op
			}
		}
	}
	return nil
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
// other initial contents of memory ended with a fault. w is the record of this run.
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
