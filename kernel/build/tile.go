package build

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Tile is the type of a tile in vec, row-major, all of it valid. For others
// change the fields of a pto.TileInfo and take ir.TypeOf of the pto.Tile.
func Tile(elem ir.Type, rows, cols int64) ir.Type { return tileType(elem, rows, cols, pto.RowMajor) }

// Column is the type of a tile with one element per row, which is what reductions
// of rows give.
func Column(elem ir.Type, rows int64) ir.Type { return tileType(elem, rows, 1, pto.ColMajor) }

func tileType(elem ir.Type, rows, cols int64, order pto.Layout) ir.Type {
	return ir.TypeOf(pto.Tile{TileInfo: pto.TileInfo{
		Space: sem.UB, Elem: elem, Rows: rows, Cols: cols, VRows: rows, VCols: cols,
		BLayout: order, Fractal: pto.DefaultFractal,
	}})
}

// Tile inserts an instruction of Level 1 with one result of the given type.
func (f *Func) Tile(def *ir.Def, result ir.Type, ins ...*ir.Value) *ir.Value {
	return f.insert(f.form(def, ir.SSA, ins, result)).Result(0)
}

// Into inserts an instruction of Level 2, which writes its result to dst: a
// buffer, or for stores a part of a view.
func (f *Func) Into(def *ir.Def, dst *ir.Value, ins ...*ir.Value) {
	form := def.Made().Form(ir.DPS)
	if form == nil {
		misuse(def, "it has no form of Level 2")
	}
	// The destination stands after the operands that are required, and before
	// or after optional ones, as the form has it.
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

// form is the operation in its form of a level. The number of operands must be
// one that the form can have.
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

// AllocTile allocates a buffer of Level 2 for a tile of the given type.
func (f *Func) AllocTile(t ir.Type) *ir.Value {
	return f.Op(isatile.AllocTile, nil, pto.BufOf(t)).Result(0)
}

// like inserts an instruction whose result has the type of its first operand.
func (f *Func) like(def *ir.Def, ins ...*ir.Value) *ir.Value {
	return f.Tile(def, typeOf(def, ins[0]), ins...)
}

// column inserts an instruction that reduces every row to one element.
func (f *Func) column(def *ir.Def, src *ir.Value) *ir.Value {
	t, ok := ir.As[pto.Tile](typeOf(def, src))
	if !ok {
		misuse(def, "%s is no tile", src.Type())
	}
	c, _ := ir.As[pto.Tile](Column(t.Elem, t.Rows))
	c.VRows = t.VRows
	return f.Tile(def, ir.TypeOf(c), src)
}

// TAdd adds two tiles element by element.
func (f *Func) TAdd(a, b *ir.Value) *ir.Value { return f.like(isatile.TAdd, a, b) }

// TSub subtracts b from a.
func (f *Func) TSub(a, b *ir.Value) *ir.Value { return f.like(isatile.TSub, a, b) }

// TMul multiplies two tiles element by element.
func (f *Func) TMul(a, b *ir.Value) *ir.Value { return f.like(isatile.TMul, a, b) }

// TDiv divides a by b.
func (f *Func) TDiv(a, b *ir.Value) *ir.Value { return f.like(isatile.TDiv, a, b) }

// TMax takes the larger of two elements.
func (f *Func) TMax(a, b *ir.Value) *ir.Value { return f.like(isatile.TMax, a, b) }

// TMin takes the smaller of two elements.
func (f *Func) TMin(a, b *ir.Value) *ir.Value { return f.like(isatile.TMin, a, b) }

// TAddS adds a scalar to every element.
func (f *Func) TAddS(a, s *ir.Value) *ir.Value { return f.like(isatile.TAddS, a, s) }

// TSubS subtracts a scalar from every element.
func (f *Func) TSubS(a, s *ir.Value) *ir.Value { return f.like(isatile.TSubS, a, s) }

// TMulS multiplies every element by a scalar.
func (f *Func) TMulS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMulS, a, s) }

// TDivS divides every element by a scalar.
func (f *Func) TDivS(a, s *ir.Value) *ir.Value { return f.like(isatile.TDivS, a, s) }

// TMaxS takes the larger of every element and a scalar.
func (f *Func) TMaxS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMaxS, a, s) }

// TMinS takes the smaller of every element and a scalar.
func (f *Func) TMinS(a, s *ir.Value) *ir.Value { return f.like(isatile.TMinS, a, s) }

// TExp takes e to the power of every element.
func (f *Func) TExp(a *ir.Value) *ir.Value { return f.like(isatile.TExp, a) }

// TLog takes the natural logarithm of every element.
func (f *Func) TLog(a *ir.Value) *ir.Value { return f.like(isatile.TLog, a) }

// TSqrt takes the square root of every element.
func (f *Func) TSqrt(a *ir.Value) *ir.Value { return f.like(isatile.TSqrt, a) }

// TRecip takes the reciprocal of every element.
func (f *Func) TRecip(a *ir.Value) *ir.Value { return f.like(isatile.TRecip, a) }

// TAbs takes the magnitude of every element.
func (f *Func) TAbs(a *ir.Value) *ir.Value { return f.like(isatile.TAbs, a) }

// TNeg negates every element.
func (f *Func) TNeg(a *ir.Value) *ir.Value { return f.like(isatile.TNeg, a) }

// TRelu replaces negative elements by zero.
func (f *Func) TRelu(a *ir.Value) *ir.Value { return f.like(isatile.TRelu, a) }

// TRowSum adds up every row into a column.
func (f *Func) TRowSum(a *ir.Value) *ir.Value { return f.column(isatile.TRowSum, a) }

// TRowMax takes the largest element of every row into a column.
func (f *Func) TRowMax(a *ir.Value) *ir.Value { return f.column(isatile.TRowMax, a) }

// TRowMin takes the smallest element of every row into a column.
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
