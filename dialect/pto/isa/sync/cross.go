// This file defines signals between cores.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of the signals between cores. The number of a signal is a constant, or
// the value event_id_dyn.
var (
	SyncSet  = crossOp("sync.set", sem.CrossSet{Reach: sem.ReachByMode}, 31, Manual, "Raises a signal for other cores when earlier instructions of a pipe are done.", fftsMode(0, 2, false))
	SyncWait = crossOp("sync.wait", sem.CrossWait{Reach: sem.ReachByMode}, 31, Manual, "Waits for a signal of other cores.", fftsMode(0, 2, false))

	SetCrossBlock  = crossOp("set_cross_block", sem.CrossSet{Reach: sem.ReachAll}, 15, ScalarPage(syncFamily, "set-cross-core"), "Raises a signal for all blocks when earlier instructions of a pipe are done.", fftsMode(0, 0, true))
	WaitCrossBlock = crossOp("wait_cross_block", sem.CrossWait{Reach: sem.ReachAll}, 15, ScalarPage(syncFamily, "wait-flag-dev"), "Waits for a signal of all blocks.")

	SetIntraBlock  = crossOp("set_intra_block", sem.CrossSet{Reach: sem.ReachPeer}, 31, ScalarPage(syncFamily, "set-intra-block"), "Raises a signal for one core of the block when earlier instructions of a pipe are done.")
	WaitIntraBlock = crossOp("wait_intra_block", sem.CrossWait{Reach: sem.ReachPeer}, 31, ScalarPage(syncFamily, "wait-intra-core"), "Makes a pipe wait for a signal of one core of the block.")
)

// crossNotes maps a kind of instruction on signals between cores to the notes of its
// reference page. The notes describe where public sources disagree.
var crossNotes = map[any][]string{
	sem.CrossSet{Reach: sem.ReachByMode}:  {secondCoreNote},
	sem.CrossWait{Reach: sem.ReachByMode}: {secondCoreNote},
}

// secondCoreNote is the note of reference pages about the signal numbers of the second
// vector core.
const secondCoreNote = "On A5 public kernels and vpto-spec add 16 to the number for the second vector core, so 0 to 31 are accepted; the public compiler of today accepts 0 to 15, for both cores. A program without a mode that names a number from 16 has one number for each core, any other one number for both."

// fftsMode declares the attribute ffts_mode, which selects the cores that receive a
// signal. Its values are the integers from lo to hi. If zero is set, the default is 0.
func fftsMode(lo, hi int64, zero bool) ir.AttrDef {
	a := ir.AttrDef{Name: "ffts_mode", Type: IntIn(ir.I32, lo, hi), Optional: true, Doc: "which cores hear it"}
	if zero {
		a.Optional, a.Default = false, ir.IntAttr(ir.I32, 0)
	}
	return a
}

// crossOp declares the instruction pto.NAME, which raises or awaits a signal between
// cores; the parameter kind determines which. maxID is the largest signal number, and
// more contains further attributes. page is the manual page, and doc is the description
// for the reference page.
func crossOp(name string, kind ir.Meaning, maxID int64, page, doc string, more ...ir.AttrDef) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return syncOp(Op{
			Name: name, Doc: doc, Sem: kind, Page: page,
			Ins: Args{Opt("event_id_dyn", Index)},
			Attrs: append([]ir.AttrDef{
				pipeAttr, {Name: "event_id", Type: ir.IntOf(ir.I32), Optional: true},
			}, more...),
			Rules:    []Rule{oneEvent(maxID, kind == any(sem.CrossSet{Reach: sem.ReachPeer}) || kind == any(sem.CrossWait{Reach: sem.ReachPeer})), signalPipe()},
			Notes:    crossNotes[kind],
			Syntax:   ir.Asm("angled($pipe) `,` ($event_id_dyn^)? : ($event_id) attr-dict"),
			Examples: []string{"pto." + name + " <PIPE_MTE3>, 1", "pto." + name + " <PIPE_MTE3>, %i"},
		})
	})
}

// oneEvent returns a rule that requires a signal number: either the constant attribute
// event_id, or the operand event_id_dyn. On A5, the attribute must be from 0 to maxID. If
// the parameter everywhere is set, this range applies on all targets. An operand is only
// known, and checked, at run time.
func oneEvent(maxID int64, everywhere bool) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		id, static := op.Attr("event_id").AsInt()
		switch {
		case static == (op.NumOperands() == 1):
			return "needs either the attribute \"event_id\" or the operand \"event_id_dyn\""
		case static && (t == sem.A5 || everywhere) && (id < 0 || id > maxID):
			return "attribute \"event_id\" must be between 0 and " + Itoa(maxID) + ", but is " + Itoa(id)
		}
		return ""
	})
}

