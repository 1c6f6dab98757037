// This file verifies that instructions can process other numbers of rows at once, and
// changes their tiles and views.

package resize

import (
	"fmt"
	"maps"
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
	"ptogo/lower/axes"
	"ptogo/passes"
)

// ratio is the quotient of new and old extents: times/parts.
type ratio struct{ times, parts int64 }

// of returns the number n multiplied by the ratio. The result ok is false if it is not an
// integer.
func (r ratio) of(n int64) (scaled int64, ok bool) {
	if n == ir.Dynamic {
		return n, true
	}
	return n * r.times / r.parts, n*r.times%r.parts == 0
}

// access is a load or store of a tile that is resized. Its view is the result of part, an
// operation that selects a part of a tensor, and dim is the dimension of the view that is
// resized.
type access struct {
	op, part *ir.Op
	dim      int
}

// offset returns where the view starts along its resized dimension.
func (a access) offset() *ir.Value { return a.part.Args("offsets")[a.dim] }

// size returns the size of the view along its resized dimension.
func (a access) size() *ir.Value { return a.part.Args("sizes")[a.dim] }

// scope is a list of operations with the tiles and accesses that are resized together.
type scope struct {
	ops      []*ir.Op
	has      map[*ir.Op]bool // the operations of ops
	tiles    *axes.Relations
	accesses []access
	ratio    ratio
	// once means that the operations are executed as often as before.
	once bool
	// entry inserts at the start of the function. constants are the constants there.
	entry     *ir.Builder
	constants map[int64]*ir.Value
}

// lineModes are the fields Terms, Indexed and Reduced of axes.Relations. If terms is set, the
// terms of matrix products are resized, and if reduced is set, also those of other sums.
type lineModes struct{ terms, indexed, reduced bool }

// newScope returns a scope for the operations ops of the function f, and the operations in
// their regions.
func newScope(f *ir.Op, ops []*ir.Op, r ratio, modes lineModes) *scope {
	s := &scope{
		has: map[*ir.Op]bool{}, tiles: axes.New(pto.IsTile, "each part would have some"), ratio: r,
		entry: ir.Before(fn.Body(f).First()), constants: map[int64]*ir.Value{},
	}
	s.tiles.Terms, s.tiles.Indexed, s.tiles.Reduced = modes.terms, modes.indexed, modes.reduced
	for op := range f.Walk() {
		s.tiles.Relate(op)
	}
	s.add(ops...)
	return s
}

// add adds operations, and the operations in their regions, to the scope.
func (s *scope) add(ops ...*ir.Op) {
	for _, op := range ops {
		for o := range op.Walk() {
			s.ops, s.has[o] = append(s.ops, o), true
		}
	}
}

// refuse returns a refusal with a formatted reason.
func refuse(op *ir.Op, format string, args ...any) *axes.Refusal {
	return &axes.Refusal{Op: op, Why: fmt.Sprintf(format, args...)}
}

// within reports whether the scope contains the definition of the value v.
func (s *scope) within(v *ir.Value) bool {
	if v.Op() != nil {
		return s.has[v.Op()]
	}
	return s.has[v.Block().Parent()]
}

// close verifies that the scope defines and uses all tiles that are resized, and that all
// of them can have the new extent.
func (s *scope) close() *axes.Refusal {
	for _, v := range s.ordered() {
		at := v.Op()
		if at == nil {
			at = v.Block().Parent()
		}
		if !s.within(v) {
			return refuse(at, "defines a tile outside of the instructions that would process other numbers of %s", s.tiles.Of[v].Lines())
		}
		for use := range v.Uses() {
			if !s.has[use.Owner()] {
				return refuse(use.Owner(), "uses a tile outside of the instructions that would process other numbers of %s", s.tiles.Of[v].Lines())
			}
		}
		e := axes.ExtentOf(v.Type(), s.tiles.Of[v])
		_, size := s.ratio.of(e.Size)
		_, valid := s.ratio.of(e.Valid)
		if !size || !valid {
			return refuse(at, "has a tile of %d %s, which cannot be divided into %d equal parts", e.Valid, s.tiles.Of[v].Lines(), s.ratio.parts)
		}
	}
	return nil
}

