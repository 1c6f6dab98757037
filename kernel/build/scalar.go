package build

import (
	"ptogo/dialect/arith"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Index gives a constant of type index.
func (f *Func) Index(n int64) *ir.Value { return f.constant(ir.IntAttr(ir.Index, n), ir.Index) }

// Indices gives several, as shapes and offsets take them.
func (f *Func) Indices(ns ...int64) []*ir.Value {
	vs := make([]*ir.Value, len(ns))
	for i, n := range ns {
		vs[i] = f.Index(n)
	}
	return vs
}

// Const gives a constant number, rounded to the nearest of its type.
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

// constant gives the constant of an attribute. All stand at the start of the
// function, where loops that begin later see them too.
func (f *Func) constant(attr ir.Attr, t ir.Type) *ir.Value {
	if v := f.consts[attr]; v != nil {
		return v
	}
	op := ir.New(ir.State{Def: arith.Constant, Results: []ir.Type{t}, Attrs: []ir.NamedAttr{{Name: "value", Attr: attr}}})
	f.op.Region(0).Entry().Prepend(op)
	f.consts[attr] = op.Result(0)
	return op.Result(0)
}

// MulI multiplies integers or indices.
func (f *Func) MulI(a, b *ir.Value) *ir.Value { return f.integer(arith.MulI, a, b) }

func (f *Func) integer(def *ir.Def, a, b *ir.Value) *ir.Value {
	return f.Op(def, []*ir.Value{a, b}, typeOf(def, a)).Result(0)
}

// BlockIdx gives the number of the block that runs, as an index.
func (f *Func) BlockIdx() *ir.Value { return f.toIndex(isabase.GetBlockIdx) }

// BlockNum gives how many blocks the launch has, as an index.
func (f *Func) BlockNum() *ir.Value { return f.toIndex(isabase.GetBlockNum) }

func (f *Func) toIndex(def *ir.Def) *ir.Value {
	n := f.Op(def, nil, ir.I64).Result(0)
	return f.Op(arith.IndexCast, []*ir.Value{n}, ir.Index).Result(0)
}

// For inserts a loop whose counter goes from lower in steps to below upper. body
// inserts what it repeats.
func (f *Func) For(lower, upper, step *ir.Value, body func(i *ir.Value)) {
	f.Carry(lower, upper, step, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
		body(i)
		return nil
	})
}

// Carry is For with values that each iteration takes from the one before: body
// gets them, first those of init, and returns those of the next iteration. The
// results are the last ones.
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

// typeOf returns the type of an operand.
func typeOf(def *ir.Def, v *ir.Value) ir.Type {
	if v == nil {
		misuse(def, "an operand is nil")
	}
	return v.Type()
}
