// This file assigns operations to kinds of cores.

package splitcores

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// crossing is a move of a tile from the memory of one core to that of the other.
type crossing struct {
	op       *ir.Op
	src, dst *ir.Value
	// from is the core that produces the tile.
	from sem.Unit
	// queue is the queue that replaces the move. Several crossings can share a queue.
	queue *queue
	// copied means that the consumer copies the tile out of its slot and frees the slot.
	copied bool
	// valid is the valid region of the tile.
	valid region
}

// refusal is the reason why a function cannot be split, with the operation that causes
// it.
type refusal struct {
	op  *ir.Op
	why string
	// way states how to change the function, or is "".
	way string
}

// refuse returns a refusal to split the function because of op, with the formatted text
// as the reason.
func refuse(op *ir.Op, format string, args ...any) *refusal {
	return &refusal{op: op, why: fmt.Sprintf(format, args...)}
}

// or returns the refusal with a statement how to change the function.
func (r *refusal) or(way string) *refusal {
	r.way = way
	return r
}

// work is the result of the analysis of a function: which kind of core executes each
// operation, which tiles move from one kind of core to the other, and which accesses to
// global memory by different cores must happen in a certain order.
type work struct {
	f      *ir.Op
	target ir.Target
	// unit is the kind of core that executes an operation. It is AnyUnit if both do.
	unit map[*ir.Op]sem.Unit
	// cross are the moves of tiles between the cores.
	cross []*crossing
	// queues are the queues that replace the crossings, by number.
	queues []*queue
	// orders are the required orders between the accesses of the two cores to global
	// memory.
	orders []*order
}

// mixed reports whether a function contains instructions for cube cores and instructions
// for vector cores, without sections that state which core executes which instructions.
func mixed(f *ir.Op, t ir.Target) bool {
	if fn.Body(f) == nil || analysis.UnitOf(f) != sem.AnyUnit {
		return false
	}
	var units sem.Unit
	for op := range f.Walk() {
		if _, ok := op.Def().Sem.(sem.Scope); ok && op != f {
			return false
		}
		if crossingOf(op) != nil {
			return true
		}
		if u := unitOf(op, t); u != sem.AnyUnit {
			units |= u
		}
	}
	return units == sem.AnyUnit
}

// unitOf returns the kind of core that executes op, without considering other operations.
// An operation that only creates a view of a tile has no pipe; for it the memory of the
// tile determines the core.
func unitOf(op *ir.Op, t ir.Target) sem.Unit {
	if u := analysis.UnitFor(op, t); u != sem.AnyUnit || len(op.Regions()) > 0 || op.HasTrait(ir.Terminator) {
		return u
	}
	for _, vs := range [][]*ir.Value{op.Operands(), op.Results()} {
		for _, v := range vs {
			if u := coreOf(v.Type()); u != sem.AnyUnit {
				return u
			}
		}
	}
	return sem.AnyUnit
}

// coreOf returns the kind of core whose memory holds tiles of type t. It returns AnyUnit
// for other types.
func coreOf(t ir.Type) sem.Unit {
	if !pto.IsTile(t) {
		return sem.AnyUnit
	}
	switch pto.SpaceOf(t) {
	case sem.UB:
		return sem.VectorUnit
	case sem.GM, sem.NoSpace:
		return sem.AnyUnit
	}
	return sem.CubeUnit
}

// analyze determines which kind of core executes each operation of a function. If the
// function cannot be split, it returns the reason.
func analyze(f *ir.Op, t ir.Target) (*work, *refusal) {
	w := &work{f: f, target: t, unit: map[*ir.Op]sem.Unit{}}
	if r := w.signature(); r != nil {
		return nil, r
	}
	regions, r := w.regions()
	if r != nil {
		return nil, r
	}
	for op := range f.Walk() {
		if op == f {
			continue
		}
		if r := w.add(op); r != nil {
			return nil, r
		}
	}
	for _, c := range w.cross {
		c.valid = regions[c.op]
	}
	if r := w.scalars(); r != nil {
		return nil, r
	}
	if r := w.crossTiles(); r != nil {
		return nil, r
	}
	return w, w.onBoth()
}

