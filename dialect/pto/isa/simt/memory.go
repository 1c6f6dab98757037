// This file defines SIMT memory accesses and atomics.

package simt

import (
	"slices"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Definitions of the loads, stores and atomic operations of work items. Offsets count
// elements.
var (
	SimtLoad = Define("load", func(name string) *ir.Def {
		return base.ElementLoad(simtFill(Op{
			Name: name, Doc: "Reads the element at ptr + offset.", Sem: sem.LoadElement{}, On: sem.OnAll,
		}), AnyPtr)
	})
	SimtStore = Define("store", func(name string) *ir.Def {
		return base.ElementStore(simtFill(Op{
			Name: name, Doc: "Writes the element at ptr + offset.", Sem: sem.StoreElement{}, On: sem.OnAll,
		}), AnyPtr, false)
	})
	Ldg = Define("ldg", func(name string) *ir.Def {
		return base.ElementLoad(simtFill(Op{
			Name: name, Doc: "Reads the element at ptr + offset in global memory, with the caches controlled.", Sem: sem.LoadElement{},
			Attrs:    []ir.AttrDef{l1Attr, {Name: "l2cache", Type: LdL2CacheEnum, Optional: true, Doc: "nmfv if it is absent"}},
			Rules:    []Rule{InSimt()},
			Syntax:   ir.Asm("$ptr `[` $offset `]`" + cacheText + "attr-dict `:` type($ptr) `->` type($value)"),
			Examples: []string{"%v = pto.ldg %p[%i] l1cache(uncache) l2cache(nmpref) : !pto.ptr<f32> -> f32"},
		}), globalPtr)
	})
	Stg = Define("stg", func(name string) *ir.Def {
		return base.ElementStore(simtFill(Op{
			Name: name, Doc: "Writes the element at ptr + offset in global memory, with the caches controlled.", Sem: sem.StoreElement{},
			Attrs:    []ir.AttrDef{l1Attr, stL2Attr},
			Rules:    []Rule{InSimt()},
			Syntax:   ir.Asm("$value `,` $ptr `[` $offset `]`" + cacheText + "attr-dict `:` type($ptr) `,` type($value)"),
			Examples: []string{"pto.stg %v, %p[%i] l2cache(wtsred) : !pto.ptr<vector<2xf16>>, vector<2xf16>"},
		}), globalPtr, false)
	})
)

// Attributes of loads and stores that select how the L1 and L2 caches treat the access.
var (
	l1Attr   = ir.AttrDef{Name: "l1cache", Type: L1CacheEnum, Optional: true, Doc: "cache if it is absent"}
	stL2Attr = ir.AttrDef{Name: "l2cache", Type: StL2CacheEnum, Optional: true, Doc: "nmfv if it is absent"}
)

// The syntax of the attributes that control caches.
const (
	l2Text    = " (`l2cache` `` `(` $l2cache^ `)`)? "
	cacheText = " (`l1cache` `` `(` $l1cache^ `)`)?" + l2Text
)

// globalPtr accepts a pointer into global memory to an element that a single access can
// transfer.
var globalPtr = ir.TypeIf("a !pto.ptr in gm to an integer of 8 to 64 bits, a float or a packed type of at most 64 bits", func(t ir.Type) bool {
	p, ok := ir.As[PtrType](t)
	return ok && p.Space == sem.GM && isMovable(p.Elem)
})

// isMovable reports whether a single access can load or store a value of type t. The type
// is a number or a packed type. A packed type contains two numbers; if a number has eight
// bits, it can also contain four or eight.
func isMovable(t ir.Type) bool {
	v, ok := ir.As[ir.VectorType](t)
	if !ok {
		return (Ints | Ints64 | Floats | F64 | FP8 | HiF8 | HiF8x2).Has(t)
	}
	if v.Shape.Len() != 1 || v.Scalable != "" {
		return false
	}
	switch v.Shape.At(0) {
	case 2:
		return (Ints | Floats | FP8).Has(v.Elem)
	case 4, 8:
		return FP8.Has(v.Elem)
	}
	return false
}

// Definitions of the atomic operations. Attribute signedness is required if the result
// depends on the signs of integers.
var (
	AtomicAdd  = atomic("atomic_add", sem.AtomicChange{SignedFn: sem.SignedFn{Signed: scalar.Add, Unsigned: scalar.Add}}, atomicValues, "Adds value to *ptr and returns the previous value of *ptr.")
	AtomicSub  = atomic("atomic_sub", sem.AtomicChange{SignedFn: sem.SignedFn{Signed: scalar.Sub, Unsigned: scalar.Sub}}, atomicValues, "Subtracts value from *ptr and returns the previous value of *ptr.")
	AtomicMin  = atomic("atomic_min", sem.AtomicChange{SignedFn: sem.SignedFn{Signed: scalar.Min, Unsigned: scalar.MinU}}, atomicValues, "Sets *ptr to value if value is smaller, and returns the previous value of *ptr.")
	AtomicMax  = atomic("atomic_max", sem.AtomicChange{SignedFn: sem.SignedFn{Signed: scalar.Max, Unsigned: scalar.MaxU}}, atomicValues, "Sets *ptr to value if value is larger, and returns the previous value of *ptr.")
	AtomicAnd  = atomic("atomic_and", sem.AtomicChange{SignedFn: sem.SignedFn{Signed: scalar.And, Unsigned: scalar.And}}, atomicInts, "Clears the bits of *ptr that are not set in value, and returns the previous value of *ptr.")
	AtomicOr   = atomic("atomic_or", sem.AtomicChange{SignedFn: sem.SignedFn{Signed: scalar.Or, Unsigned: scalar.Or}}, atomicInts, "Sets the bits of value in *ptr, and returns the previous value of *ptr.")
	AtomicXor  = atomic("atomic_xor", sem.AtomicChange{SignedFn: sem.SignedFn{Signed: scalar.Xor, Unsigned: scalar.Xor}}, atomicInts, "Flips the bits of value in *ptr, and returns the previous value of *ptr.")
	AtomicExch = atomic("atomic_exch", sem.AtomicChange{Act: sem.AtomicExchange}, atomicValues, "Writes value to *ptr and returns the previous value of *ptr.")
	AtomicCas  = atomic("atomic_cas", sem.AtomicChange{Act: sem.AtomicCompare}, atomicValues, "Writes value to *ptr if *ptr equals compare, and returns the previous value of *ptr.")
)

// atomicInts are the integer types of atomic operations.
var atomicInts = typeSet{ir.I32, ir.I64}

// atomic declares the instruction pto.NAME, which atomically reads and updates *ptr, and
// returns the old value. kind describes the update, and the parameter on holds the
// accepted types of the value.
func atomic(name string, kind ir.Meaning, on typeSet, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		o := Op{
			Name: name, Family: simtAtomics, Doc: doc, Sem: kind,
			Ins:    Args{In("ptr", PtrIn(sem.GM, sem.UB)), In("value", on)},
			Outs:   Args{Out("old", ir.SameAs("value"))},
			Attrs:  []ir.AttrDef{stL2Attr, optSignedness},
			Access: []Access{{Arg: "ptr", Read: true, Write: true}},
			Rules:  []Rule{OutsideScope(), signRule("value", name == "atomic_min" || name == "atomic_max"), Fact(atomicFault)},
			Syntax: ir.Asm("$ptr `,` $value" + l2Text + "($signedness^)? attr-dict `:` type($ptr) `,` type($value) `->` type($old)"),
			Examples: []string{
				"%r = pto." + name + " %p, %v l2cache(wtsred) signed : !pto.ptr<i32>, i32 -> i32",
				"%r = pto." + name + " %p, %v unsigned : !pto.ptr<i32, ub>, i32 -> i32",
			},
		}
		if name == "atomic_cas" {
			o.Ins = Args{o.Ins[0], In("compare", ir.SameAs("value")), o.Ins[1]}
			o.Syntax = ir.Asm("$ptr `,` $compare `,` $value" + l2Text + "($signedness^)? attr-dict `:` type($ptr) `,` type($value) `->` type($old)")
			o.Notes = []string{"compare is held against *ptr bit by bit.", "The manual's list lacks f16 and bf16, the public definition and its tests have them."}
			o.Examples = []string{"%r = pto.atomic_cas %p, %a, %b l2cache(wbhred) signed : !pto.ptr<i32>, i32 -> i32"}
		}
		if slices.Contains(on, ir.F32) {
			o.Notes = append(o.Notes, "The old value of a packed type cannot be used: the public compiler has no code for it.")
		}
		return simt(o)
	})
}

// atomicFault returns a message if the types of an atomic operation are invalid, and ""
// otherwise.
func atomicFault(op *ir.Op) string {
	ptr, t := op.Arg("ptr").Type(), op.Arg("value").Type()
	switch {
	case ir.ElementType(ptr) != t:
		return "\"value\" must be " + ir.ElementType(ptr).String() + ", which \"ptr\" points to, but is " + t.String()
	case t == ir.I64 && SpaceOf(ptr) == sem.UB:
		return "is not available for i64 in ub, only in gm"
	case isPacked(t) && !WithinSimt(op):
		return "must be inside a function with the attribute " + SimtEntry + " or inside 'pto.section.simt', since its type is packed"
	case isPacked(t) && op.Result(0).HasUses():
		return "returns an old value that must not be used, because its type is packed"
	}
	return ""
}
