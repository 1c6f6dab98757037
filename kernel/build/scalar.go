// This file builds scalar operations.

package build

import (
	"ptogo/dialect/arith"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Index returns a constant of type index.
func (f *Func) Index(n int64) *ir.Value { return f.constant(ir.IntAttr(ir.Index, n), ir.Index) }

// Indices returns index constants, in the form that shapes and offsets need.
func (f *Func) Indices(ns ...int64) []*ir.Value {
	vs := make([]*ir.Value, len(ns))
	for i, n := range ns {
		vs[i] = f.Index(n)
	}
	return vs
}

// Const returns a constant of type t with value v, rounded to nearest even.
func (f *Func) Const(t ir.Type, v float64) *ir.Value {
	if t == ir.Index {
		return f.Index(int64(v))
	}
	format, ok := ir.FormatOf(t)
	if !ok {
		misuse(arith.Constant, "%s is no type of numbers", t)
	}
	attr, ok := ir.NumberAttr(t, num.Encode(format, v, num.NearestEven, true))
	if !ok {
		misuse(arith.Constant, "there are no constants of type %s", t)
	}
	return f.constant(attr, t)
}

// constant returns the constant with the value attr and creates each only once.
// Constants are at the start of the function, so they dominate all later operations
// and loops.
func (f *Func) constant(attr ir.Attr, t ir.Type) *ir.Value {
	if v := f.consts[attr]; v != nil {
		return v
	}
	op := ir.New(ir.State{Def: arith.Constant, Results: []ir.Type{t}, Attrs: []ir.NamedAttr{{Name: "value", Attr: attr}}})
	f.op.Region(0).Entry().Prepend(op)
	f.consts[attr] = op.Result(0)
	return op.Result(0)
}

// MulI returns the product of two integers or indices.
func (f *Func) MulI(a, b *ir.Value) *ir.Value { return f.integer(arith.MulI, a, b) }

// integer appends an operation on two integers of the same type.
func (f *Func) integer(def *ir.Def, a, b *ir.Value) *ir.Value {
	return f.Op(def, []*ir.Value{a, b}, typeOf(def, a)).Result(0)
}

// BlockIdx returns the number of the current block, as an index.
func (f *Func) BlockIdx() *ir.Value { return f.toIndex(isabase.GetBlockIdx) }

// BlockNum returns the number of blocks in the launch, as an index.
func (f *Func) BlockNum() *ir.Value { return f.toIndex(isabase.GetBlockNum) }

// toIndex appends an instruction that returns an i64, and converts the result to index.
func (f *Func) toIndex(def *ir.Def) *ir.Value {
	n := f.Op(def, nil, ir.I64).Result(0)
	return f.Op(arith.IndexCast, []*ir.Value{n}, ir.Index).Result(0)
}

// For appends a loop with a counter from lower, in steps, while it is below upper.
// body appends the operations of the loop body.
func (f *Func) For(lower, upper, step *ir.Value, body func(i *ir.Value)) {
	f.Carry(lower, upper, step, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
		body(i)
		return nil
	})
}

// Carry is For with values that are carried from one iteration to the next. body
// receives them, starting with init, and returns those for the next iteration.
// Carry returns the values after the last iteration.
func (f *Func) Carry(lower, upper, step *ir.Value, init []*ir.Value, body func(i *ir.Value, carried []*ir.Value) []*ir.Value) []*ir.Value {
	block := ir.NewBlock(typeOf(scf.For, lower))
	types := make([]ir.Type, len(init))
	for i, v := range init {
		types[i] = typeOf(scf.For, v)
		block.AddArg(types[i])
	}
	loop := f.insert(ir.State{
		Def: scf.For, Results: types, Regions: []*ir.Region{ir.NewRegion(block)},
		Operands: append([]*ir.Value{lower, upper, step}, init...),
	})
	outside := f.at
	f.at = ir.AtEnd(block, ir.Loc{})
	f.Op(scf.Yield, body(block.Arg(0), block.Args()[1:]))
	f.at = outside
	return loop.Results()
}

// typeOf returns the type of v, and panics for def if v is nil.
func typeOf(def *ir.Def, v *ir.Value) ir.Type {
	if v == nil {
		misuse(def, "an operand is nil")
	}
	return v.Type()
}
