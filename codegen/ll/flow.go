// This file emits structured control flow: loops, branches and traps.

package ll

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Loop emits a loop that executes body for i = 0, 1, ..., n-1. n is an i64. The names of
// the loop's LLVM blocks begin with name.
//
//go:noinline
func (c *Code) Loop(name string, n value.Value, body func(i value.Value)) {
	c.Reduce(name, n, nil, func(i value.Value, _ []value.Value) []value.Value {
		body(i)
		return nil
	})
}

// Reduce emits a loop over i = 0, 1, ..., n-1 with accumulators. The function body
// receives the accumulators of the previous iteration, starting with init, and returns
// the new ones. Reduce returns their final values. The names of the loop's LLVM blocks
// begin with name.
func (c *Code) Reduce(name string, n value.Value, init []value.Value, body func(i value.Value, acc []value.Value) []value.Value) []value.Value {
	if _, known := ConstantInt(n); c.m.Fenced && !known {
		c.TrapIf(c.ICmp(enum.IPredSGT, n, Index(mostRounds)))
	}
	head, inside, done := c.NewBlock(name), c.NewBlock(name+".body"), c.NewBlock(name+".end")
	before := c.Block
	c.Jump(head)
	c.Enter(head)
	i := c.Phi(I64, Index(0), before)
	if k, known := ConstantInt(n); !known || k <= mostRounds {
		c.m.counters[i] = n
	}
	phis, acc := make([]*llir.InstPhi, len(init)), make([]value.Value, len(init))
	for k, x := range init {
		phis[k] = c.Phi(x.Type(), x, before)
		acc[k] = phis[k]
	}
	c.Branch(c.ICmp(enum.IPredSLT, i, n), inside, done)
	c.Enter(inside)
	next := body(i, acc)
	step := llir.NewAdd(i, Index(1))
	step.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNUW, enum.OverflowFlagNSW}
	c.Do(step)
	AddIncoming(i, step, c.Block)
	for k := range phis {
		AddIncoming(phis[k], next[k], c.Block)
	}
	c.Jump(head)
	c.Enter(done)
	return acc
}

// Phi emits a phi instruction of type t with one incoming value. The value is x, and it
// comes from the block given by the parameter from. AddIncoming adds further values.
func (c *Code) Phi(t types.Type, x value.Value, from *llir.Block) *llir.InstPhi {
	p := &llir.InstPhi{Typ: t, Incs: []*llir.Incoming{llir.NewIncoming(x, from)}}
	c.Do(p)
	return p
}

// When emits the code of body so that it executes only if cond, an i1, is true. The names
// of the LLVM blocks that it creates begin with name.
func (c *Code) When(name string, cond value.Value, body func()) {
	inside, done := c.NewBlock(name), c.NewBlock(name+".end")
	c.Branch(cond, inside, done)
	c.Enter(inside)
	body()
	c.Jump(done)
	c.Enter(done)
}

// Choose emits the code of two functions so that only one of them executes. The code of
// the function yes executes if cond is true, and the code of the function no executes if
// cond is false. Choose returns a phi of the two results. The names of the LLVM blocks
// that it creates begin with the string name.
func (c *Code) Choose(name string, cond value.Value, yes, no func() value.Value) value.Value {
	a, b, done := c.NewBlock(name), c.NewBlock(name+".else"), c.NewBlock(name+".end")
	c.Branch(cond, a, b)
	c.Enter(a)
	x := yes()
	fromA := c.Block
	c.Jump(done)
	c.Enter(b)
	y := no()
	fromB := c.Block
	c.Jump(done)
	c.Enter(done)
	p := c.Phi(x.Type(), x, fromA)
	AddIncoming(p, y, fromB)
	return p
}

// SwitchOn ends the current block with a jump that depends on x. It goes to targets[i] if
// x equals cases[i]. If x equals none of the cases, it goes to the block in the parameter
// other.
func (c *Code) SwitchOn(x value.Value, other *llir.Block, cases []uint64, targets []*llir.Block) {
	cs := make([]*llir.Case, len(targets))
	for i, t := range targets {
		cs[i] = llir.NewCase(Integer(x.Type(), int64(cases[i])).(constant.Constant), t)
	}
	c.End(llir.NewSwitch(x, other, cs...))
}

// TrapIf emits code that stops the program with a trap if cond is true. LLVM has no
// instruction that reports a more specific fault.
func (c *Code) TrapIf(cond value.Value) {
	bad, good := c.NewBlock("fault"), c.NewBlock("ok")
	c.Branch(cond, bad, good)
	c.Enter(bad)
	c.Call(c.m.Intrinsic("llvm.trap", Void))
	c.End(llir.NewUnreachable())
	c.Enter(good)
}

// Memory. Every access names its alignment: that of one element, since an
// address may be any multiple of that.

// Load emits a load of a value of type t. from is the address, which must be a multiple
// of align bytes.
//
//go:noinline
func (c *Code) Load(t types.Type, from value.Value, align int) value.Value {
	return c.Emit(&llir.InstLoad{ElemType: t, Src: from, Align: llir.Align(align)})
}

// Store emits a store of the value v. The parameter to is the address, which must be a
// multiple of align bytes.
//
//go:noinline
func (c *Code) Store(v, to value.Value, align int) {
	c.Do(&llir.InstStore{Src: v, Dst: to, Align: llir.Align(align)})
}

// At emits the address of element i of an array of elements of type t that starts at p.
//
//go:noinline
func (c *Code) At(t types.Type, p, i value.Value) value.Value {
	if n, ok := ConstantInt(i); ok && n == 0 {
		return p
	}
	return c.Emit(&llir.InstGetElementPtr{ElemType: t, Src: p, Indices: []value.Value{i}, Typ: Ptr})
}

// Slot reserves a variable of type t on the stack and returns its address. The
// reservation is placed at the start of the function, because inside a loop it would be
// repeated.
func (c *Code) Slot(t types.Type) value.Value {
	a := &llir.InstAlloca{ElemType: t}
	entry := c.Func.Blocks[0]
	entry.Insts = append([]llir.Instruction{a}, entry.Insts...)
	return address{a}
}

// Frame reserves a variable of type t on the stack for a kernel, and returns its address.
// The kernel may store any value in the variable, including addresses. In contrast, the
// emitter controls the contents of the variables that it reserves for its own use.
func (c *Code) Frame(t types.Type) value.Value {
	a := c.Slot(t)
	c.m.frames[a] = true
	return a
}

// Call emits a call of a function of the module.
func (c *Code) Call(fn *llir.Func, args ...value.Value) value.Value {
	return c.Emit(llir.NewCall(fn, args...))
}

// Extract emits element i of vector v.
func (c *Code) Extract(v, i value.Value) value.Value { return c.Emit(llir.NewExtractElement(v, i)) }

// Insert emits a copy of vector v with x as element i.
func (c *Code) Insert(v, x, i value.Value) value.Value {
	return c.Emit(llir.NewInsertElement(v, x, i))
}

// AddIncoming adds an incoming value to the phi instruction p. The value is x, and it
// comes from the block given by the parameter from.
func AddIncoming(p *llir.InstPhi, x value.Value, from *llir.Block) {
	p.Incs = append(p.Incs, llir.NewIncoming(x, from))
}
