// This file builds tile instructions.

package build

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Tile returns the type of a row-major tile in vec whose elements are all valid.
// For any other tile, set the fields of a pto.TileInfo and use
// ir.TypeOf(pto.Tile{...}).
func Tile(elem ir.Type, rows, cols int64) ir.Type { return tileType(elem, rows, cols, pto.RowMajor) }

// Column returns the type of a tile with one element per row: the result of a row
// reduction.
func Column(elem ir.Type, rows int64) ir.Type { return tileType(elem, rows, 1, pto.ColMajor) }

// tileType returns the type of a tile in vec that is valid as a whole.
func tileType(elem ir.Type, rows, cols int64, order pto.Layout) ir.Type {
	return ir.TypeOf(pto.Tile{TileInfo: pto.TileInfo{
		Space: sem.UB, Elem: elem, Rows: rows, Cols: cols, VRows: rows, VCols: cols,
		BLayout: order, Fractal: pto.DefaultFractal,
	}})
}

// Tile appends an instruction of Level 1 and returns its result, which has the
// given type.
func (f *Func) Tile(def *ir.Def, result ir.Type, ins ...*ir.Value) *ir.Value {
	return f.insert(f.form(def, ir.SSA, ins, result)).Result(0)
}

// Into appends an instruction of Level 2 that writes its result to dst: a buffer
// or, for a store, a part of a view.
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

// form returns the state of an operation in its form of the given level. It panics
// if the form cannot have this number of operands.
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
		misuse(def, "it takes %d to %d operands, but got %d", least, most, n)
	}
	return ir.State{Def: def, Form: form, Operands: operands, Results: results}
}

// AllocTile allocates a Level 2 buffer for a tile of type t and returns it.
func (f *Func) AllocTile(t ir.Type) *ir.Value {
	return f.Op(isatile.AllocTile, nil, pto.BufOf(t)).Result(0)
}

// like appends an instruction whose result has the type of its first operand.
func (f *Func) like(def *ir.Def, ins ...*ir.Value) *ir.Value {
	return f.Tile(def, typeOf(def, ins[0]), ins...)
}

// column appends an instruction that reduces each row to one element.
func (f *Func) column(def *ir.Def, src *ir.Value) *ir.Value {
	t, ok := ir.As[pto.Tile](typeOf(def, src))
	if !ok {
		misuse(def, "%s is no tile", src.Type())
	}
	c, _ := ir.As[pto.Tile](Column(t.Elem, t.Rows))
	c.VRows = t.VRows
	return f.Tile(def, ir.TypeOf(c), src)
}

// TAdd returns a + b, element by element.
func (f *Func) TAdd(a, b *ir.Value) *ir.Value { return f.like(isatile.TAdd, a, b) }

// TSub returns a - b, element by element.
func (f *Func) TSub(a, b *ir.Value) *ir.Value { return f.like(isatile.TSub, a, b) }

// TMul returns a * b, element by element.
func (f *Func) TMul(a, b *ir.Value) *ir.Value { return f.like(isatile.TMul, a, b) }

// TDiv returns a / b, element by element.
func (f *Func) TDiv(a, b *ir.Value) *ir.Value { return f.like(isatile.TDiv, a, b) }

// TMax returns the larger element of each pair.
func (f *Func) TMax(a, b *ir.Value) *ir.Value { return f.like(isatile.TMax, a, b) }

// TMin returns the smaller element of each pair.
func (f *Func) TMin(a, b *ir.Value) *ir.Value { return f.like(isatile.TMin, a, b) }

// TAddS adds a scalar to every element.
func (f *Func) TAddS(a, s *ir.Value) *ir.Value { return f.like(isatile.TAddS, a, s) }

// TSubS subtracts a scalar from every element.
func (f *Func) TSubS(a, s *ir.Value) *ir.Value { return f.like(isatile.TSubS, a, s) }

// TMulS multiplies every element by a scalar.
func (f *Func) TMulS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMulS, a, s) }

// TDivS divides every element by a scalar.
func (f *Func) TDivS(a, s *ir.Value) *ir.Value { return f.like(isatile.TDivS, a, s) }

// TMaxS returns the larger of each element and a scalar.
func (f *Func) TMaxS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMaxS, a, s) }

// TMinS returns the smaller of each element and a scalar.
func (f *Func) TMinS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMinS, a, s) }

// TExp returns e to the power of each element.
func (f *Func) TExp(a *ir.Value) *ir.Value { return f.like(isatile.TExp, a) }

// TLog returns the natural logarithm of each element.
func (f *Func) TLog(a *ir.Value) *ir.Value { return f.like(isatile.TLog, a) }

// TSqrt returns the square root of each element.
func (f *Func) TSqrt(a *ir.Value) *ir.Value { return f.like(isatile.TSqrt, a) }

// TRecip returns the reciprocal of each element.
func (f *Func) TRecip(a *ir.Value) *ir.Value { return f.like(isatile.TRecip, a) }

// TAbs returns the absolute value of each element.
func (f *Func) TAbs(a *ir.Value) *ir.Value { return f.like(isatile.TAbs, a) }

// TNeg negates every element.
func (f *Func) TNeg(a *ir.Value) *ir.Value { return f.like(isatile.TNeg, a) }

// TRelu replaces negative elements by zero.
func (f *Func) TRelu(a *ir.Value) *ir.Value { return f.like(isatile.TRelu, a) }

// TRowSum returns a column with the sum of each row.
func (f *Func) TRowSum(a *ir.Value) *ir.Value { return f.column(isatile.TRowSum, a) }

// TRowMax returns a column with the largest element of each row.
func (f *Func) TRowMax(a *ir.Value) *ir.Value { return f.column(isatile.TRowMax, a) }

// TRowMin returns a column with the smallest element of each row.
func (f *Func) TRowMin(a *ir.Value) *ir.Value { return f.column(isatile.TRowMin, a) }

// TRowExpandAdd adds element i of a column to row i of a.
func (f *Func) TRowExpandAdd(a, column *ir.Value) *ir.Value {
	return f.like(isatile.TRowExpandAdd, a, column)
}

// TRowExpandSub subtracts element i of a column from row i of a.
func (f *Func) TRowExpandSub(a, column *ir.Value) *ir.Value {
	return f.like(isatile.TRowExpandSub, a, column)
}

// TRowExpandMul multiplies row i of a by element i of a column.
func (f *Func) TRowExpandMul(a, column *ir.Value) *ir.Value {
	return f.like(isatile.TRowExpandMul, a, column)
}

// TRowExpandDiv divides row i of a by element i of a column.
func (f *Func) TRowExpandDiv(a, column *ir.Value) *ir.Value {
	return f.like(isatile.TRowExpandDiv, a, column)
}
