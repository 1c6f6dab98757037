// This file captures executions of instructions.

package debug

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Execution is one execution of an instruction, with copies of the arrays that it read
// and wrote.
type Execution struct {
	// Op is the instruction.
	Op *ir.Op
	// Core is the core that executed it.
	Core *runtime.CoreInfo
	// Rounds are the iterations of the loops that enclose the instruction, the outermost
	// first.
	Rounds []runtime.Round
	// Item is the number of the work item, for SIMT code.
	Item int
	// Number is the number of the event in the run.
	Number uint64
	// Where is a text that describes the block, the core and the loop iterations, or "".
	Where string
	// Operands contains the values that the instruction read, copied before the
	// execution. Results contains the values that it wrote.
	Operands, Results []Operand
}

// Operand is an operand or a result of an execution, with its elements as an array. For a
// pointer, the array contains the elements that the execution accessed, in the order of
// the accesses.
type Operand struct {
	// Arg is the name of the operand in the definition of the instruction.
	Arg string
	// Value is the operand or the result in the program.
	Value *ir.Value
	*kernel.Array
	// Place is the position in global memory, such as "byte 64 of argument 1". It is ""
	// for other memory.
	Place string
}

// At returns the position of the execution in the syntax of a selector, such as
// "block=1,i=3". The position consists of the rank, block, core, work item and loop
// iterations. It omits the rank, block or core if the launch has only one of them.
func (x *Execution) At(l *runtime.Launch) string {
	var parts []string
	if l.Ranks > 1 {
		parts = append(parts, fmt.Sprintf("rank=%d", x.Core.Rank))
	}
	if l.Blocks > 1 {
		parts = append(parts, fmt.Sprintf("block=%d", x.Core.Block))
	}
	if len(l.Cores) > l.Ranks*l.Blocks {
		parts = append(parts, "core="+coreName(x.Core))
	}
	if x.Item > 0 {
		parts = append(parts, fmt.Sprintf("item=%d", x.Item))
	}
	for i, r := range x.Rounds {
		switch name := r.Variable(); {
		case name != "":
			parts = append(parts, fmt.Sprintf("%s=%d", name[1:], r.Index))
		case i == len(x.Rounds)-1:
			parts = append(parts, fmt.Sprintf("round=%d", r.Round))
		}
	}
	return strings.Join(parts, ",")
}

// Capture is a listener that copies the arrays that selected instructions read and
// write.
type Capture struct {
	// Want selects the executions to capture. The capture calls it before each execution.
	Want func(e *runtime.Event) bool
	// Got receives each captured execution after it is finished. If Got returns a text,
	// the launch ends with a fault that has this text.
	Got func(x *Execution) (stop string)
	// Whole makes the capture copy the complete storage of tiles instead of only the
	// valid region.
	Whole bool
	// ResultsOnly makes the capture omit the values that instructions read.
	ResultsOnly bool

	// launch is the current launch.
	launch *runtime.Launch
	// open contains the executions that have started and not finished, by core and work
	// item.
	open map[coreItem]*Execution
	// stop is the reason to end the launch, or "".
	stop string
}

// coreItem identifies a sequence of executions that do not overlap in time: a core and a
// SIMT work item.
type coreItem struct{ core, item int }

// Begin prepares the capture for launch l. It implements runtime.Watcher, together with
// Event, Before, After and End.
func (c *Capture) Begin(l *runtime.Launch) { c.launch, c.open = l, map[coreItem]*Execution{} }

// Launch returns the launch whose events the capture receives.
func (c *Capture) Launch() *runtime.Launch { return c.launch }

// End does nothing. It implements runtime.Watcher.
func (c *Capture) End(*runtime.Fault) {}

// Before copies the arrays that an instruction is about to read. It does so only if the
// function Want selects the event e of this instruction. The result is the reason to end
// the launch, or "" if the launch continues. Before implements runtime.Watcher.
func (c *Capture) Before(e *runtime.Event) string {
	if c.stop != "" || !c.Want(e) {
		return c.stop
	}
	x := &Execution{Op: e.Op, Core: e.Core, Item: e.Item, Number: e.Number, Rounds: slices.Clone(e.Rounds), Where: e.Where()}
	c.open[coreItem{e.Core.Number, e.Item}] = x
	if c.ResultsOnly {
		return ""
	}
	for i, v := range e.Op.Operands() {
		if effects(e.Op, i)&pto.Reads == 0 {
			continue
		}
		if a, ok := e.Elements(v, c.Whole); ok {
			x.Operands = append(x.Operands, Operand{argName(e.Op, i), v, arrayOf(a), viewPlace(e, i)})
		}
	}
	return ""
}

// Event copies the memory that the captured instruction of e has accessed through
// pointers. It implements runtime.Watcher.
func (c *Capture) Event(e *runtime.Event) {
	x := c.open[coreItem{e.Core.Number, e.Item}]
	if x == nil || x.Op != e.Op {
		return
	}
	for _, a := range e.Accesses {
		if a.Operand < 0 || a.Operand >= e.Op.NumOperands() || a.Kind&runtime.ScratchAccess != 0 {
			continue
		}
		v := e.Op.Operand(a.Operand)
		if _, isArray := e.Elements(v, false); isArray || pto.ByteSize(ir.ElementType(v.Type())) == 0 {
			continue
		}
		o := Operand{argName(e.Op, a.Operand), v, accessed(e, a, ir.ElementType(v.Type())), ""}
		if a.Space == sem.GM {
			o.Place = bytePlace(a.Runs[0].Start, a.Buffer)
		}
		if a.Kind&runtime.WriteAccess != 0 {
			x.Results = append(x.Results, o)
		} else if !c.ResultsOnly {
			x.Operands = append(x.Operands, o)
		}
	}
}

