// This file defines SIMT launches.

package simt

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// launchFamily is the chapter of the manual on launches.
const launchFamily = "launch"

// Definitions of the instructions that launch SIMT functions, which run once per work
// item.
var (
	StoreVfSimtInfo = Define("store_vfsimt_info", func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: launchFamily, Doc: "Sets the dimensions for the calls of simt functions that follow.",
			Ins:      Args{In("dimZ", WrittenI32), In("dimY", WrittenI32), In("dimX", WrittenI32)},
			Sem:      sem.SimtDims{},
			Rules:    []Rule{OutsideSimt(), Fact(launchFault)},
			Examples: []string{"pto.store_vfsimt_info %z, %y, %x : i32, i32, i32"},
		})
	})
	SimtLaunchOp = Define("simt_launch", func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: launchFamily, Doc: "Runs a simt function once for each of dimX*dimY*dimZ work items.",
			Ins: Args{
				In("dimX", ir.Exactly(ir.I32)), In("dimY", ir.Exactly(ir.I32)), In("dimZ", ir.Exactly(ir.I32)),
				Many("args", ir.Any),
			},
			Attrs:    []ir.AttrDef{{Name: "callee", Type: ir.AnySymbol}},
			Sem:      sem.SimtLaunch{},
			Rules:    []Rule{OutsideSimt(), Fact(launchFault), Fact(calleeFault)},
			Syntax:   ir.Asm("$callee `` `<` `<` `<` $dimX `,` $dimY `,` $dimZ `>` `>` `>` `` `(` $args `)` attr-dict `:` `(` type($args) `)` `->` `(` `)`"),
			Examples: []string{"pto.simt_launch @body<<<%x, %y, %z>>>(%p) : (!pto.ptr<f32, ub>) -> ()"},
		})
	})
)

// defaultThreads is the maximum number of work items in a launch of a SIMT function
// without the attribute pto.simt_max_threads.
const defaultThreads = 1024

// WorkItems returns the dimensions of the launch op. ok is false if one of them is not
// constant.
func WorkItems(op *ir.Op) (dims [3]int64, ok bool) {
	ok = true
	for i, name := range []string{"dimX", "dimY", "dimZ"} {
		n, known := op.Attr(name).AsInt()
		if !known {
			n, known = ConstantInt(op.Arg(name))
		}
		dims[i], ok = n, ok && known
	}
	return dims, ok
}

// launchFault returns a message if the constant number of work items in a launch is out
// of range, and "" otherwise.
func launchFault(op *ir.Op) string {
	dims, known := WorkItems(op)
	if !known {
		return ""
	}
	for _, d := range dims {
		if d < 1 || d > MaxWorkItems {
			return fmt.Sprintf("must launch 1 to %d work items, but its dimensions are %dx%dx%d", MaxWorkItems, dims[0], dims[1], dims[2])
		}
	}
	if n := dims[0] * dims[1] * dims[2]; n > MaxWorkItems {
		return fmt.Sprintf("must launch 1 to %d work items, but %dx%dx%d are %d", MaxWorkItems, dims[0], dims[1], dims[2], n)
	}
	return ""
}

// calleeFault returns a message if the function that a launch names does not exist, is
// not a SIMT function, or has different parameters, and "" otherwise.
func calleeFault(op *ir.Op) string {
	f := ir.LookupSymbol(op, op.Attr("callee"))
	if f == nil {
		return "launches " + op.Attr("callee").String() + ", which is not a function of this module"
	}
	a, _ := ir.AttrAs[ir.TypeAttr](f.Attr("function_type"))
	t, ok := ir.As[ir.FunctionType](a.Type)
	args := op.Args("args")
	switch {
	case !ok || !f.HasAttr(SimtEntry):
		return "launches " + op.Attr("callee").String() + ", which is not a function with " + SimtEntry
	case t.Outs.Len() > 0:
		return "launches a function that returns values"
	case t.Ins.Len() != len(args):
		return fmt.Sprintf("passes %d values, but %s expects %d", len(args), op.Attr("callee"), t.Ins.Len())
	}
	for i, want := range t.Ins.All() {
		if args[i].Type() != want {
			return fmt.Sprintf("passes a value of type %s as argument %d of %s, but it must be %s", args[i].Type(), i, op.Attr("callee"), want)
		}
	}
	if dims, ok := WorkItems(op); ok {
		if n := dims[0] * dims[1] * dims[2]; n > maxThreads(f) {
			return fmt.Sprintf("launches %d work items, but %s allows at most %d", n, op.Attr("callee"), maxThreads(f))
		}
	}
	return ""
}

// maxThreads returns the maximum number of work items in a launch of the SIMT function f:
// the value of its attribute pto.simt_max_threads, or defaultThreads.
func maxThreads(f *ir.Op) int64 {
	if n, ok := f.Attr(SimtMaxThreads).AsInt(); ok {
		return n
	}
	return defaultThreads
}

// SectionSimt is pto.section.simt, a region that runs once per work item.
var SectionSimt = Define("section.simt", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "other", Family: "region", Page: PtoODS, Pipe: sem.PipeV,
		Doc: "Runs its body once for each of dimX*dimY*dimZ work items.",
		Attrs: []ir.AttrDef{
			{Name: "dimX", Type: IntIn(ir.I32, 0, 1<<31-1)}, {Name: "dimY", Type: IntIn(ir.I32, 0, 1<<31-1)}, {Name: "dimZ", Type: IntIn(ir.I32, 0, 1<<31-1)},
		},
		Regions:  base.BodyRegion,
		Traits:   ir.NoTerminator,
		Sem:      sem.Scope{Kind: sem.SimtSection},
		Rules:    []Rule{OutsideSimt(), Fact(launchFault)},
		Syntax:   ir.Asm("`<` `<` `<` $dimX `,` $dimY `,` $dimZ `>` `>` `>` $body attr-dict"),
		Examples: []string{"pto.section.simt<<<32, 1, 1>>> { }"},
	})
})
