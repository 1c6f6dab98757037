// This file builds scalar operations.

package build

import (
	"ptogo/dialect/arith"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Index returns the constant n of type index.
func (f *Func) Index(n int64) *ir.Value { return f.constant(ir.IntAttr(ir.Index, n), ir.Index) }

// Indices returns a constant of type index for each number in ns. The methods View and
// Part expect shapes and offsets as such lists.
func (f *Func) Indices(ns ...int64) []*ir.Value {
	vs := make([]*ir.Value, len(ns))
	for i, n := range ns {
		vs[i] = f.Index(n)
	}
	return vs
}

// Const returns a constant of type t with the value v. The value is rounded to nearest
// even and saturated to the range of t.
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

// constant returns the result of a constant operation of type t with the value attr. It
// creates one operation for equal constants. It inserts the operation at the start of the
// function, so that the constant dominates all later operations and loop bodies.
func (f *Func) constant(attr ir.Attr, t ir.Type) *ir.Value {
	if v := f.consts[attr]; v != nil {
		return v
	}
	op := ir.New(ir.State{Def: arith.Constant, Results: []ir.Type{t}, Attrs: []ir.NamedAttr{{Name: "value", Attr: attr}}})
	f.op.Region(0).Entry().Prepend(op)
	f.consts[attr] = op.Result(0)
	return op.Result(0)
}

// MulI appends a multiplication of two integers or two indices and returns the product.
func (f *Func) MulI(a, b *ir.Value) *ir.Value { return f.integer(arith.MulI, a, b) }

// integer appends an operation with the definition def on the two integers a and b, which
// have the same type, and returns its result.
func (f *Func) integer(def *ir.Def, a, b *ir.Value) *ir.Value {
	return f.Op(def, []*ir.Value{a, b}, typeOf(def, a)).Result(0)
}

// BlockIdx appends an operation that reads the number of the block that executes the
// kernel, and returns this number as an index.
func (f *Func) BlockIdx() *ir.Value { return f.toIndex(isabase.GetBlockIdx) }

// BlockNum appends an operation that reads the number of blocks in the launch, and
// returns this number as an index.
func (f *Func) BlockNum() *ir.Value { return f.toIndex(isabase.GetBlockNum) }

// toIndex appends an instruction without operands whose result is an i64, and a
// conversion of the result to type index. It returns the converted result.
func (f *Func) toIndex(def *ir.Def) *ir.Value {
	n := f.Op(def, nil, ir.I64).Result(0)
	return f.Op(arith.IndexCast, []*ir.Value{n}, ir.Index).Result(0)
}

// For appends a loop over a counter, which starts at lower and increases by step while it
// is below upper. It calls the function body once, with the counter, to append the
// operations of the loop body.
func (f *Func) For(lower, upper, step *ir.Value, body func(i *ir.Value)) {
	f.Carry(lower, upper, step, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
		body(i)
		return nil
	})
}

// Carry appends a counted loop, like For, with values that each iteration passes to the
// next one. The counter starts at lower and increases by step while it is below upper.
// Carry calls the function body once. The parameter carried of body contains the values
// at the start of an iteration, and body returns the values for the next iteration. The
// first iteration starts with the values in init. Carry returns the values after the last
// iteration.
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

// typeOf returns the type of v. It panics with a message that names the definition def if
// v is nil.
func typeOf(def *ir.Def, v *ir.Value) ir.Type {
	if v == nil {
		misuse(def, "an operand is nil")
	}
	return v.Type()
}
