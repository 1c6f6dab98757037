// This file finds the parameters that describe the position of a core in a launch.

package analysis

import (
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// launchParams maps the names of i32 parameters of kernels to what they contain. The public
// frontend pypto passes the position of a core in the launch in parameters with these
// names. For each parameter, the map has the instruction with which kernels of other
// frontends read the same number, and the meaning of this instruction.
var launchParams = map[string]struct {
	query *ir.Def
	what  sem.QueryKind
}{
	"__pypto_spmd_block_idx":    {isabase.GetBlockIdx, sem.BlockIdx},
	"__pypto_spmd_block_num":    {isabase.GetBlockNum, sem.BlockNum},
	"__pypto_spmd_subblock_idx": {isabase.GetSubBlockIdx, sem.SubBlockIdx},
}

// LaunchQuery returns the instruction that reads the value which the frontend pypto
// passes in param, such as the block number. It returns nil if param is an ordinary
// argument of the launch.
func LaunchQuery(param *ir.Value) *ir.Def {
	if param.Type() != ir.I32 {
		return nil
	}
	return launchParams[param.Name()].query
}

// LaunchParam returns the property of the launch that the frontend pypto passes in param.
// ok is false if param is an ordinary argument of the launch.
func LaunchParam(param *ir.Value) (what sem.QueryKind, ok bool) {
	p, ok := launchParams[param.Name()]
	return p.what, ok && param.Type() == ir.I32
}
