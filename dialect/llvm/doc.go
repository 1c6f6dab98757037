// Package llvm is the part of MLIR's llvm dialect that kernels use directly: stack
// memory, pointers, and access to members of aggregates. The type Action describes what
// each operation does; start with memory.go.
//
//	types.go        !llvm.ptr, !llvm.struct<...>, !llvm.array<...>, ...
//	parse_types.go  parsing of types
//	rules.go        constraints on types
//	memory.go       alloca, load, store
//	address.go      getelementptr, and the path through nested types
//	convert.go      bitcast, inttoptr, ptrtoint, addrspacecast
//	aggregate.go    extractelement, insertvalue, ...
//	constant.go     mlir.constant, mlir.undef, mlir.poison, mlir.zero
package llvm

import (
	"ptogo/ir"
	"ptogo/ir/effect"
)

const page = "https://mlir.llvm.org/docs/Dialects/LLVM/"

// Action is what an operation of this dialect does, for example a load. The interpreter
// and the code generators have one routine for each Action. The operands of each
// operation are in its definition (ir.Def).
type Action uint8

// The actions of operations. The text after each constant names the result of the
// operation, for example a value that was read from an address. An operation with the
// action Write has no result; the text names what it stores.
const (
	Frame       Action = iota + 1 // memory that lives until the function returns
	Read                          // a value from an address
	Write                         // a value to an address
	Step                          // an address relative to another: getelementptr
	BitsAs                        // the same bits as another type
	ToInteger                     // an address as an integer
	FromInteger                   // an integer as an address
	ToSpace                       // an address in another memory space
	TakeLane                      // an element of a vector; faults if the index is out of range
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

// Effects returns the effects of the operation on memory, and GivesAddress if its
// result may be an address.
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