// viewPlace returns the position of operand i of e in global memory as text, if the
// operand is a view. Otherwise it returns "".
func viewPlace(e *runtime.Event, i int) string {
	if v := e.Operand(i); v.Kind == runtime.ViewValue {
		return bytePlace(v.Addr, v.Buffer)
	}
	return ""
}

// bytePlace returns a text for messages that names a byte of global memory. offset is the
// offset of the byte in the buffer, and buffer is the number of the kernel argument.
func bytePlace(offset int64, buffer int) string {
	return fmt.Sprintf("byte %d of argument %d", offset, buffer)
}

// accessed returns a copy of the bytes of access a as an array of elements of type elem.
// Separate byte ranges are concatenated.
func accessed(e *runtime.Event, a runtime.Access, elem ir.Type) *kernel.Array {
	var data []byte
	memory := e.Memory(a)
	for _, r := range a.Runs {
		for i := range r.Count {
			from := r.Start + i*r.Stride
			data = append(data, memory[from:from+r.Length]...)
		}
	}
	size := pto.ByteSize(elem)
	n := len(data) / size
	return &kernel.Array{Elem: elem, Shape: []int64{int64(n)}, Data: data[:n*size]}
}

// After copies the arrays that the instruction of e has written. It then calls the
// function in the field Got with the captured execution. It implements runtime.Watcher.
func (c *Capture) After(e *runtime.Event) {
	at := coreItem{e.Core.Number, e.Item}
	x := c.open[at]
	if x == nil || x.Op != e.Op {
		return
	}
	delete(c.open, at)
	for i, v := range slices.Concat(e.Op.Operands(), e.Op.Results()) {
		if effects(e.Op, i)&pto.Writes == 0 {
			continue
		}
		if a, ok := e.Elements(v, c.Whole); ok {
			x.Results = append(x.Results, Operand{argName(e.Op, i), v, arrayOf(a), viewPlace(e, i)})
		}
	}
	if stop := c.Got(x); stop != "" {
		c.stop = stop
	}
}

// effects returns whether op reads or writes the elements of an operand or a result. The
// number i is the index of an operand; numbers from op.NumOperands() on are results. For
// a result, effects returns Writes, with one exception: it returns 0 for a tile if no
// pipe (hardware queue) executes op, because op then only refers to existing storage.
func effects(op *ir.Op, i int) pto.EffectKind {
	n := op.NumOperands()
	if i >= n {
		v := op.Result(i - n)
		if _, isTile := pto.TileOf(v.Type()); isTile && pto.PipeFor(op, ir.TargetOf(op)) == sem.NoPipe {
			return 0
		}
		return pto.Writes
	}
	for k, a := range op.Form().Operands {
		if from, to := op.ArgRange(k); from <= i && i < to {
			return argEffects(op, a, op.Operand(i))
		}
	}
	return pto.Reads
}

// argEffects returns how op accesses the elements of its operand v: a set that contains
// pto.Reads, pto.Writes, both or none. For a scratch operand, the set is empty.
func argEffects(op *ir.Op, declaration ir.Arg, v *ir.Value) pto.EffectKind {
	switch declaration.Role {
	case ir.Scratch:
		return 0
	case ir.Out:
		return pto.Writes
	case ir.InOut:
		return pto.Reads | pto.Writes
	}
	return cmp.Or(pto.EffectOn(op, declaration, v), pto.Reads)
}

// argName returns the name of operand or result number i in the definition of the
// instruction op. The results are numbered after the operands.
func argName(op *ir.Op, i int) string {
	n := op.NumOperands()
	for k, a := range op.Form().Operands {
		if from, to := op.ArgRange(k); from <= i && i < to {
			return numbered(a.Name, i-from, to-from)
		}
	}
	for k, a := range op.Form().Results {
		if from, to := op.ResultRange(k); from <= i-n && i-n < to {
			return numbered(a.Name, i-n-from, to-from)
		}
	}
	return fmt.Sprint(i)
}

// numbered returns a name for one of several operands that belong to the same parameter
// of an instruction. If there are several (the parameter of is their number), it appends
// the number i to name. If there is only one, it returns name.
func numbered(name string, i, of int) string {
	if of > 1 {
		return fmt.Sprintf("%s%d", name, i)
	}
	return name
}

// written returns the operands and results whose elements op writes.
func written(op *ir.Op) (vs []*ir.Value) {
	for i, v := range slices.Concat(op.Operands(), op.Results()) {
		if effects(op, i)&pto.Writes != 0 {
			vs = append(vs, v)
		}
	}
	return vs
}

// hasArrays reports whether op can have operands or results whose elements a debugger can
// show as arrays. It returns false for operations with regions and for terminators.
func hasArrays(op *ir.Op) bool {
	return len(op.Regions()) == 0 && op.NumOperands()+op.NumResults() > 0 && !op.HasTrait(ir.Terminator)
}
