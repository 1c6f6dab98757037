// This file defines communication between ranks.

package sync

import (
	"cmp"
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// commPage returns the reference of a communication instruction's manual page, as
// repository:path.
func commPage(name string) string { return "pto-isa:docs/isa/comm/" + name + ".md" }

// comm returns the definition of a communication instruction with the properties that
// all of them have in common.
func comm(o Op) *ir.Def {
	o.Group = "comm"
	o.Page = cmp.Or(o.Page, Manual)
	return PlainOp(o)
}

// pipeOfComm is a note for the reference pages of instructions with staging tiles. The
// note states which pipes execute such an instruction.
const pipeOfComm = "It reads into the staging tiles in PIPE_MTE2 and writes out of them in PIPE_MTE3, with events of its own between, as the headers of the NPU and the compiler's model have it."

// Constraints on operands of communication: tensors in global memory that ranks share,
// and staging tiles in vec.
var (
	sharedView = ir.OneOf(AnyView, AnyPart)
	staging    = TileIn(AnyElem, sem.UB)
	session    = handle("async_session")
	event      = handle("async_event")
)

// handle returns a constraint that accepts the opaque type with the given name.
func handle(name string) ir.Constraint {
	return ir.Written(ir.TypeOf(Handle{Name: name}))
}

// p2p returns the definition of pto.comm.NAME, a copy from the tensor src to the tensor
// dst of another rank (device), in chunks that pass through staging tiles in vec. page is
// the name of the manual page and doc the description for the reference page.
func p2p(name, page, doc string, attrs ...ir.AttrDef) *ir.Def {
	const views = "!pto.partition_tensor_view<?x4096xi8>, !pto.partition_tensor_view<?x4096xi8>"
	const tile = "!pto.tile_buf<vec, 1x4096xi8>"
	return comm(Op{
		Name: "comm." + name, Family: "p2p", Page: commPage(page), Doc: doc, Aliases: []string{name},
		Ins:   Args{In("dst", sharedView), In("src", sharedView), In("ping", staging), Opt("pong", staging)},
		Attrs: attrs,
		Sem:   sem.CommCopy{},
		Pipe:  sem.PipeMTE2,
		Notes: []string{pipeOfComm},
		Access: append([]Access{{Arg: "dst", Write: true, Read: len(attrs) > 0}, {Arg: "src", Read: true}},
			scratchAccess("ping", "pong")...),
		Rules: append([]Rule{
			EqualElements("dst", "src"), EqualElements("src", "ping"), samePong("ping", "pong"),
			knownExtents("dst", true), knownExtents("src", true), sameDims("dst", "src"),
		}, wholeChunks("src", "ping")...),
		Syntax: ir.Asm("`(` $dst `,` $src `,` `buf` `` `(` $ping (`,` $pong^)? `)` `:` type($dst) `,` type($src) `,` type($ping) (`,` type($pong)^)? `)` attr-dict"),
		Examples: []string{
			"pto.comm." + name + "(%d, %s, buf(%t) : " + views + ", " + tile + ")",
			"pto.comm." + name + "(%d, %s, buf(%t, %u) : " + views + ", " + tile + ", " + tile + ")",
		},
	})
}

// sameDims returns a rule that requires the tensor operands a and b to have the same
// shape. A dimension that is dynamic in one of them must be dynamic in the other one too.
func sameDims(a, b string) Rule {
	return Fact(func(op *ir.Op) string {
		env := ir.EnvOf(op, 0)
		x, _ := ViewDims(env.Type(a))
		y, _ := ViewDims(env.Type(b))
		if x == y {
			return ""
		}
		return fmt.Sprintf("\"%s\" and \"%s\" must have the same extents, but are %s and %s", a, b, env.Type(a), env.Type(b))
	})
}

// Definitions of the copies between two ranks.
var (
	TPut = Define("comm.tput", func(string) *ir.Def {
		return p2p("tput", "TPUT", "Copies src to dst, which belongs to another rank.",
			ir.AttrDef{Name: "atomicType", Type: AtomicTypeEnum, Default: AtomicTypeEnum.Attr("atomic_none"), Doc: "how elements are combined with those in dst"})
	})
	TGet = Define("comm.tget", func(string) *ir.Def {
		return p2p("tget", "TGET", "Copies src, which belongs to another rank, to dst.")
	})
)

// scratchAccess returns accesses that read and write the named tiles.
func scratchAccess(names ...string) []Access {
	var as []Access
	for _, n := range names {
		as = append(as, Access{Arg: n, Read: true, Write: true})
	}
	return as
}

// Definitions of the instructions that raise and await signals between ranks.
var (
	TNotify = Define("comm.tnotify", func(name string) *ir.Def {
		return comm(Op{
			Name: name, Family: "signal", Page: commPage("TNOTIFY"), Aliases: []string{"tnotify"},
			Doc:      "Writes value to a signal of another rank, or adds it.",
			Ins:      Args{In("signal", sharedView), In("value", ir.SignlessInt)},
			Attrs:    []ir.AttrDef{{Name: "notifyOp", Type: NotifyOpEnum, Doc: "set or atomic_add"}},
			Sem:      sem.CommNotify{},
			Access:   []Access{{Arg: "signal", Read: true, Write: true}},
			Rules:    []Rule{signalView, knownExtents("signal", false)},
			Syntax:   ir.Asm("`(` $signal `,` $value `:` type($signal) `,` type($value) `)` attr-dict"),
			Examples: []string{"pto.comm.tnotify(%s, %v : !pto.partition_tensor_view<1xi32>, i32) {notifyOp = #pto<notify_op set>}"},
		})
	})

	TWait = Define("comm.twait", func(name string) *ir.Def {
		return comm(Op{
			Name: name, Family: "signal", Page: commPage("TWAIT"), Aliases: []string{"twait"},
			Doc:      "Waits until a signal compares with cmpValue.",
			Ins:      Args{In("signal", sharedView), In("cmpValue", ir.SignlessInt)},
			Attrs:    []ir.AttrDef{{Name: "cmp", Type: WaitCmpEnum, Doc: "how"}},
			Sem:      sem.CommWait{},
			Access:   []Access{{Arg: "signal", Read: true}},
			Rules:    []Rule{signalView, knownExtents("signal", false)},
			Syntax:   ir.Asm("`(` $signal `,` $cmpValue `:` type($signal) `,` type($cmpValue) `)` attr-dict"),
			Examples: []string{"pto.comm.twait(%s, %v : !pto.partition_tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp ge>}"},
		})
	})

	TTest = Define("comm.ttest", func(name string) *ir.Def {
		return comm(Op{
			Name: name, Family: "signal", Page: commPage("TTEST"), Aliases: []string{"ttest"},
			Doc:      "Reports whether the comparison of a signal with cmpValue holds.",
			Ins:      Args{In("signal", sharedView), In("cmpValue", ir.SignlessInt)},
			Outs:     Args{In("result", ir.Written(ir.I1))},
			Attrs:    []ir.AttrDef{{Name: "cmp", Type: WaitCmpEnum, Doc: "how"}},
			Sem:      sem.CommWait{Test: true},
			Access:   []Access{{Arg: "signal", Read: true}},
			Rules:    []Rule{signalView, knownExtents("signal", false)},
			Syntax:   ir.Asm("`(` $signal `,` $cmpValue `:` type($signal) `,` type($cmpValue) `)` attr-dict `->` type($result)"),
			Examples: []string{"%r = pto.comm.ttest(%s, %v : !pto.partition_tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp eq>} -> i1"},
		})
	})
)

// collective declares the instruction pto.comm.NAME, a collective operation. data is the
// tensor of the root rank, which executes the instruction. extra contains further
// operands that precede the staging tiles, such as the accumulator of a reduction. page
// is the name of the manual page, and doc is the description for the reference page.
func collective(name, page, doc string, data ir.Arg, kind sem.CommCollective, extra Args, attrs ...ir.AttrDef) *ir.Def {
	return Define("comm."+name, func(string) *ir.Def {
		const view, tile = "!pto.partition_tensor_view<128xf32>", "!pto.tile_buf<vec, 1x128xf32>"
		ping, pong, head, types := "ping", "pong", "$"+data.Name, "type($"+data.Name+")"
		values, valueTypes, dict := "%d", view, "{root = 1 : i32}"
		access := []Access{{Arg: data.Name, Read: data.Name == "src", Write: data.Name == "dst"}, {Arg: "group", Read: data.Name == "dst", Write: data.Name == "src"}}
		for _, x := range extra {
			ping, pong = "recvPing", "recvPong"
			head, types = head+" `,` $"+x.Name, types+" `,` type($"+x.Name+")"
			values, valueTypes, dict = values+", %a", valueTypes+", "+tile, "{reduceOp = #pto<reduce_op sum>, root = 1 : i32}"
			access = append(access, scratchAccess(x.Name)...)
		}
		o := Op{
			Name: "comm." + name, Family: "collective", Page: commPage(page), Doc: doc,
			Ins:    append(append(Args{data}, extra...), In(ping, staging), Opt(pong, staging), Many("group", sharedView)),
			Attrs:  append(attrs, ir.AttrDef{Name: "root", Type: ir.IntOf(ir.I32), Doc: "the rank at the center, a number of the group"}),
			Sem:    kind,
			Pipe:   sem.PipeMTE2,
			Notes:  []string{pipeOfComm},
			Access: append(access, scratchAccess(ping, pong)...),
			Rules: append([]Rule{
				EqualElements(data.Name, ping), samePong(ping, pong), knownExtents(data.Name, false),
				collectiveGroup(data.Name, kind.Kind == sem.Broadcast),
			}, wholeChunks("group", ping)...),
			Syntax: ir.Asm("`(` " + head + " `,` `recv` `` `(` $" + ping + " (`,` $" + pong + "^)? `)` `,` `group` `` `(` $group `)` `:` " + types +
				" `,` type($" + ping + ") (`,` type($" + pong + ")^)? `,` type($group) `)` attr-dict"),
			Examples: []string{
				"pto.comm." + name + "(" + values + ", recv(%t), group(%g, %h) : " + valueTypes + ", " + tile + ", " + view + ", " + view + ") " + dict,
				"pto.comm." + name + "(" + values + ", recv(%t, %u), group(%g, %h) : " + valueTypes + ", " + tile + ", " + tile + ", " + view + ", " + view + ") " + dict,
			},
		}
		for _, x := range extra {
			o.Rules = append(o.Rules, EqualElements(data.Name, x.Name))
		}
		if name != "tgather" && name != "tscatter" { // tile instructions have those names
			o.Aliases = []string{name}
		}
		return comm(o)
	})
}

// Definitions of the collective instructions.
var (
	TBroadcast  = collective("tbroadcast", "TBROADCAST", "Copies src of rank root to every rank of the group.", In("src", sharedView), sem.CommCollective{Kind: sem.Broadcast}, nil)
	CommTGather = collective("tgather", "TGATHER", "Collects the parts of all ranks of the group in dst of rank root.", In("dst", sharedView), sem.CommCollective{Kind: sem.Gather}, nil)

	CommTScatter = collective("tscatter", "TSCATTER", "Hands each rank of the group a part of src of rank root.", In("src", sharedView), sem.CommCollective{Kind: sem.Scatter}, nil)

	TReduce = collective("treduce", "TREDUCE", "Reduces the data of all ranks of the group into dst of rank root.", In("dst", sharedView),
		sem.CommCollective{Kind: sem.Reduce, Fns: []*scalar.Fn{scalar.Add, scalar.Max, scalar.Min}}, Args{In("acc", staging)},
		ir.AttrDef{Name: "reduceOp", Type: ReduceOpEnum, Doc: "sum, max or min"})
)
