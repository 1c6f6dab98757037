// This file implements the stacks for llvm.alloca: one for each core and for each SIMT
// work item.

package runtime

import (
	"fmt"

	"ptogo/dialect/llvm"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// These are the kinds of memory for llvm.alloca. Each core has a stack, and each SIMT
// work item has a stack. Each work item also has a memory for allocations with
// pto.persistent, which lives across SIMT launches until the function that allocated it
// returns. An address encodes the kind of memory and the offset in it.
const (
	coreStack = 1 + iota
	itemStack
	keptStack
)

// stackShift is the number of address bits that contain an offset in a stack. The higher
// bits encode to which stack the address belongs.
const stackShift = 32

// maxStack is the maximum size of each stack in bytes.
const maxStack = 1 << 20

// stack is a memory that grows on demand. The bytes below top are allocated.
type stack struct {
	data []byte
	top  int
}

// push allocates n bytes at the top of the stack, sets them to zero, and returns the
// offset of the first one.
func (s *stack) push(n int) (at int) {
	at = s.top
	s.top += roundUp(n, 8)
	clear(s.data[min(at, len(s.data)):min(s.top, len(s.data))])
	return at
}

// bytes returns n bytes of the stack, starting at the byte offset given by the parameter
// at. It returns nil if these bytes are not completely below the offset top.
func (s *stack) bytes(top, at, n int) []byte {
	if at+n > top {
		return nil
	}
	if len(s.data) < top {
		s.data = append(s.data, make([]byte, top-len(s.data))...)
	}
	return s.data[at : at+n]
}

// stacks contains the memory of a core for llvm.alloca: the stack of the core, and the
// memory of each work item that persists between SIMT launches. The persistent memory is
// divided in the same way for each work item.
type stacks struct {
	own stack
	// kept is the preserved memory of each work item, and keptTop the number of allocated
	// bytes in it.
	kept    []stack
	keptTop int
}

// tops records, at the entry of a function, how many bytes of two stacks are in use. The
// field here belongs to the ordinary stack, and the field kept to the stack of memory
// that survives a SIMT launch. When the function returns, both stacks are reset to these
// numbers, which frees the memory that the function has allocated.
type tops struct{ here, kept int }

// stackHere returns the stack on which the running code allocates memory. In SIMT code,
// this is the stack of the current work item; outside SIMT code, it is the stack of the
// core.
func (c *core) stackHere() *stack {
	if c.item != nil {
		return &c.item.stack
	}
	return &c.stacks.own
}

// tops returns how many bytes of each stack of the core are allocated at this moment.
func (c *core) tops() tops { return tops{c.stackHere().top, c.stacks.keptTop} }

// release frees all stack memory that was allocated after the stack pointers t were
// recorded.
func (c *core) release(t tops) { c.stackHere().top, c.stacks.keptTop = t.here, t.kept }

// reserve allocates n bytes on a stack, sets them to zero, and returns the address of the
// first one. If keep is set, the memory survives the current SIMT launch.
func (c *core) reserve(n int, keep bool) uint64 {
	switch {
	case keep:
		if c.stacks.kept == nil {
			c.stacks.kept = make([]stack, maxWorkItems)
		}
		at := c.stacks.keptTop
		for i := range c.stacks.kept {
			c.stacks.kept[i].top = at
			c.stacks.kept[i].push(n)
		}
		c.stacks.keptTop = at + roundUp(n, 8)
		return keptStack<<stackShift | uint64(at)
	case c.item != nil:
		return itemStack<<stackShift | uint64(c.item.stack.push(n))
	}
	return coreStack<<stackShift | uint64(c.stacks.own.push(n))
}

// onStack returns n bytes of the stack. The parameter addr is the address of the first
// byte. If the address is invalid, the result is nil, together with a text that states
// the reason.
func (c *core) onStack(addr uint64, n int) ([]byte, string) {
	kind, at := addr>>stackShift, int(uint32(addr))
	var s *stack
	switch {
	case kind == coreStack:
		s = &c.stacks.own
	case kind != itemStack && (kind != keptStack || c.stacks.kept == nil):
		return nil, fmt.Sprintf("address %#x, which is not on a stack", addr)
	case c.item == nil:
		return nil, "memory of work items outside of them"
	case kind == itemStack:
		s = &c.item.stack
	default:
		s = &c.stacks.kept[c.item.index]
	}
	if b := s.bytes(s.top, at, n); b != nil {
		return b, ""
	}
	return nil, span(int64(at), n) + fmt.Sprintf(" of a stack, of which %d are reserved", s.top)
}

// stackStep compiles an llvm operation on the stack or on addresses into a step, the
// function that executes it.
func (p *planner) stackStep(op *ir.Op, kind llvm.Action) step {
	switch kind {
	case llvm.Frame:
		return p.reserve(op)
	case llvm.Read, llvm.Write:
		return p.throughAddress(op, kind == llvm.Write)
	case llvm.Step:
		return p.stepAddress(op)
	case llvm.FromInteger, llvm.ToInteger:
		return p.numberAddress(op)
	}
	return p.unplanned(op)
}

// reserve compiles llvm.alloca into a step, a function that allocates stack memory.
func (p *planner) reserve(op *ir.Op) step {
	size := pto.ByteSize(llvm.ElemType(op))
	if size == 0 {
		p.errorf(op, "reserves stack memory for type %s, which pto-run does not support", llvm.ElemType(op))
		return nil
	}
	p.cur.reserves = true
	n, d, keep := p.slot(op.Operand(0)), p.slot(op.Result(0)), op.HasAttr(llvm.Persistent)
	f, _ := p.format(op, op.Operand(0).Type())
	return func(fr *frame) *Fault {
		c := fr.core
		many := num.Int(f, fr.x[n])
		if t := c.tops(); many < 0 || many > int64((maxStack-max(t.here, t.kept))/size) {
			return faultAt(op, "reserves stack memory for %d elements of %d bytes, but a stack has only %d bytes in total", many, size, maxStack)
		}
		fr.x[d] = c.reserve(int(many)*size, keep)
		return nil
	}
}

// throughAddress compiles op into a step, a function that accesses memory at an address.
// If the parameter store is true, op is llvm.store; otherwise it is llvm.load.
func (p *planner) throughAddress(op *ir.Op, store bool) step {
	how, v := writes, op.Arg("value")
	if !store {
		how, v = reads, op.Result(0)
	}
	find := p.memoryAt(op, "addr", how)
	f, ok := p.storedFormat(op, v.Type())
	if find == nil || !ok {
		return nil
	}
	x, vector, size := p.slot(v), shortVector(v.Type()) > 0, pto.ByteSize(v.Type())
	return func(fr *frame) *Fault {
		b, fault := find(fr, size)
		switch {
		case fault != nil:
			return fault
		case vector && store:
			copy(b, fr.v[x].bytes())
		case vector:
			copy(fr.v[x].bytes(), b)
		case store:
			num.Store(f, b, fr.x[x])
		default:
			fr.x[x] = num.Load(f, b)
		}
		return nil
	}
}

// memoryAt returns a function that returns n bytes at the address in the named operand of
// op, on a stack or in an address space. The parameter how states whether op reads or
// writes them. The returned function faults if the bytes are out of bounds.
func (p *planner) memoryAt(op *ir.Op, name string, how access) func(fr *frame, n int) ([]byte, *Fault) {
	v := op.Arg(name)
	at := p.slot(v)
	number := llvm.SpaceOf(v.Type())
	if number == 0 {
		return func(fr *frame, n int) ([]byte, *Fault) {
			b, wrong := fr.core.onStack(fr.x[at], n)
			if wrong != "" {
				return nil, faultAt(op, "%s %s", how, wrong)
			}
			return b, nil
		}
	}
	space, ok := sem.NumberedSpace(number)
	if !ok {
		p.errorf(op, "accesses memory through the type %s, whose memory space pto-run does not support", v.Type())
		return nil
	}
	pl := pointee{op: op, name: name, how: how, space: space}
	return func(fr *frame, n int) ([]byte, *Fault) { return pl.bytes(fr.core, fr.x[at], n) }
}

// stepAddress compiles llvm.getelementptr with one index into a step, a function that
// adds a multiple of the element size to an address.
func (p *planner) stepAddress(op *ir.Op) step {
	size := uint64(pto.ByteSize(llvm.ElemType(op)))
	is := llvm.Indices(op)
	if len(is) != 1 || size == 0 {
		p.errorf(op, "computes an address inside of type %s, which pto-run does not support", llvm.ElemType(op))
		return nil
	}
	a, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	if is[0].Value == nil {
		by := uint64(far(is[0].Const, int64(size)))
		return func(fr *frame) *Fault { fr.x[d] = fr.x[a] + by; return nil }
	}
	f, _ := p.format(op, is[0].Value.Type())
	i := p.slot(is[0].Value)
	return func(fr *frame) *Fault { fr.x[d] = fr.x[a] + uint64(far(num.Int(f, fr.x[i]), int64(size))); return nil }
}

// numberAddress compiles a conversion between an address and an integer into a step. It
// reports an error for stack addresses, which have no integer value.
func (p *planner) numberAddress(op *ir.Op) step {
	for _, v := range []*ir.Value{op.Operand(0), op.Result(0)} {
		if ir.Is[llvm.PointerType](v.Type()) && llvm.SpaceOf(v.Type()) == 0 {
			p.errorf(op, "converts a stack address to a number, which pto-run does not support")
			return nil
		}
	}
	f, ok := p.format(op, ir.I64)
	if t := op.Result(0).Type(); ir.Is[ir.IntegerType](t) {
		f, ok = p.format(op, t)
	}
	if !ok {
		return nil
	}
	a, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	return func(fr *frame) *Fault { fr.x[d] = fr.x[a] & f.Mask(); return nil }
}
