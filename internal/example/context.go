// This file encloses examples in the operations that they require.

package example

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// inScope encloses an instruction that is legal only in a vector scope.
const inScope = "pto.vecscope {\nHERE\n}"

// The map around contains the text that must enclose an instruction, by name of the
// instruction. In the text, HERE marks the position of the instruction.
var around = map[string]string{
	"pto.sprclr": inScope, "pto.sprsti": inScope, "pto.sprsts": inScope,
	"pto.yield": "%out = pto.fusion_region {\nHERE\n} : i32",
}

// funcAttr returns the attributes that the function around an instruction needs.
// Some instructions are legal only in per-work-item code, or only on the cube core
// or the vector core.
func funcAttr(d *ir.Def) string {
	if pto.InSimtOnly(d) {
		return "pto.simt_entry"
	}
	var core string
	switch s := d.Sem.(type) {
	case sem.QueueInit:
		core = coreName(s.From)
	case sem.QueueEntry:
		core = "vector"
		if s.Core() == sem.CubeUnit {
			core = "cube"
		}
	default:
		return "pto.kernel"
	}
	return "pto.kernel, pto.kernel_kind = #pto.kernel_kind<" + core + ">"
}

// coreName returns the name of the core, "cube" or "vector", at the given side of a
// queue.
func coreName(s sem.QueueSide) string {
	if s == sem.CubeSide {
		return "cube"
	}
	return "vector"
}

// needsConstant maps the name of an instruction to its operand that must be a constant.
var needsConstant = map[string]string{
	"pto.pldi": "%i", "pto.psti": "%i", "pto.sprsti": "%n",
}

// before returns the operations that must precede an instruction, and the
// declarations of the function parameters that these operations use.
func before(d *ir.Def) (text string, params []string) {
	const slot = "%slot: !pto.tensor_view<16x16xf32>"
	const epilogue = `%%lowered = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, flag_base = 0, nosplit = true,
  acc_push_epilogue = #pto.acc_push_epilogue<layout = nz2nd, quant = %s, relu = no_relu>} (%%buf : i32) {__pto.frontend_id = 0 : i32} -> !pto.pipe
`
	if n := asyncBefore(d); n > 0 {
		return strings.Join(async[:n], ""), []string{"%w: !pto.ptr<i8>", "%ahead: !pto.partition_tensor_view<128xf32>"}
	}
	switch s := d.Sem.(type) {
	case sem.LocalBuffer:
		if !s.Imported {
			break
		}
		return `%b = pto.reserve_buffer {name = "fifo", size = 64, location = #pto.address_space<vec>, auto = true} -> i32` + "\n", nil
	case sem.ConfigSet:
		switch s.What {
		case "quant_scalar":
			return fmt.Sprintf(epilogue, "deqf16_scalar"), []string{"%buf: i32"}
		case "quant_vector":
			return fmt.Sprintf(epilogue, "deqf16_vec"), []string{"%buf: i32"}
		}
	case sem.QueueEntry:
		if !strings.Contains(d.Name, "_a") { // entries of a queue that is an operand
			return "%q = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8} (%slot : !pto.tensor_view<16x16xf32>) -> !pto.pipe\n", []string{slot}
		}
		// A queue of one direction: the generated C++ has no views of the entries
		// of a queue that has both directions.
		way := "1"
		if strings.HasSuffix(d.Name, "_to_aic") || strings.HasSuffix(d.Name, "_from_aiv") {
			way = "2"
		}
		for _, id := range []string{"0", "1"} {
			text += "pto." + initOf(d) + " {id = " + id + ", dir_mask = " + way + ", slot_size = 1024} (gm_slot_tensor = %slot : !pto.tensor_view<16x16xf32>)\n"
		}
		return text, []string{slot}
	}
	return "", nil
}

// async holds the lines that create the operands of asynchronous copies and prefetches,
// in this order: a context, a session for this context, and an event.
var async = []string{
	"%c = pto.make_prefetch_async_context(%w : !pto.ptr<i8>) -> !pto.prefetch_async_context\n",
	"%q = pto.get_prefetch_async_session %c : !pto.prefetch_async_context -> !pto.async_session\n",
	"%e = pto.tprefetch_async(%ahead, %c : !pto.partition_tensor_view<128xf32>, !pto.prefetch_async_context) -> !pto.async_event\n",
}

// asyncBefore returns how many lines an example of the instruction d needs before this
// instruction. The variable async lists these lines in order; they define a context, a
// session and an event for asynchronous copies. The result is the number of lines from
// the start of this list that define all values that d uses.
func asyncBefore(d *ir.Def) int {
	switch s := d.Sem.(type) {
	case sem.CommEvent:
		return 3
	case sem.CommCopy:
		if s.Async {
			return 2
		}
	case sem.Prefetch:
		return 1
	}
	if d == isasync.GetPrefetchAsyncSession {
		return 1
	}
	return 0
}

// initOf returns the name of the operation that initializes a queue: aic_initialize_pipe
// if the instruction d runs on the cube core, and aiv_initialize_pipe if it runs on a
// vector core.
func initOf(d *ir.Def) string {
	if strings.Contains(funcAttr(d), "cube") {
		return "aic_initialize_pipe"
	}
	return "aiv_initialize_pipe"
}

// made contains the operations that create values whose types are not allowed for
// parameters of kernels. The field open is the start of the text of such a type. The
// field by is the operation.
var made = []struct{ open, by string }{
	{"!pto.struct<", "pto.declare_struct -> "},
	{"!pto.eventid_array<", "pto.declare_eventid_array -> "},
	{"!pto.local_array<", "pto.declare_local_array -> "},
	{"!pto.multi_tile_buf<", "pto.alloc_multi_tile : "},
}

// maker returns the operation that creates a value of the given type, or "" if a function
// parameter can have this type.
func maker(typ string) string {
	for _, m := range made {
		if strings.HasPrefix(typ, m.open) {
			return m.by + typ
		}
	}
	return ""
}

// unwritten contains types that examples omit. The keys are the name of an instruction
// and the name of a value that its examples use.
var unwritten = map[string]map[string]string{
	"pto.make_tensor_view": {"%p": "!pto.ptr<f32>"},
	"pto.atomic_cas":       {"%a": "i32"},
	"pto.print":            {"%n": "i32"},
	"pto.simt_launch":      {"%x": "i32", "%y": "i32", "%z": "i32"},
}

// The map after contains the text that must follow the function around an instruction, by
// name of the instruction.
var after = map[string]string{
	"pto.simt_launch": "func.func private @body(%p: !pto.ptr<f32, ub>) attributes {pto.simt_entry} {\nreturn\n}\n",
}
