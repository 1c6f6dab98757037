// This file follows the operations that order other operations.

package syncproof

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// simple follows an operation without regions. It returns false if the path ends.
func (x *prover) simple(c *cursor, op *ir.Op, s *state) bool {
	if f := ptoanalysis.CalleeOf(op); op.Is(fn.Call) && (f == nil || fn.Body(f) == nil) {
		x.fail(op, "call", "the static proof cannot analyze the function that '%s' calls, because it has no body in this module", op.Name())
		return false
	}
	if op.Is(isasync.MemBar) {
		if s.scope != nil {
			s.scope.barrier(sem.FenceKind(op))
		}
		return true
	}
	switch kind := op.Def().Sem.(type) {
	case sem.SetFlag:
		return x.set(c, op, s)
	case sem.WaitFlag:
		return x.wait(c, op, s)
	case sem.Barrier:
		p := pto.PipeFor(op, x.Target)
		if p == sem.PipeS && sem.NamesNoPipe(op) {
			return true // of tiles: it orders some writes, on which the proof does not rely
		}
		if !x.hasPipe(c, op, p) {
			return false
		}
		s.barrier(c.th.n, p)
		return true
	case sem.BufAcquire:
		return x.take(c, op, s)
	case sem.BufRelease:
		return x.give(c, op, s)
	case sem.MemoryFence:
		return x.fence(c, op, kind.Act, s)
	case sem.CrossSet, sem.CrossWait:
		return x.signal(c, op, s)
	case sem.SyncAllCores:
		return x.others(op)
	case sem.Local:
		if kind.Events {
			x.eventArray(c, op, kind, s)
			return true
		}
	}
	if !x.instruction(c, op, s) {
		return false
	}
	x.compute(c, op)
	return true
}

// others records that op communicates with cores that the proof does not follow.
func (x *prover) others(op *ir.Op) bool {
	x.fail(op, "cores", "'%s' communicates with other cores, which the static proof does not analyze", op.Name())
	return true
}

// flag returns the key of the flag that op sets or waits for.
func (x *prover) flag(c *cursor, op *ir.Op, s *state) (k flagKey, ok bool) {
	f := sem.FlagOf(op)
	id, known := x.number(c.th, f.Event, s)
	if !known {
		x.demandPeriod(c, x.value(c.th, f.Event.Value))
		x.fail(op, "event", "the static proof cannot determine the event of '%s'", op.Name())
		return k, false
	}
	for _, p := range []sem.Pipe{f.Source, f.Destination} {
		if !x.hasPipe(c, op, p) {
			return k, false
		}
	}
	if id < 0 || id >= sem.EventIDs {
		x.fail(op, "range", "'%s' uses event %d, but a pair of pipes has events 0 to %d", op.Name(), id, sem.EventIDs-1)
		return k, false
	}
	return flagKey{c.th.n, f.Source, f.Destination, id}, true
}

// hasPipe checks that the core has the pipe of a flag or barrier.
func (x *prover) hasPipe(c *cursor, op *ir.Op, p sem.Pipe) bool {
	if p == sem.PipeAll || c.th.Unit == sem.AnyUnit || x.rules.HasPipe(c.th.Unit, p) {
		return true
	}
	x.fail(op, "pipe", "'%s' uses the pipe %s, which the core does not have", op.Name(), p)
	return false
}

// set follows an instruction that raises a flag. The flag must not be raised, and the
// raising pipe must know that the last wait for it has ended.
func (x *prover) set(c *cursor, op *ir.Op, s *state) bool {
	k, ok := x.flag(c, op, s)
	if !ok {
		return false
	}
	if _, raised := s.flags[k]; raised {
		x.fail(op, "twice", "'%s' may raise event %d from %s to %s again before a wait has consumed it", op.Name(), k.id, k.src, k.dst)
		return false
	}
	r := s.release(c.th.n, order.LineOrScalar(k.src))
	if _, busy := r[x.waitLane(k)].find(x.waitGroup(k).id); busy {
		x.fail(op, "reuse", "pipe %s may raise event %d for pipe %s again before pipe %s has waited for it", k.src, k.id, k.dst, k.dst)
		return false
	}
	s.flags[k] = r
	return true
}

