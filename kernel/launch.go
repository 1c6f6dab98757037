package kernel

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/ir"
)

// launchParams are the parameters, each an i32, with which pypto passes what
// other kernels ask the core for, by their names.
var launchParams = map[string]*ir.Def{
	"__pypto_spmd_block_idx":    isabase.GetBlockIdx,
	"__pypto_spmd_block_num":    isabase.GetBlockNum,
	"__pypto_spmd_subblock_idx": isabase.GetSubBlockIdx,
}

// LaunchQuery returns the instruction that asks for what pypto passes in a
// parameter, or nil if the parameter is an argument of the launch.
func LaunchQuery(param *ir.Value) *ir.Def {
	if param.Type() != ir.I32 {
		return nil
	}
	return launchParams[param.Name()]
}

// bindLaunch makes a kernel ask for its place in the launch instead of taking it
// in parameters: a launch has one value for all cores, but each core has its own
// place. A kernel that others call keeps its parameters, which their calls supply.
func bindLaunch(kernel *ir.Op) {
	body := fn.Body(kernel)
	for i := len(body.Args()) - 1; i >= 0; i-- {
		param := body.Arg(i)
		query := LaunchQuery(param)
		if query == nil {
			continue
		}
		if isCalled(kernel) {
			return
		}
		b := ir.Before(body.First())
		place := b.Op(query, nil, []ir.Type{ir.I64}).Result(0)
		place = b.Op(arith.TruncI, []*ir.Value{place}, []ir.Type{ir.I32}).Result(0)
		place.SetName(param.Name())
		param.ReplaceAllUses(place)
		fn.RemoveParam(kernel, i)
	}
}

// isCalled reports whether an operation of the program calls a function.
func isCalled(f *ir.Op) bool {
	for op := range f.Root().Walk() {
		if analysis.CalleeOf(op) == f {
			return true
		}
	}
	return false
}
