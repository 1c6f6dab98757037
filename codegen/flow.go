package codegen

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// loop runs body for i = 0, 1, ... below n, an i64.
func (c *code) loop(name string, n value.Value, body func(i value.Value)) {
	c.reduce(name, n, nil, func(i value.Value, _ []value.Value) []value.Value {
		body(i)
		return nil
	})
}

// reduce runs body for i = 0, 1, ... below n, an i64. The body gets what the
// turn before gave, first the initial values, and gives the next ones; reduce
// returns the last ones.
func (c *code) reduce(name string, n value.Value, init []value.Value, body func(i value.Value, acc []value.Value) []value.Value) []value.Value {
	head, inside, done := c.newBlock(name), c.newBlock(name+".body"), c.newBlock(name+".end")
	before := c.block
	c.jump(head)
	c.enter(head)
	i := c.phi(i64, index(0), before)
	phis, acc := make([]*llir.InstPhi, len(init)), make([]value.Value, len(init))
	for k, x := range init {
		phis[k] = c.phi(x.Type(), x, before)
		acc[k] = phis[k]
	}
	c.branch(c.icmp(enum.IPredSLT, i, n), inside, done)
	c.enter(inside)
	next := body(i, acc)
	step := llir.NewAdd(i, index(1))
	step.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNUW, enum.OverflowFlagNSW}
	c.do(step)
	addIncoming(i, step, c.block)
	for k := range phis {
		addIncoming(phis[k], next[k], c.block)
	}
	c.jump(head)
	c.enter(done)
	return acc
}

// phi appends a phi with a first incoming value.
func (c *code) phi(t types.Type, x value.Value, from *llir.Block) *llir.InstPhi {
	p := &llir.InstPhi{Typ: t, Incs: []*llir.Incoming{llir.NewIncoming(x, from)}}
	c.do(p)
	return p
}

// when runs body if cond holds.
func (c *code) when(name string, cond value.Value, body func()) {
	inside, done := c.newBlock(name), c.newBlock(name+".end")
	c.branch(cond, inside, done)
	c.enter(inside)
	body()
	c.jump(done)
	c.enter(done)
}

// choose gives the value of yes if cond holds, else that of no; only the one
// chosen is computed.
func (c *code) choose(name string, cond value.Value, yes, no func() value.Value) value.Value {
	a, b, done := c.newBlock(name), c.newBlock(name+".else"), c.newBlock(name+".end")
	c.branch(cond, a, b)
	c.enter(a)
	x := yes()
	fromA := c.block
	c.jump(done)
	c.enter(b)
	y := no()
	fromB := c.block
	c.jump(done)
	c.enter(done)
	p := c.phi(x.Type(), x, fromA)
	addIncoming(p, y, fromB)
	return p
}

// trapIf stops the program if cond holds: the machine reports a fault there,
// and LLVM has no better word for it.
func (c *code) trapIf(cond value.Value) {
	bad, good := c.newBlock("fault"), c.newBlock("ok")
	c.branch(cond, bad, good)
	c.enter(bad)
	c.call(c.intrinsic("llvm.trap", void))
	c.end(llir.NewUnreachable())
	c.enter(good)
}

// Memory. Every access names its alignment: that of one element, since an
// address may be any multiple of that.

// load reads a value of type t.
func (c *code) load(t types.Type, from value.Value, align int) value.Value {
	return add(c, &llir.InstLoad{ElemType: t, Src: from, Align: llir.Align(align)})
}

// store writes a value.
func (c *code) store(v, to value.Value, align int) {
	c.do(&llir.InstStore{Src: v, Dst: to, Align: llir.Align(align)})
}

// at returns the address of element i behind p.
func (c *code) at(t types.Type, p, i value.Value) value.Value {
	if n, ok := constantInt(i); ok && n == 0 {
		return p
	}
	return add(c, &llir.InstGetElementPtr{ElemType: t, Src: p, Indices: []value.Value{i}, Typ: ptr})
}

// slot reserves a variable on the stack, at the start of the function so that
// a loop does not reserve it again and again.
func (c *code) slot(t types.Type) value.Value {
	a := &llir.InstAlloca{ElemType: t}
	entry := c.fn.Blocks[0]
	entry.Insts = append([]llir.Instruction{a}, entry.Insts...)
	return address{a}
}

// call calls a function of the module.
func (c *code) call(fn *llir.Func, args ...value.Value) value.Value {
	return add(c, llir.NewCall(fn, args...))
}

// extract returns element i of a vector.
func (c *code) extract(v, i value.Value) value.Value { return add(c, llir.NewExtractElement(v, i)) }

// insert returns v with x as element i.
func (c *code) insert(v, x, i value.Value) value.Value {
	return add(c, llir.NewInsertElement(v, x, i))
}

// addIncoming adds a value that comes from a block to a phi.
func addIncoming(p *llir.InstPhi, x value.Value, from *llir.Block) {
	p.Incs = append(p.Incs, llir.NewIncoming(x, from))
}
