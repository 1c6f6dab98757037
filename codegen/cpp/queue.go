// This file emits queues between cores as library pipes.

package cpp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queues are the queues of a program. Both ends of a queue must have the same C++ type,
// which contains the number of the queue's first signal.
type queues struct {
	found  *isasync.Queues
	ofUser map[*ir.Op]*isasync.Queue
	// signal maps the operation that initializes a queue to the number of the first
	// signal of the queue.
	signal map[*ir.Op]int64
}

// findQueues finds the queues of a program and assigns signal numbers to them, because
// the C++ type of a queue contains the number of its first signal.
func findQueues(program *ir.Op) *queues {
	q := &queues{found: isasync.FindQueues(program), ofUser: map[*ir.Op]*isasync.Queue{}, signal: map[*ir.Op]int64{}}
	var all []*isasync.Queue
	for op := range program.Walk() {
		if _, init := op.Def().Sem.(sem.QueueInit); !init {
			continue
		}
		queue := q.found.Of(op)
		all = append(all, queue)
		for _, user := range queue.Users {
			q.ofUser[user] = queue
		}
	}
	slices.SortStableFunc(all, func(a, b *isasync.Queue) int { return cmp.Compare(a.Name.ID, b.Name.ID) })
	taken := map[*ir.Op][]signalRange{} // by function
	for _, queue := range all {
		if _, done := q.signal[queue.Init]; !done {
			q.giveSignals(queue, taken)
		}
	}
	return q
}

// signalRange is the range of signal numbers from first to end-1.
type signalRange struct{ first, end int64 }

// giveSignals assigns signal numbers to a queue: two for each direction in which it
// transfers entries, starting with an even number. Each end of the queue is initialized
// by an operation in some function, and both operations receive the same numbers. The
// numbers must differ from those of all other queues in these functions. taken contains,
// for each function, the numbers in use.
func (q *queues) giveSignals(queue *isasync.Queue, taken map[*ir.Op][]signalRange) {
	width, first := queue.Signals(), queue.Signal
	for !queue.SaysSignal && slices.ContainsFunc(queue.Ends, func(end *isasync.Queue) bool {
		return slices.ContainsFunc(taken[isasync.FunctionOf(end.Init)], func(s signalRange) bool { return first < s.end && s.first < first+width })
	}) {
		first += 2
	}
	for _, end := range queue.Ends {
		q.signal[end.Init] = first
		f := isasync.FunctionOf(end.Init)
		taken[f] = append(taken[f], signalRange{first, first + width})
	}
}

// directions maps the attribute dir_mask of a queue to the C++ name of its direction.
var directions = map[int64]string{1: "DIR_C2V", 2: "DIR_V2C", 3: "DIR_BOTH"}

// pipeType returns the C++ type of the variable for a queue. The type contains the
// direction, the slots and the signal number of the queue.
func (f *function) pipeType(queue *isasync.Queue) string {
	direction, locals := directions[queue.Ways], int64(2)
	if queue.Global(f.opts.Target) != nil {
		locals = queue.Locals
		if f.opts.Target == sem.A5 && !queue.BothWays() {
			direction += "_GM"
		}
	}
	return "TPipe<" + strconv.FormatInt(f.queues.signal[queue.Init], 10) + ", Direction::" + direction + ", " +
		strconv.FormatInt(queue.SlotSize, 10) + ", " + strconv.FormatInt(queue.Slots, 10) + ", " + strconv.FormatInt(locals, 10) + ", " +
		strconv.FormatBool(f.unsplit(queue)) + ">"
}

// unsplit reports whether each entry of the queue belongs to a single vector core, so
// that the two vector cores never share an entry. If the queue does not declare this, its
// push and pop instructions determine it.
func (f *function) unsplit(queue *isasync.Queue) bool {
	for _, end := range queue.Ends {
		if end.SaysWhole {
			return end.Whole
		}
		for _, user := range end.Users {
			if sem.QueueUseOf(user).Split != 0 {
				return false
			}
		}
	}
	return queue.Init.NumResults() == 0
}