// signalPipe returns a rule about the attribute pipe of an instruction on signals. On A5,
// this pipe must be able to raise or await signals.
func signalPipe() Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		if t != sem.A5 {
			return ""
		}
		switch sem.PipeNamed(op.Attr("pipe")) {
		case sem.PipeFix, sem.PipeMTE1, sem.PipeMTE2, sem.PipeMTE3, sem.PipeV, sem.PipeM, sem.PipeS:
			return ""
		}
		return "attribute \"pipe\" must be PIPE_FIX, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_V, PIPE_M or PIPE_S, but is " +
			op.Attr("pipe").Keyword()
	})
}

// Definitions of the instructions on signals between cores, in the syntax of the manual.
// This syntax identifies a signal and a core only by their numbers.
var (
	SetCrossCore  = coreOp("set_cross_core", sem.CrossSet{Reach: sem.ReachByMode}, "Raises signal event_id for core core_id.", "core_id", "event_id")
	WaitFlagDev   = coreOp("wait_flag_dev", sem.CrossWait{Reach: sem.ReachByMode}, "Waits for signal event_id of core core_id.", "core_id", "event_id")
	WaitIntraCore = coreOp("wait_intra_core", sem.CrossWait{Reach: sem.ReachPeer}, "Waits for signal event_id inside a block.", "block_id", "event_id")
)

// coreOp declares the instruction with the given name in the syntax of the manual. The
// instruction raises a signal between cores or waits for one, as the parameter kind
// states. It has two integer operands, whose names are in the parameter args.
func coreOp(name string, kind ir.Meaning, doc string, args ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return syncOp(Op{
			Name: name, Doc: doc, Sem: kind,
			Ins:      Args{In(args[0], Count), In(args[1], Count)},
			Notes:    []string{"Only the manual has this form; the public compiler names a pipe and has the other one."},
			Examples: []string{"pto." + name + " %c, %e : i64, i64"},
		})
	})
}

// SyncAll is pto.syncall, which waits until all cores of a launch have reached it.
var SyncAll = Define("syncall", func(name string) *ir.Def {
	return syncOp(Op{
		Name: name, Page: Manual,
		Doc: "Waits until all cores of core_type have come to it; in soft mode through words in global memory.",
		Ins: Args{
			Opt("gm_workspace", ir.TypeIf("a !pto.ptr, !pto.tensor_view or !pto.partition_tensor_view", isWorkspace)),
			Opt("used_cores", WrittenI32),
		},
		Attrs: []ir.AttrDef{
			{Name: "mode", Type: SyncAllModeEnum}, {Name: "core_type", Type: SyncCoreTypeEnum},
		},
		Sem:    sem.SyncAllCores{},
		Access: []Access{{Arg: "gm_workspace", Read: true, Write: true}},
		Rules:  []Rule{Check(syncAllFault)},
		Syntax: ir.Asm("`(` ($gm_workspace^ (`,` $used_cores^)? `:` type($gm_workspace) (`,` type($used_cores)^)?)? `)`" +
			" `mode` `=` full($mode) `,` `core_type` `=` full($core_type) attr-dict"),
		Examples: []string{
			"pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<mix>",
			"pto.syncall(%p, %n : !pto.ptr<i32>, i32) mode = #pto.sync_all_mode<soft>, core_type = #pto.sync_core_type<aiv_only>",
		},
	})
})

// isWorkspace reports whether values of type t can be the workspace in global memory of
// a barrier of all cores.
func isWorkspace(t ir.Type) bool {
	switch t.Data().(type) {
	case PtrType, TensorView, PartitionView:
		return true
	}
	return false
}

// workspaceWords is the number of i32 words of workspace that a barrier of all cores
// needs in mode soft.
const workspaceWords = 16

// syncAllFault returns a message if the operands of a barrier of all cores do not match
// its mode, and "" otherwise.
func syncAllFault(op *ir.Op, _ ir.Target) string {
	ws := op.Arg("gm_workspace")
	if op.Attr("mode").Keyword() == "hard" {
		if op.NumOperands() > 0 {
			return "must not have operands in hard mode"
		}
		return ""
	}
	switch {
	case ws == nil:
		return "needs operand \"gm_workspace\" in soft mode"
	case SpaceOf(ws.Type()) != sem.GM:
		return "operand \"gm_workspace\" must be in gm, but is " + ws.Type().String()
	}
	if i, ok := ir.As[ir.IntegerType](ir.ElementType(ws.Type())); !ok || i.Width != 32 {
		return "operand \"gm_workspace\" must hold i32, but is " + ws.Type().String()
	}
	if n, ok := staticElements(ws.Type()); ok && n < workspaceWords {
		return "operand \"gm_workspace\" must hold at least " + Itoa(workspaceWords) + " words, but holds " + Itoa(n)
	}
	return ""
}

// staticElements returns the number of elements of a tensor type. The bool result is
// false if a dimension is dynamic.
func staticElements(t ir.Type) (int64, bool) {
	var shape ir.Dims
	switch d := t.Data().(type) {
	case TensorView:
		shape = d.Shape
	case PartitionView:
		shape = d.Shape
	default:
		return 0, false
	}
	return shape.Elements(), shape.Static()
}
