// This file defines asynchronous communication.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of the instructions for asynchronous copies between ranks.
var (
	BuildAsyncSession = Define("comm.build_async_session", func(name string) *ir.Def {
		return comm(Op{
			Name: name, Old: []string{"build_async_session"}, Family: "async-dma",
			Doc:  "Opens a queue for asynchronous copies, with a scratch tile and workspace in global memory.",
			Ins:  Args{In("scratch", staging), In("workspace", PtrIn(sem.GM))},
			Outs: Args{In("session", session)},
			Attrs: []ir.AttrDef{
				{Name: "sync_id", Type: ir.IntOf(ir.I32), Optional: true, Doc: "the event the queue uses"},
				{Name: "block_bytes", Type: ir.IntOf(ir.I64), Optional: true, Doc: "bytes per block"},
				{Name: "comm_block_offset", Type: ir.IntOf(ir.I64), Optional: true, Doc: "where blocks start"},
				{Name: "queue_num", Type: ir.IntOf(ir.I32), Optional: true, Doc: "how many queues"},
				{Name: "channel_group_idx", Type: ir.IntOf(ir.I64), Optional: true, Doc: "the group of channels"},
			},
			Sem:      sem.CommSession{},
			Access:   []Access{{Arg: "scratch", Read: true, Write: true}, {Arg: "workspace", Read: true, Write: true}},
			Syntax:   ir.Asm("`(` $scratch `,` $workspace `:` type($scratch) `,` type($workspace) `)` attr-dict `->` type($session)"),
			Examples: []string{"%s = pto.comm.build_async_session(%t, %w : !pto.tile_buf<vec, 1x256xui8>, !pto.ptr<i8>) -> !pto.async_session"},
		})
	})

	TPutAsync = asyncCopy("tput_async", "TPUT_ASYNC", "Starts to copy src to dst, which belongs to another rank.")
	TGetAsync = asyncCopy("tget_async", "TGET_ASYNC", "Starts to copy src, which belongs to another rank, to dst.")

	WaitAsyncEvent = asyncEvent("wait_async_event", "Waits for an asynchronous copy.", sem.CommEvent{})
	TestAsyncEvent = asyncEvent("test_async_event", "Reports whether an asynchronous copy has finished.", sem.CommEvent{Test: true})
)

// asyncCopy declares the instruction with the given name, which starts an asynchronous
// copy between ranks (devices). Its result is an event, with which a later instruction
// waits for the end of the copy. page is the name of the manual page, and doc is the
// description on the reference page.
func asyncCopy(name, page, doc string) *ir.Def {
	return Define("comm."+name, func(string) *ir.Def {
		return comm(Op{
			Name: "comm." + name, Family: "async-dma", Page: commPage(page), Doc: doc, Aliases: []string{name},
			Ins:      Args{In("dst", sharedView), In("src", sharedView), In("session", session)},
			Outs:     Args{In("event", event)},
			Sem:      sem.CommCopy{Async: true},
			Access:   []Access{{Arg: "dst", Write: true}, {Arg: "src", Read: true}},
			Rules:    []Rule{EqualElements("dst", "src"), flatView("dst"), flatView("src")},
			Syntax:   ir.Asm("`(` $dst `,` $src `,` $session `:` type($dst) `,` type($src) `,` type($session) `)` attr-dict `->` type($event)"),
			Examples: []string{"%e = pto.comm." + name + "(%d, %s, %q : !pto.partition_tensor_view<128xf32>, !pto.partition_tensor_view<128xf32>, !pto.async_session) -> !pto.async_event"},
		})
	})
}

// asyncEvent declares the instruction pto.comm.NAME. kind selects what it does: it waits
// for an asynchronous copy, or it tests whether the copy is complete.
func asyncEvent(name, doc string, kind sem.CommEvent) *ir.Def {
	return Define("comm."+name, func(string) *ir.Def {
		return comm(Op{
			Name: "comm." + name, Family: "async-dma", Doc: doc, Old: []string{name},
			Ins:      Args{In("event", event), In("session", session)},
			Outs:     Args{In("completed", ir.Written(ir.I1))},
			Sem:      kind,
			Syntax:   ir.Asm("`(` $event `,` $session `:` type($event) `,` type($session) `)` attr-dict `->` type($completed)"),
			Examples: []string{"%r = pto.comm." + name + "(%e, %q : !pto.async_event, !pto.async_session) -> i1"},
		})
	})
}

// Definitions of the instructions that prefetch data into the cache.
var (
	MakePrefetchAsyncContext = Define("make_prefetch_async_context", func(name string) *ir.Def {
		return comm(Op{
			Name: name, Family: "async-prefetch", Page: "PTOAS:include/PTO/IR/PTOOps.td",
			Doc:      "Creates the context that asynchronous prefetches need.",
			Ins:      Args{In("workspace", PtrIn(sem.GM))},
			Outs:     Args{In("ctx", handle("prefetch_async_context"))},
			Sem:      sem.CommSession{},
			Access:   []Access{{Arg: "workspace", Read: true, Write: true}},
			Syntax:   ir.Asm("`(` $workspace `:` type($workspace) `)` attr-dict `->` type($ctx)"),
			Examples: []string{"%c = pto.make_prefetch_async_context(%w : !pto.ptr<i8>) -> !pto.prefetch_async_context"},
		})
	})

	GetPrefetchAsyncSession = Define("get_prefetch_async_session", func(name string) *ir.Def {
		return comm(Op{
			Name: name, Family: "async-prefetch", Page: "PTOAS:include/PTO/IR/PTOOps.td",
			Doc:      "Returns the queue of a prefetch context.",
			Ins:      Args{In("ctx", handle("prefetch_async_context"))},
			Outs:     Args{In("session", session)},
			Sem:      sem.CommSession{},
			Traits:   ir.Pure,
			Syntax:   ir.Asm("$ctx attr-dict `:` type($ctx) `->` type($session)"),
			Examples: []string{"%q = pto.get_prefetch_async_session %c : !pto.prefetch_async_context -> !pto.async_session"},
		})
	})

	TPrefetchAsync = Define("tprefetch_async", func(name string) *ir.Def {
		return comm(Op{
			Name: name, Family: "async-prefetch", Page: "pto-isa:docs/isa/tile/ops/memory-and-data-movement/tprefetch-async.md",
			Doc:      "Starts to read a view ahead of its use.",
			Ins:      Args{In("src", sharedView), In("ctx", handle("prefetch_async_context"))},
			Outs:     Args{In("event", event)},
			Sem:      sem.Prefetch{},
			Rules:    []Rule{flatView("src")},
			Access:   []Access{{Arg: "src", Read: true}},
			Syntax:   ir.Asm("`(` $src `,` $ctx `:` type($src) `,` type($ctx) `)` attr-dict `->` type($event)"),
			Examples: []string{"%e = pto.tprefetch_async(%s, %c : !pto.partition_tensor_view<128xf32>, !pto.prefetch_async_context) -> !pto.async_event"},
		})
	})
)
