// This file finds the parameters that describe the position of a core in a launch.

package analysis

import (
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/ir"
)

// launchParams maps the names of i32 parameters of kernels to instructions. The public
// frontend pypto passes the position of a core in the launch in parameters with these
// names. For each parameter, the map contains the instruction with which kernels of other
// frontends read the same number.
var launchParams = map[string]*ir.Def{
	"__pypto_spmd_block_idx":    isabase.GetBlockIdx,
	"__pypto_spmd_block_num":    isabase.GetBlockNum,
	"__pypto_spmd_subblock_idx": isabase.GetSubBlockIdx,
}

// LaunchQuery returns the instruction that reads the value which the frontend pypto
// passes in param, such as the block number. It returns nil if param is an ordinary
// argument of the launch.
func LaunchQuery(param *ir.Value) *ir.Def {
	if param.Type() != ir.I32 {
		return nil
	}
	return launchParams[param.Name()]
}