// signature checks whether the function of w can be replaced by one function for the cube
// core and one for the vector cores. The function of w must not return values, no other
// function may call it, and the names of the two new functions must be free. It returns
// the reason for a failure, or nil.
func (w *work) signature() *refusal {
	if _, outs := fn.TypeOf(w.f); len(outs) > 0 {
		return refuse(w.f, "returns a value, which only one of the cores would have")
	}
	for op := range w.f.Root().Walk() {
		if analysis.CalleeOf(op) == w.f {
			return refuse(w.f, "is called; run 'inline' before pto-split-cores, or split the function that the host launches")
		}
	}
	for _, core := range []sem.Unit{sem.CubeUnit, sem.VectorUnit} {
		if symbol := w.symbol(core); ir.LookupSymbol(w.f, ir.Symbol(symbol)) != nil {
			return refuse(w.f, "becomes @%s, but the module has a function of that name", symbol)
		}
	}
	return nil
}

// symbol returns the name of the new function that contains the work of one kind of core.
// It consists of the name of the original function and the name of the kind.
func (w *work) symbol(core sem.Unit) string { return fn.Name(w.f) + "_" + name(core) }

// add assigns a kind of core to op, considering only the properties of op itself. It
// returns the reason if op prevents the function from being split, and nil otherwise.
func (w *work) add(op *ir.Op) *refusal {
	info := pto.InfoOf(op.Def())
	switch {
	case op.Is(scf.For), op.Is(scf.If):
		w.unit[op] = sem.AnyUnit
		return nil
	case len(op.Regions()) > 0:
		return refuse(op, "cannot run on two cores; only 'scf.for' and 'scf.if' can").
			or("a loop with a condition can be an 'scf.for' over the largest number of iterations, whose body is an 'scf.if' with the condition")
	case len(op.Successors()) > 0:
		return refuse(op, "branches between blocks; only 'scf.for' and 'scf.if' can run on two cores")
	case op.Is(fn.Call):
		return refuse(op, "calls a function; run 'inline' before pto-split-cores")
	case info == nil && !op.HasTrait(ir.Pure) && !op.HasTrait(ir.Terminator):
		return refuse(op, "may have effects that pto-split-cores does not know")
	case op.Is(isabase.GetSubBlockIdx):
		return refuse(op, "reads the number of the vector core, which pto-split-cores assigns")
	case info != nil && (info.Group == "sync" || info.Group == "comm"):
		return refuse(op, "synchronizes by hand; pto-split-cores accepts functions without flags, signals and queues")
	}
	for _, v := range append(op.Operands(), op.Results()...) {
		if pto.IsTile(v.Type()) && !ir.Is[pto.Tile](v.Type()) {
			return refuse(op, "works on buffers of Level 2; run pto-split-cores before pto-bufferize")
		}
	}
	if c := crossingOf(op); c != nil {
		w.cross = append(w.cross, c)
		w.unit[op] = c.from
		return nil
	}
	u := unitOf(op, w.target)
	if u == sem.AnyUnit && writesMemory(op) {
		u = sem.CubeUnit // one core of a block stores scalars, and there is only one cube core
	}
	w.unit[op] = u
	return nil
}

// writesMemory reports whether op writes memory other than tiles.
func writesMemory(op *ir.Op) bool {
	for _, e := range pto.Effects(op) {
		if e.Kind&pto.Writes != 0 {
			return true
		}
	}
	return false
}

// crossingOf returns a description of op if op is a crossing, a move of a tile from the
// memory of one core to that of the other. It returns nil for other operations.
func crossingOf(op *ir.Op) *crossing {
	if !op.Is(isatile.TMov) || op.NumResults() != 1 {
		return nil
	}
	c := &crossing{op: op, src: op.Arg("src"), dst: op.Result(0)}
	switch from, to := pto.SpaceOf(c.src.Type()), pto.SpaceOf(c.dst.Type()); {
	case from == sem.L0C && to == sem.UB:
		c.from = sem.CubeUnit
	case from == sem.UB && to == sem.L1:
		c.from = sem.VectorUnit
	default:
		return nil
	}
	return c
}

// consumer returns the kind of core that receives the tile of the crossing c: the kind
// that does not send it.
func (c *crossing) consumer() sem.Unit { return sem.AnyUnit &^ c.from }

// scalars assigns a scalar operation to one kind of core if only that kind has the
// operands. For example, a scalar that is read from a tile of the cube core does not
// exist on a vector core. Both kinds of cores execute the control flow of the function,
// so a branch or loop must not depend on such a scalar. scalars returns the reason for a
// failure, or nil.
func (w *work) scalars() *refusal {
	for op := range w.f.Walk() {
		u, known := w.unit[op]
		if !known || u == sem.AnyUnit {
			continue
		}
		for _, v := range op.Results() {
			if coreOf(v.Type()) != sem.AnyUnit {
				continue
			}
			if r := w.taint(op, v, u); r != nil {
				return r
			}
		}
	}
	return nil
}

