// This file gives listeners access to operand values and to memory at the time of an
// event.

package runtime

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ValueKind is the kind of data that a Value holds.
type ValueKind uint8

// The kinds of values.
const (
	NoValue     ValueKind = iota // an operand that is left out, or of another kind
	ScalarValue                  // Bits, in the format of the operand's type; pointers, too
	TileValue                    // Addr, Rows and Cols, Pitch
	ViewValue                    // Addr, Size and Stride
	MaskValue                    // Mask
)

// Value is the value of an operand at the time when the instruction executed.
type Value struct {
	Kind ValueKind
	Bits uint64
	// Addr is the start of a tile or view: a byte offset in the memory space of the tile,
	// or in the global buffer number Buffer.
	Addr   int64
	Buffer int
	// Rows and Cols are the valid region of a tile. Pitch is the distance between its
	// lines in elements.
	Rows, Cols, Pitch int
	// Size and Stride (in elements) describe a view. A view of lower rank uses the last
	// dimensions; the leading ones have size 1.
	Size, Stride [pto.ViewRank]int64
	// Mask has one bit for each byte of a vector register.
	Mask [pto.VectorBytes / 64]uint64
}

// Operand returns the value of operand i of Op, or of result i - Op.NumOperands(). The
// call is cheap: it reads the state of the core. Values are available for events of the
// kinds Instruction, FlagSet to Fence, Notify, Await and CopyWait.
func (e *Event) Operand(i int) Value {
	if e.p == nil {
		return Value{}
	}
	return e.p.value(e.fr, i)
}

// Arg returns the value of the operand or result with the given name in the definition of
// Op. If it is missing, the kind is NoValue.
func (e *Event) Arg(name string) Value {
	if e.p == nil {
		return Value{}
	}
	return e.p.value(e.fr, e.p.named(name))
}

// Memory returns the memory that contains the bytes of an access: a global buffer, or a
// local memory of a core. A listener must not modify it, except to test what depends on
// its contents.
func (e *Event) Memory(a Access) []byte {
	r := e.r
	if a.Space == sem.GM {
		if b := r.stream.launch.Buffers; a.Buffer >= 0 && a.Buffer < len(b) && b[a.Buffer] != nil {
			return b[a.Buffer].Data
		}
		return nil
	}
	switch n := a.Core - r.block[0].Number; {
	case n < 0 || n >= len(r.block):
	case !r.split():
		return r.cl.cores[n].spaces[a.Space].data
	case (a.Space == sem.UB) == (r.block[n].Unit == vectorUnit):
		return r.core.spaces[a.Space].data // one core has the memories of all
	default:
		return nil
	}
	for _, c := range r.cl.cores {
		if c.unit&cubeUnit != 0 {
			return c.unifiedBuffer((a.Core - len(r.stream.launch.Cores)) % vectorCores).data
		}
	}
	return nil
}

// opPlan is the part of a planned operation that its events need.
type opPlan struct {
	order string // of a barrier or fence
	mode  int    // of a buffer or signal
	op    *ir.Op
	unit  unit     // of the cores that execute it where one stands for all
	homes []home   // of the operands, then of the results
	names []string // their names in the form

	function *function // that op belongs to
}

// unitFor returns the represented cores that execute op. A signal on a pipe that both
// kinds of cores have belongs to the cube core, as in crossSet.
func (p *planner) unitFor(op *ir.Op) unit {
	u := analysis.UnitFor(op, p.target)
	if u == anyUnit && sem.SignalOf(op).Ok {
		return cubeUnit
	}
	return u
}

// newOpPlan records where the values of op are stored. Values that the runtime does not
// store have no class.
func (p *planner) newOpPlan(op *ir.Op) *opPlan {
	o := &opPlan{op: op, unit: p.unitFor(op), function: p.cur}
	for _, v := range op.Operands() {
		o.homes = append(o.homes, p.knownHome(v))
	}
	for _, v := range op.Results() {
		o.homes = append(o.homes, p.knownHome(v))
	}
	for i, a := range op.Form().Operands {
		from, to := op.ArgRange(i)
		for range to - from {
			o.names = append(o.names, a.Name)
		}
	}
	for i, a := range op.Form().Results {
		from, to := op.ResultRange(i)
		for range to - from {
			o.names = append(o.names, a.Name)
		}
	}
	return o
}

// argName returns the name of operand or result i, or "".
func (o *opPlan) argName(i int) string {
	if i < 0 || i >= len(o.names) {
		return ""
	}
	return o.names[i]
}

// knownHome returns where a value is stored, or a home without a class.
func (p *planner) knownHome(v *ir.Value) home {
	at, ok := p.slots[v]
	if !ok {
		return home{}
	}
	return home{p.classOf(v.Type()), at}
}

// named returns the index of the operand or result with the given name, or -1.
func (o *opPlan) named(name string) int { return slices.Index(o.names, name) }

// value returns the value of operand or result i in frame fr.
func (o *opPlan) value(fr *frame, i int) Value {
	if i < 0 || i >= len(o.homes) {
		return Value{}
	}
	at := o.homes[i].at
	switch o.homes[i].class {
	case scalarClass:
		return Value{Kind: ScalarValue, Bits: fr.x[at]}
	case tileClass:
		if t := fr.t[at]; t != nil {
			return Value{Kind: TileValue, Addr: int64(t.addr), Rows: t.rows, Cols: t.cols, Pitch: t.pitch}
		}
	case viewClass:
		w := &fr.w[at]
		buffer, off := globalPlace(w.addr)
		return Value{Kind: ViewValue, Addr: off, Buffer: buffer, Size: w.size, Stride: w.stride}
	case maskClass:
		return Value{Kind: MaskValue, Mask: fr.m[at]}
	}
	return Value{}
}
