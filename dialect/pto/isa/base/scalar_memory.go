// This file defines scalar loads and stores.

package base

import (
	"cmp"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// scalarMemory is the chapter of the manual on scalar loads and stores.
const scalarMemory = "scalar-memory"

// Definitions of the loads and stores of one element. Offsets count elements.
var (
	LoadScalar = Define("load_scalar", func(name string) *ir.Def {
		return ElementLoad(Op{
			Name: name, Group: "scalar", Page: MicroPage("18-special-scalar"), Pipe: sem.PipeS,
			Doc: "Reads the element at ptr + offset.", Sem: sem.LoadElement{},
		}, PtrNoMemRef)
	})
	StoreScalar = Define("store_scalar", func(name string) *ir.Def {
		return ElementStore(Op{
			Name: name, Group: "scalar", Page: MicroPage("18-special-scalar"), Pipe: sem.PipeS,
			Doc: "Writes the element at ptr + offset.", Sem: sem.StoreElement{},
		}, PtrNoMemRef, false)
	})

	LdDev = Define("ld_dev", func(name string) *ir.Def {
		return ElementLoad(Op{
			Name: name, Group: "scalar", Page: MicroPage("18-special-scalar"), Pipe: sem.PipeS, On: sem.OnA5,
			Doc: "Reads an integer at ptr + offset in global memory past the data cache.", Sem: sem.LoadElement{},
			Cpp:   NoCpp("C++ reads through the data cache; pto.load_scalar after pto.dcci does so"),
			Rules: []Rule{OutsideSimt(), InEntry()}, Attrs: noCacheAttrs,
		}, devPtr)
	})
	StDev = Define("st_dev", func(name string) *ir.Def {
		return ElementStore(Op{
			Name: name, Group: "scalar", Page: MicroPage("18-special-scalar"), Pipe: sem.PipeS, On: sem.OnA5,
			Doc: "Writes an integer at ptr + offset in global memory past the data cache.", Sem: sem.StoreElement{},
			Cpp:   NoCpp("C++ writes through the data cache; pto.store_scalar does so"),
			Rules: []Rule{OutsideSimt(), InEntry()}, Attrs: noCacheAttrs,
		}, devPtr, true)
	})
)

// devPtr accepts the pointers of loads and stores that bypass the cache.
var devPtr = PtrTo("i8, i16, i32 or i64", I8|I16|I32|I64, sem.GM)

// noCacheAttrs declares the cache attributes for loads and stores that must not have
// them, because their accesses bypass the cache. The attributes are declared so that the
// verifier can report them as errors.
var noCacheAttrs = []ir.AttrDef{
	{Name: "l1cache", Type: noAttr, Optional: true},
	{Name: "l2cache", Type: noAttr, Optional: true},
}

// noAttr is a constraint on an attribute that an instruction must not have, because the
// instruction does not use the cache. It rejects every value.
var noAttr = ir.AttrIf("absent: the access goes past the cache", func(ir.Attr) bool { return false })

// ElementLoad returns the definition of an instruction that computes value =
// ptr[offset].
func ElementLoad(o Op, ptr ir.Constraint) *ir.Def {
	o.Family = cmp.Or(o.Family, scalarMemory)
	o.Ins = Args{In("ptr", ptr), In("offset", Index)}
	o.Outs = Args{Out("value", elementOf("ptr"))}
	o.Access = []Access{{Arg: "ptr", Read: true}}
	if o.Syntax == nil {
		o.Syntax = ir.Asm("$ptr `[` $offset `]` attr-dict `:` type($ptr) `->` type($value)")
	}
	if o.Examples == nil {
		o.Examples = []string{"%v = pto." + o.Name + " %p[%i] : !pto.ptr<i32> -> i32"}
	}
	return PlainOp(o)
}

// ElementStore returns the definition of an instruction that stores ptr[offset] = value.
// If valueFirst is set, value is the first operand of the instruction; otherwise it is
// the last one. In the text of the instruction, value comes first in both cases, unless o
// has a syntax of its own.
func ElementStore(o Op, ptr ir.Constraint, valueFirst bool) *ir.Def {
	o.Family = cmp.Or(o.Family, scalarMemory)
	value := In("value", elementOf("ptr"))
	o.Ins = Args{In("ptr", ptr), In("offset", Index), value}
	if valueFirst {
		o.Ins = Args{value, o.Ins[0], o.Ins[1]}
	}
	o.Access = []Access{{Arg: "ptr", Write: true}}
	if o.Syntax == nil {
		o.Syntax = ir.Asm("$value `,` $ptr `[` $offset `]` attr-dict `:` type($ptr) `,` type($value)")
	}
	if o.Examples == nil {
		o.Examples = []string{"pto." + o.Name + " %v, %p[%i] : !pto.ptr<i32>, i32"}
	}
	return PlainOp(o)
}

// elementOf is a constraint that accepts the element type of a pointer. Its value is
// the name of the pointer operand.
type elementOf string

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c elementOf) Check(t ir.Type, e *ir.Env) bool {
	p := e.Type(string(c))
	return p.IsZero() || t == ir.ElementType(p)
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c elementOf) Want(e *ir.Env) string {
	t := e.Type(string(c))
	if t.IsZero() { // on a reference page
		return "of the type that \"" + string(c) + "\" points to"
	}
	return ir.ElementType(t).String() + ", which \"" + string(c) + "\" points to"
}

