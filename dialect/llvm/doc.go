// Package llvm is the part of MLIR's llvm dialect that kernels use directly:
// memory on the frame, pointers, and taking values apart.
//
//	types.go        !llvm.ptr, !llvm.struct<...>, !llvm.array<...>, ...
//	parse_types.go  their text
//	rules.go        the rules on types
//	memory.go       alloca, load, store
//	address.go      getelementptr, and the walk through nested types
//	convert.go      bitcast, inttoptr, ptrtoint, addrspacecast
//	aggregate.go    extractelement, insertvalue, ...
//	constant.go     mlir.constant, mlir.undef, mlir.poison, mlir.zero
package llvm

import (
	"ptogo/ir"
	"ptogo/ir/effect"
)

const page = "https://mlir.llvm.org/docs/Dialects/LLVM/"

// Action is the meaning of an operation of this dialect; operands are as the
// definitions say. Execution and code generation have one routine for each.
type Action uint8

// The meanings.
const (
	Frame       Action = iota + 1 // memory that lives until the function returns
	Read                          // a value from an address
	Write                         // a value to an address
	Step                          // an address inside or after another: getelementptr
	BitsAs                        // the same bits as another type
	ToInteger                     // an address as an integer
	FromInteger                   // an integer as an address
	ToSpace                       // an address in another memory space
	TakeLane                      // an element of a vector
	PutLane                       // a vector with another element
	TakeMember                    // a member of a struct or array
	PutMember                     // a struct or array with another member
	Undefined                     // any value
	Zeros                         // a value of zero bits
)

func init() {
	types := map[string]func(*ir.Parser) ir.Type{}
	for _, name := range mnemonics {
		types[name] = func(p *ir.Parser) ir.Type { return parseBody(p, name) }
	}
	ir.Register(&ir.Dialect{
		Name: "llvm",
		Doc:  "Pointers, frame memory and aggregates of LLVM.",
		Defs: []*ir.Def{
			Alloca, Load, Store, GetElementPtr, Bitcast, IntToPtr, PtrToInt, AddrSpaceCast,
			ExtractElement, InsertElement, ExtractValue, InsertValue,
			Constant, Undef, Poison, Zero,
		},
		Types: types,
	})
}

// Effects reports what reaches memory, and what makes other values of addresses.
func (a Action) Effects() effect.Set {
	switch a {
	case Frame:
		return effect.Reserves
	case Read, Write, TakeLane, PutLane:
		return effect.MayFault
	case Step, BitsAs, ToInteger, FromInteger, ToSpace:
		return effect.GivesAddress
	}
	return 0
}
