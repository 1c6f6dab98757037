// This file defines memory barriers, fences and cache operations.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// MemBar is pto.mem_bar, which orders memory accesses in a vector function. It is
// needed because they otherwise execute out of order.
var MemBar = Define("mem_bar", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "sync", Family: fenceFamily, Page: syncPage, Pipe: sem.PipeV,
		Doc:      "Delays accesses of one kind to the unified buffer until earlier accesses of another kind have finished.",
		Attrs:    []ir.AttrDef{{Name: "kind", Type: MemBarEnum}},
		Sem:      sem.MemoryFence{Act: sem.FenceVector},
		Syntax:   ir.Asm("quoted($kind) attr-dict"),
		Examples: []string{`pto.mem_bar "VST_VLD"`},
	})
})

// fenceOp returns the definition of a memory fence or a cache operation.
func fenceOp(o Op, act sem.FenceAct) *ir.Def {
	o.Family, o.Sem = fenceFamily, sem.MemoryFence{Act: act}
	return syncOp(o)
}

// Definitions of the memory fences and cache operations.
var (
	Dsb = Define("dsb", func(name string) *ir.Def {
		return fenceOp(Op{
			Name: name, Doc: "Waits until earlier accesses to a kind of memory have taken effect.",
			Attrs:    []ir.AttrDef{{Name: "mem", Type: DsbMemEnum}},
			Syntax:   ir.Asm("quoted($mem) attr-dict"),
			Examples: []string{`pto.dsb "DDR"`},
		}, sem.CleanCache)
	})
	Dcci = Define("dcci", func(name string) *ir.Def {
		return fenceOp(Op{
			Name: name, Doc: "Writes back and invalidates the cache line of ptr, or the whole data cache.",
			Ins: Args{In("ptr", PtrTo("any type", ^Elems(0), sem.GM, sem.UB))},
			Attrs: []ir.AttrDef{
				{Name: "cache", Type: DcciCacheLineEnum}, {Name: "dst", Type: DcciDstEnum, Optional: true},
			},
			Syntax:   ir.Asm("$ptr quoted($cache) (`,` quoted($dst)^)? attr-dict `:` type($ptr)"),
			Examples: []string{`pto.dcci %p "ENTIRE_DATA_CACHE", "CACHELINE_OUT" : !pto.ptr<i8>`},
		}, sem.RefreshCache)
	})
	CmoCacheInvalid = Define("cmo.cacheinvalid", func(name string) *ir.Def {
		return fenceOp(Op{
			Name: name, Page: PtoODS, Doc: "Invalidates the cache line of addr, or all lines of global memory.",
			Ins:   Args{Opt("addr", inSpace(sem.GM))},
			Attrs: []ir.AttrDef{{Name: "space", Type: AddressSpaceEnum, Default: AddressSpaceEnum.Attr("gm")}},
			Rules: []Rule{Check(func(op *ir.Op, _ ir.Target) string {
				if SpaceOfAttr(op.Attr("space")) != sem.GM {
					return "attribute \"space\" must be gm, but is " + op.Attr("space").Keyword()
				}
				return ""
			})},
			Syntax: ir.Asm("($addr^ `single_cache_line` attr-dict `:` type($addr))? : (`all` full($space) attr-dict)"),
			Examples: []string{
				"pto.cmo.cacheinvalid %p single_cache_line : !pto.ptr<i32>",
				"pto.cmo.cacheinvalid all #pto.address_space<gm>",
			},
		}, sem.RefreshCache)
	})
	FenceBarrierAll = Define("fence.barrier_all", func(name string) *ir.Def {
		return fenceOp(Op{
			Name: name, Page: PtoODS, Doc: "Waits until all earlier accesses in a scope have taken effect.",
			Attrs:    []ir.AttrDef{{Name: "scope", Type: FenceScopeEnum}},
			Syntax:   ir.Asm("full($scope) attr-dict"),
			Examples: []string{"pto.fence.barrier_all #pto.fence_scope<gm>"},
		}, sem.FenceMemory)
	})
)

// inSpace returns a constraint that accepts a pointer, memref or tensor in one of the
// given memory spaces.
func inSpace(spaces ...sem.Space) ir.Constraint {
	set := sem.SpacesOf(spaces...)
	return ir.TypeIf("a !pto.ptr, memref or view in "+set.Names(sem.Space.String), func(t ir.Type) bool {
		return holdsAddress(t) && set.Has(SpaceOf(t))
	})
}

// holdsAddress reports whether values of type t contain an address.
func holdsAddress(t ir.Type) bool {
	switch t.Data().(type) {
	case PtrType, ir.MemRefType, TensorView, PartitionView:
		return true
	}
	return false
}