// Infer implements ir.Inferrer. It returns the type of a result or operand whose type a
// program omits: the element type of a pointer. The string value of c is the name of the
// operand with this pointer.
func (c elementOf) Infer(e *ir.Env) ir.Type { return ir.ElementType(e.Type(string(c))) }

// Definitions of the instructions that access the control register of the scalar unit.
var (
	GetCtrl = Define("get_ctrl", func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Group: "scalar", Family: "control-register", Page: VptoODS, Pipe: sem.PipeS,
			Doc:      "Returns the control register.",
			Cpp:      NoCpp(ownRegister),
			Outs:     Args{Out("result", ir.Written(ir.I64))},
			Sem:      sem.ReadRegister{Name: "CTRL"},
			Examples: []string{"%c = pto.get_ctrl : i64"},
		})
	})
	SetCtrl  = Register("set_ctrl", "CTRL", "control-register", "scalar", "Sets the control register.", 1)
	SBitSet0 = scalarBit("sbitset0", false, "Clears the bit of first that second numbers.")
	SBitSet1 = scalarBit("sbitset1", true, "Sets the bit of first that second numbers.")
)

// ownRegister is a reason in error messages. It states why C++ cannot be generated for an
// instruction that accesses a certain special register.
const ownRegister = "only the PTO C++ library sets this register"

// scalarBit declares the instruction pto.NAME, which sets one bit of a number to 1 if set
// is true, and to 0 otherwise.
func scalarBit(name string, set bool, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Doc: doc, Group: "scalar", Family: "control-register", Page: VptoODS, Pipe: sem.PipeS,
			Ins:      Args{In("first", Count), In("second", Count)},
			Outs:     Args{Out("result", Count)},
			Traits:   ir.Pure,
			Sem:      sem.SetBit{Value: set},
			Examples: []string{"%r = pto." + name + " %a, %b : i64, i64 -> i64"},
		})
	})
}

// Register declares the instruction pto.NAME, which sets a special register to n operands
// of 64 bits, lowest bits first. reg is the name of the register, or UnknownRegister.
// family is the chapter of the manual, and group is the section of the documentation.
func Register(name, reg, family, group, doc string, n int) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		o := Op{
			Name: name, Doc: doc, Group: group, Family: family, Page: VptoODS, Pipe: sem.PipeS,
			Ins:      Args{In("value", Count)},
			Examples: []string{"pto." + name + " %a : i64"},
		}
		if reg == UnknownRegister {
			o.Notes = []string{"No public source defines the meaning of the operand."}
		} else {
			o.Sem = sem.WriteRegister{Name: reg}
		}
		if n == 2 {
			o.Ins = Args{In("first", Count), In("second", Count)}
			o.Examples = []string{"pto." + name + " %a, %b : i64, i64"}
		}
		return PlainOp(o)
	})
}

// UnknownRegister is the special register of instructions whose operands public sources
// do not explain. Such instructions are parsed and verified, but cannot be executed.
const UnknownRegister = ""
