// This file defines queue instructions with a queue number.

package sync

import (
	"cmp"
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Queues between the cube core and the vector cores, with one instruction for each
// end and direction. An entry lives in this order: the producer allocates a slot and
// pushes it (or pushes a tile, which is copied into a slot); the consumer pops it and
// frees the slot. The names of pop and free say where the entry comes from, so these
// instructions run on the other side: tpop_from_aic on a vector core.

// queueFamily is the chapter of the manual on queues between cores.
const queueFamily = "cube-vector-fifo"

// Definitions of the instructions on queues between the cube core and the vector cores
// of a block. A number identifies each queue.
var (
	AicInitializePipe = queueInit("aic_initialize_pipe", sem.CubeSide, "Sets up the cube core's end of a queue.")
	AivInitializePipe = queueInit("aiv_initialize_pipe", sem.VectorSide, "Sets up the vector cores' end of a queue.")

	TAllocToAiv = queueAlloc("talloc_to_aiv", sem.CubeSide, "Allocates the next free slot of a queue to the vector cores.")
	TAllocToAic = queueAlloc("talloc_to_aic", sem.VectorSide, "Allocates the next free slot of a queue to the cube core.")

	TPushToAiv = queuePush("tpush_to_aiv", sem.CubeSide, "Appends a tile, or the allocated slot, to a queue to the vector cores.")
	TPushToAic = queuePush("tpush_to_aic", sem.VectorSide, "Appends a tile, or the allocated slot, to a queue to the cube core.",
		subBlock)

	TPopFromAic = queuePop("tpop_from_aic", sem.CubeSide, "Removes the next entry from a queue from the cube core, and returns it.", subBlock)
	TPopFromAiv = queuePop("tpop_from_aiv", sem.VectorSide, "Removes the next entry from a queue from the vector cores, and returns it.")

	TFreeFromAic = queueFree("tfree_from_aic", sem.CubeSide, "Releases the slot of the last removed entry, so that the cube core can use it again.")
	TFreeFromAiv = queueFree("tfree_from_aiv", sem.VectorSide, "Releases the slot of the last removed entry, so that the vector cores can use it again.")
)

var (
	queueID   = ir.AttrDef{Name: "id", Type: IntIn(ir.I32, 0, 1<<31-1), Default: ir.IntAttr(ir.I32, 0), Doc: "the number of the queue, which both ends name"}
	splitAttr = ir.AttrDef{Name: "split", Type: IntIn(ir.I8, 0, 4), Doc: "how the two vector cores share a slot: 0 not, 1 by rows, 2 by columns, 3 by an odd number of rows, 4 of columns"}
	dirMask   = ir.AttrDef{Name: "dir_mask", Type: IntIn(ir.I8, 1, 3), Doc: "who produces: 1 the cube core, 2 the vector cores, 3 both"}
	slotSize  = ir.AttrDef{Name: "slot_size", Type: IntIn(ir.I32, 1, 1<<31-1), Doc: "bytes of a slot"}
	slotNum   = ir.AttrDef{Name: "slot_num", Type: IntIn(ir.I32, 1, 1<<31-1), Optional: true, Doc: fmt.Sprintf("slots of each way; without it %d, or %d where both produce", sem.DefaultSlots, sem.DefaultBothSlots)}
	localNum  = ir.AttrDef{Name: "local_slot_num", Type: IntIn(ir.I32, 1, 1<<31-1), Optional: true, Doc: "number of slots in the memory of the consumer, if the other slots are in global memory; the default is slot_num"}
	noSplit   = ir.AttrDef{Name: "nosplit", Type: ir.AnyBool, Optional: true, Doc: "true where split is 0, false where it is not"}
	epilogue  = ir.AttrDef{Name: "acc_push_epilogue", Type: AnyAccPushEpilogue, Optional: true, Doc: "what happens to accumulators on their way"}
	subBlock  = Opt("aiv_subblockid", ir.Exactly(ir.I64))
)

// entryType accepts the types of queue entries: tiles, or tensors that refer to a slot.
var entryType = ir.TypeIf("a !pto.tile_buf, !pto.tensor_view or !pto.partition_tensor_view", func(t ir.Type) bool {
	return IsTile(t) || isWorkspace(t) && !ir.Is[PtrType](t) || ir.Is[ir.MemRefType](t)
})

// queueOp returns the definition of an instruction on a queue. side determines which core
// types may execute the instruction.
func queueOp(o Op, side sem.QueueSide) *ir.Def {
	o.Group, o.Family = "sync", queueFamily
	o.Page = cmp.Or(o.Page, Manual)
	o.Rules = append([]Rule{NoFixpipeAttrs, onCore(side)}, o.Rules...)
	return PlainOp(o)
}

// queueInit declares an instruction that creates one end of a queue between the cube core
// and the vector cores. side is the core type that executes the instruction.
func queueInit(name string, side sem.QueueSide, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return queueOp(Op{
			Name: name, Doc: doc, Pipe: sem.PipeS,
			Ins: Args{
				Opt("gm_slot_buffer", PtrNoMemRef), Opt("gm_slot_tensor", AnyView),
				Opt("c2v_consumer_buf", WrittenI32), Opt("v2c_consumer_buf", WrittenI32),
			},
			Attrs: []ir.AttrDef{queueID, dirMask, slotSize, slotNum, localNum, noSplit, epilogue},
			Sem:   sem.QueueInit{From: side},
			Rules: []Rule{queueCheck(queueInitFault), queuePairs{}},
			Syntax: ir.AsmWith("keys($id, $dir_mask, $slot_size, $slot_num, $local_slot_num, $nosplit, $acc_push_epilogue) custom<buffers>($none) attr-dict",
				map[string]ir.Hook{"buffers": namedOperands}),
			Examples: []string{
				"pto." + name + " {id = 1, dir_mask = 1, slot_size = 1024} (c2v_consumer_buf = %a : i32)",
				"pto." + name + " {dir_mask = 3, slot_size = 1024, slot_num = 4} (gm_slot_buffer = %p : !pto.ptr<f32>, c2v_consumer_buf = %a : i32, v2c_consumer_buf = %b : i32)",
			},
		}, side)
	})
}

