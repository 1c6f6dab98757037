// This file builds modules and kernels.

package build

import (
	"fmt"

	"ptogo/dialect/builtin"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Module returns an empty module.
func Module() *ir.Op {
	return ir.New(ir.State{Def: builtin.Module, Regions: []*ir.Region{ir.NewRegion(ir.NewBlock())}})
}

// Param is the declaration of a kernel parameter.
type Param struct {
	Name string
	Type ir.Type
}

// PtrTo returns the declaration of a pointer to elements in global memory.
func PtrTo(name string, elem ir.Type) Param { return Param{name, pto.Ptr(elem, sem.GM)} }

// Scalar returns the declaration of a number.
func Scalar(name string, t ir.Type) Param { return Param{name, t} }

// Func is a function under construction. Each method appends an operation: at the
// end of the function or, while For calls its body, at the end of the loop.
type Func struct {
	// op is the function.
	op *ir.Op
	// at is the position of the next operation.
	at *ir.Builder
	// consts are the constants so far, which are at the start of the function.
	consts map[ir.Attr]*ir.Value
}

// Kernel adds a kernel to a module. The kernel is complete at any time, because it
// has its return from the start.
func Kernel(module *ir.Op, name string, params ...Param) *Func {
	types := make([]ir.Type, len(params))
	for i, p := range params {
		types[i] = p.Type
	}
	body := ir.NewBlock(types...)
	for i, p := range params {
		body.Arg(i).SetName(p.Name)
	}
	ret := ir.AtEnd(body, ir.Loc{}).Op(fn.Return, nil, nil)
	op := ir.AtEnd(module.Region(0).Entry(), ir.Loc{}).Create(ir.State{
		Def:     fn.Func,
		Regions: []*ir.Region{ir.NewRegion(body)},
		Attrs: []ir.NamedAttr{
			{Name: "sym_name", Attr: ir.Str(name)},
			{Name: "function_type", Attr: ir.TypeAsAttr(ir.Func(types, nil))},
			{Name: "pto.kernel", Attr: ir.Unit},
		},
	})
	return &Func{op: op, at: ir.Before(ret), consts: map[ir.Attr]*ir.Value{}}
}

// In returns a Func for an existing function f. New operations go before the
// operation before.
func In(f, before *ir.Op) *Func {
	return &Func{op: f, at: ir.Before(before), consts: map[ir.Attr]*ir.Value{}}
}

// Param returns parameter i.
func (f *Func) Param(i int) *ir.Value { return fn.Body(f.op).Arg(i) }

// Op appends an operation of any dialect in the first form of its definition.
func (f *Func) Op(def *ir.Def, operands []*ir.Value, results ...ir.Type) *ir.Op {
	return f.insert(ir.State{Def: def, Operands: operands, Results: results})
}

// Create appends an operation with attributes or with segments of optional
// operands.
func (f *Func) Create(s ir.State) *ir.Op { return f.insert(s) }

// insert appends an operation. It panics if an operand is nil.
func (f *Func) insert(s ir.State) *ir.Op {
	for i, v := range s.Operands {
		if v == nil {
			misuse(s.Def, "operand %d is nil", i)
		}
	}
	return f.at.Create(s)
}

// misuse panics, because no operation can be built from these arguments.
func misuse(def *ir.Def, format string, args ...any) {
	panic("build: " + def.Made().Name + ": " + fmt.Sprintf(format, args...))
}
