// This file defines work item positions, votes and shuffles.

package simt

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Instructions that ask for the place of a work item and combine lanes. Those
// that combine lanes are not Pure: what they give depends on which lanes come
// together, so they must not move into or out of a branch.

// Definitions of the instructions that return the position of a work item.
var (
	GetTidX      = workItem("get_tid_x", sem.WorkItem{What: sem.ThreadIdx, Axis: 0}, "Returns the x coordinate of the work item.")
	GetTidY      = workItem("get_tid_y", sem.WorkItem{What: sem.ThreadIdx, Axis: 1}, "Returns the y coordinate of the work item.")
	GetTidZ      = workItem("get_tid_z", sem.WorkItem{What: sem.ThreadIdx, Axis: 2}, "Returns the z coordinate of the work item.")
	GetBlockDimX = workItem("get_block_dim_x", sem.WorkItem{What: sem.BlockDim, Axis: 0}, "Returns the number of work items of a block in x.")
	GetBlockDimY = workItem("get_block_dim_y", sem.WorkItem{What: sem.BlockDim, Axis: 1}, "Returns the number of work items of a block in y.")
	GetBlockDimZ = workItem("get_block_dim_z", sem.WorkItem{What: sem.BlockDim, Axis: 2}, "Returns the number of work items of a block in z.")
	GetGridDimX  = workItem("get_grid_dim_x", sem.WorkItem{What: sem.GridDim, Axis: 0}, "Returns the number of blocks of the grid in x.")
	GetGridDimY  = workItem("get_grid_dim_y", sem.WorkItem{What: sem.GridDim, Axis: 1}, "Returns the number of blocks of the grid in y.")
	GetGridDimZ  = workItem("get_grid_dim_z", sem.WorkItem{What: sem.GridDim, Axis: 2}, "Returns the number of blocks of the grid in z.")
	GetBlockIdxX = workItem("get_block_idx_x", sem.WorkItem{What: sem.GridBlockIdx, Axis: 0}, "Returns the x coordinate of the block in the grid.")
	GetBlockIdxY = workItem("get_block_idx_y", sem.WorkItem{What: sem.GridBlockIdx, Axis: 1}, "Returns the y coordinate of the block in the grid.")
	GetBlockIdxZ = workItem("get_block_idx_z", sem.WorkItem{What: sem.GridBlockIdx, Axis: 2}, "Returns the z coordinate of the block in the grid.")
	GetVecCoreID = workItem("get_veccoreid", sem.WorkItem{What: sem.VectorCore}, "Returns the number of the vector core.")
	GetLaneID    = workItem("get_laneid", sem.WorkItem{What: sem.Lane}, "Returns the number of the lane that executes the work item.")
	GetLaneEq    = workItem("get_lanemask_eq", sem.LaneMask{Same: true}, "Returns the set of lanes that contains only this lane.")
	GetLaneLe    = workItem("get_lanemask_le", sem.LaneMask{Below: true, Same: true}, "Returns the set of this lane and the lanes below it.")
	GetLaneLt    = workItem("get_lanemask_lt", sem.LaneMask{Below: true}, "Returns the set of the lanes below this lane.")
	GetLaneGe    = workItem("get_lanemask_ge", sem.LaneMask{Same: true, Above: true}, "Returns the set of this lane and the lanes above it.")
	GetLaneGt    = workItem("get_lanemask_gt", sem.LaneMask{Above: true}, "Returns the set of the lanes above this lane.")
	GetClock32   = simtQuery("get_clock32", sem.WorkItem{What: sem.Clock}, ir.I32, 0, "Returns the lower half of the clock counter.")
	GetClock64   = simtQuery("get_clock64", sem.WorkItem{What: sem.Clock}, ir.I64, 0, "Returns the clock counter.")
)

// workItem declares the instruction with the given name, whose result is always the same
// for a work item. kind describes the result, and doc is the description on the reference
// page.
func workItem(name string, kind ir.Meaning, doc string) *ir.Def {
	return simtQuery(name, kind, ir.I32, ir.Pure, doc)
}

// simtQuery declares an instruction without operands that returns a property of a work
// item. kind is the property, t the type of the result, and traits are the traits of the
// operation, such as whether two executions return the same value.
func simtQuery(name string, kind ir.Meaning, t ir.Type, traits ir.Trait, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: simtQueries, Doc: doc, Sem: kind,
			Outs:     Args{Out("result", ir.Written(t))},
			Traits:   traits,
			Rules:    []Rule{OutsideScope()},
			Syntax:   ir.Asm("attr-dict `:` type($result)"),
			Examples: []string{"%r = pto." + name + " : " + t.String()},
		})
	})
}

// Definitions of the votes, which combine one bit per lane.
var (
	VoteAllOp    = vote("vote_all", sem.VoteAll, ir.I1, "Reports whether pred holds in all lanes.")
	VoteAnyOp    = vote("vote_any", sem.VoteAny, ir.I1, "Reports whether pred holds in any lane.")
	VoteUniOp    = vote("vote_uni", sem.VoteUniform, ir.I1, "Reports whether pred is the same in all lanes.")
	VoteBallotOp = vote("vote_ballot", sem.VoteBallot, ir.I32, "Returns the set of lanes where pred holds, lane i in bit i.")
)