// ordered returns the resized tiles in the order of the text.
func (s *scope) ordered() []*ir.Value {
	var list []*ir.Value
	add := func(vs []*ir.Value) {
		for _, v := range vs {
			if s.tiles.Of[v] != axes.Complete {
				list = append(list, v)
			}
		}
	}
	for _, op := range s.ops {
		add(op.Results())
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				add(b.Args())
			}
		}
	}
	for _, v := range slices.SortedFunc(maps.Keys(s.tiles.Of), func(a, b *ir.Value) int { return a.Index() - b.Index() }) {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// reorders verifies that the operations of the scope can be executed for other numbers of
// rows at once: only the accesses of the scope write global memory, every access to memory
// that is written is at the same rows, and no operation waits or changes the state of the
// machine.
func (s *scope) reorders() *axes.Refusal {
	mine := map[*ir.Op]access{}
	written := map[*ir.Value]access{} // the first store to the memory of a pointer
	for _, a := range s.accesses {
		mine[a.op] = a
		if d := s.tiles.Of[axes.TileAt(a.op)]; d == axes.ByCols && a.op.NumOperands()+a.op.NumResults() > 2 {
			return refuse(a.op, "has further operands, which may depend on the columns")
		}
		if tile.PacksColumn(a.op) && s.tiles.Of[axes.TileAt(a.op)] == axes.ByRows {
			// The run of bytes continues in the next part, and not at its row of the view.
			if w, ok := (pto.ConstantOperands{Op: a.op}).View("dst"); !ok || w.Stride[tile.PackedAxis] != 1 {
				return refuse(a.op, "stores a column whose rows are not adjacent in the view")
			}
		}
	}
	for _, op := range s.ops {
		if len(op.Regions()) > 0 || op.HasTrait(ir.Terminator) {
			continue
		}
		if s.once && setsState(op) {
			continue
		}
		if analysis.CalleeOf(op) != nil || op.Effects().Has(effect.Waits|effect.WaitsAcross|effect.Meets|effect.Signals|effect.WritesState) {
			return refuse(op, "has effects that would occur another number of times")
		}
		a, resized := mine[op]
		_, stores := op.Def().Sem.(sem.TileStore)
		switch {
		case stores && resized:
			if p := pto.BasePointer(a.part.Result(0)); written[p].op == nil {
				written[p] = a
			}
		case !passes.IsPure(op) && !onlyLoads(op):
			return refuse(op, "has effects that would occur another number of times")
		}
	}
	for _, op := range s.ops {
		for _, e := range pto.Effects(op) {
			first := written[pto.BasePointer(e.Value)]
			if e.Space != sem.GM || first.op == nil {
				continue
			}
			a, resized := mine[op]
			if !resized || a.part.Operand(0) != first.part.Operand(0) || a.dim != first.dim || !linearOf(a.offset()).equal(linearOf(first.offset())) {
				return refuse(op, "accesses memory that another instruction writes at other rows")
			}
		}
	}
	return nil
}

// setsState reports whether op changes the state of its core, and nothing else.
func setsState(op *ir.Op) bool {
	return op.Effects().Has(effect.WritesState) && !op.Effects().Has(effect.Waits|effect.WaitsAcross|effect.Meets|effect.Signals) &&
		op.NumResults() == 0 && len(pto.Effects(op)) == 0 && analysis.CalleeOf(op) == nil
}

// onlyLoads reports whether op reads memory and has no other effect than its results.
func onlyLoads(op *ir.Op) bool {
	if op.NumResults() == 0 || op.Form().Level != ir.SSA {
		return false
	}
	return !slices.ContainsFunc(pto.Effects(op), func(e pto.Effect) bool { return e.Kind&pto.Writes != 0 })
}

// resizeTiles changes the types of the resized tiles.
func (s *scope) resizeTiles() {
	for v, d := range s.tiles.Of {
		e := axes.ExtentOf(v.Type(), d)
		e.Size, _ = s.ratio.of(e.Size)
		e.Valid, _ = s.ratio.of(e.Valid)
		v.SetType(axes.Resized(v.Type(), d, e))
	}
}

// resizeViews gives each access of the scope a view of another size. The function change
// returns the new offset and size of the view along its resized dimension.
func (s *scope) resizeViews(change func(a access, b *ir.Builder) (offset, size *ir.Value)) {
	made := map[*ir.Op]*ir.Value{}
	for _, a := range s.accesses {
		view := made[a.part]
		if view == nil || view.Block() != a.op.Block() || !view.Op().Before(a.op) {
			view = s.resizedView(a, change)
			made[a.part] = view
		}
		for i, v := range a.op.Operands() {
			if v == a.part.Result(0) {
				a.op.SetOperand(i, view)
			}
		}
	}
	for _, a := range s.accesses {
		if a.part.Block() != nil && passes.IsDead(a.part) {
			a.part.Erase()
		}
	}
}

// resizedView creates the view of an access with another size.
func (s *scope) resizedView(a access, change func(a access, b *ir.Builder) (offset, size *ir.Value)) *ir.Value {
	b := ir.Before(a.op)
	offsets, sizes := slices.Clone(a.part.Args("offsets")), slices.Clone(a.part.Args("sizes"))
	offsets[a.dim], sizes[a.dim] = change(a, b)
	shape, _ := ir.As[pto.PartitionView](a.part.Result(0).Type())
	extents := shape.Shape.Slice()
	extents[a.dim], _ = s.ratio.of(extents[a.dim])
	shape.Shape = ir.MakeDims(extents...)
	n := b.Create(ir.State{
		Def:      a.part.Def(),
		Loc:      a.part.Loc(),
		Operands: slices.Concat(a.part.Args("source"), offsets, sizes),
		Segs:     []int32{1, int32(len(offsets)), int32(len(sizes))},
		Results:  []ir.Type{ir.TypeOf(shape)},
	})
	n.Result(0).SetName(a.part.Result(0).Name())
	return n.Result(0)
}

// addIndex returns the sum of two values of type index.
func addIndex(b *ir.Builder, x, y *ir.Value) *ir.Value {
	return b.Op(arith.AddI, []*ir.Value{x, y}, []ir.Type{ir.Index}).Result(0)
}

// index returns the constant n of type index.
func (s *scope) index(n int64) *ir.Value {
	if s.constants[n] == nil {
		s.constants[n] = arith.Index(s.entry, n)
	}
	return s.constants[n]
}

// smaller returns the smaller of a value of type index and a constant.
func (s *scope) smaller(b *ir.Builder, x *ir.Value, n int64) *ir.Value {
	return b.Op(arith.MinSI, []*ir.Value{x, s.index(n)}, []ir.Type{ir.Index}).Result(0)
}
