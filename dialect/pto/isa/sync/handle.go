// This file defines queues with handles.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Queues that are known by a handle.

// pipeHandle accepts handles, the values that identify queues between cores.
var pipeHandle = ir.Written(ir.TypeOf(Handle{Name: "pipe"}))

// flagBase declares the attribute with the first of the signal numbers that a queue
// uses.
var flagBase = ir.AttrDef{Name: "flag_base", Type: IntIn(ir.I32, 0, 1<<31-1), Optional: true, Doc: "the first of the signals that the queue uses"}

// InitializeL2G2LPipe is pto.initialize_l2g2l_pipe, which creates a queue between cores
// whose slots are in global memory.
var InitializeL2G2LPipe = Define("initialize_l2g2l_pipe", func(name string) *ir.Def {
	return handleOp(Op{
		Name: name, Page: PtoODS, Pipe: sem.PipeS,
		Doc:   "Sets up a queue whose slots are in global memory, and in local memory too if local_addr is given.",
		Ins:   Args{In("gm_addr", ir.Any), Opt("local_addr", ir.Any), Opt("peer_local_addr", ir.Any)},
		Outs:  Args{Out("pipe", pipeHandle)},
		Attrs: []ir.AttrDef{dirMask, slotSize, required(slotNum), localNum, flagBase, noSplit, epilogue},
		Sem:   sem.QueueInit{From: sem.QueueHandle},
		Rules: []Rule{Check(handleInitFault), queuePairs{}},
		Syntax: ir.Asm("keys($dir_mask, $slot_size, $slot_num, $local_slot_num, $flag_base, $nosplit, $acc_push_epilogue)" +
			" `(` $gm_addr `:` type($gm_addr) (`,` $local_addr^ `:` type($local_addr))? (`,` $peer_local_addr^ `:` type($peer_local_addr))? `)`" +
			" attr-dict `->` type($pipe)"),
		Examples: []string{"%q = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, flag_base = 0} (%p : !pto.ptr<f32>, %a : i32) -> !pto.pipe"},
	})
})

// InitializeL2LPipe is pto.initialize_l2l_pipe, which creates a queue between cores
// whose slots are in local memory.
var InitializeL2LPipe = Define("initialize_l2l_pipe", func(name string) *ir.Def {
	return handleOp(Op{
		Name: name, Page: PtoODS, Pipe: sem.PipeS,
		Doc:   "Sets up a queue whose slots are in the local memory of the consumer.",
		Ins:   Args{In("local_addr", ir.Any), Opt("peer_local_addr", ir.Any)},
		Outs:  Args{Out("pipe", pipeHandle)},
		Attrs: []ir.AttrDef{dirMask, slotSize, required(slotNum), flagBase, noSplit, epilogue},
		Sem:   sem.QueueInit{From: sem.QueueHandle},
		Rules: []Rule{Check(handleInitFault), queuePairs{}},
		Syntax: ir.Asm("keys($dir_mask, $slot_size, $slot_num, $flag_base, $nosplit, $acc_push_epilogue)" +
			" `(` $local_addr `:` type($local_addr) (`,` $peer_local_addr^ `:` type($peer_local_addr))? `)` attr-dict `->` type($pipe)"),
		Examples: []string{"%q = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, flag_base = 0} (%a : i32) -> !pto.pipe"},
	})
})

// handleOp returns the definition of an instruction on queues with the properties that
// all of them have in common.
func handleOp(o Op) *ir.Def {
	o.Group, o.Family = "sync", queueFamily
	return PlainOp(o)
}

// required returns a copy of the attribute declaration a in which the attribute is not
// optional.
func required(a ir.AttrDef) ir.AttrDef {
	a.Optional = false
	return a
}