// taint assigns the operations that use the scalar v to the kind of core u, because this
// kind of core computes v. from is the operation that reads the scalar from a tile. taint
// returns a refusal if the other kind of core, or both kinds, must execute a user of the
// scalar.
func (w *work) taint(from *ir.Op, v *ir.Value, u sem.Unit) *refusal {
	for use := range v.Uses() {
		op := use.Owner()
		switch w.unit[op] {
		case u:
			continue
		case sem.AnyUnit:
		default:
			return refuse(op, "needs on the %s core a number that '%s' computes on the %s core", name(w.unit[op]), from.Name(), name(u))
		}
		if len(op.Regions()) > 0 || op.HasTrait(ir.Terminator) {
			return refuse(op, "depends on a number that '%s' computes on the %s core, but both cores execute it", from.Name(), name(u))
		}
		w.unit[op] = u
		for _, r := range op.Results() {
			if bad := w.taint(from, r, u); bad != nil {
				return bad
			}
		}
	}
	return nil
}

// name returns the name of a kind of core in symbols and attributes.
func name(u sem.Unit) string {
	if u == sem.CubeUnit {
		return "cube"
	}
	return "vector"
}

// crossTiles checks every operation that accesses a tile of the other core type. Such an
// operation is legal only if it is a crossing, a certain move between memories, because a
// queue can replace a crossing. For any other operation, crossTiles returns the reason
// why the function cannot be split. It returns nil if there is none.
func (w *work) crossTiles() *refusal {
	for op := range w.f.Walk() {
		u := w.unit[op]
		if u != sem.CubeUnit && u != sem.VectorUnit {
			continue
		}
		c := crossingOf(op)
		for _, v := range append(op.Operands(), op.Results()...) {
			if core := coreOf(v.Type()); core != sem.AnyUnit && core != u && c == nil {
				return refuse(op, "moves a tile between the cores; only 'pto.tmov' from acc to vec and from vec to mat becomes a queue")
			}
		}
	}
	for _, c := range w.cross {
		if r := c.fits(w.target); r != nil {
			return r
		}
	}
	return nil
}

// fits checks that on target t a queue can transport the tile of the crossing c, a move
// of a tile from one core to another. It returns the reason for a failure, or nil.
func (c *crossing) fits(t ir.Target) *refusal {
	src, _ := pto.TileOf(c.src.Type())
	dst, _ := pto.TileOf(c.dst.Type())
	switch {
	case c.op.Arg("fp") != nil, c.op.Arg("preQuantScalar") != nil, c.op.Attr("reluPreMode").Keyword() == "normal_relu",
		!c.op.Attr("accToVecMode").IsZero():
		return refuse(c.op, "converts elements between the cores, which queues of pto-split-cores do not support")
	case src.Elem != dst.Elem:
		return refuse(c.op, "converts %s to %s between the cores; convert with 'pto.tcvt' on the vector core", src.Elem, dst.Elem)
	case src.Rows != dst.Rows || src.Cols != dst.Cols:
		return refuse(c.op, "changes the extents of the tile between the cores, from %dx%d to %dx%d", src.Rows, src.Cols, dst.Rows, dst.Cols)
	case c.from == sem.CubeUnit && (dst.BLayout != pto.RowMajor || dst.SLayout != pto.NoneBox):
		return refuse(c.op, "returns a tile in a boxed or column layout; queues to the vector cores carry row-major tiles")
	case c.from == sem.VectorUnit && (src.BLayout != pto.RowMajor || src.SLayout != pto.NoneBox):
		return refuse(c.op, "sends a tile in a boxed or column layout; queues to the cube core carry row-major tiles")
	case c.from == sem.VectorUnit && (dst.BLayout != pto.ColMajor || dst.SLayout != pto.RowMajor):
		return refuse(c.op, "returns a tile that is not col_major with slayout=row_major, but queues to the cube core return such tiles")
	}
	if t != sem.A5 && c.from == sem.VectorUnit && dst.VCols != dst.Cols {
		return refuse(c.op, "returns a tile with fewer valid columns than the tile has, but on %s the distance of rows in a slot is the number of valid columns; make all columns valid", sem.ProfileName(t))
	}
	if c.from == sem.VectorUnit && passedOn(c.dst) {
		return refuse(c.op, "returns a tile that a loop or branch passes on, but no instruction copies a tile in mat out of its slot").
			or("move the tile to left or right by 'pto.tmov' in the same block, and pass on that tile")
	}
	return nil
}
