// This file defines pointer arithmetic and conversions.

package base

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// CastPtr is pto.castptr, which converts a pointer to another pointer type, or between
// pointers and integers.
var CastPtr = Define("castptr", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "scalar", Family: "pointer", Page: Manual, Pipe: sem.NoPipe,
		Doc:    "Casts an integer to a pointer, a pointer to an integer, or a pointer or memref to a pointer with another element type in the same space.",
		Ins:    Args{In("input", ir.OneOf(ir.AnyInteger, AnyPtr))},
		Outs:   Args{In("result", ir.OneOf(ir.AnyInteger, PtrNoMemRef))},
		Traits: ir.Pure,
		Sem:    sem.CastPtr{},
		Verify: verifyCastPtr,
		Examples: []string{
			"%p = pto.castptr %a : i64 -> !pto.ptr<f32, ub>",
			"%q = pto.castptr %p : !pto.ptr<f32, ub> -> !pto.ptr<i8, ub>",
		},
	})
})

// verifyCastPtr reports an error if a cast does not involve a pointer, or changes the
// memory space.
func verifyCastPtr(op *ir.Op, v *ir.Verifier) {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	switch {
	case ir.Is[ir.IntegerType](from) && ir.Is[ir.IntegerType](to):
		v.Errorf(op, "must not cast an integer to an integer").Note(op.Loc(), "use arith.extsi, arith.extui or arith.trunci")
	case ir.Is[ir.MemRefType](from) && ir.Is[ir.IntegerType](to):
		v.Errorf(op, "must not cast a memref to an integer").Note(op.Loc(), "cast it to a pointer first")
	case SpaceOf(from) != sem.NoSpace && SpaceOf(to) != sem.NoSpace && SpaceOf(from) != SpaceOf(to) && !spaceless(from):
		v.Errorf(op, "must not change the memory space, but converts from %s to %s", SpaceOf(from), SpaceOf(to))
	}
}

// spaceless reports whether t is a memref without a memory space, which may be in any
// memory.
func spaceless(t ir.Type) bool {
	m, ok := ir.As[ir.MemRefType](t)
	return ok && m.Space.IsZero()
}

// AddPtr is pto.addptr, which adds an offset in elements to a pointer.
var AddPtr = Define("addptr", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "scalar", Family: "pointer", Page: Manual, Pipe: sem.NoPipe,
		Doc:      "Moves a pointer by offset elements.",
		Ins:      Args{In("ptr", AnyPtr), In("offset", Index)},
		Outs:     Args{In("result", ir.SameAs("ptr"))},
		Traits:   ir.Pure,
		Sem:      sem.AddPtr{},
		Examples: []string{"%q = pto.addptr %p, %i : !pto.ptr<f32> -> !pto.ptr<f32>"},
	})
})

// PtrToInt is pto.ptrtoint, which returns the address of a pointer as an integer.
var PtrToInt = Define("ptrtoint", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "scalar", Family: "pointer", Page: Manual, Pipe: sem.NoPipe,
		Doc:      "Returns the address of a pointer, in bytes.",
		Ins:      Args{In("ptr", PtrNoMemRef)},
		Outs:     Args{In("result", ir.Written(ir.I64))},
		Traits:   ir.Pure,
		Sem:      sem.CastPtr{},
		Examples: []string{"%a = pto.ptrtoint %p : !pto.ptr<f32> -> i64"},
	})
})

// IntToPtr is pto.inttoptr, which converts an integer address to a pointer.
var IntToPtr = Define("inttoptr", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "scalar", Family: "pointer", Page: Manual, Pipe: sem.NoPipe,
		Doc:      "Creates a pointer to global memory from an address in bytes.",
		Ins:      Args{In("addr", ir.TypeIf("an integer of 64 bits", isInt64))},
		Outs:     Args{In("result", PtrTo("an element type that memory can hold", B8|B16|B32|Ints64|F64))},
		Traits:   ir.Pure,
		Sem:      sem.CastPtr{},
		Verify:   scalarAccessOnly,
		Examples: []string{"%p = pto.inttoptr %a : i64 -> !pto.ptr<ui32>"},
	})
})

// scalarAccessOnly checks the uses of a pointer that was converted from an integer. It
// reports an error if the pointer is used for more than single elements, because the
// memory that it points to is unknown. pto.dcci is permitted as well, because a load may
// require that the data cache is invalidated first.
func scalarAccessOnly(op *ir.Op, v *ir.Verifier) {
	for u := range op.Result(0).Uses() {
		user := u.Owner()
		if user.Arg("ptr") == op.Result(0) && (accessesElement(user) || user.Is(sync.Dcci)) {
			continue
		}
		v.Errorf(user, "must not use the result of 'pto.inttoptr': only loads and stores of one element accept it, as their pointer").
			Note(op.Loc(), "the pointer is made here")
	}
}

// accessesElement reports whether op loads or stores one element.
func accessesElement(op *ir.Op) bool {
	_, loads := op.Def().Sem.(sem.LoadElement)
	_, stores := op.Def().Sem.(sem.StoreElement)
	return loads || stores
}

// isInt64 reports whether t is an integer of 64 bits.
func isInt64(t ir.Type) bool {
	d, ok := ir.As[ir.IntegerType](t)
	return ok && d.Width == 64
}

// Definitions of the instructions that return a property of the launch.
var (
	GetBlockIdx    = query("get_block_idx", sem.BlockIdx, "Returns the number of the block, from 0.")
	GetBlockNum    = query("get_block_num", sem.BlockNum, "Returns the number of blocks.")
	GetSubBlockIdx = query("get_subblock_idx", sem.SubBlockIdx, "Returns the number of the vector core inside its block, from 0.")
	GetSubBlockNum = query("get_subblock_num", sem.SubBlockNum, "Returns the number of vector cores of a block.")
)

// query declares an instruction that returns a property of the launch, such as the number
// of the executing block. The parameter what selects the property.
func query(name string, what sem.QueryKind, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Doc: doc, Group: "scalar", Family: "runtime-query", Pipe: sem.PipeS,
			Page:     MicroPage("18-special-scalar"),
			Outs:     Args{In("result", ir.Exactly(ir.I64))},
			Traits:   ir.Pure,
			Sem:      sem.Query{What: what},
			Syntax:   ir.Asm("attr-dict"),
			Examples: []string{"%n = pto." + name},
		})
	})
}
