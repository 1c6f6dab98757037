// This file computes the bytes that an instruction can access through a pointer.

package sem

import "ptogo/ir"

// Span is a range of bytes that an instruction may access. The range has Size bytes and
// starts From bytes after the address of Pointer. If Width is set, the instruction
// accesses only runs of Width bytes within the range. Pitch is then the distance in bytes
// from the start of a run to the start of the next run.
type Span struct {
	Pointer      *ir.Value
	From, Size   int64
	Width, Pitch int64
}

// Spanning is implemented by kinds that can compute which bytes an instruction accesses
// through its pointers. The parameter known provides the values of constant operands. The
// result omits pointers whose accessed range depends on unknown values.
type Spanning interface {
	Spans(op *ir.Op, t ir.Target, known Known) []Span
}

// loop is a loop of a copy: its number of iterations, and the bytes by which the address
// advances per iteration.
type loop struct{ count, step int64 }

// spanOf returns the bytes that nested loops access if each iteration accesses n bytes.
// The loops are listed innermost first. The first access starts at the address of pointer
// o plus a number of bytes, the parameter from. The result is nil if the loops access no
// bytes, or if a number is negative or so large that no memory contains the bytes.
func spanOf(o Operand, from, n int64, loops ...loop) []Span {
	s := Span{Pointer: o.Value, From: from, Size: n}
	for _, l := range loops {
		switch {
		case n <= 0 || l.count <= 0 || l.step < 0 || from < 0 || l.count > 1<<32 || l.step > 1<<40:
			return nil // nothing, or more than any memory has
		case l.count == 1:
			continue
		case s.Size == n && l.step > n:
			s.Width, s.Pitch = n, l.step
		case s.Width > 0:
			s.Width, s.Pitch = 0, 0
		}
		s.Size += (l.count - 1) * l.step
	}
	if n <= 0 {
		return nil
	}
	return []Span{s}
}

// Spans returns the bytes that the copy reads and writes. It returns nil if a length or
// stride is unknown. It also returns nil if the copy has outer loops whose parameters are
// in special registers.
func (c CopyBursts) Spans(op *ir.Op, _ ir.Target, known Known) []Span {
	b := BurstsOf(op)
	n, ok := known.of(b.Length, 0)
	if !ok || c.Loops != "" {
		return nil
	}
	scale := int64(1)
	if c.Blocks {
		scale = BlockBytes
	}
	n *= scale
	var src, dst []loop
	for i, l := range b.Levels {
		x, ok := known.all(l.Count, l.Source, l.Destination)
		if !ok {
			return nil
		}
		if c.Blocks && i == 0 {
			x[1], x[2] = n+x[1]*scale, n+x[2]*scale
		}
		src, dst = append(src, loop{x[0], x[1]}), append(dst, loop{x[0], x[2]})
	}
	spans := spanOf(b.Source, 0, n, src...)
	if b.Pad.Given() {
		pads, ok := known.all(b.Left, b.Right)
		size := bitsOf(b.Pad) / 8
		if !ok || size == 0 {
			return spans
		}
		n = roundUp(n+(pads[0]+pads[1])*size, BlockBytes)
	}
	return append(spans, spanOf(b.Destination, 0, n, dst...)...)
}

// Spans returns the bytes that op reads from the source and writes to the destination.
// The result is nil if these bytes are not known: an operand is unknown, or a register
// instead of an operand contains the number of matrices.
func (l LoadFractals) Spans(op *ir.Op, _ ir.Target, known Known) []Span {
	o := FractalLoadOf(op)
	x, ok := known.all(o.N, o.D, o.Inner, o.Outer, o.Small)
	g, ok2 := known.all(o.Groups[:]...)
	size := bitsOf(o.Source) / 8
	if !ok || !ok2 || l.Registers || size == 0 {
		return nil
	}
	n, d, matrices := x[0], x[1], loop{g[0], x[3]}
	spans := spanOf(o.Source, 0, d*size, loop{n, x[2]}, matrices)
	if o.Transposed {
		spans = spanOf(o.Source, 0, n*size, loop{d, x[2]}, matrices)
	}
	to := loop{g[0], g[3] * BlockBytes}
	if x[4] != 0 {
		return append(spans, spanOf(o.Destination, 0, roundUp(n*SmallUnit*size, BlockBytes), to)...)
	}
	down, right := loop{n, g[1] * BlockBytes}, loop{ceilDiv(d*size, BlockBytes), g[2] * BlockBytes}
	return append(spans, spanOf(o.Destination, 0, BlockBytes, down, right, to)...)
}

