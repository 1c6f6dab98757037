// This file emits synchronization.

package cpp

import (
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// pipeWord returns the C++ name, such as PIPE_V, of a pipe that op names. The list attrs
// contains names of attributes; pipeWord uses the first of these attributes that op has.
// It returns "" if op has none of these attributes.
func pipeWord(op *ir.Op, attrs ...string) string {
	for _, name := range attrs {
		if p := sem.PipeNamed(op.Attr(name)); p != sem.NoPipe {
			return p.String()
		}
	}
	return ""
}

// flag emits a library call that synchronizes two pipes by a flag. name is the name of
// the called function, set_flag or wait_flag.
func (f *function) flag(op *ir.Op, name string) {
	flag := sem.FlagOf(op)
	event := "EVENT_ID" + strconv.FormatInt(flag.Event.Constant, 10)
	if flag.Event.Given() {
		event = f.value(flag.Event.Value)
		if !isEvent(flag.Event.Value) {
			event = f.local("event_t", "(event_t)"+event)
		}
	}
	f.invoke(op, name, nil, []string{flag.Source.String(), flag.Destination.String(), event})
}

// isEvent reports whether the C++ variable of a value has type event_t.
func isEvent(v *ir.Value) bool {
	if v.Op() == nil {
		return false
	}
	event := v.Op().Def().Sem == any(sem.Local{Act: sem.LocalGet, Events: true})
	return event
}

// setFlag emits set_flag, which raises a flag between two pipes.
func (f *function) setFlag(op *ir.Op, _ sem.SetFlag)   { f.flag(op, "set_flag") }
func (f *function) waitFlag(op *ir.Op, _ sem.WaitFlag) { f.flag(op, "wait_flag") }

// barrier emits pipe_barrier. A barrier that waits only for the producers of certain
// tiles becomes a wait for all pipes: the library's TSYNC would need the events that
// calls return, which the emitted code does not keep.
func (f *function) barrier(op *ir.Op, _ sem.Barrier) {
	pipe := pipeWord(op, "pipe", "op_type")
	if pipe == "" {
		pipe = "PIPE_ALL"
	}
	f.invoke(op, "pipe_barrier", nil, []string{pipe})
}

// buffer emits a call that acquires or releases a buffer token. name is the name of the
// called function, get_buf or rls_buf.
func (f *function) buffer(op *ir.Op, name string) {
	use := sem.BufferUseOf(op)
	id := strconv.FormatInt(use.Buffer.Constant, 10)
	if use.Buffer.Given() {
		id = f.value(use.Buffer.Value)
	}
	f.invoke(op, name, nil, []string{use.Pipe.String(), id, strconv.FormatInt(use.Mode, 10)})
}

// getBuffer emits get_buf, with which a pipe acquires a buffer token.
func (f *function) getBuffer(op *ir.Op, _ sem.BufAcquire)     { f.buffer(op, "get_buf") }
func (f *function) releaseBuffer(op *ir.Op, _ sem.BufRelease) { f.buffer(op, "rls_buf") }

// signal returns, as C++ text, the number of the signal that op raises or waits for. The
// text is a constant or the name of a local variable.
func (f *function) signal(op *ir.Op) string {
	s := sem.SignalOf(op)
	if s.Given() {
		return f.local("int32_t", "(int32_t)"+f.value(s.Value))
	}
	return strconv.FormatInt(s.Constant, 10)
}

// fftsModes maps the reach of a signal to the mode number in the C++ call that raises it.
// The reach is either all blocks or the vector cores of one block.
var fftsModes = map[sem.Reach]string{sem.ReachAll: "0", sem.ReachVectors: "1"}

// reach returns which cores receive the signal that an instruction raises or waits for.
func (f *function) reach(op *ir.Op) sem.Reach {
	if f.signals == nil {
		s := analysis.FindSignals(op, f.opts.Target)
		f.signals = &s
	}
	return f.signals.Reach(op)
}

// crossSet emits a call that raises a signal for other cores.
func (f *function) crossSet(op *ir.Op, _ sem.CrossSet) {
	pipe, id, reach := f.crossPipe(op), f.signal(op), f.reach(op)
	if reach == sem.ReachPeer && f.opts.Target == sem.A5 {
		f.invoke(op, "__builtin_cce_set_intra_block", nil, []string{pipe, id})
		return
	}
	mode, ok := fftsModes[reach]
	if !ok {
		mode = "FFTS_MODE_VAL"
	}
	msg := f.unique("msg")
	f.line("uint16_t ", msg, " = getFFTSMsg(", mode, ", ", id, ");")
	f.invoke(op, "__builtin_cce_ffts_cross_core_sync", nil, []string{pipe, msg})
}

// crossWait emits a call that waits for a signal of other cores.
func (f *function) crossWait(op *ir.Op, _ sem.CrossWait) {
	id := f.signal(op)
	if f.reach(op) == sem.ReachPeer && f.opts.Target == sem.A5 {
		f.invoke(op, "__builtin_cce_wait_intra_block", nil, []string{f.crossPipe(op), id})
		return
	}
	f.invoke(op, "__builtin_cce_wait_flag_dev", nil, []string{id})
}

// crossPipe returns the C++ name of the pipe on which op raises or waits for a signal
// between cores. If op does not name a pipe, as in the syntax of the manual, this is the
// pipe of the scalar unit.
func (f *function) crossPipe(op *ir.Op) string {
	if p := pipeWord(op, "pipe"); p != "" {
		return p
	}
	return "PIPE_S"
}

// coreTypes maps a kind of core to its C++ name in a barrier of all cores of that kind.
var coreTypes = map[sem.Unit]string{sem.VectorUnit: "SyncCoreType::AIVOnly", sem.CubeUnit: "SyncCoreType::AICOnly", sem.AnyUnit: "SyncCoreType::Mix"}

// syncAll emits a barrier of all cores of a kind. In soft mode the cores exchange signals
// through words in global memory.
func (f *function) syncAll(op *ir.Op, _ sem.SyncAllCores) {
	meeting := sem.MeetingOf(op)
	cores := coreTypes[meeting.Cores]
	memory := op.Arg("gm_workspace")
	if memory == nil {
		f.invoke(op, "SYNCALL", []string{cores}, nil)
		return
	}
	words := f.value(memory)
	if ir.Is[pto.PtrType](memory.Type()) {
		t := "GlobalTensor<int32_t, pto::Shape<1, 1, 1, 1, 16>, pto::Stride<16, 16, 16, 16, 1>, pto::Layout::ND>"
		name := f.unique("workspace")
		f.line(t, " ", name, "(", words, ");")
		words = name
	}
	used := "int32_t{0}"
	if meeting.Used.Given() {
		used = f.value(meeting.Used.Value)
	}
	f.invoke(op, "SYNCALL", []string{"SyncAllMode::Soft", cores}, []string{words, used})
}

// fence emits a memory fence or a cache operation.
func (f *function) fence(op *ir.Op, _ sem.MemoryFence) {
	switch {
	case op.Is(isasync.Dsb):
		f.invoke(op, "dsb", nil, []string{"DSB_" + op.Attr("mem").Keyword()})
	case op.Is(isasync.Dcci):
		args := []string{"(__gm__ void*)" + f.value(op.Arg("ptr")), "cache_line_t::" + op.Attr("cache").Keyword()}
		if dst := op.Attr("dst").Keyword(); dst != "" {
			args = append(args, "dcci_dst_t::"+dst)
		}
		f.invoke(op, "dcci", nil, args)
	case op.Is(isasync.CmoCacheInvalid):
		if v := op.Arg("addr"); v != nil {
			f.invoke(op, f.need("PTOAS__DCCI_SINGLE_CACHE_LINE"), nil, []string{f.pointerTo(op, v)})
			return
		}
		f.invoke(op, "dcci", nil, []string{"(__gm__ void*)0", "cache_line_t::ENTIRE_DATA_CACHE"})
	case op.Is(isasync.FenceBarrierAll):
		f.fenceAll(op)
	default:
		f.micro(op)
	}
}

// fenceAll emits a wait for all pipes of the core, and then for memory. The barrier of
// all pipes of the cube core does not include the writes of the pipe FIXPIPE, so these
// need a separate barrier.
func (f *function) fenceAll(op *ir.Op) {
	switch {
	case f.unit == sem.VectorUnit:
		f.barriers("PIPE_ALL")
	case f.mixed:
		f.directive("#if defined(", guards[sem.VectorUnit], ")")
		f.barriers("PIPE_ALL")
		f.directive("#else")
		f.barriers("PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX")
		f.directive("#endif")
	default:
		f.barriers("PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX")
	}
	f.invoke(op, "dsb", nil, []string{"DSB_DDR"})
}

// barriers emits a pipe_barrier call for each of the pipes.
func (f *function) barriers(pipes ...string) {
	for _, p := range pipes {
		f.line("pipe_barrier(", p, ");")
	}
}

// writeRegister emits an instruction that sets a special register. It supports only the
// base address of FFTS (cross-core signals), which is the only register that the library
// does not set itself.
func (f *function) writeRegister(op *ir.Op, kind sem.WriteRegister) {
	if kind.Name != "FFTS" {
		f.errorf(op, "writes register %s, which the C++ emitter does not support: only the PTO C++ library sets this register", kind.Name)
		return
	}
	f.invoke(op, "set_ffts_base_addr", nil, []string{"(uint64_t)" + f.value(op.Operand(0))})
}

// eventArray emits the declaration of an array of event IDs, the numbers of flags between
// two pipes.
func (f *function) eventArray(op *ir.Op) { f.variable(op.Result(0)) }

func (f *function) eventGet(op *ir.Op) {
	v := op.Result(0)
	name := f.nameFor(v)
	f.names[v] = name
	declared := "event_t " + name
	if f.shared[v] {
		f.declareOnTop("event_t", name)
		declared = name
	}
	use := sem.EventUseOf(op)
	f.line(declared, " = (event_t)", f.value(use.Array.Value), "[", f.value(use.Index.Value), "];")
}

func (f *function) eventSet(op *ir.Op) {
	use := sem.EventUseOf(op)
	f.line(f.value(use.Array.Value), "[", f.value(use.Index.Value), "] = ", f.value(use.Value.Value), ";")
}

// print emits a print instruction.
func (f *function) print(op *ir.Op, _ sem.Print) {
	if op.Is(isabase.TPrint) {
		f.printElements(op)
		return
	}
	format, _ := ir.FormatOf(op.Operand(0).Type())
	f.invoke(op, "cce::printf", nil, []string{quoted(pto.CppFormat(op, format)), f.value(op.Operand(0))})
}

// printElements emits a print of a complete tile or view. The C++ library cannot print
// only a range of its elements.
func (f *function) printElements(op *ir.Op) {
	what := sem.PrintedOf(op)
	whole := what.Rows.All() && what.Cols.All()
	switch what.Source.Type().Data().(type) {
	case pto.VReg, pto.Mask, pto.VMIVReg, pto.VMIMask, pto.PtrType:
		whole = false
	}
	if !whole {
		f.errorf(op, "cannot be written as C++: the C++ library can only print whole tiles and views")
		return
	}
	if what.HasLabel {
		f.invoke(op, "cce::printf", nil, []string{quoted("%s:\n"), quoted(what.Label)})
	}
	f.call(op)
}

// quoted returns the text s as a C++ string literal.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '?' && i > 0 && s[i-1] == '?': // no trigraphs
			b.WriteString(`\` + string(rune(c)))
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c >= 127:
			b.WriteString(`\` + strconv.FormatInt(int64(c)>>6, 8) + strconv.FormatInt(int64(c)>>3&7, 8) + strconv.FormatInt(int64(c)&7, 8))
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

// stop emits a call of trap, which ends the kernel.
func (f *function) stop(op *ir.Op, _ sem.Stop) { f.invoke(op, "trap", nil, nil) }
