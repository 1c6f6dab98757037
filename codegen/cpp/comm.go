// This file emits communication instructions.

package cpp

import (
	"strconv"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// values returns the operands of op that belong to the named arguments, as C++
// expressions. Operands that op does not have are omitted.
func (f *function) values(op *ir.Op, args ...string) []string {
	var list []string
	for _, a := range args {
		if v := op.Arg(a); v != nil {
			list = append(list, f.value(v))
		}
	}
	return list
}

// commCopy emits the library call that copies data between ranks (devices of a group).
func (f *function) commCopy(op *ir.Op, kind sem.CommCopy) {
	name := commName(op)
	if kind.Async {
		f.define(op.Result(0), name, "<pto::comm::DmaEngine::SDMA>(", strings.Join(f.values(op, "dst", "src", "session"), ", "), ")")
		return
	}
	var how []string
	if op.Def().Attr("atomicType") != nil && special(op, "atomicType") {
		how = []string{enumWord("pto::AtomicType", op.Attr("atomicType"))}
	}
	f.invoke(op, name, how, f.values(op, "dst", "src", "ping", "pong"))
}

// commName returns the name of the library function for a communication operation, such
// as pto::comm::TPUT for pto.comm.tput.
func commName(op *ir.Op) string {
	return "pto::comm::" + strings.ToUpper(op.Name()[strings.LastIndexByte(op.Name(), '.')+1:])
}

// commNotify emits the library call that raises a signal of another rank: it changes a
// counter in global memory for which the other rank waits.
func (f *function) commNotify(op *ir.Op, _ sem.CommNotify) {
	f.invoke(op, commName(op), nil, append(f.values(op, "signal", "value"), enumWord("pto::comm::NotifyOp", op.Attr("notifyOp"))))
}

// commWait emits the library call that waits for a signal, or that tests a signal without
// blocking.
func (f *function) commWait(op *ir.Op, kind sem.CommWait) {
	args := append(f.values(op, "signal", "cmpValue"), "pto::comm::WaitCmp::"+strings.ToUpper(op.Attr("cmp").Keyword()))
	if kind.Test {
		f.define(op.Result(0), commName(op), "(", strings.Join(args, ", "), ")")
		return
	}
	f.invoke(op, commName(op), nil, args)
}

// commCollective emits a collective library call, such as a broadcast, on a group of
// ranks.
func (f *function) commCollective(op *ir.Op, kind sem.CommCollective) {
	members := sem.CommGroupOf(op).Members
	if len(members) == 0 {
		f.errorf(op, "requires a group of ranks with at least one member")
		return
	}
	t := f.typeOf(members[0].Value)
	for _, v := range members[1:] {
		if got := f.typeOf(v.Value); got != t {
			f.errorf(op, "requires all views of its group to have the same C++ type, but two views have the types %s and %s", t, got)
			return
		}
	}
	array, group := f.unique("members"), f.unique("group")
	names := make([]string, len(members))
	for i, v := range members {
		names[i] = f.value(v.Value)
	}
	root, _ := op.Attr("root").AsInt()
	f.line(t, " ", array, "[] = {", strings.Join(names, ", "), "};")
	f.line("auto ", group, " = pto::comm::ParallelGroup<", t, ">::Create(", array, ", ", strconv.Itoa(len(members)), ", ", strconv.FormatInt(root, 10), ");")
	args := append([]string{group}, f.values(op, "src", "dst", "acc", "ping", "pong", "recvPing", "recvPong")...)
	if kind.Kind == sem.Reduce {
		args = append(args, enumWord("pto::comm::ReduceOp", op.Attr("reduceOp")))
	}
	f.invoke(op, commName(op), nil, args)
}

// commEvent emits the library call by which a kernel learns that an asynchronous copy is
// complete. Depending on the instruction, the call waits for the completion, or it only
// tests for it.
func (f *function) commEvent(op *ir.Op, kind sem.CommEvent) {
	method := ".Wait("
	if kind.Test {
		method = ".Test("
	}
	f.define(op.Result(0), f.value(op.Arg("event")), method, f.value(op.Arg("session")), ")")
}

// commSession emits the creation of the session object that asynchronous copies and
// prefetches need.
func (f *function) commSession(op *ir.Op, _ sem.CommSession) {
	v := op.Result(0)
	switch {
	case op.Arg("ctx") != nil:
		f.define(v, f.value(op.Arg("ctx")), ".session")
	case op.Arg("scratch") == nil:
		f.define(v, "pto::PrefetchAsyncContext((__gm__ uint8_t*)", f.value(op.Arg("workspace")), ")")
	default:
		f.openSession(op)
	}
}

// openSession emits the creation of a queue for asynchronous copies. Omitted settings
// have the defaults of the library.
func (f *function) openSession(op *ir.Op) {
	if !f.variable(op.Result(0)) {
		return
	}
	number := func(attr, other string) string {
		if n, ok := op.Attr(attr).AsInt(); ok {
			return strconv.FormatInt(n, 10)
		}
		return other
	}
	config := f.unique("config")
	f.line("pto::comm::sdma::SdmaBaseConfig ", config, "{", number("block_bytes", "1024 * 1024"), ", ", number("comm_block_offset", "0"), ", ",
		number("queue_num", "1"), "};")
	f.invoke(op, "pto::comm::BuildAsyncSession", []string{"pto::comm::DmaEngine::SDMA"}, []string{
		f.value(op.Arg("scratch")), "(__gm__ uint8_t*)" + f.value(op.Arg("workspace")), f.value(op.Result(0)),
		number("sync_id", "0"), config, number("channel_group_idx", "pto::comm::sdma::kAutoChannelGroupIdx"),
	})
}

// prefetchAsync emits an asynchronous prefetch into the L2 cache.
func (f *function) prefetchAsync(op *ir.Op, _ sem.Prefetch) {
	f.define(op.Result(0), "TPREFETCH_ASYNC(", strings.Join(f.values(op, "src", "ctx"), ", "), ")")
}