// FractalRows is the number of rows of a fractal, the block in which matrix operands are
// stored. FractalBytes is the size of a fractal in bytes.
const (
	FractalRows  = 16
	FractalBytes = FractalRows * BlockBytes
)

// Spans returns the bytes of the fractals that op reads from L1 and writes to the operand
// buffer. It returns nil if an operand is unknown.
func (LoadOperand) Spans(op *ir.Op, _ ir.Target, known Known) []Span {
	o := OperandLoadOf(op)
	c, ok := known.all(o.Controls[:]...)
	turned, ok2 := known.of(o.Transpose, 0)
	bits := bitsOf(o.Source)
	if !ok || !ok2 || bits == 0 {
		return nil
	}
	transposed := o.Transposed || turned != 0
	unit := 8 * BlockBytes / bits // columns of a fractal
	if o.Shaped {
		shape, ok := known.all(o.Shape[:]...)
		if !ok {
			return nil
		}
		c = shapedControls(shape, unit, transposed)
	}
	row, col, rows, cols := c[0], c[1], c[2], c[3]
	spans := spanOf(o.Source, (col*c[4]+row)*FractalBytes, rows*FractalBytes, loop{cols, c[4] * FractalBytes})
	if transposed {
		rows, cols = ceilDiv(c[3]*unit, FractalRows), ceilDiv(c[2]*FractalRows, unit)
	}
	return append(spans, spanOf(o.Destination, 0, rows*FractalBytes, loop{cols, c[5] * FractalBytes})...)
}

// shapedControls computes the six operands that select the fractals of an OperandLoad
// (the field Controls) from the shape of the copied matrix. The shape consists of four
// numbers: rows, columns, first row and first column. The six results are the row and the
// column of the first fractal, the numbers of rows and columns of fractals, and the two
// strides in fractals. unit is the number of columns in a fractal. If transposed is set,
// the copy exchanges rows and columns. It then moves only complete squares of max(unit,
// FractalRows) rows and columns, so the extents are rounded up to multiples of this
// number.
func shapedControls(shape []int64, unit int64, transposed bool) []int64 {
	rows, cols := shape[0], shape[1]
	c := []int64{shape[2] / FractalRows, shape[3] / unit, ceilDiv(rows, FractalRows), ceilDiv(cols, unit), 0, 0}
	if transposed { // whole squares
		square := max(unit, FractalRows)
		rows, cols = roundUp(rows, square), roundUp(cols, square)
		c[2], c[3] = cols/FractalRows, rows/unit
		c[4], c[5] = c[2], rows/FractalRows
		return c
	}
	c[4], c[5] = c[2], c[2]
	return c
}

// Spans returns the bytes that op reads from L1 and writes to the buffer for biases or
// factors. It returns nil if an operand is unknown.
func (LoadParams) Spans(op *ir.Op, t ir.Target, known Known) []Span {
	o := ParamLoadOf(op, t)
	x, ok := known.all(o.Count, o.Length, o.SourceGap, o.DestGap)
	if !ok {
		return nil
	}
	n := x[1] * o.Unit
	from, to, wider := n+x[2]*o.Unit, n+x[3]*o.Unit, int64(1)
	if bitsOf(o.Source) == 16 && bitsOf(o.Destination) == 32 {
		wider = 2
	}
	return append(spanOf(o.Source, 0, n, loop{x[0], from}), spanOf(o.Destination, 0, n*wider, loop{x[0], to * wider})...)
}

// Spans returns the bytes that op fills, or nil if an operand is unknown.
func (FillWords) Spans(op *ir.Op, _ ir.Target, known Known) []Span {
	o := FillOf(op)
	x, ok := known.all(o.Offset, o.Repeat, o.Blocks, o.Gap)
	if !ok {
		return nil
	}
	return spanOf(o.Dst, x[0], x[2]*BlockBytes, loop{x[1], (x[2] + x[3]) * BlockBytes})
}

// bitsOf returns a size in bits. For a pointer o, it is the size of the element type. For
// a number o, it is the size of the type of o. bitsOf returns 0 for other types.
func bitsOf(o Operand) int64 {
	t := o.Type()
	if e := ir.ElementType(t); !e.IsZero() {
		t = e
	}
	f, ok := ir.FormatOf(t)
	if !ok {
		return 0
	}
	return int64(f.Bits())
}

// ceilDiv returns n/k rounded up.
func ceilDiv(n, k int64) int64 { return (n + k - 1) / k }

// roundUp rounds n up to a multiple of k.
func roundUp(n, k int64) int64 { return ceilDiv(n, k) * k }
