package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Fold computes a function over each of several rows, from the first element to
// the last, each step rounded to the format.
type Fold struct {
	run  func(d, a *byte, pitch, n int)
	rows int // come in multiples of it
	cols int // too
	size int // bytes of an element
}

// foldKey selects a fold.
type foldKey struct {
	fn *scalar.Fn
	f  num.Format
}

// Folds returns the loops that fold rows of elements of f at a level, those
// that take most rows at once first. There may be none.
func Folds(fn *scalar.Fn, f num.Format, level Level) []Fold {
	if level == None {
		return nil
	}
	return folds[foldKey{fn, f}]
}

// Run folds rows of n elements, pitch bytes from each other, into elements of d
// that lie side by side. It does whole vectors, and returns how many rows that
// makes, and how many elements of each.
func (l *Fold) Run(d, a []byte, pitch, rows, n int) (doneRows, doneCols int) {
	rows, n = rows/l.rows*l.rows, n/l.cols*l.cols
	if rows == 0 || n == 0 {
		return 0, 0
	}
	d, a = d[:rows*l.size], a[:(rows-1)*pitch+n*l.size]
	for r := 0; r < rows; r += l.rows {
		l.run(&d[r*l.size], &a[r*pitch], pitch, n)
	}
	return rows, n
}
