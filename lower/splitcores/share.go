// This file decides how two vector cores share a tile.

package splitcores

import (
	"maps"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/scalar"
	"ptogo/passes"
)

// share states how the two vector cores divide a tile between them: for example, by rows
// or by columns.
type share uint8

const (
	// unshared means that each core has the whole tile.
	unshared share = iota
	// byRows means that each core has half of the rows.
	byRows
	// byCols means that each core has half of the columns. It occurs if rows of another
	// tile have become columns.
	byCols
)

// flipped returns the division of a tile after rows and columns are exchanged.
func (s share) flipped() share {
	switch s {
	case byRows:
		return byCols
	case byCols:
		return byRows
	}
	return unshared
}

// relation states that two tiles must be divided between the vector cores in the same
// way. If flip is true, rows of one tile correspond to columns of the other. The field op
// is the operation that requires the relation.
type relation struct {
	to   *ir.Value
	flip bool
	op   *ir.Op
}

// shares determines how the two vector cores divide tiles between them. Tiles that move
// between a vector core and the cube core are divided by rows. The division of all other
// tiles follows from the instructions that compute them.
type shares struct {
	of    map[*ir.Value]share
	edges map[*ir.Value][]relation
	// whole are tiles that each core needs completely, with the operation that requires
	// it.
	whole map[*ir.Value]*ir.Op
	// rows are tiles that cannot be divided by columns, with the operation that requires
	// it.
	rows map[*ir.Value]*ir.Op
}

// shareRows divides the tiles between the two vector cores so that each core processes
// half of the rows. Tiles that cross between the cube core and the vector cores must be
// divided. Other loaded tiles are divided if possible. The first result states for each
// tile how it is divided. If the cores cannot share the work in this way, shareRows
// returns the reason.
func shareRows(w *work) (map[*ir.Value]share, *refusal) {
	s := &shares{of: map[*ir.Value]share{}, edges: map[*ir.Value][]relation{}, whole: map[*ir.Value]*ir.Op{}, rows: map[*ir.Value]*ir.Op{}}
	s.needWhole(w.f, vectorTiles(fn.Body(w.f).Args()...)) // the caller has them
	for op := range w.f.Walk() {
		s.relate(op)
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
		if _, loads := op.Def().Sem.(sem.TileLoad); !loads || w.unit[op] != sem.VectorUnit || s.of[op.Result(0)] != unshared {
			continue
		}
		before := maps.Clone(s.of)
		if s.spread(op.Result(0), byRows, op) != nil || s.fit(w.f) != nil {
			s.of = before
		}
	}
	return s.of, w.coresAgree(s.of)
}

// fit checks whether the planned division of tiles between the two vector cores is
// possible. Each tile that the plan divides must have two halves that a tile type can
// describe. The same applies to each view from which such a tile is loaded or to which it
// is stored. fit returns the reason for a failure, or nil.
func (s *shares) fit(f *ir.Op) *refusal {
	for op := range f.Walk() {
		for _, v := range op.Results() {
			if how := s.of[v]; how != unshared {
				if why := fitsHalf(v, how); why != nil {
					return why
				}
			}
		}
		if why := s.view(op); why != nil {
			return why
		}
		if dividesIntegers(op) && slices.ContainsFunc(op.Results(), func(v *ir.Value) bool {
			return s.of[v] != unshared && !divided(v.Type(), s.of[v]).both()
		}) {
			return refuse(op, "divides integers of rows whose number is known at run time only; a vector core without rows would divide undefined elements")
		}
	}
	return nil
}

// edge records that the division of tile a determines the division of tile b, and the
// reverse. If flip is false, both tiles are divided in the same way. If flip is true, one
// is divided by rows if the other is divided by columns. op is the instruction that
// requires this.
func (s *shares) edge(a, b *ir.Value, flip bool, op *ir.Op) {
	if a != b {
		s.edges[a] = append(s.edges[a], relation{b, flip, op})
		s.edges[b] = append(s.edges[b], relation{a, flip, op})
	}
}

