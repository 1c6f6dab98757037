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

// Module returns an empty MLIR module, to which Kernel adds functions.
func Module() *ir.Op {
	return ir.New(ir.State{Def: builtin.Module, Regions: []*ir.Region{ir.NewRegion(ir.NewBlock())}})
}

// Param is the declaration of a kernel parameter.
type Param struct {
	Name string
	Type ir.Type
}

// PtrTo returns the declaration of a kernel parameter with the given name. The parameter
// is a pointer to elements of type elem in global memory.
func PtrTo(name string, elem ir.Type) Param { return Param{name, pto.Ptr(elem, sem.GM)} }

// Scalar returns the declaration of a kernel parameter with the given name. The parameter
// is a number of type t.
func Scalar(name string, t ir.Type) Param { return Param{name, t} }

// Func is a function under construction. Each method appends an operation and returns its
// result, if it has one. Operations are appended to the function. However, the method For
// receives a callback that builds a loop body; during this callback, operations are
// appended to the loop body.
type Func struct {
	// op is the function.
	op *ir.Op
	// at is the position of the next operation.
	at *ir.Builder
	// consts are the constants so far, which are at the start of the function.
	consts map[ir.Attr]*ir.Value
}

// Kernel adds a kernel without operations to a module, and returns a Func with which the
// caller appends operations. The kernel is a valid function at any time, because Kernel
// adds the return operation, and the methods of Func insert operations before it.
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

// In returns a Func that adds operations to the existing function f. It inserts the
// operations before the operation given by the parameter before.
func In(f, before *ir.Op) *Func {
	return &Func{op: f, at: ir.Before(before), consts: map[ir.Attr]*ir.Value{}}
}

// Param returns parameter number i of the function as an operand for operations.
func (f *Func) Param(i int) *ir.Value { return fn.Body(f.op).Arg(i) }

// Op appends an operation of any dialect and returns it. def is the definition of the
// operation. If the definition has several forms (syntaxes with different operands), Op
// uses the first one. It panics if an operand is nil.
func (f *Func) Op(def *ir.Def, operands []*ir.Value, results ...ir.Type) *ir.Op {
	return f.insert(ir.State{Def: def, Operands: operands, Results: results})
}

// Create appends an operation that the parameter s describes, and returns it. In contrast
// to the method Op, which accepts only operands and result types, Create also accepts
// attributes. The description s can also state how many operands belong to each optional
// argument. Create panics if an operand is nil.
func (f *Func) Create(s ir.State) *ir.Op { return f.insert(s) }

// insert appends the operation that s describes, and returns it. It panics if an operand
// is nil.
func (f *Func) insert(s ir.State) *ir.Op {
	for i, v := range s.Operands {
		if v == nil {
			misuse(s.Def, "operand %d is nil", i)
		}
	}
	return f.at.Create(s)
}

// misuse panics with a message that names the definition def. It is called when the
// arguments of a method do not determine a valid operation.
func misuse(def *ir.Def, format string, args ...any) {
	panic("build: " + def.Made().Name + ": " + fmt.Sprintf(format, args...))
}
