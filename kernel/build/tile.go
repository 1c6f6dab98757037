// This file builds tile instructions.

package build

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Tile returns the type of a row-major tile in the unified buffer (vec), the memory of a
// vector core. All elements of the tile are valid. For any other tile, set the fields of
// a pto.TileInfo and use ir.TypeOf(pto.Tile{...}).
func Tile(elem ir.Type, rows, cols int64) ir.Type { return tileType(elem, rows, cols, pto.RowMajor) }

// Column returns the type of a column-major tile with one element per row, in the unified
// buffer (vec). The result of a row reduction has such a type.
func Column(elem ir.Type, rows int64) ir.Type { return tileType(elem, rows, 1, pto.ColMajor) }

// tileType returns the type of a tile in the unified buffer (vec), the memory of a vector
// core. The tile has rows x cols elements of type elem, all of which are valid. The
// parameter order states whether it is row-major or column-major.
func tileType(elem ir.Type, rows, cols int64, order pto.Layout) ir.Type {
	return ir.TypeOf(pto.Tile{TileInfo: pto.TileInfo{
		Space: sem.UB, Elem: elem, Rows: rows, Cols: cols, VRows: rows, VCols: cols,
		BLayout: order, Fractal: pto.DefaultFractal,
	}})
}

// Tile appends an instruction of Level 1, whose result is a new tile, and returns this
// tile. def is the definition of the instruction, result is the type of the tile, and ins
// are the operands.
func (f *Func) Tile(def *ir.Def, result ir.Type, ins ...*ir.Value) *ir.Value {
	return f.insert(f.form(def, ir.SSA, ins, result)).Result(0)
}

// Into appends an instruction of Level 2, which writes its result to an operand. The
// parameter dst is this operand: a tile buffer or, for a store, a region of a view. The
// parameter ins contains the other operands in the order of the instruction's definition.
func (f *Func) Into(def *ir.Def, dst *ir.Value, ins ...*ir.Value) {
	form := def.Made().Form(ir.DPS)
	if form == nil {
		misuse(def, "it has no form of Level 2")
	}
	// Put the destination at its place in the form: after the required operands,
	// and before or after the optional ones. Optional arguments get operands only
	// if there are more than required ones (extra).
	operands, rest := make([]*ir.Value, 0, len(ins)+1), ins
	extra := len(ins) + 1
	for _, a := range form.Operands {
		if a.Arity == ir.One {
			extra--
		}
	}
	for _, a := range form.Operands {
		switch {
		case a.Role == ir.Out || a.Role == ir.InOut:
			operands = append(operands, dst)
			continue
		case a.Arity != ir.One && extra <= 0:
			continue
		case a.Arity != ir.One:
			extra--
		}
		if len(rest) > 0 {
			operands, rest = append(operands, rest[0]), rest[1:]
		}
	}
	f.insert(f.form(def, ir.DPS, append(operands, rest...)))
}

// form returns the description of an operation in the form (the list of operands and
// results) that its definition has for the given level. It panics if this form cannot
// have the given number of operands.
func (f *Func) form(def *ir.Def, level ir.Level, operands []*ir.Value, results ...ir.Type) ir.State {
	form := def.Made().Form(level)
	if form == nil {
		misuse(def, "it has no form of this level")
	}
	least, most := 0, 0
	for _, a := range form.Operands {
		switch a.Arity {
		case ir.One:
			least++
			most++
		case ir.Optional:
			most++
		case ir.Variadic:
			most = max(most, len(operands))
		}
	}
	if n := len(operands); n < least || n > most {
		misuse(def, "it accepts %d to %d operands, but got %d", least, most, n)
	}
	return ir.State{Def: def, Form: form, Operands: operands, Results: results}
}

// AllocTile appends an operation that allocates a tile buffer of Level 2, for a tile of
// type t, and returns the buffer.
func (f *Func) AllocTile(t ir.Type) *ir.Value {
	return f.Op(isatile.AllocTile, nil, pto.BufOf(t)).Result(0)
}

// like appends an instruction with the definition def and the operands ins. The result of
// the instruction has the type of the first operand; like returns this result.
func (f *Func) like(def *ir.Def, ins ...*ir.Value) *ir.Value {
	return f.Tile(def, typeOf(def, ins[0]), ins...)
}

// column appends an instruction that reduces each row of tile src to one element, and
// returns the result: a tile with one column.
func (f *Func) column(def *ir.Def, src *ir.Value) *ir.Value {
	t, ok := ir.As[pto.Tile](typeOf(def, src))
	if !ok {
		misuse(def, "%s is not a tile", src.Type())
	}
	c, _ := ir.As[pto.Tile](Column(t.Elem, t.Rows))
	c.VRows = t.VRows
	return f.Tile(def, ir.TypeOf(c), src)
}

// TAdd appends an instruction that adds two tiles element by element, and returns the
// tile a + b.
func (f *Func) TAdd(a, b *ir.Value) *ir.Value { return f.like(isatile.TAdd, a, b) }

// TSub appends an instruction that subtracts two tiles element by element, and returns
// the tile a - b.
func (f *Func) TSub(a, b *ir.Value) *ir.Value { return f.like(isatile.TSub, a, b) }