// handleInitFault returns a message if the address operands of op, which creates a
// queue, are inconsistent, and "" otherwise.
func handleInitFault(op *ir.Op, _ ir.Target) string {
	q := sem.QueueSetUpOf(op)
	local, peer := op.Arg("local_addr") != nil, op.Arg("peer_local_addr") != nil
	for _, name := range []string{"local_addr", "peer_local_addr"} {
		if v := op.Arg(name); v != nil && !isInteger(v) { // as the constructor of the library takes them
			return "operand \"" + name + "\" must be an integer, an address in local memory, but is " + v.Type().String()
		}
	}
	if v := op.Arg("gm_addr"); v != nil && isInteger(v) {
		return "operand \"gm_addr\" must be a pointer, a view or a memref, but is " + v.Type().String()
	}
	switch flags := q.Signals(); {
	case q.Signal+flags > signals:
		return "attribute \"flag_base\" must be at most " + Itoa(signals-flags) + ": the queue uses " + Itoa(flags) + " of 16 signals, but is " + Itoa(q.Signal)
	case peer && !local:
		return "has operand \"peer_local_addr\", but no \"local_addr\""
	case peer != q.BothWays() && local:
		return "needs operand \"peer_local_addr\" if and only if dir_mask is 3, but dir_mask is " + Itoa(q.Ways)
	case q.SaysLocals && !local:
		return "has \"local_slot_num\", but no operand \"local_addr\""
	case q.SaysLocals && q.Locals > q.Slots:
		return "attribute \"local_slot_num\" must be at most slot_num, " + Itoa(q.Slots) + ", but is " + Itoa(q.Locals)
	}
	return ""
}

// isInteger reports whether the value v is an integer.
func isInteger(v *ir.Value) bool {
	f, ok := ir.FormatOf(v.Type())
	return ok && f.IsInt()
}

// Definitions of the instructions that access entries of a queue through its handle.
var (
	TAlloc = Define("talloc", func(name string) *ir.Def {
		return handleUse(Op{
			Name: name, Page: IsaPage("TALLOC"), Doc: "Makes entry refer to the next free slot of a queue.", Pipe: sem.PipeMTE3,
			Ins: Args{In("entry", AnyView)}, Sem: sem.QueueEntry{Act: sem.QueueAlloc},
			Examples: []string{"pto.talloc(%e, %q : !pto.tensor_view<16x16xf32>, !pto.pipe) {split = 0}"},
		})
	})
	TPush = Define("tpush", func(name string) *ir.Def {
		return handleUse(Op{
			Name: name, Page: "pto-isa:docs/isa/system/ops/TPUSH.md", Doc: "Appends a tile, or the allocated slot, to a queue.", PipeOf: pushPipe,
			Ins: Args{In("tile", entryType)}, Sem: sem.QueueEntry{Act: sem.QueuePush},
			Examples: []string{"pto.tpush(%t, %q : !pto.tile_buf<vec, 16x16xf32>, !pto.pipe) {split = 1}"},
		}, subBlock)
	})
	TPop = Define("tpop", func(name string) *ir.Def {
		return handleUse(Op{
			Name: name, Page: "pto-isa:docs/isa/system/ops/TPOP.md", Doc: "Makes tile refer to the next entry of a queue.", PipeOf: popPipe,
			Ins: Args{{Name: "tile", Type: entryType, Role: ir.InOut}}, Sem: sem.QueueEntry{Act: sem.QueuePop},
			Examples: []string{"pto.tpop(%t, %q : !pto.tile_buf<vec, 16x16xf32>, !pto.pipe) {split = 1}"},
		}, subBlock)
	})
	TFree = Define("tfree", func(name string) *ir.Def {
		return handleOp(Op{
			Name: name, Page: "pto-isa:docs/isa/system/ops/TFREE.md", Doc: "Releases the slot of the last removed entry, so that the producer can use it again.", PipeOf: freePipe,
			Ins:      Args{Opt("entry", entryType), In("pipe_handle", pipeHandle)},
			Attrs:    []ir.AttrDef{splitAttr},
			Sem:      sem.QueueEntry{Act: sem.QueueFree},
			Rules:    []Rule{onCore(sem.QueueHandle), handleUseRule()},
			Syntax:   ir.Asm("`(` operands types `)` keys($split) attr-dict"),
			Examples: []string{"pto.tfree(%q : !pto.pipe) {split = 1}", "pto.tfree(%e, %q : !pto.tensor_view<16x16xf32>, !pto.pipe) {split = 0}"},
		})
	})
)

// handleUse returns the definition of an instruction that accesses an entry of a queue
// through the handle of the queue. o contains the first operand, and more lists the
// operands after the handle.
func handleUse(o Op, more ...ir.Arg) *ir.Def {
	first := o.Ins[0].Name
	o.Ins = append(Args{o.Ins[0], In("pipe_handle", pipeHandle)}, more...)
	o.Attrs = []ir.AttrDef{splitAttr}
	o.Rules = append(o.Rules, onCore(sem.QueueHandle), handleUseRule())
	o.Syntax = ir.Asm("`(` $" + first + " `,` $pipe_handle `:` type($" + first + ") `,` type($pipe_handle) `)` keys($split)" +
		subBlockClause(more) + " attr-dict")
	return handleOp(o)
}