// queueInit emits the declaration of a queue variable. The declaration passes two
// addresses to the library: that of the slots in global memory, and that of the local
// memory for arriving entries.
func (f *function) queueInit(op *ir.Op, _ sem.QueueInit) {
	queue := f.queues.found.Of(op)
	if end := f.queues.signal[op] + queue.Signals(); end > sem.Signals {
		f.errorf(op, "needs hardware flag ids up to number %d for its queue, but a kernel has only %d flag ids for all its queues", end-1, sem.Signals).
			Note(ir.Loc{}, "each direction of a queue needs two flag ids: use fewer queues, or one queue for both directions")
		return
	}
	t := f.pipeType(queue)
	memory := "(__gm__ void*)nullptr"
	if v := queue.Global(f.opts.Target); v != nil {
		memory = f.pointerTo(op, v)
	}
	arrive := []string{"0", "0"}
	for way := range arrive {
		if v := queue.Arrives[way]; v != nil && queue.Has(way) {
			arrive[way] = f.value(v)
		}
	}
	if e, converts := queue.AccEpilogue(); converts {
		f.line("using ", f.epilogueName(op), " = ", epilogueType(e), ";")
	}
	name := f.number("v")
	if op.NumResults() > 0 {
		name = f.nameFor(op.Result(0))
		f.names[op.Result(0)] = name
	}
	f.pipes[op] = name
	f.startLine()
	f.b = append(f.b, "auto "+name+" = "+t+"("+memory+", "+arrive[0]+", "+arrive[1]+")"...)
	f.endLine(op)
}

// pointerTo returns the address of a pointer or a view in global memory as a C++
// expression.
func (f *function) pointerTo(op *ir.Op, v *ir.Value) string {
	if _, _, view := shapeOf(v.Type()); !view {
		return f.value(v)
	}
	if w := f.viewOf(op, v); w != nil {
		return w.base
	}
	return ""
}

// epilogueName returns the name of the C++ type that describes how a queue quantizes
// pushed tiles.
func (f *function) epilogueName(init *ir.Op) string {
	return "Pipe" + strconv.FormatInt(f.queues.found.Of(init).Name.ID, 10) + "FixpipeConfig"
}

// quantWords maps names of quantization modes to the names in the C++ library, for those
// modes whose C++ name is not the name in capitals.
var quantWords = map[string]string{"no_convert": "NoQuant", "f32_f16": "F322F16", "f32_bf16": "F322BF16"}

// epilogueType returns the C++ type that describes how a queue converts a tile of the
// accumulator when the program pushes the tile.
func epilogueType(e pto.AccPushEpilogue) string {
	quant := quantWords[e.Quant]
	if quant == "" {
		word := strings.ToUpper(e.Quant)
		if scalar, ok := strings.CutSuffix(word, "_SCALAR"); ok {
			quant = scalar
		} else {
			quant = "V" + strings.TrimSuffix(word, "_VEC")
		}
	}
	return "FixpipeParams<LayoutMode_t::" + strings.ToUpper(e.Layout) + ", QuantMode_t::" + quant + ", ReluPreMode::" + mixedCase(e.Relu) + ">"
}

// splits are the C++ names of the ways in which the two vector cores share an entry,
// indexed by split number.
var splits = [...]string{"TILE_NO_SPLIT", "TILE_UP_DOWN", "TILE_LEFT_RIGHT", "TILE_UP_DOWN_ODD", "TILE_LEFT_RIGHT_ODD"}

// useQueue emits a call of a library function for op, an instruction on a queue. The
// parameter name is the name of the library function, and entry is the queue entry. The
// template arguments of the call are the C++ types of the queue and of the entry.
func (f *function) useQueue(op *ir.Op, name string, entry *ir.Value) {
	use := sem.QueueUseOf(op)
	queue := f.queues.ofUser[op]
	if queue == nil || f.pipes[queue.Init] == "" {
		f.errorf(op, "uses a queue that is set up in another function, which the C++ emitter does not support")
		return
	}
	if queue.BothWays() && entry != nil && !pto.IsTile(entry.Type()) {
		f.errorf(op, "accesses a slot of a queue with dir_mask = 3, but the C++ library stores the slots of both directions at the same addresses of global memory").
			Note(queue.Init.Loc(), "the queue is set up here; use one queue for each direction")
		return
	}
	how := "TileSplitAxis::" + splits[use.Split]
	if use.Act == sem.QueuePush && queue.HasEpilogue() {
		how = f.epilogueName(queue.Init)
	}
	f.applyScales(op, queue)
	types, args := []string{f.pipeType(queue)}, []string{f.pipes[queue.Init]}
	if entry != nil {
		types, args = append(types, f.typeOf(entry)), append(args, f.value(entry))
	}
	if use.SubCore != nil {
		args = append(args, "(int32_t)"+f.value(use.SubCore))
	}
	f.invoke(op, name, append(types, how), args)
}

