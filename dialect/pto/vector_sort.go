package pto

import "ptogo/ir"

// VBitSort sorts groups of 32 scores.
var VBitSort = vec(micro(Op{
	Name: "vbitsort", Doc: "Sorts repeat_times groups of 32 scores, largest first, into records of a score and its index.",
	Ins: Args{
		in("destination", PtrIn(UB)), in("source", PtrIn(UB)), in("indices", PtrIn(UB)), in("repeat_times", WrittenIx),
	},
	Access: []Access{{Arg: "destination", Write: true}, {Arg: "source", Read: true}, {Arg: "indices", Read: true}},
	Sem:    SortGroups{},
	Rules:  []Rule{OutsideScope()},
	Notes:  []string{"The vector page calls it vbitsort and vsort32."},
	Examples: []string{
		"pto.vbitsort %d, %s, %x, %n : !pto.ptr<ui32, ub>, !pto.ptr<f32, ub>, !pto.ptr<ui32, ub>, index",
	},
}, sfuFamily))

// VMrgSort4 merges four sorted lists.
var VMrgSort4 = vec(micro(Op{
	Name: "vmrgsort4", Doc: "Merges four sorted lists of records of a score and its index.",
	Ins: Args{
		in("destination", ptrTo("f16 or f32", F16|F32, UB)), in("source0", ir.SameAs("destination")), in("source1", ir.SameAs("destination")),
		in("source2", ir.SameAs("destination")), in("source3", ir.SameAs("destination")), in("count", count), in("config", count),
	},
	Access: []Access{
		{Arg: "destination", Write: true}, {Arg: "source0", Read: true}, {Arg: "source1", Read: true},
		{Arg: "source2", Read: true}, {Arg: "source3", Read: true},
	},
	Sem:     MergeSorted{},
	Rules:   []Rule{OutsideScope()},
	Aliases: []string{"vmrgsort"},
	Notes:   []string{"The page of vmrgsort writes vmrgsort4 in its syntax; the other name is read too."},
	Examples: []string{
		"pto.vmrgsort4 %d, %a, %b, %c, %e, %n, %k : !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64",
	},
}, sfuFamily))

// GetVms4Sr reads the counts of the last merge.
var GetVms4Sr = plain(Op{
	Name: "get_vms4_sr", Group: "scalar", Family: "runtime-query", Pipe: PipeS,
	Page: microPage("13-dsa-sfu-ops"),
	Doc:  "Gives how many records of each list the last merge took.",
	Outs: Args{
		out("list0", ir.Written(ir.I16)), out("list1", ir.Written(ir.I16)), out("list2", ir.Written(ir.I16)), out("list3", ir.Written(ir.I16)),
	},
	Sem:      MergedCounts{},
	Examples: []string{"%a, %b, %c, %d = pto.get_vms4_sr : i16, i16, i16, i16"},
})

// Helpers from memory to memory whose control word the manual leaves open.
var (
	VSort32    = vecHelper("vsort32", "Sorts 32 elements in the unified buffer as config says.")
	VTranspose = vecHelper("vtranspose", "Transposes elements in the unified buffer as config says.")
)

func vecHelper(name, doc string) *ir.Def {
	return vec(Op{
		Name: name, Doc: doc, Family: sfuFamily, Page: vectorPage("sfu-and-dsa-ops", name),
		Ins:      Args{in("destination", PtrIn(UB)), in("source", PtrIn(UB)), in("config", count)},
		Access:   []Access{{Arg: "destination", Write: true}, {Arg: "source", Read: true}},
		Rules:    []Rule{OutsideScope()},
		Notes:    []string{docsOnly, "No meaning: the page leaves the control word to the target."},
		Examples: []string{"pto." + name + " %d, %s, %c : !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64"},
	})
}