// TMul appends an instruction that multiplies two tiles element by element, and returns
// the tile a * b.
func (f *Func) TMul(a, b *ir.Value) *ir.Value { return f.like(isatile.TMul, a, b) }

// TDiv appends an instruction that divides two tiles element by element, and returns the
// tile a / b.
func (f *Func) TDiv(a, b *ir.Value) *ir.Value { return f.like(isatile.TDiv, a, b) }

// TMax appends an instruction that compares two tiles element by element, and returns a
// tile with the larger elements.
func (f *Func) TMax(a, b *ir.Value) *ir.Value { return f.like(isatile.TMax, a, b) }

// TMin appends an instruction that compares two tiles element by element, and returns a
// tile with the smaller elements.
func (f *Func) TMin(a, b *ir.Value) *ir.Value { return f.like(isatile.TMin, a, b) }

// TAddS appends an instruction that adds the scalar s to every element of tile a, and
// returns the result tile.
func (f *Func) TAddS(a, s *ir.Value) *ir.Value { return f.like(isatile.TAddS, a, s) }

// TSubS appends an instruction that subtracts the scalar s from every element of tile a,
// and returns the result tile.
func (f *Func) TSubS(a, s *ir.Value) *ir.Value { return f.like(isatile.TSubS, a, s) }

// TMulS appends an instruction that multiplies every element of tile a by the scalar s,
// and returns the result tile.
func (f *Func) TMulS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMulS, a, s) }

// TDivS appends an instruction that divides every element of tile a by the scalar s, and
// returns the result tile.
func (f *Func) TDivS(a, s *ir.Value) *ir.Value { return f.like(isatile.TDivS, a, s) }

// TMaxS appends an instruction that replaces elements of tile a below the scalar s by s,
// and returns the result tile.
func (f *Func) TMaxS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMaxS, a, s) }

// TMinS appends an instruction that replaces elements of tile a above the scalar s by s,
// and returns the result tile.
func (f *Func) TMinS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMinS, a, s) }

// TExp appends an instruction that computes e to the power of each element of tile a, and
// returns the result tile.
func (f *Func) TExp(a *ir.Value) *ir.Value { return f.like(isatile.TExp, a) }

// TLog appends an instruction that computes the natural logarithm of each element of tile
// a, and returns the result tile.
func (f *Func) TLog(a *ir.Value) *ir.Value { return f.like(isatile.TLog, a) }

// TSqrt appends an instruction that computes the square root of each element of tile a,
// and returns the result tile.
func (f *Func) TSqrt(a *ir.Value) *ir.Value { return f.like(isatile.TSqrt, a) }

// TRecip appends an instruction that computes the reciprocal of each element of tile a,
// and returns the result tile.
func (f *Func) TRecip(a *ir.Value) *ir.Value { return f.like(isatile.TRecip, a) }

// TAbs appends an instruction that computes the absolute value of each element of tile a,
// and returns the result tile.
func (f *Func) TAbs(a *ir.Value) *ir.Value { return f.like(isatile.TAbs, a) }

// TNeg appends an instruction that negates each element of tile a, and returns the result
// tile.
func (f *Func) TNeg(a *ir.Value) *ir.Value { return f.like(isatile.TNeg, a) }

// TRelu appends an instruction that replaces negative elements of tile a by zero, and
// returns the result tile.
func (f *Func) TRelu(a *ir.Value) *ir.Value { return f.like(isatile.TRelu, a) }

// TRowSum appends an instruction that adds the elements of each row of tile a, and
// returns a tile with one column that contains the sums.
func (f *Func) TRowSum(a *ir.Value) *ir.Value { return f.column(isatile.TRowSum, a) }

// TRowMax appends an instruction that finds the largest element of each row of tile a,
// and returns a tile with one column that contains these elements.
func (f *Func) TRowMax(a *ir.Value) *ir.Value { return f.column(isatile.TRowMax, a) }

// TRowMin appends an instruction that finds the smallest element of each row of tile a,
// and returns a tile with one column that contains these elements.
func (f *Func) TRowMin(a *ir.Value) *ir.Value { return f.column(isatile.TRowMin, a) }

// TRowExpandAdd appends an instruction that adds one number to all elements of each row
// of tile a, and returns the result tile. The second argument is a tile with one column;
// its element i is the number for row i.
func (f *Func) TRowExpandAdd(a, column *ir.Value) *ir.Value {
	return f.like(isatile.TRowExpandAdd, a, column)
}

// TRowExpandSub appends an instruction that subtracts element i of the tile column from
// each element of row i of tile a, and returns the result tile.
func (f *Func) TRowExpandSub(a, column *ir.Value) *ir.Value {
	return f.like(isatile.TRowExpandSub, a, column)
}

// TRowExpandMul appends an instruction that multiplies each row of a tile by a factor,
// and returns the result tile. The first argument is this tile. The second argument is a
// tile with one column; its element i is the factor for row i.
func (f *Func) TRowExpandMul(a, column *ir.Value) *ir.Value {
	return f.like(isatile.TRowExpandMul, a, column)
}

// TRowExpandDiv appends an instruction that divides each element of row i of tile a by
// element i of a second tile, and returns the result tile. column is the second tile,
// which has one column.
func (f *Func) TRowExpandDiv(a, column *ir.Value) *ir.Value {
	return f.like(isatile.TRowExpandDiv, a, column)
}
