// This file defines flags and barriers between pipes.

package sync

import (
	"cmp"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The chapters of the manual on flags and barriers and on fences. The reference pages of
// the instructions link to them.
const (
	syncFamily  = "pipeline-sync"
	fenceFamily = "memory-fence-cache"
)

// syncPage is the manual page that specifies flags and barriers.
var syncPage = MicroPage("01-pipeline-sync")

// syncOp returns the definition of an instruction for synchronization. The instruction
// must be outside of vector functions.
func syncOp(o Op) *ir.Def {
	o.Group = "sync"
	o.Family = cmp.Or(o.Family, syncFamily)
	o.Page = cmp.Or(o.Page, syncPage)
	o.Pipe = sem.PipeS
	o.Rules = append([]Rule{OutsideScope()}, o.Rules...)
	return PlainOp(o)
}

// Attributes that several instructions for synchronization have.
var (
	srcPipe  = ir.AttrDef{Name: "src_pipe", Type: PipeEnum}
	dstPipe  = ir.AttrDef{Name: "dst_pipe", Type: PipeEnum}
	pipeAttr = ir.AttrDef{Name: "pipe", Type: PipeEnum}
	eventID  = ir.AttrDef{Name: "event_id", Type: EventIDEnum}
	opKinds  = ir.EnumIn(PipeEventTypeEnum, SyncOpTypeEnum)
	pipeLike = ir.EnumIn(PipeEnum, PipeEventTypeEnum, SyncOpTypeEnum)
)

// The descriptions of the instructions that set a flag and wait for a flag, for their
// reference pages.
const (
	setDoc  = "Raises event_id for dst_pipe when all earlier instructions of src_pipe are done."
	waitDoc = "Makes dst_pipe wait until src_pipe has raised event_id, and lowers it."
)

// Definitions of the instructions that set a flag or wait for one. SetFlag and WaitFlag
// have a constant event number, and SetFlagDyn and WaitFlagDyn have a computed one. All
// four name two pipes. RecordEvent and WaitEvent name two types of operations instead,
// such as TLOAD, from which the pipes follow.
var (
	SetFlag     = flagOp("set_flag", sem.SetFlag{}, setDoc)
	WaitFlag    = flagOp("wait_flag", sem.WaitFlag{}, waitDoc)
	SetFlagDyn  = flagDyn("set_flag_dyn", sem.SetFlag{}, setDoc)
	WaitFlagDyn = flagDyn("wait_flag_dyn", sem.WaitFlag{}, waitDoc)
	RecordEvent = eventOp("record_event", sem.SetFlag{}, "Raises event_id when all earlier operations of kind src_op are done.")
	WaitEvent   = eventOp("wait_event", sem.WaitFlag{}, "Makes operations of kind dst_op wait until event_id has been raised for them, and lowers it.")
)

// flagOp declares the instruction pto.NAME on a flag with a constant event number. The
// parameter kind determines what the instruction does: it sets the flag or waits for it.
func flagOp(name string, kind ir.Meaning, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return syncOp(Op{
			Name: name, Doc: doc, Sem: kind,
			Attrs:    []ir.AttrDef{srcPipe, dstPipe, eventID},
			Syntax:   ir.Asm("`[` angled($src_pipe) `,` angled($dst_pipe) `,` angled($event_id) `]` attr-dict"),
			Examples: []string{"pto." + name + "[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]"},
		})
	})
}

// flagDyn declares the instruction with the given name, which sets a flag or waits for
// one, as the parameter kind states. The event number of the flag is an operand.
func flagDyn(name string, kind ir.Meaning, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return syncOp(Op{
			Name: name, Doc: doc, Sem: kind, Page: PtoODS,
			Ins:      Args{In("event_id", Index)},
			Attrs:    []ir.AttrDef{srcPipe, dstPipe},
			Syntax:   ir.Asm("`[` angled($src_pipe) `,` angled($dst_pipe) `,` $event_id `]` attr-dict"),
			Examples: []string{"pto." + name + "[<PIPE_MTE2>, <PIPE_V>, %i]"},
		})
	})
}

// eventOp declares the instruction with the given name, which sets a flag or waits for
// one, as the parameter kind states. Its attributes name two types of operations, such as
// TLOAD and TVEC, instead of two pipes. The types determine the pipes.
func eventOp(name string, kind ir.Meaning, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return syncOp(Op{
			Name: name, Doc: doc, Sem: kind, Page: Manual,
			Attrs: []ir.AttrDef{
				{Name: "src_op", Type: opKinds}, {Name: "dst_op", Type: opKinds}, eventID,
			},
			Syntax:   ir.Asm("`[` $src_op `,` $dst_op `,` angled($event_id) `]` attr-dict"),
			Examples: []string{"pto." + name + "[#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, <EVENT_ID0>]"},
		})
	})
}