// namedOperands is the syntax (name = %value : type, ...) for a list of operands. The
// operands can be in any order. All of them are optional, so the parser identifies each
// one by its name and not by its position.
var namedOperands = ir.Hook{
	ParseFn: func(p *ir.Parser, st *ir.OpParse) {
		if !p.Accept("(") {
			return
		}
		p.List(")", func() {
			off, name := p.Offset(), p.Ident()
			if p.Failed() {
				return
			}
			for _, a := range st.Form.Operands {
				if a.Name == name {
					p.Expect("=")
					st.Operand(name, p.Operand())
					p.Expect(":")
					st.OperandType(name, p.Type())
					return
				}
			}
			p.ErrorAt(off, "'%s' op has no operand '%s'", st.Def.Name, name)
		})
		p.Expect(")")
	},
	PrintFn: func(w *ir.Printer, op *ir.Op) {
		sep := "("
		for _, a := range op.Form().Operands {
			for _, v := range op.Args(a.Name) {
				if sep == "(" {
					w.Raw(" ")
				}
				w.Raw(sep + a.Name + " =")
				w.Raw(" ")
				w.Value(v)
				w.Token(":")
				w.Type(v.Type())
				sep = ", "
			}
		}
		if sep != "(" {
			w.Token(")")
		}
	},
}

// queueAlloc declares the instruction with the given name, which allocates a slot of a
// queue. side is the core type that executes it, and doc is the description on the
// reference page.
func queueAlloc(name string, side sem.QueueSide, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return queueOp(Op{
			Name: name, Doc: doc, Pipe: sem.PipeS,
			Outs:     Args{Out("entry", AnyView)},
			Attrs:    []ir.AttrDef{queueID, splitAttr},
			Sem:      sem.QueueEntry{Act: sem.QueueAlloc, From: side},
			Rules:    []Rule{queueUse(side)},
			Syntax:   ir.Asm("keys($id, $split) attr-dict `->` type($entry)"),
			Examples: []string{"%e = pto." + name + " {id = 1, split = 0} -> !pto.tensor_view<16x16xf32>"},
		}, side)
	})
}

// queuePush declares the instruction pto.NAME, which pushes an entry into a queue. The
// parameter side is the core type that pushes entries into this queue. The arguments at
// the end of the list are operands of the instruction that follow the tile.
func queuePush(name string, side sem.QueueSide, doc string, more ...ir.Arg) *ir.Def {
	rules, tile := []Rule{queueUse(side), queueCheck(pushFault)}, "!pto.tile_buf<vec, 16x16xf32>"
	if side == sem.VectorSide {
		rules, tile = append(rules, pushedRows), "!pto.tile_buf<vec, 16x16xf32, blayout=col_major, slayout=row_major>"
	}
	return Define(name, func(name string) *ir.Def {
		return queueOp(Op{
			Name: name, Doc: doc, PipeOf: pushPipe,
			Ins:      append(Args{In("tile", entryType)}, more...),
			Attrs:    []ir.AttrDef{queueID, splitAttr},
			Sem:      sem.QueueEntry{Act: sem.QueuePush, From: side},
			Rules:    rules,
			Syntax:   ir.Asm("`(` $tile `:` type($tile) `)` keys($id, $split)" + subBlockClause(more) + " attr-dict"),
			Examples: []string{"pto." + name + "(%t : " + tile + ") {id = 1, split = 1}"},
		}, side)
	})
}

// pushedRows is the rule on the layout of a tile that vector cores push on A5.
var pushedRows = DeviceRule{
	On: sem.OnA5, Class: "pushed rows", Warns: sem.OnA5,
	Does:   "the NPU headers copy a row_major tile as runs of bytes to the memory of the cube core, and do not sort its rows into boxes",
	Header: "TINSERT_IMPL in pushVec2MatFiFo of a5/TPush.hpp and TInsertNDImpl in a5/TInsert.hpp of pto-isa; a production frontend moves tiles into boxes before it pushes them",
	Way:    "move the tile into boxes first, by pto.tmov within vec (blayout=col_major, slayout=row_major)",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		t, ok := x.Tile("tile")
		if !ok || !PushesRows(t) {
			return ""
		}
		return fmt.Sprintf("the device does not sort the rows of the tile, %d columns of %s, into boxes of 32 bytes", t.Cols, t.Elem)
	},
}