// queueEntry emits an operation on a queue entry, such as a push or a pop. An entry that
// is a result is declared first.
func (f *function) queueEntry(op *ir.Op, kind sem.QueueEntry) {
	entry := sem.QueueUseOf(op).Entry
	switch kind.Act {
	case sem.QueueAlloc:
		f.useQueue(op, "TALLOC", f.entryOf(op, entry))
	case sem.QueuePush:
		f.useQueue(op, "TPUSH", entry)
	case sem.QueuePop:
		f.useQueue(op, "TPOP", f.entryOf(op, entry))
	case sem.QueueFree:
		if entry != nil && pto.IsTile(entry.Type()) { // the library frees tiles by the queue alone
			entry = nil
		}
		f.useQueue(op, "TFREE", entry)
	}
}

// entryOf returns v, the entry of a queue instruction. If op has a result, the result is
// the entry, and entryOf declares a C++ variable for it first. If op has no result, the
// entry is an operand, which has already been declared.
func (f *function) entryOf(op *ir.Op, v *ir.Value) *ir.Value {
	if op.NumResults() == 0 {
		return v
	}
	rows, cols := f.extentArgs(op)
	if pto.IsTile(v.Type()) {
		t, _ := pto.TileOf(v.Type())
		if rows == "" {
			rows, cols = strconv.FormatInt(t.Rows, 10), strconv.FormatInt(t.Cols, 10)
		}
		f.declareTile(op, v, rows, cols)
	} else {
		f.variable(v)
	}
	return v
}

// bufferAddress emits the address of the local memory that a function reserves for a
// queue. The address is a constant, which an earlier compiler pass has assigned.
func (f *function) bufferAddress(op *ir.Op, _ sem.LocalBuffer) {
	from := isasync.ReservedBuffer(op)
	base, known := int64(0), false
	if from != nil {
		base, known = from.Attr("base").AsInt()
	}
	if !known {
		f.errorf(op, "requires its buffer to have an address, but no pass has assigned one").Note(op.Loc(), "pto-plan-memory assigns it")
		return
	}
	f.defineAs("const ", op.Result(0), strconv.FormatInt(base, 10))
}

// queueScale records the operation op, which sets the quantization factors for pushes
// from the accumulator into a queue. It emits nothing itself: all queues of a core share
// one hardware register for the factors, so the code of every push sets the register.
func (f *function) queueScale(op *ir.Op, kind sem.ConfigSet) {
	name, _ := f.queues.found.NameOf(op)
	f.scales[scaleOf{name, kind.What == "quant_vector"}] = op
}

// scaleOf identifies a set of quantization factors of a queue. The field queue identifies
// the queue. The field vector is true if the set has a separate factor for each column,
// and false if it has one factor for all columns.
type scaleOf struct {
	queue  isasync.QueueName
	vector bool
}

// applyScales emits statements that set the quantization factors before a push.
func (f *function) applyScales(op *ir.Op, queue *isasync.Queue) {
	e, converts := queue.AccEpilogue()
	if sem.QueueEntryOf(op).Act != sem.QueuePush || !converts {
		return
	}
	vector := strings.HasSuffix(e.Quant, "_vec")
	set := f.scales[scaleOf{queue.Name, vector}]
	switch {
	case set == nil:
	case vector:
		f.invoke(set, "SET_QUANT_VECTOR", nil, []string{f.value(set.Operand(0))})
	default:
		out := f.queues.found.Entry(queue)
		if out.IsZero() {
			f.errorf(set, "needs the element type of the queue entries that the vector cores pop, but this function contains no pop instruction")
			return
		}
		f.invoke(set, "SET_QUANT_SCALAR", []string{elemType(ir.ElementType(out))}, []string{f.value(set.Operand(0))})
	}
}
