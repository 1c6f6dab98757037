// This file decides how two vector cores share a tile.

package splitcores

import (
	"maps"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
	"ptogo/lower/axes"
)

// share states how the two vector cores divide a tile between them.
type share = axes.Division

// The ways in which the two vector cores divide a tile.
const (
	// unshared means that each core has the whole tile.
	unshared = axes.Complete
	// byRows means that each core has half of the rows.
	byRows = axes.ByRows
	// byCols means that each core has half of the columns. It occurs if rows of another
	// tile have become columns.
	byCols = axes.ByCols
)

// shares determines how the two vector cores divide tiles between them. Tiles that move
// between a vector core and the cube core are divided by rows. The division of all other
// tiles follows from the instructions that compute them.
type shares struct{ *axes.Relations }

// shareRows divides the tiles between the two vector cores so that each core processes
// half of the rows. Tiles that cross between the cube core and the vector cores must be
// divided. Other loaded tiles are divided if possible. The first result states for each
// tile how it is divided. If the cores cannot share the work in this way, shareRows
// returns the reason.
func shareRows(w *work) (map[*ir.Value]share, *refusal) {
	onVector := func(t ir.Type) bool { return coreOf(t) == sem.VectorUnit }
	s := &shares{axes.New(onVector, "each vector core would have half")}
	s.NeedComplete(w.f, s.Tiles(fn.Body(w.f).Args()...)) // the caller has them
	for op := range w.f.Walk() {
		if crossingOf(op) == nil {
			s.Relate(op)
		}
	}
	for _, c := range w.cross {
		v := c.dst
		if c.from == sem.VectorUnit {
			v = c.src
		}
		if why := s.spread(v, byRows, c.op); why != nil {
			return nil, why
		}
	}
	if why := s.fit(w.f); why != nil {
		return nil, why
	}
	for op := range w.f.Walk() {
		if _, loads := op.Def().Sem.(sem.TileLoad); !loads || w.unit[op] != sem.VectorUnit || s.Of[op.Result(0)] != unshared {
			continue
		}
		before := maps.Clone(s.Of)
		if s.spread(op.Result(0), byRows, op) != nil || s.fit(w.f) != nil {
			s.Of = before
		}
	}
	return s.Of, w.coresAgree(s.Of)
}

// fit checks whether the planned division of tiles between the two vector cores is
// possible. Each tile that the plan divides must have two halves that a tile type can
// describe. The same applies to each view from which such a tile is loaded or to which it
// is stored. fit returns the reason for a failure, or nil.
func (s *shares) fit(f *ir.Op) *refusal {
	for op := range f.Walk() {
		for _, v := range op.Results() {
			if how := s.Of[v]; how != unshared {
				if why := fitsHalf(v, how); why != nil {
					return why
				}
			}
		}
		if why := s.view(op); why != nil {
			return why
		}
		if dividesIntegers(op) && slices.ContainsFunc(op.Results(), func(v *ir.Value) bool {
			return s.Of[v] != unshared && !divided(v.Type(), s.Of[v]).both()
		}) {
			return refuse(op, "divides integers of rows whose number is known at run time only; a vector core without rows would divide undefined elements")
		}
	}
	return nil
}

// spread records how the vector cores of a block divide the tile v, and all tiles that
// must be divided in the same way. The operation op requires it. A nil result means
// success.
func (s *shares) spread(v *ir.Value, division share, op *ir.Op) *refusal {
	if why := s.Spread(v, division, op); why != nil {
		return refuse(why.Op, "%s", why.Why)
	}
	return nil
}

// dividesIntegers reports whether op divides elements that are integers, which fails if one
// is divided by zero.
func dividesIntegers(op *ir.Op) bool {
	by := sem.ElementFn(op)
	return (by == scalar.Div || by == scalar.Rem) && op.NumResults() == 1 && ir.Is[ir.IntegerType](ir.ElementType(op.Result(0).Type()))
}

// extent is the size of a tile along one axis, and the size of its valid region, which is
// dynamic if it is known at run time only.
type extent struct{ size, valid int64 }

// divided returns the extent of a tile of type t along one axis: its size and its valid
// size, in rows or columns. The parameter how states whether the vector cores divide the
// rows or the columns of the tile, and thereby selects the axis.
func divided(t ir.Type, how share) extent {
	e := axes.ExtentOf(t, how)
	return extent{e.Size, e.Valid}
}

// half returns half of the extent of the storage. The first vector core processes the
// valid rows or columns with an index below this number.
func (e extent) half() int64 { return e.size / sem.VectorCores }

// both reports whether both vector cores certainly have valid rows or columns of the
// tile. The first core has the first half of the tile, and the second core the second
// half.
func (e extent) both() bool { return e.valid > e.half() }

// fitsHalf checks whether the tile v can be divided into two halves of equal size. The
// parameter how selects a division by rows or by columns. It returns nil if the division
// is possible, and the reason if it is not.
func fitsHalf(v *ir.Value, how share) *refusal {
	n, what := divided(v.Type(), how).size, "rows"
	if how == byCols {
		what = "columns"
	}
	op := v.Op()
	if op == nil {
		op = v.Block().Parent()
	}
	if n%sem.VectorCores != 0 {
		return refuse(op, "has a tile of %d %s; make it a tile of %d %s with a valid region of %d", n, what, n+1, what, n)
	}
	return nil
}

// half returns the type of the half of tile type t that one vector core processes. The
// parameter how states whether the rows or the columns are halved.
func half(t ir.Type, how share) ir.Type {
	e := axes.ExtentOf(t, how)
	return axes.Resized(t, how, axes.Extent{Size: e.Size / sem.VectorCores, Valid: halfValid(e.Valid, e.Size)})
}

// halfValid returns the number of valid rows or columns in half of a tile. The tile has n
// rows or columns, of which the given number is valid. If all are valid, the result is
// half of n. In all other cases the halves have different numbers of valid rows or
// columns. The result is then ir.Dynamic: the number is known at run time only.
func halfValid(valid, n int64) int64 {
	if valid == n {
		return n / sem.VectorCores
	}
	return ir.Dynamic
}

// view checks op, a load or store of a tile. If the tile is divided between the vector
// cores, the view in global memory must be divisible in the same way. view returns the
// reason for a failure, or nil.
func (s *shares) view(op *ir.Op) *refusal {
	v := axes.ViewOf(op)
	if v == nil || s.Of[axes.TileAt(op)] == unshared {
		return nil
	}
	if axes.DividedDim(v, axes.TileAt(op), s.Of[axes.TileAt(op)]) < 0 {
		return refuse(op, "has a view whose rows cannot be halved: it must be a 'pto.partition_view' with as many rows as the tile has valid ones, in one dimension")
	}
	if s.Of[axes.TileAt(op)] == byRows && isatile.PacksColumn(op) {
		// the second half continues the run of the first one, and not at its row of the view
		if w, ok := (pto.ConstantOperands{Op: op}).View("dst"); !ok || w.Stride[isatile.PackedAxis] != 1 {
			return refuse(op, "stores a column whose rows are not adjacent in the view, so that it cannot be halved")
		}
	}
	return nil
}
