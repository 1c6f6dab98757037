// This file plans and runs kernels.

package kernel

import (
	"fmt"
	"reflect"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
)

// Plan is a program that is compiled for execution. It can run many times, also in
// several goroutines at the same time.
type Plan struct {
	// prog is the compiled program.
	prog *runtime.Program
	// params are the parameters of the entry kernel.
	params []Param
	// ranks is the number of ranks of a launch.
	ranks int
}

// Plan compiles the program for execution with the runtime options o. It ignores the
// target and the features in o, and uses the target and the features of the program
// instead.
func (p *Program) Plan(o runtime.Options) (*Plan, error) {
	o.Target, o.Features = p.Target, p.Features
	var diags ir.Diags
	prog := runtime.Plan(p.Module, p.Kernels, o, &diags)
	if prog == nil {
		return nil, diags.Err()
	}
	return &Plan{prog, p.Params(), max(o.Ranks, 1)}, nil
}

// Run compiles the program and runs it once, on one block. It accepts one argument per
// parameter: an *Array for a pointer, and a Go number or bool for a scalar.
func (p *Program) Run(args ...any) error {
	plan, err := p.Plan(runtime.Options{})
	if err != nil {
		return err
	}
	return plan.Run(args...)
}

// Run launches the kernel with one argument per parameter. The argument for a pointer is
// an *Array, which the kernel reads and writes in place. The argument for a scalar is a
// Go number or a bool. For each parameter, the argument can also be a runtime.Arg, which
// is passed unchanged. With several ranks, the arguments of rank 0 come first, then those
// of rank 1, and so on. A fault of the kernel is a *runtime.Fault.
func (p *Plan) Run(args ...any) error {
	if want := len(p.params) * p.ranks; len(args) != want {
		return fmt.Errorf("the kernel needs %s, but %d were given", ir.Count(want, "argument"), len(args))
	}
	values := make([]runtime.Arg, len(args))
	for i, a := range args {
		var err error
		if values[i], err = bind(a, p.params[i%len(p.params)]); err != nil {
			return fmt.Errorf("argument %d: %w", i%len(p.params), err)
		}
	}
	return p.prog.Run(values)
}

// bind converts an argument to the runtime's representation of an argument for parameter
// p. It returns an error if the types do not match.
func bind(arg any, p Param) (runtime.Arg, error) {
	switch a := arg.(type) {
	case runtime.Arg:
		return a, nil
	case *Array:
		switch elem := ir.ElementType(p.Type); {
		case !p.IsPointer():
			return runtime.Arg{}, fmt.Errorf("the parameter is a scalar of type %s and does not accept an array", p.Type)
		case !SameBits(a.Elem, elem):
			return runtime.Arg{}, fmt.Errorf("the parameter points to elements of type %s, but the array has elements of type %s", elem, a.Elem)
		}
		return runtime.Arg{Buf: &runtime.Buffer{Data: a.Data, Name: p.Name}}, nil
	}
	if p.IsPointer() {
		return runtime.Arg{}, fmt.Errorf("the parameter has pointer type %s and needs a *kernel.Array", p.Type)
	}
	bits, err := scalarBits(arg, p.Type)
	return runtime.Arg{Bits: bits}, err
}

// scalarBits converts a Go number to the bits of a scalar of type t. It returns an error
// if the number does not fit.
func scalarBits(arg any, t ir.Type) (uint64, error) {
	f, ok := ir.FormatOf(t)
	if !ok {
		return 0, fmt.Errorf("a kernel parameter must be a pointer or a scalar, but has type %s", t)
	}
	v := reflect.ValueOf(arg)
	switch {
	case v.Kind() == reflect.Bool && f.IsInt():
		if v.Bool() {
			return 1, nil
		}
		return 0, nil
	case v.CanInt() && f.IsInt():
		bits := uint64(v.Int()) & f.Mask()
		if num.Int(f, bits) == v.Int() || v.Int() >= 0 && num.Uint(f, bits) == uint64(v.Int()) {
			return bits, nil
		}
	case v.CanUint() && f.IsInt():
		if bits := v.Uint() & f.Mask(); bits == v.Uint() {
			return bits, nil
		}
	case v.CanInt():
		return num.Encode(f, float64(v.Int()), num.NearestEven, false), nil
	case v.CanFloat() && f.IsFloat():
		return num.Encode(f, v.Float(), num.NearestEven, false), nil
	default:
		return 0, fmt.Errorf("a Go value of type %T cannot be converted to type %s", arg, t)
	}
	return 0, fmt.Errorf("the value %v does not fit type %s", arg, t)
}
