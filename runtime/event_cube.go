// This file determines the exact bytes that instructions of the cube unit access, for
// events.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Matrices of the cube unit are stored in columns of fractals. An instruction accesses
// only the bytes of a fractal that belong to the matrix.

// fractalColumns describes the memory of a matrix that is stored in fractals (blocks of
// 16 rows), one column of fractals after the other. The field rows is the number of rows
// of the matrix, and the field width is the length of a row in bytes. The field unit is
// the number of bytes of each row that a column of fractals contains. The field apart is
// the distance in bytes between the starts of consecutive columns of fractals.
type fractalColumns struct{ rows, width, unit, apart int }

// record adds the byte ranges of the matrix to list. at is the offset of the first byte
// of the matrix.
func (c fractalColumns) record(list *runList, at int64) {
	for from := 0; from < c.width; from += c.unit {
		n := min(c.unit, c.width-from)
		list.addRun(Run{
			Start: at + int64(from/c.unit*c.apart), Length: int64(n), Stride: int64(c.unit), Count: int64(c.rows),
		})
	}
}

// hearMad ensures that the events of a matrix product contain exactly the byte ranges of
// its matrices. op is the product, and the parameter a is its compiled form. Without
// hearMad, the events would contain complete fractals (blocks of 16 rows by 32 bytes),
// because the compiled product checks and accesses memory in fractals.
func (p *planner) hearMad(op *ir.Op, a *mad) {
	if !p.listening() {
		return
	}
	a.lhs.quiet, a.rhs.quiet, a.dst.quiet = true, true, true
	p.link(op, func(fr *frame, r *recorder) {
		s, f := a.shape(fr)
		if f != nil {
			return
		}
		note := func(x *cubeArg, c fractalColumns) {
			list, at := r.runsAt(&x.pointee, fr.x[x.ptr])
			c.record(list, at)
		}
		operand := func(x *cubeArg, lines int) fractalColumns {
			return fractalColumns{lines, (s.k*x.f.Bits() + 7) / 8, blockBytes, roundUp(lines, fractalRows) * blockBytes}
		}
		left := operand(&a.lhs, s.m)
		if s.gemv {
			left.unit = max(left.width, 1)
		}
		note(&a.lhs, left)
		note(&a.rhs, operand(&a.rhs, s.n))
		acc := fractalColumns{s.m, s.n * accSize, accCols * accSize, roundUp(s.m, fractalRows) * accCols * accSize}
		if s.start == sem.MadAcc {
			read := a.dst
			read.how = reads
			note(&read, acc)
		}
		note(&a.dst, acc)
	})
}

// hearTransposed records, in the current event, the bytes that a transposing load of a
// cube operand reads in L1 and writes in the operand buffer. c contains the position and
// extents of the matrix, in fractals (blocks of 16 rows by 32 bytes).
func (l *operandLoad) hearTransposed(fr *frame, c controls) {
	r := fr.core.rec
	if r == nil {
		return
	}
	rows, cols, size := c.rows*fractalRows, c.cols*blockElems(l.src.f), l.src.f.Bits()
	list, at := r.runsAt(&l.src.pointee, fr.x[l.src.ptr]+uint64((c.col*c.src+c.row)*fractalBytes))
	fractalColumns{rows, cols * size / 8, blockBytes, c.src * fractalBytes}.record(list, at)
	list, at = r.runsAt(&l.dst.pointee, fr.x[l.dst.ptr])
	fractalColumns{cols, rows * size / 8, blockBytes, c.dst * fractalBytes}.record(list, at)
}

// hearSource records, in the current event, the bytes that a copy out of the accumulator
// reads. In each column of fractals (16 x 16 elements), these are only the rows of the
// matrix, not the padding rows. t contains the extents and strides, and src is the
// address of the matrix in L0C.
func (s *productStore) hearSource(fr *frame, t *storeSettings, src uint64) {
	r := fr.core.rec
	if r == nil {
		return
	}
	const line = accCols * accSize
	list, at := r.runsAt(&s.src.pointee, src)
	for col := 0; col < t.n; col += accCols {
		list.addRun(Run{
			Start: at + int64(col/accCols*t.srcStride*line), Length: int64(min(accCols, t.n-col) * accSize),
			Stride: int64(t.rowStride * line), Count: int64(t.m),
		})
	}
}
