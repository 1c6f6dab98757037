// This file compiles buffer tokens (get_buf and rls_buf), which pipes of a core acquire
// and release.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// numBuffers is the number of buffer tokens (mutual-exclusion locks between pipes) of a
// core.
const numBuffers = sem.BufferIDs

// holders contains, for each buffer token and pipe, the operation with which the pipe
// acquired the token, or nil. A buffer token is a lock between the pipes of a core;
// initially all tokens are free.
type holders [numBuffers][numPipes]*ir.Op

// bufferUse is an instruction that acquires or releases a buffer token, a lock between
// the pipes of a core.
type bufferUse struct {
	op   *ir.Op
	pipe sem.Pipe
	mode int64
	id   func(fr *frame) uint64
}

// bufferUse describes which buffer token (lock between pipes) op acquires or releases,
// and for which pipe. It reports an error if the pipe cannot hold a token.
func (p *planner) bufferUse(op *ir.Op) *bufferUse {
	use := sem.BufferUseOf(op)
	u := &bufferUse{op: op, pipe: use.Pipe, mode: use.Mode, id: p.bufferID(use.Buffer)}
	if u.pipe >= numPipes {
		p.errorf(op, "requires a pipe that can hold a buffer token")
	}
	p.linkBuffer(op, u.id)
	return u
}

// bufferID returns a function that returns the number of a buffer token at run time. The
// number n is an operand or a constant of the instruction.
func (p *planner) bufferID(n sem.Number) func(fr *frame) uint64 {
	if n.Given() {
		return p.number(n.Operand)
	}
	return func(*frame) uint64 { return uint64(n.Constant) }
}

// held returns the state of the buffer token that the instruction accesses, and the
// number of the token. The state is an array with one element for each pipe: the
// operation with which the pipe acquired the token, or nil. held returns a fault if the
// number is invalid.
func (u *bufferUse) held(fr *frame) (*[numPipes]*ir.Op, uint64, *Fault) {
	id := u.id(fr)
	if id >= numBuffers {
		return nil, 0, faultAt(u.op, "uses buffer %d, but a core has buffers 0 to %d", int64(id), numBuffers-1)
	}
	return &fr.core.holders[id], id, nil
}

// acquireBuffer compiles op into a step, a function that acquires a buffer token for a
// pipe. In mode 0, the pipe waits until no other pipe holds the token. The step executes
// in program order: if another pipe holds the token at this moment, that pipe can never
// release it, so the step faults.
func (p *planner) acquireBuffer(op *ir.Op, _ sem.BufAcquire) step {
	u := p.bufferUse(op)
	return func(fr *frame) *Fault {
		held, id, f := u.held(fr)
		if f != nil {
			return f
		}
		if by := held[u.pipe]; by != nil {
			return faultAt(op, "acquires buffer %d for pipe %s, which already holds it", id, u.pipe).note(by.Loc(), "it was acquired here")
		}
		for pipe, by := range held {
			if by != nil && u.mode == 0 {
				return faultAt(op, "waits for buffer %d, which pipe %s holds: the core would wait forever", id, sem.Pipe(pipe)).
					note(by.Loc(), "it was acquired here and never released")
			}
		}
		held[u.pipe] = op
		return nil
	}
}

// releaseBuffer compiles op into a step, a function that releases a buffer token (lock
// between pipes). It need not wait for the earlier work of the pipe, because the runtime
// executes instructions in program order and has completed this work. The step faults if
// the pipe does not hold the token.
func (p *planner) releaseBuffer(op *ir.Op, _ sem.BufRelease) step {
	u := p.bufferUse(op)
	return func(fr *frame) *Fault {
		held, id, f := u.held(fr)
		if f != nil {
			return f
		}
		if held[u.pipe] == nil {
			return faultAt(op, "releases buffer %d for pipe %s, which does not hold it", id, u.pipe)
		}
		held[u.pipe] = nil
		return nil
	}
}