// ReserveBuffer is pto.reserve_buffer, which reserves local memory for the slots of a
// queue. The consumer of the queue reserves it.
var ReserveBuffer = Define("reserve_buffer", func(name string) *ir.Def {
	return handleOp(Op{
		Name: name, Page: Manual, Pipe: sem.NoPipe,
		Doc:  "Reserves local memory under a name and returns its address; the planner places it if auto is set.",
		Outs: Args{Out("addr", WrittenI32)},
		Attrs: []ir.AttrDef{
			{Name: "name", Type: ir.AnyString}, {Name: "size", Type: IntIn(ir.I32, 1, 1<<31-1)},
			{Name: "location", Type: AddressSpaceEnum}, {Name: "autoAlloc", Type: ir.AnyBool},
			{Name: "base", Type: IntIn(ir.I32, 0, 1<<31-1), Optional: true},
		},
		Sem:      sem.LocalBuffer{},
		Rules:    []Rule{Check(reserveFault)},
		Syntax:   ir.Asm("keys($name, $size, location=full($location), auto=$autoAlloc, $base) attr-dict `->` type($addr)"),
		Examples: []string{`%a = pto.reserve_buffer {name = "fifo", size = 8192, location = #pto.address_space<vec>, auto = true} -> i32`},
	})
})

// reserveFault returns a message if the address or size of a reservation is invalid,
// and "" otherwise.
func reserveFault(op *ir.Op, t ir.Target) string {
	auto, _ := op.Attr("autoAlloc").AsBool()
	base, _ := op.Attr("base").AsInt()
	size, _ := op.Attr("size").AsInt()
	switch s := SpaceOfAttr(op.Attr("location")); {
	case s != sem.UB && s != sem.L1:
		return "attribute \"location\" must be vec or mat, but is " + op.Attr("location").Keyword()
	case !auto && !op.HasAttr("base"):
		return "requires the attribute \"base\" if auto is false"
	case PastEnd(s, base, size, t) != "":
		return PastEnd(s, base, size, t)
	}
	if reserves(functionOf(op), op.Attr("name"), op) != nil {
		return "must have a unique name, but the function reserves " + op.Attr("name").String() + " twice"
	}
	return ""
}

// ImportReservedBuffer is pto.import_reserved_buffer, with which the producer of a
// queue obtains the address that the consumer has reserved.
var ImportReservedBuffer = Define("import_reserved_buffer", func(name string) *ir.Def {
	return handleOp(Op{
		Name: name, Page: Manual, Pipe: sem.NoPipe,
		Doc:      "Returns the address of the local memory that another function has reserved under a name.",
		Outs:     Args{Out("addr", WrittenI32)},
		Attrs:    []ir.AttrDef{{Name: "name", Type: ir.AnyString}, {Name: "peer_func", Type: ir.AnySymbol}},
		Sem:      sem.LocalBuffer{Imported: true},
		Rules:    []Rule{Check(importFault)},
		Syntax:   ir.Asm("keys($name, $peer_func) attr-dict `->` type($addr)"),
		Examples: []string{`%a = pto.import_reserved_buffer {name = "fifo", peer_func = @f} -> i32`},
	})
})

// importFault returns a message if the named function does not reserve the buffer that
// op imports, and "" otherwise.
func importFault(op *ir.Op, _ ir.Target) string {
	name, peer := op.Attr("name"), op.Attr("peer_func")
	f := peerFunction(op)
	if f == nil || len(f.Regions()) == 0 {
		return "attribute \"peer_func\" must name a function with a body, but is " + peer.String()
	}
	if reserves(f, name, nil) == nil {
		return peer.String() + " reserves no buffer " + name.String()
	}
	for o := range functionOf(op).Walk() {
		if o != op && o.Def().Sem == any(sem.LocalBuffer{Imported: true}) && o.Attr("name") == name && o.Attr("peer_func") == peer {
			return "must be the only one of the function to import " + name.String() + " of " + peer.String()
		}
	}
	return ""
}

// FreeOf returns the definition of the instruction that releases the entries which the
// instruction pop removes from its queue.
func FreeOf(pop *ir.Op) *ir.Def {
	from := sem.QueueEntryOf(pop).From
	for _, free := range []*ir.Def{TFreeFromAic, TFreeFromAiv} {
		if kind, ok := free.Made().Sem.(sem.QueueEntry); ok && kind.From == from {
			return free
		}
	}
	return TFree.Made()
}