// waitGroup returns the group that represents the waits for a flag. It never ages.
func (x *prover) waitGroup(k flagKey) group {
	n, ok := x.waits[k]
	if !ok {
		n = -1 - int32(len(x.waits))
		x.waits[k] = n
	}
	return group{n, noLoop}
}

// waitLane returns the lane on which waits for a flag count as instructions.
func (x *prover) waitLane(k flagKey) lane {
	l := order.LineOrScalar(k.dst)
	if l == order.Scalar {
		l = order.Issue
	}
	return laneOf(k.core, l)
}

// wait follows an instruction that waits for a flag.
func (x *prover) wait(c *cursor, op *ir.Op, s *state) bool {
	k, ok := x.flag(c, op, s)
	if !ok {
		return false
	}
	r, raised := s.flags[k]
	if !raised {
		x.fail(op, "never", "'%s' may wait for event %d from %s to %s, which is not raised", op.Name(), k.id, k.src, k.dst)
		return false
	}
	delete(s.flags, k)
	l := order.LineOrScalar(k.dst)
	s.acquire(c.th.n, l, r)
	s.waited(c.th.n, l, x.waitGroup(k))
	return true
}

// buffer returns the use of a buffer token, and whether its number is known.
func (x *prover) buffer(c *cursor, op *ir.Op, s *state) (u sem.BufferUse, k heldKey, ok bool) {
	u = sem.BufferUseOf(op)
	id, known := x.number(c.th, u.Buffer, s)
	if !known {
		x.demandPeriod(c, x.value(c.th, u.Buffer.Value))
		x.fail(op, "buffer", "the static proof cannot determine the buffer of '%s'", op.Name())
	}
	return u, heldKey{c.th.n, order.LineOrScalar(u.Pipe), id}, known
}

// take follows get_buf. In mode 0 it waits for all earlier releases of the token.
func (x *prover) take(c *cursor, op *ir.Op, s *state) bool {
	u, k, ok := x.buffer(c, op, s)
	if !ok {
		return false
	}
	for h := range s.held {
		if h.core == k.core && h.buffer == k.buffer && (u.Mode == 0 || h.line == k.line) {
			x.fail(op, "never", "'%s' may wait for buffer %d, which pipe %s holds", op.Name(), k.buffer, h.line.Pipe())
			return false
		}
	}
	s.held[k] = true
	if r, ok := s.buffers[heldKey{core: k.core, buffer: k.buffer}]; ok && u.Mode == 0 {
		s.acquire(k.core, k.line, r)
	}
	return true
}

// give follows rls_buf: it releases what its pipe has completed. Mode 1 orders nothing more,
// see order.Core.Put.
func (x *prover) give(c *cursor, op *ir.Op, s *state) bool {
	u, k, ok := x.buffer(c, op, s)
	if !ok {
		return false
	}
	if !s.held[k] {
		x.fail(op, "not held", "'%s' may release buffer %d, which pipe %s does not hold", op.Name(), k.buffer, u.Pipe)
		return false
	}
	delete(s.held, k)
	r := s.release(k.core, k.line)
	token := heldKey{core: k.core, buffer: k.buffer}
	if old, ok := s.buffers[token]; ok {
		r.join(old)
	}
	s.buffers[token] = r
	return true
}

// fence follows operations on the data cache of the scalar unit, and fences of global
// memory. act is what op does.
func (x *prover) fence(c *cursor, op *ir.Op, act sem.FenceAct, s *state) bool {
	core := c.th.n
	k := &s.cores[core]
	switch act {
	case sem.CleanCache:
		s.clean(core)
	case sem.RefreshCache:
		if op.NumOperands() > 0 && op.Attr("cache").Keyword() != "ENTIRE_DATA_CACHE" && x.checking {
			x.oneLines = append(x.oneLines, oneLine{op, c.th, c.th.memory.Accesses(op)})
		}
		if k.fresh != nil {
			k.fresh = s.release(core, order.Scalar)
		}
		s.clean(core)
	default:
		for _, l := range []order.Line{order.MTE2, order.MTE3, order.Fix} {
			s.barrier(core, l.Pipe())
		}
		s.clean(core)
	}
	return true
}

