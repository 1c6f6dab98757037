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

// Execution is one execution of an instruction.
type Execution struct {
	Op     *ir.Op
	Core   *runtime.CoreInfo
	Rounds []runtime.Round
	Item   int
	Number uint64 // of events so far
	// Where is the block, the core and the rounds in words, or "".
	Where string
	// Operands are what it read, as it was before; Results what it wrote.
	Operands, Results []Operand
}

// Operand is an operand or a result. What a pointer points to are the elements
// that were accessed, one after the other.
type Operand struct {
	Arg   string // as the form of the instruction calls it
	Value *ir.Value
	*kernel.Array
	// Place says where in global memory it begins, such as "byte 64 of argument 1",
	// or is "".
	Place string
}

// At names the rank, the block, the core, the work item and the rounds as a selector does, such as
// "block=1,i=3". What the launch has only one of is left out.
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

// Capture is a listener that copies what instructions read and write.
type Capture struct {
	// Want chooses executions, before they happen.
	Want func(e *runtime.Event) bool
	// Got receives them when they are done. A text ends the launch.
	Got func(x *Execution) (stop string)
	// Whole takes all of the storage of tiles, not the valid region.
	Whole bool
	// ResultsOnly leaves out what instructions read.
	ResultsOnly bool

	launch *runtime.Launch
	open   map[coreItem]*Execution
	stop   string
}

// coreItem is where one thing happens after the other.
type coreItem struct{ core, item int }

// Begin, Event, Before, After and End make it a runtime.Watcher.
func (c *Capture) Begin(l *runtime.Launch) { c.launch, c.open = l, map[coreItem]*Execution{} }

// Launch is what is known of the launch.
func (c *Capture) Launch() *runtime.Launch { return c.launch }

// End has nothing to do.
func (c *Capture) End(*runtime.Fault) {}

// Before copies what an instruction will read.
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

// Event copies what an instruction has reached through pointers.
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

// viewPlace is where operand i lies, if it is a view.
func viewPlace(e *runtime.Event, i int) string {
	if v := e.Operand(i); v.Kind == runtime.ViewValue {
		return bytePlace(v.Addr, v.Buffer)
	}
	return ""
}

func bytePlace(offset int64, buffer int) string {
	return fmt.Sprintf("byte %d of argument %d", offset, buffer)
}

// accessed is the memory of an access, piece by piece.
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

// After copies what an instruction has written, and hands all of it over.
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

// effects is what an operation does to the elements of operand i, or of result i -
// op.NumOperands(). A result that is a tile names storage only, unless an
// instruction fills it.
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

// argEffects is what an operation does to v, its argument a.
func argEffects(op *ir.Op, a ir.Arg, v *ir.Value) pto.EffectKind {
	switch a.Role {
	case ir.Scratch:
		return 0
	case ir.Out:
		return pto.Writes
	case ir.InOut:
		return pto.Reads | pto.Writes
	}
	return cmp.Or(pto.EffectOn(op, a, v), pto.Reads)
}

// argName is what the form of an operation calls operand or result i.
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

func numbered(name string, i, of int) string {
	if of > 1 {
		return fmt.Sprintf("%s%d", name, i)
	}
	return name
}

// written are the values whose elements an operation writes.
func written(op *ir.Op) (vs []*ir.Value) {
	for i, v := range slices.Concat(op.Operands(), op.Results()) {
		if effects(op, i)&pto.Writes != 0 {
			vs = append(vs, v)
		}
	}
	return vs
}

// hasArrays reports whether there may be something to see of an operation.
func hasArrays(op *ir.Op) bool {
	return len(op.Regions()) == 0 && op.NumOperands()+op.NumResults() > 0 && !op.HasTrait(ir.Terminator)
}