// vectorTiles returns those of the values that are tiles of vector cores.
func vectorTiles(vs ...*ir.Value) []*ir.Value {
	var ts []*ir.Value
	for _, v := range vs {
		if coreOf(v.Type()) == sem.VectorUnit {
			ts = append(ts, v)
		}
	}
	return ts
}

// relate records, for all tiles of op, the ways in which the vector cores may divide
// them. The division of one tile can determine that of another. For example, an
// elementwise instruction requires that all its tiles are divided in the same way.
func (s *shares) relate(op *ir.Op) {
	if flows, known := passes.Flows(op); known && len(op.Regions()) > 0 {
		for _, f := range flows {
			for i, v := range f.To {
				if coreOf(v.Type()) == sem.VectorUnit {
					s.edge(f.From.Operand(f.First+i), v, false, op)
				}
			}
		}
		return
	}
	ts := vectorTiles(append(op.Operands(), op.Results()...)...)
	if len(ts) == 0 || op.Is(scf.Yield) || crossingOf(op) != nil || viewOf(op) != nil {
		return
	}
	switch sem.RowUseOf(op) {
	case sem.SameElement:
		s.alike(op, ts)
	case sem.SameRow:
		s.alike(op, ts)
		s.needRows(op, ts)
	case sem.SharedRow:
		s.sharedRow(op, ts)
	case sem.Reshaped:
		s.reshape(op)
	default:
		s.needWhole(op, ts)
	}
}

// alike adds the requirement that the vector cores divide all tiles in ts in the same
// way. The operation op is the reason for this requirement.
func (s *shares) alike(op *ir.Op, ts []*ir.Value) {
	for _, v := range ts[1:] {
		s.edge(ts[0], v, false, op)
	}
}

// needWhole records that each vector core needs the tiles ts of op completely.
func (s *shares) needWhole(op *ir.Op, ts []*ir.Value) {
	for _, v := range ts {
		s.whole[v] = op
	}
}

// needRows records that op prevents a division of the tiles ts by columns. The vector
// cores can then divide these tiles only by rows.
func (s *shares) needRows(op *ir.Op, ts []*ir.Value) {
	for _, v := range ts {
		s.rows[v] = op
	}
}

// sharedRow handles op, a broadcast in which a row is combined with each row of a tile.
// ts contains the tile operands of op. Each vector core needs the complete row. sharedRow
// records this, and it records that the two vector cores must divide the other tiles of
// op in the same way.
func (s *shares) sharedRow(op *ir.Op, ts []*ir.Value) {
	s.needRows(op, ts)
	dst, _ := pto.TileOf(op.Result(0).Type())
	var shared []*ir.Value
	for _, v := range ts {
		if t, _ := pto.TileOf(v.Type()); t.Rows == 1 && dst.Rows > 1 {
			s.whole[v] = op
			continue
		}
		shared = append(shared, v)
	}
	s.alike(op, shared)
}

// reshape handles op, whose result is the operand tile with another shape or element type
// in the same storage. It records whether the vector cores must divide both tiles in the
// same way, must exchange rows and columns, or cannot divide the tiles.
func (s *shares) reshape(op *ir.Op) {
	a, b := op.Operand(0), op.Result(0)
	from, _ := pto.TileOf(a.Type())
	to, _ := pto.TileOf(b.Type())
	switch {
	case from.Elem != to.Elem && pto.ByteSize(from.Elem) != pto.ByteSize(to.Elem):
		s.needWhole(op, []*ir.Value{a, b})
	case from.Rows == to.Rows && from.Cols == to.Cols && from.BLayout == to.BLayout:
		s.edge(a, b, false, op)
	case from.Cols == 1 && to.Rows == 1 && from.Rows == to.Cols, from.Rows == 1 && to.Cols == 1 && from.Cols == to.Rows:
		s.edge(a, b, true, op)
	default:
		s.needWhole(op, []*ir.Value{a, b})
	}
}