// ready reports whether op can execute now. An operation that waits for another core is
// not ready until that core has raised the signal or pushed the entry.
func (x *prover) ready(c *cursor, op *ir.Op, s *state) bool {
	if len(x.threads) == 1 {
		return true
	}
	if _, waits := op.Def().Sem.(sem.CrossWait); waits {
		keys, ok := x.signalKeys(c, op, s)
		if !ok {
			return true
		}
		for _, k := range keys {
			if len(s.signals[k]) == 0 {
				return false
			}
		}
		return true
	}
	return x.entryReady(c, op, s)
}

// signalKeys returns the signals that op raises or waits for. ok is false if op does not
// connect the cores that the proof follows, or if its number is unknown.
func (x *prover) signalKeys(c *cursor, op *ir.Op, s *state) (keys []signalKey, ok bool) {
	g := sem.SignalOf(op)
	id, known := x.number(c.th, g.Number, s)
	if len(x.threads) == 1 || !known || g.Reach == sem.ReachAll || g.Reach == sem.ReachVectors {
		return nil, false
	}
	_, sets := op.Def().Sem.(sem.CrossSet)
	cube := c.th.Unit == sem.CubeUnit
	for _, t := range x.threads {
		if t.Unit == sem.CubeUnit || !cube && t != c.th || cube && g.Reach == sem.ReachPeer && id/sem.Signals != int64(t.Vector) {
			continue
		}
		keys = append(keys, signalKey{id % sem.Signals, t.Vector, cube != sets})
	}
	return keys, len(keys) > 0
}

// mostPending is the largest number of signals that can wait for a consumer: the hardware
// counter has four bits.
const mostPending = 15

// signal follows an operation that raises a signal between the cores of a block, or waits
// for it.
func (x *prover) signal(c *cursor, op *ir.Op, s *state) bool {
	keys, ok := x.signalKeys(c, op, s)
	if !ok {
		return x.others(op)
	}
	line := order.LineOrScalar(sem.PipeNamed(op.Attr("pipe")))
	if _, sets := op.Def().Sem.(sem.CrossSet); sets {
		for _, k := range keys {
			if len(s.signals[k]) == mostPending {
				x.fail(op, "many", "'%s' may raise signal %d more than %d times before a wait", op.Name(), k.id, mostPending)
				return false
			}
			s.signals[k] = append(slices.Clip(s.signals[k]), s.release(c.th.n, line))
		}
		return true
	}
	if x.rules.StallsIssue() {
		line = order.Scalar
	}
	for _, k := range keys {
		list := s.signals[k]
		s.acquire(c.th.n, line, list[0])
		s.signals[k] = slices.Clone(list[1:])
	}
	return true
}

// barrier follows mem_bar: accesses of some classes wait for earlier accesses of others.
func (s *scopeState) barrier(kind string) {
	before, after := order.BarrierSides(kind)
	for _, b := range before {
		for _, a := range after {
			done := slices.Clone(s.known[b])
			done[b] = nil
			s.behind[a].join(done)
		}
	}
}

// oneLine is an operation that invalidates a single line of the data cache, with the memory
// to which it refers.
type oneLine struct {
	op     *ir.Op
	thread *thread
	touch  []Touch
}

// missedLines checks operations that invalidate a single line of the data cache. The proof
// treats them as if they invalidated the complete cache, so the scalar unit must access no
// other line.
func (x *prover) missedLines() {
	for _, l := range x.oneLines {
		for _, r := range x.records {
			if r.thread != l.thread || r.line != order.Scalar {
				continue
			}
			for i := range r.touch {
				if t := &r.touch[i]; t.Space == sem.GM && !slices.ContainsFunc(l.touch, func(o Touch) bool { return sameLine(&o, t) }) {
					x.fail(l.op, "line", "'%s' affects one cache line, but the scalar unit may use others", l.op.Name())
				}
			}
		}
	}
}

// sameLine reports whether all bytes of t are in the cache line with the first byte of o.
func sameLine(o, t *Touch) bool {
	a, ok1 := o.From.Const()
	b, ok2 := t.From.Const()
	return ok1 && ok2 && o.Root == t.Root && t.Size > 0 && a&^(order.LineBytes-1) == b&^(order.LineBytes-1) && b&(order.LineBytes-1)+t.Size <= order.LineBytes
}