// Barrier is pto.barrier, which waits until earlier instructions of a pipe are
// complete.
var Barrier = Define("barrier", func(name string) *ir.Def {
	return syncOp(Op{
		Name: name, Aliases: []string{"pipe_barrier"},
		Doc:      "Waits until all earlier instructions of a pipe are done.",
		Attrs:    []ir.AttrDef{pipeAttr},
		Sem:      sem.Barrier{},
		Syntax:   ir.Asm("angled($pipe) attr-dict"),
		Notes:    []string{"The micro-ISA calls it pipe_barrier; both names are read."},
		Examples: []string{"pto.barrier <PIPE_ALL>"},
	})
})

// BarrierSync is pto.barrier_sync, a barrier of the pipe that executes a given type of
// operation.
var BarrierSync = Define("barrier_sync", func(name string) *ir.Def {
	return syncOp(Op{
		Name: name, Page: Manual,
		Doc:      "Waits until all earlier operations of a kind are done.",
		Attrs:    []ir.AttrDef{{Name: "op_type", Type: SyncOpTypeEnum}},
		Sem:      sem.Barrier{},
		Syntax:   ir.Asm("`[` angled($op_type) `]` attr-dict"),
		Examples: []string{"pto.barrier_sync[<TVEC>]"},
	})
})

// TSync is pto.tsync, which waits until the instructions that produce given tiles are
// complete.
var TSync = Define("tsync", func(name string) *ir.Def {
	return syncOp(Op{
		Name: name, Page: "pto-isa:docs/isa/tile/ops/sync-and-config/tsync.md",
		Doc:      "Waits until all earlier instructions that write the given tiles or views are done.",
		Ins:      Args{Many("events", TileOrView)},
		Sem:      sem.Barrier{},
		Syntax:   ir.Asm("`ins` `(` $events `:` type($events) `)` attr-dict"),
		Examples: []string{"pto.tsync ins(%t : !pto.tile_buf<vec, 16x16xf32>)"},
	})
})

// SetFFTs is pto.set_ffts, which sets the address of the flags with which A2/A3
// implement signals between cores.
var SetFFTs = Define("set_ffts", func(name string) *ir.Def {
	return syncOp(Op{
		Name: name, Page: PtoODS,
		Doc:      "Sets the address of the flags for signals between cores.",
		Ins:      Args{In("ffts", PtrTo("i64 or i8", I64|U64|Ints8))},
		Sem:      sem.WriteRegister{Name: "FFTS"},
		Examples: []string{"pto.set_ffts %p : !pto.ptr<i64>"},
	})
})

// Definitions of the instructions on arrays of event numbers. A kernel stores the numbers
// of its flags in such an array and selects one of them by an index at run time.
var (
	DeclareEventIDArray = Define("declare_eventid_array", func(name string) *ir.Def {
		return syncOp(Op{
			Name: name, Page: PtoODS, Doc: "Creates an array of event numbers.",
			Outs:     Args{Out("array", eventArray)},
			Sem:      sem.Local{Events: true},
			Syntax:   ir.Asm("attr-dict `->` type($array)"),
			Examples: []string{"%a = pto.declare_eventid_array -> !pto.eventid_array<4>"},
		})
	})
	EventIDArrayGet = Define("eventid_array_get", func(name string) *ir.Def {
		return syncOp(Op{
			Name: name, Page: PtoODS, Doc: "Returns the event number array[index].",
			Ins:      Args{In("array", eventArray), In("index", Index)},
			Outs:     Args{Out("result", Index)},
			Sem:      sem.Local{Act: sem.LocalGet, Events: true},
			Syntax:   ir.Asm("$array `[` $index `]` attr-dict `:` type($array)"),
			Examples: []string{"%e = pto.eventid_array_get %a[%i] : !pto.eventid_array<4>"},
		})
	})
	EventIDArraySet = Define("eventid_array_set", func(name string) *ir.Def {
		return syncOp(Op{
			Name: name, Page: PtoODS, Doc: "Sets the event number array[index] to value.",
			Ins:      Args{In("array", eventArray), In("index", Index), In("value", Index)},
			Sem:      sem.Local{Act: sem.LocalSet, Events: true},
			Syntax:   ir.Asm("$array `[` $index `]` `,` $value attr-dict `:` type($array)"),
			Examples: []string{"pto.eventid_array_set %a[%i], %e : !pto.eventid_array<4>"},
		})
	})
	eventArray = ir.TypeIf("a !pto.eventid_array", ir.Is[EventIDArray])
)