// PushesRows reports whether vector cores push rows of the tile t that are longer than a
// row of a box, 32 bytes.
func PushesRows(t TileInfo) bool {
	return t.Space == sem.UB && t.BLayout == RowMajor && t.SLayout == NoneBox && int(t.Cols)*ByteSize(t.Elem) > 32
}

// pushPipe returns the pipe that executes a push instruction. If the operand is a tile,
// the push copies it into a slot of the queue: FIXPIPE copies from the accumulator, and
// MTE3 copies from the unified buffer. If the operand is a slot that the program has
// allocated and filled itself, there is nothing to copy. The scalar unit then only
// signals that the slot is full.
func pushPipe(op *ir.Op, _ ir.Target) sem.Pipe {
	switch SpaceOf(op.Operand(0).Type()) {
	case sem.L0C:
		return sem.PipeFix
	case sem.UB:
		return sem.PipeMTE3
	}
	return sem.PipeS
}

// subBlockClause returns the syntax of an operand with the number of a vector core, or
// "" if args is empty.
func subBlockClause(args []ir.Arg) string {
	if len(args) == 0 {
		return ""
	}
	return " (`aiv_subblockid` `(` $aiv_subblockid^ `)`)?"
}

// queuePop declares the instruction pto.NAME, which pops an entry from a queue between a
// cube core and its vector cores. side is the core type that pushes the entries; the
// other core type executes the instruction. The parameter more lists operands in addition
// to those that every pop has.
func queuePop(name string, side sem.QueueSide, doc string, more ...ir.Arg) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return queueOp(Op{
			Name: name, Doc: doc, PipeOf: popPipe,
			Ins:   append(Args{Opt("valid_row", Index), Opt("valid_col", Index)}, more...),
			Outs:  Args{Out("tile", entryType)},
			Attrs: []ir.AttrDef{queueID, splitAttr},
			Sem:   sem.QueueEntry{Act: sem.QueuePop, From: side},
			Rules: []Rule{queueUse(side), Check(popFault)},
			Syntax: ir.Asm("(`(` $valid_row^ `,` $valid_col `)`)? keys($id, $split)" + subBlockClause(more) +
				" attr-dict `->` type($tile)"),
			Examples: []string{
				"%t = pto." + name + " {id = 1, split = 1} -> !pto.tile_buf<vec, 16x16xf32>",
				"%t = pto." + name + "(%r, %c) {split = 1} -> !pto.tile_buf<vec, 16x16xf32, valid=?x?>",
			},
		}, otherSide(side))
	})
}

// popFault checks the operands valid_row and valid_col of a pop, which specify the valid
// region of the popped tile. Either both operands are present or neither. If they are
// present, the tile type must have a dynamic valid region. They are required if the
// vector cores share an odd number of rows or columns. popFault returns a message for a
// violation, and "" otherwise.
func popFault(op *ir.Op, _ ir.Target) string {
	t := op.Result(0).Type()
	given := op.Arg("valid_row") != nil
	switch split := EntrySplitOf(op); {
	case given != (op.Arg("valid_col") != nil):
		return "needs operands \"valid_row\" and \"valid_col\" together"
	case !given && split.odd() && IsTile(t):
		return "needs operands \"valid_row\" and \"valid_col\" for split = " + Itoa(int64(split)) + ", which shares an odd number of rows or columns"
	case !given:
		return ""
	}
	if e := ValidOf(t); !IsTile(t) || e.Rows != ir.Dynamic || e.Cols != ir.Dynamic {
		return "result \"tile\" must be a !pto.tile_buf with valid=?x? where the valid region is given, but is " + t.String()
	}
	return ""
}

// queueFree declares the instruction with the given name, which releases a queue slot
// after its entry has been read. side is the producer of the queue; the other side
// executes the instruction.
func queueFree(name string, side sem.QueueSide, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return queueOp(Op{
			Name: name, Doc: doc, PipeOf: freePipe,
			Ins:      Args{Opt("entry", entryType)},
			Attrs:    []ir.AttrDef{queueID, splitAttr},
			Sem:      sem.QueueEntry{Act: sem.QueueFree, From: side},
			Rules:    []Rule{queueUse(side)},
			Syntax:   ir.Asm("(`(` $entry^ `:` type($entry) `)`)? keys($id, $split) attr-dict"),
			Examples: []string{"pto." + name + " {id = 1, split = 1}", "pto." + name + "(%e : !pto.tensor_view<16x16xf32>) {split = 0}"},
		}, otherSide(side))
	})
}

// otherSide returns the opposite core type of a queue: if cores of the type in the
// parameter side produce entries, cores of the result type consume them.
func otherSide(side sem.QueueSide) sem.QueueSide {
	if side == sem.CubeSide {
		return sem.VectorSide
	}
	return sem.CubeSide
}
