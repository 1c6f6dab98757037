// This file defines sorting and transposing of blocks in memory.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// VBitSort is pto.vbitsort, which sorts groups of 32 scores in memory into records of a
// score and its index.
var VBitSort = Define("vbitsort", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Sorts repeat_times groups of 32 scores, largest first, into records of a score and its index.",
		Ins: Args{
			In("destination", PtrIn(sem.UB)), In("source", PtrIn(sem.UB)), In("indices", PtrIn(sem.UB)), In("repeat_times", WrittenIx),
		},
		Access: []Access{{Arg: "destination", Write: true}, {Arg: "source", Read: true}, {Arg: "indices", Read: true}},
		Sem:    sem.VecSort{Act: sem.SortGroups},
		Rules:  []Rule{OutsideScope()},
		Notes:  []string{"The vector page calls it vbitsort and vsort32."},
		Examples: []string{
			"pto.vbitsort %d, %s, %x, %n : !pto.ptr<ui32, ub>, !pto.ptr<f32, ub>, !pto.ptr<ui32, ub>, index",
		},
	}, sfuFamily))
})

// VMrgSort4 is pto.vmrgsort4, which merges four sorted lists of records in memory.
var VMrgSort4 = Define("vmrgsort4", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Merges four sorted lists of records of a score and its index.",
		Ins: Args{
			In("destination", PtrTo("f16 or f32", F16|F32, sem.UB)), In("source0", ir.SameAs("destination")), In("source1", ir.SameAs("destination")),
			In("source2", ir.SameAs("destination")), In("source3", ir.SameAs("destination")), In("count", Count), In("config", Count),
		},
		Access: []Access{
			{Arg: "destination", Write: true}, {Arg: "source0", Read: true}, {Arg: "source1", Read: true},
			{Arg: "source2", Read: true}, {Arg: "source3", Read: true},
		},
		Sem:     sem.VecSort{Act: sem.MergeLists},
		Rules:   []Rule{OutsideScope()},
		Aliases: []string{"vmrgsort"},
		Notes:   []string{"The page of vmrgsort writes vmrgsort4 in its syntax; the other name is read too."},
		Examples: []string{
			"pto.vmrgsort4 %d, %a, %b, %c, %e, %n, %k : !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64",
		},
	}, sfuFamily))
})

// GetVms4Sr is pto.get_vms4_sr, which returns how many records the last merge has
// consumed from each list.
var GetVms4Sr = Define("get_vms4_sr", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "scalar", Family: "runtime-query", Pipe: sem.PipeS,
		Cpp:  NoCpp("the library gives the counts of pto.tmrgsort itself"),
		Page: MicroPage("13-dsa-sfu-ops"),
		Doc:  "Returns the number of records that the last merge consumed from each list.",
		Outs: Args{
			Out("list0", ir.Written(ir.I16)), Out("list1", ir.Written(ir.I16)), Out("list2", ir.Written(ir.I16)), Out("list3", ir.Written(ir.I16)),
		},
		Sem:      sem.VecSort{Act: sem.MergeCounts},
		Examples: []string{"%a, %b, %c, %d = pto.get_vms4_sr : i16, i16, i16, i16"},
	})
})

// Definitions of the instructions that process data in memory as a control word
// specifies. The manual does not define the format of this word.
var (
	VSort32 = Define("vsort32", func(name string) *ir.Def {
		return vecHelper(Op{
			Name: name, Doc: "Sorts groups of 32 elements in the unified buffer, largest first.",
			Sem: sem.VecSort{Act: sem.SortValues},
			Notes: []string{docsOnly,
				"The page leaves the control word open. As in the configurations of the vector intrinsics, its bits 56 to 63 are the number of groups; what the others would mean is unknown, and they must be 0.",
			},
		}, "f32", F16|F32)
	})
	VTranspose = Define("vtranspose", func(name string) *ir.Def {
		return vecHelper(Op{
			Name: name, Doc: "Transposes a block of 16x16 elements of 16 bits in the unified buffer.",
			Sem: sem.TransposeBlock{},
			Notes: []string{docsOnly,
				"The page leaves the control word open. The intrinsic of this name has none and works on one block of elements of 16 bits; that is what happens, and the word must be 0.",
			},
		}, "i16", B16)
	})
)

// vecHelper returns the definition of an instruction that reads and writes the unified
// buffer directly, without registers. Its operands are a destination pointer, a source
// pointer and an integer config with packed parameters. The parameter on holds the legal
// element types of the pointers, and example is the element type in the example.
func vecHelper(o Op, example string, on Elems) *ir.Def {
	o.Family, o.Page = sfuFamily, VectorPage("sfu-and-dsa-ops", o.Name)
	o.Ins = Args{In("destination", PtrTo(on.String(), on, sem.UB)), In("source", ir.SameAs("destination")), In("config", Count)}
	o.Access = []Access{{Arg: "destination", Write: true}, {Arg: "source", Read: true}}
	o.Rules = []Rule{OutsideScope()}
	o.Examples = []string{"pto." + o.Name + " %d, %s, %c : !pto.ptr<" + example + ", ub>, !pto.ptr<" + example + ", ub>, i64"}
	return VectorOp(o)
}
