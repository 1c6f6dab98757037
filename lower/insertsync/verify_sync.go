// This file simulates flags, barriers, buffer tokens and fences.

package insertsync

import (
	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// channelKey identifies a flag: an event ID between two pipes of one core.
type channelKey struct {
	src, dst sem.Pipe
	id       int64
	// core is the index of the simulated core, or a special value for signals between
	// cores (see the constant between).
	core int32
}

// channel is the state of a flag. The field raises contains the executed raises that no
// wait has consumed yet, with the oldest first.
type channel struct {
	order.Channel
	// raises are the raises without a wait so far, oldest first.
	raises []raise
	// waiter is the last instruction that waited for the flag.
	waiter *ir.Op
}

// raise is one execution, on the simulated path, of an instruction that raises a flag.
type raise struct {
	op  *ir.Op
	seq int
}

// holdKey identifies a buffer token that a pipe holds.
type holdKey struct {
	// line is the pipe, buffer the number of the token, and core the index of the
	// simulated core.
	line   order.Line
	buffer int64
	core   int32
}

// signal is a synchronization operation that the simulation has executed on the current
// execution path. The proof stores it to explain findings later.
type signal struct {
	op   *ir.Op
	seq  int
	key  channelKey
	kind signalKind
	// raisedAt and raisedBy describe, for a wait, the raise that ended the wait.
	raisedAt int
	raisedBy *ir.Op
}

// signalKind is the kind of a synchronization operation.
type signalKind uint8

const (
	// raised is a flag or signal that was raised.
	raised signalKind = iota
	// waited is a wait for a flag or signal.
	waited
	// barred is a barrier of a pipe.
	barred
	// took is an acquired buffer token.
	took
	// scopeBar is a barrier inside a vector function (mem_bar).
	scopeBar
)

// mostSignals is the number of synchronization operations that the runner keeps for
// explanations.
const mostSignals = 64

// note stores the synchronization operation s, so that later findings can explain why it
// is not sufficient.
func (r *runner) note(s signal) {
	r.seq++
	s.seq = r.seq
	if len(r.signals) == 2*mostSignals {
		r.signals = append(r.signals[:0], r.signals[mostSignals:]...)
	}
	r.signals = append(r.signals, s)
}

// synchronize simulates op if it is an operation that orders other operations, such as a
// flag or a barrier. It reports whether op is an operation of this kind.
func (r *runner) synchronize(op *ir.Op) bool {
	if op.Is(isasync.MemBar) {
		if r.scope != nil {
			kind := sem.FenceKind(op)
			r.scope.order.Barrier(kind)
			r.note(signal{op: op, kind: scopeBar})
		}
		return true
	}
	switch kind := op.Def().Sem.(type) {
	case sem.SetFlag, sem.WaitFlag:
		switch _, sets := kind.(sem.SetFlag); {
		case r.at == onSecond && r.crosses(sem.FlagOf(op)): // said of the first one
		case sets:
			r.set(op)
		default:
			r.wait(op)
		}
	case sem.Barrier:
		r.barrier(op)
	case sem.BufAcquire:
		r.take(op)
	case sem.BufRelease:
		r.give(op)
	case sem.MemoryFence:
		r.fence(op, kind.Act)
	case sem.CrossSet, sem.CrossWait:
		if r.team != nil && !r.heard(op) {
			return true
		}
		if !r.signal(op) {
			r.otherCores(op)
		}
	case sem.SyncAllCores:
		r.otherCores(op)
	case sem.Local:
		switch {
		case !kind.Events:
			return false
		case kind.Act == sem.LocalDeclare:
			var ids []sum
			for _, v := range op.Operands() {
				ids = append(ids, r.x.of(v))
			}
			r.arrays[op.Result(0)] = ids
		default:
			r.eventArray(op)
		}
	default:
		return false
	}
	return true
}

// otherCores records that the operation op communicates with other cores, which the proof
// does not simulate. It records only the first operation of this kind in each function.
func (r *runner) otherCores(op *ir.Op) {
	if r.across == nil || r.across == op {
		r.across = op
		r.acrossCores(op, "'%s' communicates with other cores, which the static proof does not analyze", op.Name())
	}
}

// eventArray simulates the operation op on an array of event IDs: it reads or writes an
// element.
func (r *runner) eventArray(op *ir.Op) {
	use := sem.EventUseOf(op)
	ids := r.arrays[use.Array.Value]
	i, known := r.x.of(use.Index.Value).constant()
	if !known || i < 0 || i >= int64(len(ids)) {
		delete(r.arrays, use.Array.Value)
		for _, v := range op.Results() {
			r.x.renew(v)
		}
		return
	}
	if op.NumResults() > 0 {
		r.x.now[op.Result(0)] = ids[i]
		return
	}
	ids[i] = r.x.of(use.Value.Value)
}

// number returns the integer of an operand or attribute. ok is false if its value is
// unknown.
func (r *runner) number(n sem.Number) (int64, bool) {
	if n.Given() {
		return r.x.of(n.Value).constant()
	}
	return n.Constant, n.Ok
}

// flag returns the channel of the flag that op sets or waits for, and the key of this
// channel. The channel is nil if the event ID of the flag is unknown. The proof then does
// not examine the rest of the execution path.
func (r *runner) flag(op *ir.Op) (channelKey, *channel) {
	f := sem.FlagOf(op)
	id, known := r.number(f.Event)
	if !known {
		r.undecide(op, "event", "the static proof cannot determine the event of '%s', so it does not examine the rest of this path", op.Name())
		r.stopped = true
		return channelKey{}, nil
	}
	k := channelKey{f.Source, f.Destination, id, r.at}
	if r.crosses(f) {
		k.core = between
	} else {
		r.lacksPipe(op, f.Source)
		r.lacksPipe(op, f.Destination)
	}
	if r.channels[k] == nil {
		r.channels[k] = &channel{}
	}
	if id >= sem.EventIDs {
		r.find(op, nil, "range", ir.Warning, "'%s' uses event %d, but a pair of pipes has events 0 to %d", op.Name(), id, sem.EventIDs-1)
	}
	return k, r.channels[k]
}

// set simulates the instruction op, which raises a flag between two pipes.
func (r *runner) set(op *ir.Op) {
	k, ch := r.flag(op)
	if ch == nil {
		return
	}
	if len(ch.raises) > 0 {
		if f := r.find(op, ch.raises[0].op, "twice", ir.Error, "'%s' raises event %d from %s to %s again before a wait has consumed it", op.Name(), k.id, k.src, k.dst); f != nil {
			f.note(ch.raises[0].op.Loc(), "it was raised here")
		}
		r.stopped = true
		return
	}
	if told := ch.Raise(); k.core != between {
		r.core.Release(order.LineOrScalar(k.src), told)
	} else {
		r.crossFlag(op, k)
	}
	r.note(signal{op: op, key: k, kind: raised})
	ch.raises = append(ch.raises, raise{op, r.seq})
	r.reuse(op, k, ch)
}

// crossFlag reports an error about op, which raises a flag or waits for it. The flag k is
// between pipes of different kinds of cores, but flags work only between pipes of the
// same core.
func (r *runner) crossFlag(op *ir.Op, k channelKey) {
	if f := r.find(op, nil, "core", ir.Error, "'%s' connects pipe %s of one kind of core with pipe %s of the other, but a flag works only inside a core: it orders no access, and its wait never ends on hardware", op.Name(), k.src, k.dst); f != nil {
		set, wait := r.rules.CoreSignals()
		f.note(ir.Loc{}, "use a signal between the cores: %s <%s>, ID, and %s <%s>, ID", set, k.src, wait, k.dst)
	}
}

// reuse reports an event that is raised although it may still be in use from an earlier
// raise. No synchronization guarantees that the wait for the earlier raise is complete.
func (r *runner) reuse(op *ir.Op, k channelKey, ch *channel) {
	n := ch.Raised()
	if n < 2 || ch.Behind(n-1, ch.Newest()) {
		return
	}
	f := r.find(op, ch.waiter, "reuse", ir.Warning, "pipe %s may raise event %d for pipe %s again before pipe %s has waited for it: no synchronization orders the second raise after this wait", k.src, k.id, k.dst, k.dst)
	if f != nil {
		f.note(ch.waiter.Loc(), "this wait may not have finished")
	}
}

// wait simulates a wait for a flag. It reports a flag that was not raised before.
func (r *runner) wait(op *ir.Op) {
	k, ch := r.flag(op)
	if ch == nil {
		return
	}
	if len(ch.raises) == 0 {
		r.find(op, nil, "never", ir.Error, "'%s' waits for event %d from %s to %s, which was never raised: the core would wait forever", op.Name(), k.id, k.src, k.dst)
		r.stopped = true
		return
	}
	by := ch.raises[0]
	ch.raises = ch.raises[1:]
	var c order.Clock
	ch.Take(ch.Waited()+1, &c)
	line := order.LineOrScalar(k.dst)
	r.core.Acquire(line, &c)
	ch.Wait(r.core.Waited(line))
	ch.waiter = op
	r.note(signal{op: op, key: k, kind: waited, raisedAt: by.seq, raisedBy: by.op})
}

// barrier simulates the instruction op, a barrier of one pipe or of all pipes.
func (r *runner) barrier(op *ir.Op) {
	p := pto.PipeFor(op, r.target)
	if p == sem.PipeS && sem.NamesNoPipe(op) {
		r.tileBarrier(op)
		return
	}
	r.lacksPipe(op, p)
	r.core.Barrier(p)
	r.note(signal{op: op, key: channelKey{src: p}, kind: barred})
}

// tileBarrier simulates a barrier that has tiles as operands: it waits for all writes to
// these tiles.
func (r *runner) tileBarrier(op *ir.Op) {
	var c order.Clock
	for _, v := range op.Operands() {
		for _, p := range r.t.places(v) {
			for k, list := range r.past {
				if k.space != p.space {
					continue
				}
				for _, e := range list {
					if e.write && (when{}).overlaps(&e.location, &p) {
						c.Add(e.epoch)
					}
				}
			}
		}
	}
	r.core.AcquireIssue(&c)
}

// buffer examines op, which acquires or releases a buffer token. The result u contains
// the operands of op, and k identifies the token and the pipe. The result ok is false if
// the number of the token is unknown.
func (r *runner) buffer(op *ir.Op) (u sem.BufferUse, k holdKey, ok bool) {
	u = sem.BufferUseOf(op)
	id, known := r.number(u.Buffer)
	if !known {
		r.undecide(op, "buffer", "the static proof cannot determine the buffer of '%s', so it does not examine the rest of this path", op.Name())
		r.stopped = true
	}
	return u, holdKey{order.LineOrScalar(u.Pipe), id, r.at}, known
}

// take simulates get_buf, which makes a pipe acquire a buffer token.
func (r *runner) take(op *ir.Op) {
	u, k, ok := r.buffer(op)
	if !ok {
		return
	}
	for h, by := range r.held {
		if h.core == k.core && h.buffer == k.buffer && (u.Mode == 0 || h.line == k.line) {
			if f := r.find(op, by, "never", ir.Error, "'%s' waits for buffer %d, which pipe %s holds: the core would wait forever", op.Name(), k.buffer, h.line.Pipe()); f != nil {
				f.note(by.Loc(), "it was acquired here")
			}
			r.stopped = true
			return
		}
	}
	r.held[k] = op
	r.core.Get(k.line, int(k.buffer), int(u.Mode))
	r.note(signal{op: op, key: channelKey{src: u.Pipe, id: k.buffer}, kind: took})
}

// give simulates rls_buf, which makes a pipe release a buffer token.
func (r *runner) give(op *ir.Op) {
	u, k, ok := r.buffer(op)
	if !ok {
		return
	}
	if r.held[k] == nil {
		r.find(op, nil, "not held", ir.Error, "'%s' releases buffer %d, which pipe %s does not hold", op.Name(), k.buffer, u.Pipe)
		return
	}
	delete(r.held, k)
	r.core.Put(k.line, int(k.buffer), int(u.Mode))
}

// fence simulates the cache operations and fences of the scalar unit. act is what op does.
func (r *runner) fence(op *ir.Op, act sem.FenceAct) {
	switch act {
	case sem.RefreshCache:
		if r.missesLines(op) {
			r.undecide(op, "line", "'%s' affects one cache line, but the static proof only tracks the complete data cache", op.Name())
		}
		r.core.CacheRefresh()
	case sem.CleanCache:
		r.core.CacheClean()
	default:
		r.core.Fence()
	}
}

// missesLines reports whether the instruction op, a dcci, invalidates too little. The
// instruction invalidates a single cache line. The result is true if the scalar unit has
// used global memory outside of this line.
func (r *runner) missesLines(op *ir.Op) bool {
	if op.NumOperands() == 0 || op.Attr("cache").Keyword() == "ENTIRE_DATA_CACHE" {
		return false
	}
	for _, p := range r.t.places(op.Operand(0)) {
		p.size = 1
		line := cacheLines(p)
		for k, list := range r.past {
			for _, e := range list {
				if k.space == sem.GM && e.epoch.Line == order.Scalar && !contains(&line, &e.location) {
					return true
				}
			}
		}
	}
	return false
}

// cacheLines returns p extended to complete lines of the data cache. If the address is
// unknown, the result includes every line in which p can start.
func cacheLines(p location) location {
	if p.size <= 0 || p.dims != nil || p.width > 0 {
		return p
	}
	if at, known := p.from.constant(); known {
		from := at &^ (order.LineBytes - 1)
		p.from, p.size = number(from), (at+p.size+order.LineBytes-1)&^(order.LineBytes-1)-from
		return p
	}
	p.from, p.size = p.from.plus(number(order.LineBytes-1), -1), p.size+2*(order.LineBytes-1)
	return p
}

// inside reports an error if the instruction op internally uses a flag that the kernel
// has raised and not yet consumed. uses lists the events that op uses internally.
func (r *runner) inside(op *ir.Op, uses []taken) {
	for _, u := range uses {
		for id := range u.count {
			k := channelKey{u.pair[0].Pipe(), u.pair[1].Pipe(), id, r.at}
			ch := r.channels[k]
			if ch == nil || len(ch.raises) == 0 {
				continue
			}
			if f := r.find(op, ch.raises[0].op, "inside", ir.Error, "'%s' itself uses event %d from %s to %s, which is already raised", op.Name(), id, k.src, k.dst); f != nil {
				f.note(ch.raises[0].op.Loc(), "it was raised here, and no wait has consumed it since")
			}
		}
	}
}