// vote declares the instruction with the given name, which combines one bit per lane of a
// subgroup. kind selects the function that combines the bits, t is the type of the
// result, and doc is the description on the reference page.
func vote(name string, kind sem.VoteKind, t ir.Type, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: "vote", Doc: doc, Sem: sem.Vote{Kind: kind},
			Ins:      Args{In("pred", ir.Written(ir.I1))},
			Outs:     Args{Out("result", ir.Written(t))},
			Rules:    []Rule{OutsideScope()},
			Examples: []string{"%r = pto." + name + " %p : i1 -> " + t.String()},
		})
	})
}

// Definitions of the shuffles, with which a lane reads the value of another lane.
var (
	ShuffleIdxOp  = shuffle("shuffle_idx", sem.ShuffleIdx, "index", "Returns the value of lane index of the group.")
	ShuffleUpOp   = shuffle("shuffle_up", sem.ShuffleUp, "offset", "Returns the value of the lane offset places below.")
	ShuffleDownOp = shuffle("shuffle_down", sem.ShuffleDown, "offset", "Returns the value of the lane offset places above.")
	ShuffleBflyOp = shuffle("shuffle_bfly", sem.ShuffleXor, "mask", "Returns the value of the lane whose number differs in the bits of mask.")
)

// shuffle declares the instruction with the given name, with which a lane reads the value
// of another lane. kind determines how the other lane is selected, and control is the
// name of the operand that selects it.
func shuffle(name string, kind sem.ShuffleKind, control, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: "shuffle", Doc: doc, Sem: sem.LaneShuffle{Kind: kind},
			Ins:   Args{In("value", typeSet{ir.I32, ir.I64, ir.F16, ir.F32, v2f16}), In(control, WrittenI32)},
			Outs:  Args{Out("result", ir.SameAs("value"))},
			Attrs: []ir.AttrDef{{Name: "width", Type: ir.IntOf(ir.I32), Default: ir.IntAttr(ir.I32, 32), Doc: "lanes of a group, 16 or 32"}},
			Rules: []Rule{OutsideScope(), Fact(widthFault)},
			Examples: []string{
				"%r = pto." + name + " %a, %i : f32, i32 -> f32",
				"%r = pto." + name + " %a, %i {width = 16 : i32} : vector<2xf16>, i32 -> vector<2xf16>",
			},
		})
	})
}

// widthFault returns a message if the attribute width, the number of lanes in a group, is
// not 16 or 32, and "" otherwise.
func widthFault(op *ir.Op) string {
	if w, _ := op.Attr("width").AsInt(); w != 16 && w != 32 {
		return fmt.Sprintf("attribute \"width\" must be 16 or 32, but is %d", w)
	}
	return ""
}

// Definitions of the reductions over the lanes of a subgroup.
var (
	ReduxAdd = redux("redux_add", sem.SignedFn{Signed: scalar.Add, Unsigned: scalar.Add}, false, "Returns the sum of value over all lanes.")
	ReduxMax = redux("redux_max", sem.SignedFn{Signed: scalar.Max, Unsigned: scalar.MaxU}, true, "Returns the largest value of all lanes.")
	ReduxMin = redux("redux_min", sem.SignedFn{Signed: scalar.Min, Unsigned: scalar.MinU}, true, "Returns the smallest value of all lanes.")
)

// redux declares a reduction over the lanes of a subgroup. needsSign states whether
// attribute signedness is required.
func redux(name string, fn sem.SignedFn, needsSign bool, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: "redux", Doc: doc, Sem: sem.LaneReduce{SignedFn: fn},
			Ins:    Args{In("value", typeSet{ir.I32, ir.F16, ir.F32})},
			Outs:   Args{Out("result", ir.SameAs("value"))},
			Attrs:  []ir.AttrDef{optSignedness},
			Rules:  []Rule{OutsideScope(), signRule("value", needsSign)},
			Syntax: ir.Asm("$value ($signedness^)? attr-dict `:` type($value) `->` type($result)"),
			Examples: []string{
				"%r = pto." + name + " %a signed : i32 -> i32",
				"%r = pto." + name + " %a : f32 -> f32",
			},
		})
	})
}

// signRule returns a rule on the attribute signedness. If operand arg is an integer, the
// attribute is optional, or required if the parameter needed is set. If operand arg has
// another type, the attribute is forbidden.
func signRule(arg string, needed bool) Rule {
	return Fact(func(op *ir.Op) string {
		t := op.Arg(arg).Type()
		switch isInt, sign := ir.Is[ir.IntegerType](t), op.HasAttr("signedness"); {
		case isInt && needed && !sign:
			return "must specify signed or unsigned, because they order " + t.String() + " differently"
		case !isInt && sign:
			return "must not specify signed or unsigned, because \"" + arg + "\" is " + t.String()
		}
		return ""
	})
}