// spread records how the vector cores of a block divide the tile v, and all tiles that
// must be divided in the same way. The operation op requires it. If one of the tiles
// already has another division, or cannot be divided, spread returns the reason; a nil
// result means success.
func (s *shares) spread(v *ir.Value, division share, op *ir.Op) *refusal {
	if had, ok := s.of[v]; ok {
		if had != division {
			return refuse(op, "splits a tile by rows that other operations split by columns")
		}
		return nil
	}
	if at := s.whole[v]; at != nil {
		return refuse(at, "needs all rows of a tile, of which each vector core would have half")
	}
	if at := s.rows[v]; at != nil && division == byCols {
		return refuse(at, "needs all columns of a tile, of which each vector core would have half")
	}
	s.of[v] = division
	for _, e := range s.edges[v] {
		next := division
		if e.flip {
			next = division.flipped()
		}
		if a, b := divided(v.Type(), division).size, divided(e.to.Type(), next).size; a != b {
			return refuse(e.op, "works on tiles of %d and %d rows, which the two vector cores would divide at different rows; make both as large, with a valid region", a, b)
		}
		if r := s.spread(e.to, next, e.op); r != nil {
			return r
		}
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
	tile, _ := pto.TileOf(t)
	if how == byCols {
		return extent{tile.Cols, tile.VCols}
	}
	return extent{tile.Rows, tile.VRows}
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
	tile, _ := ir.As[pto.Tile](t)
	switch how {
	case byRows:
		tile.VRows = halfValid(tile.VRows, tile.Rows)
		tile.Rows /= sem.VectorCores
	case byCols:
		tile.VCols = halfValid(tile.VCols, tile.Cols)
		tile.Cols /= sem.VectorCores
	}
	return ir.TypeOf(tile)
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

// viewOf returns the view that op loads from or stores to, or nil.
func viewOf(op *ir.Op) *ir.Value {
	if !sem.CopiesTile(op) {
		return nil
	}
	for _, v := range op.Operands() {
		if ir.Is[pto.PartitionView](v.Type()) {
			return v
		}
	}
	return nil
}

// tileAt returns the tile that op loads or stores.
func tileAt(op *ir.Op) *ir.Value {
	for _, v := range append(op.Results(), op.Operands()...) {
		if pto.IsTile(v.Type()) {
			return v
		}
	}
	return nil
}

// view checks op, a load or store of a tile. If the tile is divided between the vector
// cores, the view in global memory must be divisible in the same way. view returns the
// reason for a failure, or nil.
func (s *shares) view(op *ir.Op) *refusal {
	v := viewOf(op)
	if v == nil || s.of[tileAt(op)] == unshared {
		return nil
	}
	if halvedDim(v, tileAt(op), s.of[tileAt(op)]) < 0 {
		return refuse(op, "has a view whose rows cannot be halved: it must be a 'pto.partition_view' with as many rows as the tile has valid ones, in one dimension")
	}
	if s.of[tileAt(op)] == byRows && isatile.PacksColumn(op) {
		// the second half continues the run of the first one, and not at its row of the view
		if w, ok := (pto.ConstantOperands{Op: op}).View("dst"); !ok || w.Stride[isatile.PackedAxis] != 1 {
			return refuse(op, "stores a column whose rows are not adjacent in the view, so that it cannot be halved")
		}
	}
	return nil
}

// halvedDim finds the dimension of a view that is divided when a tile is divided between
// two vector cores. The parameter how states whether the rows or the columns of the tile
// are divided. It returns the index of the dimension, or -1 if the tile is not divided or
// the dimension is unknown.
func halvedDim(view, tile *ir.Value, how share) int {
	op := view.Op()
	if op == nil {
		return -1
	}
	if _, part := op.Def().Sem.(sem.PartView); !part {
		return -1
	}
	info, _ := pto.TileOf(tile.Type())
	axis, cols := pto.ViewAxes(info)
	if how == byCols {
		axis = cols
	}
	n := divided(tile.Type(), how).valid
	shape, _ := ir.As[pto.PartitionView](view.Type())
	found := -1
	for _, d := range axis.Dims(shape.Shape.Len()) {
		switch at := shape.Shape.At(d); {
		case at == 1:
		case found < 0 && (at == n || at == ir.Dynamic):
			found = d
		default:
			return -1
		}
	}
	return found
}
