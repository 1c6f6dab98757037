// This file implements the stacks for llvm.alloca: one for each core and for each SIMT
// work item.

package runtime

import (
	"fmt"
	"sort"

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

// allocation is the memory of one llvm.alloca, which starts as zeros. It occupies the bytes at to
// end-1 of its stack.
type allocation struct {
	at, end int
	// copies contains the memory of each work item if the memory is persistent, otherwise one
	// element. An element is nil before the first access to it.
	copies [][]byte
}

// copyOf returns copy i of the memory.
func (a *allocation) copyOf(i int) []byte {
	if i >= len(a.copies) {
		a.copies = append(a.copies, make([][]byte, i+1-len(a.copies))...)
	}
	if a.copies[i] == nil {
		a.copies[i] = make([]byte, a.end-a.at)
	}
	return a.copies[i]
}

// stack is a list of allocations, ordered by their addresses. The end of the last allocation is
// the top of the stack.
//
// An allocation is an object of its own, because a pipe can access it after the scalar unit has
// freed it and has reused its address (Options.Seed). The pipe then accesses the memory that
// existed when its instruction was issued.
type stack []*allocation

// top returns the number of bytes between the start of the stack and the end of the last
// allocation.
func (s stack) top() int {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].end
}

// push allocates n bytes at the top of the stack and returns the offset of the first one. It
// reuses an allocation that pop has left, if it has the same size.
func (s *stack) push(n int) (at int) {
	at = s.top()
	end := at + roundUp(n, 8)
	if k := len(*s); k < cap(*s) {
		if old := (*s)[:k+1][k]; old != nil && old.at == at && old.end == end {
			*s = (*s)[:k+1]
			for _, b := range old.copies {
				clear(b)
			}
			return at
		}
	}
	*s = append(*s, &allocation{at: at, end: end})
	return at
}

// pop frees all allocations except the first n ones. Later allocations reuse their memory.
func (s *stack) pop(n int) { *s = (*s)[:n] }

// cut returns the first n allocations of the stack. A push to the result changes neither s
// nor an allocation that s contains.
func (s stack) cut(n int) stack { return s[:n:n] }

// bytes returns n bytes of an allocation, starting at the byte offset at of the stack. The
// parameter i selects the copy of the memory. If the bytes are not completely in one
// allocation, the result is nil, together with a text that states the reason.
func (s stack) bytes(i, at, n int) ([]byte, string) {
	if top := s.top(); at+n > top {
		return nil, span(int64(at), n) + fmt.Sprintf(" of a stack, of which %d are reserved", top)
	}
	a := s[sort.Search(len(s), func(k int) bool { return s[k].at > at })-1]
	if at+n > a.end {
		return nil, span(int64(at), n) + fmt.Sprintf(" of a stack, but the allocation there contains only %s", span(int64(a.at), a.end-a.at))
	}
	return a.copyOf(i)[at-a.at:][:n], ""
}

// stacks contains the memory of a core for llvm.alloca.
type stacks struct {
	// own is the stack of the core.
	own stack
	// kept is the memory that persists between SIMT launches. Each allocation has a copy for
	// each work item.
	kept stack
}

// now returns the stacks with their present allocations. Later allocations of the core do not
// change the result, but it shares the memory of the present ones.
func (s *stacks) now() stacks { return stacks{s.own.cut(len(s.own)), s.kept.cut(len(s.kept))} }

// tops records, at the entry of a function, how many allocations two stacks contain. The
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

// tops returns how many allocations each stack of the core contains at this moment.
func (c *core) tops() tops { return tops{len(*c.stackHere()), len(c.stacks.kept)} }

// release frees all stack memory that was allocated after the numbers t were recorded. With
// pipes that run concurrently, launches that are still waiting can refer to this memory, so
// that it must not be reused.
func (c *core) release(t tops) {
	if here := c.stackHere(); c.prog.opts.Seed == 0 {
		here.pop(t.here)
		c.stacks.kept.pop(t.kept)
	} else {
		*here, c.stacks.kept = here.cut(t.here), c.stacks.kept.cut(t.kept)
	}
}

// reserve allocates n bytes on a stack, and returns the address of the first one. If keep is
// set, the memory survives the current SIMT launch.
func (c *core) reserve(n int, keep bool) uint64 {
	switch {
	case keep:
		return keptStack<<stackShift | uint64(c.stacks.kept.push(n))
	case c.item != nil:
		return itemStack<<stackShift | uint64(c.item.stack.push(n))
	}
	return coreStack<<stackShift | uint64(c.stacks.own.push(n))
}

// onStack returns n bytes of the stack. addr is the address of the first byte. If the
// address is invalid, the result is nil, together with a text that states the reason.
func (c *core) onStack(addr uint64, n int) ([]byte, string) {
	kind, at := addr>>stackShift, int(uint32(addr))
	switch {
	case kind == coreStack:
		return c.stacks.own.bytes(0, at, n)
	case kind != itemStack && (kind != keptStack || len(c.stacks.kept) == 0):
		return nil, fmt.Sprintf("address %#x, which is not on a stack", addr)
	case c.item == nil:
		return nil, "memory of work items outside of them"
	case kind == itemStack:
		return c.item.stack.bytes(0, at, n)
	}
	return c.stacks.kept.bytes(c.item.index, at, n)
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
		if top := max(c.stackHere().top(), c.stacks.kept.top()); many < 0 || many > int64((maxStack-top)/size) {
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
