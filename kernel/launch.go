// This file binds the parameters that describe the position of a core.

package kernel

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
)

// LaunchQuery returns the instruction that reads the value which the frontend pypto
// passes in param, such as the block number. It returns nil if param is an ordinary
// argument of the launch.
func LaunchQuery(param *ir.Value) *ir.Def { return analysis.LaunchQuery(param) }

// bindLaunch replaces the parameters that contain the core's position in the launch by
// instructions that read the position. A launch passes the same arguments to all cores,
// but each core has a different position. bindLaunch does not change a kernel that other
// functions call, because the calls supply the parameters.
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

// isCalled reports whether an operation of the program calls the function f.
func isCalled(f *ir.Op) bool {
	for op := range f.Root().Walk() {
		if analysis.CalleeOf(op) == f {
			return true
		}
	}
	return false
}
